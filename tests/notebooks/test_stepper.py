"""The Stepper in Python: choices, steps, errors, what it shows where."""

import html
import linecache
import re
from pathlib import Path

import numpy as np
import pytest
from each import each, row_title
from packed import story_in
from settings import SOME_ROWS, sampled, taken

import animations
from animations.notebook.saved import WIDGET
from animations.notebook.stepper import CHOICES, Stepper
from collectives import record, send
from collectives.algorithms.ring import ring_all_reduce
from collectives.errors import BadInput

SRCDOC = re.compile(r"<iframe [^>]*sandbox=\"allow-scripts\"[^>]* srcdoc=\"([^\"]*)\"></iframe>")


def controls_of(stepper):
    """The controls by name: collective, algorithm, ranks, root."""
    return {control.description: control for control in stepper._box.children[0].children}


def page_of(stepper):
    found = SRCDOC.search(stepper._repr_html_())
    return html.unescape(found[1])


def test_it_is_a_public_name():
    assert animations.Stepper is Stepper
    with pytest.raises(AttributeError, match="no attribute 'Steper'"):
        _ = animations.Steper


def test_the_example_of_the_guide_runs():
    guide = (Path(animations.__file__).parents[1] / "docs" / "learn.md").read_text()
    block = next(b for b in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "Stepper" in b)
    names = {}
    exec(compile(block, "learn.md", "exec"), names)
    assert (names["stepper"].problem, names["stepper"].step) == ("", 3)


@each("row", sampled(SOME_ROWS, 3), row_title)
def test_every_row_can_be_stepped(row):
    stepper = Stepper(row.collective, row.algorithm, ranks=taken(row, 5, 4))
    assert stepper.problem == ""
    assert story_in(stepper.story)["title"] == row.heading


def test_names_may_be_written_with_hyphens():
    stepper = Stepper("All-Reduce", "ring", ranks=3)
    assert (stepper.collective, stepper.problem) == ("all_reduce", "")
    assert controls_of(stepper)["collective"].label == "all-reduce"


def test_choices_reach_the_recording():
    stepper = Stepper("broadcast", "ring", ranks=4, root=2, chunks=3, count=6)
    assert story_in(stepper.story)["subtitles"][0] == "4 ranks · 3 chunks · 48 B · root 2"
    stepper.chunks = 6
    assert "6 chunks" in story_in(stepper.story)["subtitles"][0]


def test_a_recording_is_shown_as_it_is():
    def daisy_chain(n):
        for hop in range(n - 1):
            yield send(hop, hop + 1)

    mine = record(daisy_chain(3), collective="broadcast", algorithm="daisy", ranks=3, slots=1)
    stepper = Stepper(mine)
    assert (stepper.problem, story_in(stepper.story)["title"]) == ("", "Daisy")
    assert stepper._box.children == (stepper,)


def test_a_function_is_recorded_and_follows_the_controls():
    stepper = Stepper(ring_all_reduce, ranks=3)
    assert (stepper.problem, story_in(stepper.story)["title"]) == ("", "Ring all-reduce")
    controls = controls_of(stepper)
    controls["ranks"].value = 5
    assert (stepper.problem, story_in(stepper.story)["ranks"]) == ("", 5)
    controls["collective"].value = "broadcast"
    assert story_in(stepper.story)["title"] == "Flat broadcast"


def test_a_function_says_what_it_promises():
    def rotate(n):
        return ring_all_reduce(n)

    said = "rotate: its name does not end in a collective; name the collective with --collective"
    assert Stepper(rotate, ranks=3).problem.startswith(said)
    assert Stepper(rotate, ranks=3, collective="all_reduce").problem == ""


def test_a_wrong_function_names_the_line_of_its_cell(monkeypatch):
    file = "/tmp/ipykernel_81244/2146661748.py"
    cell = "def short_broadcast(n, root=0):\n    # once\n    yield send(root, n)\n"
    monkeypatch.setitem(linecache.cache, file, (len(cell), None, cell.splitlines(True), file))
    space = {"send": send}
    exec(compile(cell, file, "exec"), space)
    stepper = Stepper(space["short_broadcast"], ranks=3)
    assert "your cell, line 3" in stepper.problem
    assert stepper.story and "Wrong: short_broadcast" in stepper._repr_html_()


def test_a_choice_of_another_kind_is_explained():
    stepper = Stepper("all_reduce", "ring", ranks=np.int64(4))
    assert stepper.problem == ""
    stepper.ranks = "4"
    assert stepper.problem == "ranks '4': must be a whole number; try: 1"
    assert Stepper(5).problem == "subject 5: must be text; try: all_reduce"


