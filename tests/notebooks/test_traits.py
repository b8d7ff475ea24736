"""What the Stepper has beside its choices: time, playing, selection; and two threads at once."""

import threading

import pytest
import traitlets
from test_stepper import controls_of, page_of, story_of

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
        ({"rank": 4}, "selection of rank 4: must be at most 3; nearest: 3"),
        ({"rank": 0, "slot": -1}, "selection of slot -1: must be at least 0; nearest: 0"),
        ({"slot": 0}, "selection {'slot': 0}: selects nothing; nearest: {'rank': 0}"),
        ({"transfer": [0, 0]}, "selection of transfer in step 0: must be at least 1; nearest: 1"),
        ({"transfer": [7, 0]}, "selection of transfer in step 7: must be at most 6; nearest: 6"),
        ({"transfer": [1, 4]}, "selection of transfer 4: must be at most 3; nearest: 3"),
        ({"transfer": [1]}, "selection of transfer [1]: must be the number of a step, and that"),
        (3, "selection 3: must be a dict; nearest: {'rank': 0}"),
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
    with pytest.raises(BadInput, match="there is no picture; nearest: None"):
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
    assert now == controls_of(stepper)["ranks"].value == story_of(stepper)["ranks"]
    assert f"{now} ranks" in page_of(stepper)
    assert len(story_of(stepper)["frames"]) == stepper._last == 2 * (now - 1)


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


@pytest.mark.parametrize("package", [animations, collectives])
def test_what_there_is_is_named(package):
    assert dir(package) == sorted(package.__all__)
    for name in dir(package):
        assert getattr(package, name).__doc__
