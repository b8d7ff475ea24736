"""What the Stepper has beside its choices: time, playing, selection; and two threads at once."""

import threading

import pytest
import traitlets
from packed import story_in
from test_stepper import controls_of, page_of

import animations
import collectives
from animations.notebook import stepper as module
from animations.notebook.stepper import Stepper
from collectives import BadInput, lockstep, record, topology


def test_time_is_that_of_the_clock_at_each_step():
    recording = record("all_reduce", "tree", ranks=5, count=5000)
    machine = topology("hgx-h100", 5)
    stepper, ends, seen = Stepper(recording, topology=machine), [], []
    stepper.observe(lambda change: seen.append(change["new"]), "time")
    for stepper.step in range(1, len(recording.steps) + 1):
        ends.append(stepper.time)
    assert ends == lockstep(recording, machine).step_end.tolist() == seen
    stepper.step = 0
    assert stepper.time == 0
    with pytest.raises(traitlets.TraitError, match="read-only"):
        stepper.time = 1


def test_another_choice_is_not_played_and_has_nothing_selected():
    stepper = Stepper("all_reduce", "ring", ranks=4)
    stepper.step, stepper.playing, stepper.selection = 3, True, {"rank": 3}
    stepper.ranks = 3
    assert (stepper.playing, stepper.selection, stepper.time) == (False, None, 0)
    stepper.ranks = 1  # of which there is no step
    with pytest.raises(BadInput, match="playing True: the picture has no steps; try: False"):
        stepper.playing = True
    assert not stepper.playing


@pytest.mark.parametrize(
    "selection", [{"rank": 3}, {"rank": 0, "slot": 3}, {"transfer": [6, 3]}, None]
)
def test_a_selection_is_a_plain_value(selection):
    stepper = Stepper("all_reduce", "ring", ranks=4)
    stepper.selection = {"rank": 1}
    stepper.set_state({"selection": selection})
    assert stepper.selection == selection
    stepper.selection = None if selection is None else dict(selection)
    assert stepper.get_state("selection") == {"selection": selection}


@pytest.mark.parametrize(
    ("selection", "problem"),
    [
        ({"rank": 4}, "selection of rank 4: must be at most 3; try: 3"),
        ({"rank": 0, "slot": -1}, "selection of slot -1: must be at least 0; try: 0"),
        ({"slot": 0}, "selection {'slot': 0}: selects nothing; try: {'rank': 0}"),
        ({"transfer": [0, 0]}, "selection of transfer in step 0: must be at least 1; try: 1"),
        ({"transfer": [7, 0]}, "selection of transfer in step 7: must be at most 6; try: 6"),
        ({"transfer": [1, 4]}, "selection of transfer 4: must be at most 3; try: 3"),
        ({"transfer": [1]}, "selection of transfer [1]: must be the number of a step, and that"),
        (3, "selection 3: must be a dict; try: {'rank': 0}"),
    ],
)
def test_what_the_picture_does_not_have_cannot_be_selected(selection, problem):
    stepper = Stepper("all_reduce", "ring", ranks=4)
    with pytest.raises(BadInput) as refused:
        stepper.selection = selection
    assert str(refused.value).startswith(problem)
    assert stepper.selection is None


def test_nothing_can_be_selected_where_there_is_no_picture():
    stepper = Stepper("all_reduce", "ring", ranks=300)
    with pytest.raises(BadInput, match="there is no picture; try: None"):
        stepper.selection = {"rank": 0}


def test_several_choices_are_drawn_once(monkeypatch):
    drawn, draw = [], module.png
    stepper = Stepper("all_reduce", "ring", ranks=4)
    monkeypatch.setattr(module, "png", lambda board: drawn.append(board.title) or draw(board))
    stepper.choose(collective="broadcast", algorithm="tree", ranks=3, root=1, count=None)
    assert drawn == ["Tree broadcast"]


@pytest.mark.parametrize("by_control", [False, True], ids=["choose", "control"])
def test_a_cell_and_a_control_do_not_mix_two_pictures(monkeypatch, by_control):
    """The cell's picture is held up until the control's is there, which has to wait for it."""
    stepper = Stepper("all_reduce", "ring", ranks=4)
    began, ended, draw = threading.Event(), threading.Event(), module.png

    def slow(board):
        if board.ranks == 3:
            began.set()
            ended.wait(0.3)
        return draw(board)

    def control():
        began.wait()
        if by_control:
            controls_of(stepper)["ranks"].set_state({"value": 5})
        else:
            stepper.choose(ranks=5)
        ended.set()

    monkeypatch.setattr(module, "png", slow)
    other = threading.Thread(target=control)
    other.start()
    stepper.ranks = 3
    other.join()
    now = stepper.ranks
    assert now == controls_of(stepper)["ranks"].value == story_in(stepper.story)["ranks"]
    assert f"{now} ranks" in page_of(stepper)
    assert len(story_in(stepper.story)["frames"]) == stepper._reach.last == 2 * (now - 1)


def test_a_step_of_the_browser_waits_for_the_picture(monkeypatch):
    """Else it would be a step of the new picture, or of none."""
    stepper = Stepper("all_reduce", "ring", ranks=8)
    began, ended, draw = threading.Event(), threading.Event(), module.png

    def slow(board):
        began.set()
        ended.wait(0.3)
        return draw(board)

    def browser():
        began.wait()
        stepper.set_state({"step": 9})
        ended.set()

    monkeypatch.setattr(module, "png", slow)
    other = threading.Thread(target=browser)
    other.start()
    stepper.ranks = 3
    other.join()
    assert stepper.step == 4