def test_a_wrong_recording_is_explained():
    wrong = record([send(0, 1)], collective="broadcast", ranks=3, slots=1)
    stepper = Stepper(wrong)
    assert "rank 2, slot 0 is empty at the end" in stepper.problem
    assert stepper.story and 'title="Wrong: schedule"' in stepper._repr_html_()
    assert stepper._plain()["text/plain"] == f"Stepper: {stepper.problem}"
    with pytest.raises(BadInput, match="step 9: must be at most 1; try: 1"):
        stepper.step = 9
    assert stepper.step == 1
    stepper.choose(collective="all_reduce", algorithm="ring")
    assert stepper.problem == "" and "Wrong" not in stepper._repr_html_()


def test_a_step_is_read_back_as_it_was_set_or_refused():
    stepper = Stepper("all_reduce", "ring", ranks=4)
    for step in (3, 6, 0, np.int64(2)):
        stepper.step = step
        assert stepper.step == step and type(stepper.step) is int
    for step, rule in (
        (7, "step 7: must be at most 6; try: 6"),
        (-1, "step -1: must be at least 0; try: 0"),
        (2.5, "step 2.5: must be a whole number; try: 2"),
        ("3", "step '3': must be a whole number; try: 0"),
    ):
        with pytest.raises(BadInput) as refused:
            stepper.step = step
        assert (str(refused.value), stepper.step) == (rule, 2)
    stepper.ranks = 300
    with pytest.raises(BadInput, match="step 1: must be at most 0; try: 0"):
        stepper.step = 1


def test_a_browser_with_an_old_picture_is_corrected(monkeypatch):
    stepper, sent = Stepper("all_reduce", "ring", ranks=4), []
    monkeypatch.setattr(stepper, "_send", lambda message, **_: sent.append(message))
    stepper.set_state({"step": 9})
    assert stepper.step == 6
    assert [each["state"] for each in sent if each["method"] == "update"][-1] == {"step": 6}
    stepper.ranks = 1
    stepper.set_state({"playing": True})
    assert not stepper.playing


def test_what_was_built_is_a_trait_of_tuples():
    stepper = Stepper("all_reduce", "ring", ranks=2)
    stepper.built = [[[0, 1, 0, 0, True], (1, 0, 1, 1, True)], []]
    assert stepper.built == [[(0, 1, 0, 0, True), (1, 0, 1, 1, True)], []]
    for given, words in (
        ([[(0, 2, 0, 0, True)]], "built dst 2: must be"),
        ([[(0, 1, 0, 0)]], "must be numbers and a verb"),
        ([[(0, 1, 0, 0, 1)]], "must be numbers and a verb"),
        (7, "built 7"),
    ):
        with pytest.raises(BadInput, match=words):
            stepper.built = given
    stepper.ranks = 3
    assert stepper.built is None
    stepper.ranks = 64
    with pytest.raises(BadInput, match="shows no single ranks; try: None"):
        stepper.built = [[]]


def test_another_choice_starts_from_the_start():
    stepper = Stepper("all_reduce", "ring", ranks=4)
    stepper.step = 5
    stepper.ranks = 8
    assert (stepper.step, len(story_in(stepper.story)["frames"])) == (0, 14)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"root": 9}, "root 9 of 4 ranks; the ranks are 0 to 3"),
        ({"root": -1}, "root -1: must be at least 0"),
        ({"ranks": 0}, "ranks 0: must be at least 1"),
        ({"ranks": 10**9}, "1000000000 ranks: a page shows 1 to 256; try: 256"),
        ({"ranks": 257}, "257 ranks: a page shows 1 to 256; try: 256"),
        ({"algorithm": "rnig"}, "unknown broadcast algorithm 'rnig'; did you mean ring?"),
        ({"subject": "brodcast"}, "unknown collective 'brodcast'; did you mean broadcast?"),
        ({"chunks": 4}, "chunks 4: tree broadcast is not pipelined; leave chunks out"),
        ({"algorithm": "ring", "chunks": 300}, "300 chunks: a page shows 1 to 256"),
    ],
)
def test_what_cannot_be_shown_is_explained_in_one_line(given, problem):
    stepper = Stepper(**{"subject": "broadcast", "algorithm": "tree", **given})
    assert stepper.problem.startswith(problem)
    assert "\n" not in stepper.problem
    assert (stepper.story, stepper.step) == ("", 0)
    assert "<iframe" not in stepper._repr_html_()
    stepper.choose(collective="broadcast", algorithm="tree", ranks=4, root=0, chunks=None)
    assert (stepper.problem, story_in(stepper.story)["ranks"]) == ("", 4)


def test_words_of_a_problem_are_no_markup():
    stepper = Stepper("<script>", "ring")
    assert "<script>" in stepper.problem
    assert "<script>" not in stepper._repr_html_()


