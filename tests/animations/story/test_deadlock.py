"""A deadlock is drawn as a cycle: arrows from who waits to whom, and the line of each rank."""

import math

import pytest

from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.figures.still import figure
from animations.pictures.panels import fixed_text, keyframe_text
from animations.player.pack.data import story
from animations.score.score import Keyframe
from animations.story.compose import proved_storyboard
from animations.story.wrong import fault_strokes
from collectives import WrongSchedule
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.schedule.spmd import Put, Recv, RecvReduce, Send, Signal, WaitSignal, sendrecv


def half_all_reduce(rank, n):
    """The first half is a ring, in the second all send before they receive."""
    right, left = (rank + 1) % n, (rank - 1) % n
    for k in range(n - 1):
        yield sendrecv(Send(right, (rank - k - 1) % n), RecvReduce(left, (rank - k - 2) % n))
    yield Send(right, rank)
    yield Recv(left, left)


def ended_all_reduce(rank, n):
    if rank == 0:
        yield RecvReduce(1)
        yield RecvReduce(2)
    elif rank != 2:
        yield Send(0)


def crossed_all_reduce(rank, n):
    yield Recv((rank + n // 2) % n)


LINE = half_all_reduce.__code__.co_firstlineno + 5


def board(program, ranks, **options):
    with pytest.raises(WrongSchedule) as raised:
        OwnAlgorithm(program).record(ranks, 0)
    return proved_storyboard(raised.value.recording, **options)


def texts(lines):
    return {line.text for line in lines}


def ends(arrow, cards):
    """The ranks whose cards an arrow begins and ends at."""
    points = arrow[0][0], arrow[0][-1]
    return tuple(
        min(range(len(cards)), key=lambda node: distance(point, cards[node].box))
        for point in points
    )


def distance(point, box):
    x, y = abs(point[0] - box.x) - box.width / 2, abs(point[1] - box.y) - box.height / 2
    return math.hypot(max(x, 0), max(y, 0))


@pytest.mark.parametrize("ranks", [2, 4, 6, 8])
def test_each_rank_of_a_cycle_has_an_arrow_and_its_line(ranks):
    drawn = board(half_all_reduce, ranks)
    cards, halted = drawn.scenery.cards, drawn.wrong.stuck
    assert [ends(arrow, cards) for arrow in halted.arrows] == [
        (rank, (rank + 1) % ranks) for rank in range(ranks)
    ]
    for arrow in halted.arrows:
        for point in (arrow[0][0], arrow[0][-1]):
            assert 0 < min(distance(point, card.box) for card in cards) < 40
    assert halted.lines == dict.fromkeys(range(ranks), f"line {LINE}")
    last = Keyframe(len(drawn.frames))
    said = texts(keyframe_text(drawn, last, DARK))
    assert {
        f"rank {rank} waits to send to rank {(rank + 1) % ranks}" for rank in range(ranks)
    } < said
    assert {f"test_deadlock.py, line {LINE}", f"line {LINE}", "Where each rank stands"} < said
    assert not any("sent " in text for text in said) and "chunk 0" not in said
    assert "arrow: waits for" in texts(fixed_text(drawn, DARK))
    path = " → ".join(map(str, [*range(ranks), 0]))
    assert drawn.captions[-1] == (
        f"Step {ranks} never happens — deadlock: ranks {path} wait for one another"
    )


def test_only_the_last_state_shows_it():
    drawn = board(half_all_reduce, 4)
    counts = [len(fault_strokes(drawn, step)[1]) for step in range(4)]
    assert counts == [0, 0, 0, 3 * 4]
    before = texts(keyframe_text(drawn, Keyframe(2), DARK))
    assert "Where each rank stands" not in before and f"line {LINE}" not in before
    assert [len(each["wrong"]["waits"]) for each in (story(drawn),)] == [4]


def test_a_rank_that_has_ended_is_named():
    drawn = board(ended_all_reduce, 4)
    assert drawn.wrong.stuck.lines[2] == "does no more"
    assert ("rank 2 does no more", "") in drawn.wrong.stuck.rows
    assert [ends(arrow, drawn.scenery.cards) for arrow in drawn.wrong.stuck.arrows] == [
        (0, 2),
        (3, 0),
    ]
    assert drawn.captions[-1].endswith("deadlock: rank 0 waits for rank 2, which does no more")
    told = board(ended_all_reduce, 4, language="es")
    assert told.captions[-1].endswith("el rango 0 espera al rango 2, que no hace nada más")


def signaled_all_reduce(rank, n):
    yield WaitSignal((rank - 1) % n)
    yield Put((rank + 1) % n, 0, 1, signal=0)


def test_who_waits_for_a_signal_is_said_to():
    rows = board(signaled_all_reduce, 3).wrong.stuck.rows
    assert rows[0][0] == "rank 0 waits for a signal from rank 2"
    told = board(signaled_all_reduce, 3, language="es").wrong.stuck.rows
    assert told[0][0] == "rango 0 espera una señal de rango 2"


def racy_all_gather(rank, n):
    """What a rank passes on may not be there yet: a race, and an empty slot in the order tried."""
    yield Put((rank + 1) % n, rank)
    yield Put((rank + 2) % n, (rank - 1) % n)
    yield Signal((rank + 1) % n)
    yield WaitSignal((rank - 1) % n)


def test_a_race_is_told_before_the_empty_slot_that_it_reads():
    drawn = board(racy_all_gather, 3)
    assert "race for slot 0 of rank 1" in drawn.wrong.sentence
    assert "race for slot 0 of rank 1" in drawn.wrong.text
    assert "nothing was written" not in drawn.wrong.text + drawn.wrong.sentence


def test_ranks_that_wait_for_each_other_have_an_arrow_each_beside_the_cards_between():
    drawn = board(crossed_all_reduce, 6)
    arrows = [arrow[0] for arrow in drawn.wrong.stuck.arrows]
    assert len(arrows) == 6
    middles = {(round(x), round(y)) for _, (x, y), _ in arrows}
    assert len(middles) == 6, "those of a pair do not lie on one another"


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_it_is_drawn_on_every_sheet(sheet):
    drawn = board(half_all_reduce, 4, sheet=SHEETS[sheet])
    assert len(drawn.wrong.stuck.arrows) == 4
    figure(drawn, len(drawn.frames))
    for line in keyframe_text(drawn, Keyframe(len(drawn.frames)), DARK):
        assert 0 <= line.x <= drawn.sheet.width


def test_many_ranks_are_rows_that_say_how_many_more_there_are():
    drawn = board(crossed_all_reduce, 32)
    said = texts(keyframe_text(drawn, Keyframe(0), DARK))
    shown = sum("waits to receive" in text for text in said)
    assert f"and {32 - shown} more" in said