TWO_VIEWS = """async ([code, state]) => {
  const { default: widget } = await import(URL.createObjectURL(
    new Blob([code], { type: "text/javascript" })));
  const heard = [];
  globalThis.saved = [];
  globalThis.model = {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      saved.push([name, value]);
      heard.forEach(([event, act]) => event === `change:${name}` && act());
    },
    on: (...pair) => heard.push(pair),
    off: () => {},
    save_changes: () => {},
  };
  document.body.replaceChildren();
  for (const id of ["one", "two"]) {
    const el = document.body.appendChild(document.createElement("div"));
    el.id = id;
    widget.render({ model, el });
    while (!el.querySelector("[data-part=caption]")?.textContent) {
      await new Promise((done) => setTimeout(done, 10));
    }
    for (let i = 0; i < 2; i++) el.querySelector("[data-part=speed]").click();  // 4 times
  }
}"""
SELECTED = "id => document.querySelectorAll(`#${id} .selected`).length"
NAMES = ("key", "story", "problem", "step", "playing", "selection")


@pytest.fixture(scope="module")
def tab(browser):
    """A tab for all views, one after another."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    yield page
    page.close()


def opened(page, **choices):
    """Two views of a stepper on a page, with what they have said to its model since."""
    stepper = Stepper(**choices)
    page.goto("about:blank")
    state = {name: getattr(stepper, name) for name in NAMES}
    page.add_style_tag(content=str(stepper._css))
    page.evaluate(TWO_VIEWS, [str(stepper._esm), state])

    def said():
        return page.evaluate("saved.splice(0)")

    return stepper, page, said


def test_what_is_done_in_a_view_is_seen_in_python_and_in_the_other_view(tab):
    stepper, page, said = opened(tab, subject="all_reduce", algorithm="ring", ranks=3)
    assert said() == []
    x, y = page.evaluate(
        """() => {
          const marks = document.querySelector("#one .collectives").collectives.drawn();
          const { x, y } = marks.find(({ node, well }) => node === 2 && well === 1);
          const at = new DOMPoint(x + 3, y + 3);
          const { x: left, y: top } =
            at.matrixTransform(document.querySelector("#one .stage").getScreenCTM());
          return [left, top];
        }"""
    )
    for selection, outlines in (({"rank": 2, "slot": 1}, 1), (None, 0)):
        page.mouse.click(x, y)
        assert said() == [["selection", selection]]
        assert [page.evaluate(SELECTED, view) for view in ("one", "two")] == [outlines] * 2
        stepper.set_state({"selection": selection})
        assert stepper.selection == selection
    page.locator("#one .name[data-node='0']").click(force=True)
    assert said() == [["selection", {"rank": 0}]]
    page.evaluate("model.set('step', 2); model.set('selection', { transfer: [2, 1] })")
    page.locator("#two [data-part=transfers]").first.click()
    assert page.evaluate(SELECTED, "two") == 2
    current = page.locator("#two [aria-current]")
    assert current.inner_text().startswith("rank 1 → 2")
    page.locator("#two [data-part=list] li").nth(2).click()
    assert said()[2:] == [["selection", {"transfer": [2, 2]}]]
    assert page.locator("#two [data-part=thing]").inner_text() == "Rank 2 → rank 0, step 2"
    page.evaluate("model.set('step', 1)")
    assert page.evaluate(SELECTED, "two") == 0, "a transfer of another step"


def test_one_view_plays_and_the_other_follows(tab):
    _, page, said = opened(tab, subject="all_reduce", algorithm="ring", ranks=3)
    page.evaluate("model.set('step', 1); model.set('playing', true)")
    page.wait_for_function("!model.get('playing')")
    last = [["step", 1], ["playing", True], ["step", 2], ["step", 3], ["step", 4]]
    assert said() == [*last, ["playing", False]]
    captions = page.locator("[data-part=caption]").all_inner_texts()
    assert [caption[:6] for caption in captions] == ["Step 4"] * 2
    page.locator("#two [data-part=play]").click()
    page.wait_for_function("model.get('step') === 1")
    page.evaluate("model.set('playing', false)")
    assert page.evaluate("model.get('step')") == 1
    assert page.locator("[data-part=play]").all()[1].get_attribute("aria-label") == "Play"


def test_a_cell_of_a_matrix_is_selected_where_it_is(tab):
    _, page, said = opened(tab, subject="all_gather", algorithm="ring", ranks=80)
    page.evaluate("model.set('selection', { rank: 79, slot: 79 })")
    box = page.locator("#one .selected").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert said() == [["selection", {"rank": 79, "slot": 79}], ["selection", None]]
    canvas = page.locator("#one canvas").bounding_box()
    for side, length in (("x", "width"), ("y", "height")):
        assert box[side] + box[length] == pytest.approx(canvas[side] + canvas[length], abs=2)


@pytest.mark.parametrize("package", [animations, collectives])
def test_what_there_is_is_named(package):
    assert dir(package) == sorted(package.__all__)
    for name in dir(package):
        assert getattr(package, name).__doc__