def test_controls_follow_the_traits_and_change_them():
    stepper = Stepper("broadcast", "ring", ranks=6, root=1, chunks=2)
    controls = controls_of(stepper)
    assert {name: control.value for name, control in controls.items()} == {
        "collective": "broadcast",
        "algorithm": "ring",
        "ranks": 6,
        "root": 1,
    }
    controls["ranks"].value = 7
    assert (stepper.ranks, story_in(stepper.story)["ranks"]) == (7, 7)
    assert stepper.chunks == 2
    controls["collective"].value = "scatter"
    assert controls["algorithm"].options == ("flat", "tree", "bine")
    now = [getattr(stepper, name) for name in CHOICES]
    assert now == ["scatter", "flat", 7, 1, None, None]
    controls["root"].value = 7
    assert stepper.problem == "root 7 of 7 ranks; the ranks are 0 to 6"
    controls["collective"].value = "all_reduce"
    assert (stepper.problem, stepper.root, controls["root"].disabled) == ("", 0, True)
    stepper.algorithm = "tree"
    assert controls["algorithm"].value == "tree"


def test_the_bundle_has_the_widget_and_the_page():
    stepper = Stepper("gather", "tree", ranks=5)
    bundle, _ = stepper._repr_mimebundle_()
    assert bundle[WIDGET]["model_id"] == stepper._box.model_id
    assert bundle["text/html"] == stepper._repr_html_()
    assert bundle["text/plain"] == "Stepper: Tree gather"
    assert page_of(stepper).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("algorithm", ["flat", "ring", "tree"])
@pytest.mark.parametrize("ranks", [16, 64])
def test_what_is_saved_is_small(algorithm, ranks):
    stepper = Stepper("all_reduce", algorithm, ranks=ranks)
    assert stepper._page
    assert len(stepper._repr_html_().encode()) <= 158_000  # the page with its clock, and a still
    assert len(stepper.story) <= 38_000  # with its machine, and when its transfers begin and end


WIDGET_ALONE = """async ([code, state]) => {
  const { default: widget } = await import(URL.createObjectURL(
    new Blob([code], { type: "text/javascript" })));
  const [heard, saved] = [{}, []];
  const model = {
    get: (name) => state[name],
    set: (name, value) => (state[name] = value),
    save_changes: () => saved.push(state.step),
    on: (event, act) => (heard[event] = act),
    off: () => {},
  };
  const el = document.body;
  widget.render({ model, el });
  while (!el.querySelector(".sheet")) await new Promise((done) => setTimeout(done, 10));
  const caption = () => el.querySelector("[data-part=caption]").textContent.slice(0, 6);
  const seen = [caption()];
  el.querySelector("[data-part=last]").click();
  seen.push(caption(), state.step);
  state.step = 2;
  heard["change:step"]();
  seen.push(caption(), saved.length);
  el.querySelector("[data-part=build]").click();
  const place = () => el.querySelector("[data-part=place]").textContent;
  seen.push(place(), state.built.length, state.built[0][0]);
  state.built = [[[0, 1, 0, 0, true]]];
  heard["change:built"]();
  return [...seen, place(), saved];
}"""


def test_steps_in_the_browser_are_saved_and_those_of_python_shown(window):
    stepper = Stepper("all_reduce", "ring", ranks=3)
    state = {"key": stepper.key, "story": stepper.story, "problem": "", "step": 1}
    found = window.evaluate(WIDGET_ALONE, [str(stepper._esm), state])
    mine = [0, 1, 2, 2, True]
    built = ["Step 3 of 4", 4, mine, "Step 2, new"]
    assert found == ["Step 1", "Step 4", 4, "Step 2", 1, *built, [4, 2]]


TWO_WIDGETS = """async ([code, states]) => {
  const found = [];
  for (const state of states) {
    const { default: widget } = await import(URL.createObjectURL(
      new Blob([code], { type: "text/javascript" })));
    const model = { get: (name) => state[name], on: () => {}, off: () => {}, set: () => {},
      save_changes: () => {} };
    for (let view = 0; view < 2; view++) {
      const el = document.body.appendChild(document.createElement("div"));
      widget.render({ model, el });
      while (!el.querySelector(".sheet")) await new Promise((done) => setTimeout(done, 10));
      const hatched = [...el.querySelectorAll(".stripe")].filter((stripe) => stripe.style.fill);
      found.push([hatched.length > 0, hatched.every((stripe) => el.contains(
        document.getElementById(/#([^"]+)/.exec(stripe.style.fill)[1])))]);
    }
  }
  return found;
}"""


def test_each_view_of_each_widget_is_drawn_with_its_own_hatches(window):
    """Each widget loads the module anew; hatches of a tab that is not seen are not drawn."""
    steppers = [
        Stepper("broadcast", "tree", ranks=16),
        Stepper("all_to_all", "pairwise", ranks=12),
    ]
    names = ("key", "story", "problem", "step")
    states = [{name: getattr(stepper, name) for name in names} for stepper in steppers]
    found = window.evaluate(TWO_WIDGETS, [str(steppers[0]._esm), states])
    assert found == [[True, True]] * 4


def test_a_collective_is_known_by_the_names_that_libraries_give_it():
    stepper = Stepper("allreduce", "ring")
    assert (stepper.collective, stepper.problem) == ("all_reduce", "")
    assert controls_of(stepper)["collective"].value == "all_reduce"
    stepper.collective = "AllGather"
    assert (stepper.collective, stepper.problem) == ("all_gather", "")
