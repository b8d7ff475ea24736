"""A Stepper that asks: the lock holds for `.step`, and the answers are a trait."""

import numpy as np
import pytest
from packed import story_in
from test_stepper import page_of

from animations.notebook.stepper import Stepper
from animations.player.page import player_script, player_style
from collectives import BadInput, record, send


def answer_to(stepper, number):
    """What the browser tells of the right answer to a question."""
    question = stepper._board.questions[number]
    because = [reason.text for reason in question.reasons if not reason.misconception]
    return {
        "kind": question.kind,
        "step": question.step,
        "asked": f"{question.prompt} ({question.detail})",
        "answered": question.right.text,
        "because": because[0],
        "right": True,
        "right_reason": True,
    }


def test_step_goes_no_further_than_the_next_question():
    stepper = Stepper("all_reduce", "ring", ranks=8, ask=True)
    questions = stepper._board.questions
    assert len(questions) == len(story_in(stepper.story)["questions"]) == 10
    for number, question in enumerate(questions):
        limit = min(question.step - 1, 14)
        stepper.step = limit
        if limit < 14:
            rule = f"step 14: locked until the question before step {limit + 1} is answered"
            with pytest.raises(BadInput, match=f"{rule} in the picture; try: {limit}"):
                stepper.step = 14
        stepper.set_state({"step": 14})
        assert stepper.step == limit
        with pytest.raises(BadInput, match=r"selection {'chunk': .*: its story answers a question"):
            stepper.selection = {"chunk": [0]}
        stepper.set_state({"selection": {"chunk": [0]}})
        assert stepper.selection is None
        told = [*stepper.answers, answer_to(stepper, number)]
        stepper.set_state({"answers": told})
        assert stepper.answers == told
    stepper.step, stepper.selection = 14, {"chunk": [0]}
    assert (stepper.step, stepper.selection) == (14, {"chunk": [0]})
    stepper.answers = []
    assert (stepper.step, stepper.selection) == (questions[0].step - 1, None)


def test_another_choice_asks_anew_and_nothing_is_asked_unless_it_is_said():
    stepper = Stepper("all_reduce", "ring", ranks=4, ask=True)
    stepper.answers = [answer_to(stepper, 0)]
    stepper.algorithm = "tree"
    assert stepper.answers == [] and story_in(stepper.story)["questions"]
    assert '"' in page_of(stepper)
    plain = Stepper("all_reduce", "ring", ranks=4)
    plain.step = 6
    assert plain.step == 6 and story_in(plain.story)["questions"] == []
    with pytest.raises(BadInput, match="ask 1: must be"):
        Stepper("all_reduce", "ring", ask=1)


def my_all_gather(n):
    """Every rank passes on what it received."""
    for step in range(n - 1):
        rank = np.arange(n)
        # to the right
        yield send(rank, (rank + 1) % n, (rank - step) % n)


def test_own_functions_are_asked_about_on_twice_the_ranks_too():
    stepper = Stepper(my_all_gather, ranks=4, ask=True)
    [steps] = [each for each in stepper._board.questions if each.kind == "steps"]
    assert steps.right.value == 7
    given = Stepper(record(my_all_gather(4), collective="all_gather", ranks=4), ask=True)
    kinds = {each.kind for each in given._board.questions}
    assert kinds >= {"next", "line"} and "steps" not in kinds


MODEL = """(given) => {
  const heard = {};
  globalThis.model = {
    values: given,
    told: [],
    get: (name) => model.values[name],
    set: (name, value) => { model.values[name] = value; model.told.push(name); },
    save_changes: () => {},
    on: (event, act) => (heard[event] = act),
    off: () => {},
    change: (name, value) => { model.values[name] = value; heard[`change:${name}`]?.(); },
  };
  widget.render({ model, el: document.body });
}"""


def test_the_widget_tells_answers_before_the_step_they_unlock(window):
    stepper = Stepper("all_reduce", "ring", ranks=8, ask=True)
    names = ("key", "story", "problem", "step", "playing", "selection", "answers")
    page = window
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1200, "height": 800})
    code = player_script("entry/widget.js").replace("export default", "globalThis.widget =")
    page.set_content(f"<style>{player_style()}</style><script type=module>{code}</script>")
    page.wait_for_function("globalThis.widget")
    page.evaluate(MODEL, {name: getattr(stepper, name) for name in names})
    panel = page.locator("[data-part=question]")
    page.wait_for_selector(".sheet")
    page.evaluate("model.change('step', 14)")
    lock = stepper._board.questions[0].step - 1
    assert page.locator("[data-part=scrub]").input_value() == f"{lock}"
    page.evaluate(f"model.change('step', {lock})")
    panel.get_by_role("button", name="Skip").click()
    page.wait_for_function("() => model.told.at(-1) === 'step'")
    assert page.evaluate("model.told.slice(-2)") == ["answers", "step"]
    [told] = page.evaluate("model.values.answers")
    assert (told["answered"], told["right"]) == (None, None)
    stepper.set_state({"answers": [told]})
    stepper.set_state({"step": lock + 1})
    assert stepper.step == lock + 1
    answers = [answer_to(stepper, number) for number in range(len(stepper._board.questions))]
    page.evaluate("answers => model.change('answers', answers)", answers)
    page.evaluate("model.change('step', 14)")
    assert page.evaluate("model.values.step") == 14
    assert page.locator("[data-part=scrub]").input_value() == "14"
    page.evaluate("model.change('answers', [])")
    assert page.locator("[data-part=scrub]").input_value() == f"{lock}"
