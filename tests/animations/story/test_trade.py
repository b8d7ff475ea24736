"""Why so many steps, and the algorithm that trades them for bytes: counts, turning sizes."""

import re
from math import isfinite

import pytest
from settings import SOME_ROWS, sampled

from animations.player.pack.data import story
from animations.story.task import task_of
from animations.story.trade import rivals_of, trade_of
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link, slow_link
from collectives.cost.machines.usual import usual_machine, usual_size
from collectives.recording.recording import Recording
from collectives.units import size_text

RIVALS = {
    ("ring", 8): ["recursive-doubling"],
    ("ring", 16): ["recursive-doubling"],
    ("tree", 8): ["recursive-doubling", "rabenseifner"],
    ("tree", 16): ["recursive-doubling", "rabenseifner"],
    ("recursive-doubling", 8): ["rabenseifner"],
    ("recursive-doubling", 16): ["rabenseifner"],
    ("double-binary-tree", 8): ["recursive-doubling"],
    ("double-binary-tree", 16): ["recursive-doubling"],
}


def usual(collective: str, algorithm: str, ranks: int) -> Recording:
    recording = record(collective, algorithm, ranks=ranks)
    return resized(recording, usual_size(recording.chunk_count), recording.dtype)


def on_usual_machine(recording: Recording, size: int, of: Recording) -> float:
    """The time of the algorithm recorded anew for so many bytes, on the usual machine of one."""
    return timed_as_run(resized(recording, size, recording.dtype), usual_machine(of)).total


@pytest.mark.parametrize(("algorithm", "ranks"), RIVALS)
def test_rivals_take_fewer_steps_or_bytes_and_their_counts_are_in_the_sentence(algorithm, ranks):
    mine = usual("all_reduce", algorithm, ranks)
    machine = usual_machine(mine)
    rivals = rivals_of(mine, machine)
    assert [rival.row.algorithm for rival in rivals] == RIVALS[algorithm, ranks]
    why, *sentences = trade_of(mine, machine).sentences
    assert why.startswith(f"{mine.counters.steps} steps: ")
    for rival, sentence in zip(rivals, sentences, strict=True):
        its = record("all_reduce", rival.row.algorithm, ranks=ranks, count=mine.count)
        assert its.counters.ports == 1
        steps, port = its.counters.steps, its.bytes_busiest_port
        assert steps < mine.counters.steps or port < mine.bytes_busiest_port
        assert f" takes {steps} steps" in sentence
        assert f"{size_text(port)} pass" in sentence or "as many bytes" in sentence
        assert ("fewest possible" in sentence) == (steps == (ranks - 1).bit_length())


@pytest.mark.parametrize(("algorithm", "ranks"), RIVALS)
def test_on_both_sides_of_the_size_the_clock_says_the_same(algorithm, ranks):
    mine = usual("all_reduce", algorithm, ranks)
    for rival in rivals_of(mine, usual_machine(mine)):
        its = rival.recording
        if rival.turn is None:
            order = {
                on_usual_machine(mine, size, mine) < on_usual_machine(its, size, mine)
                for size in (1 << 10, 1 << 16, 1 << 22, 1 << 26, 1 << 30)
            }
            assert len(order) == 1
        else:
            unit = mine.chunk_count * its.chunk_count * mine.dtype.itemsize
            for share in (0.1, 0.5, 0.98, 1.02, 2, 10):
                size = int(rival.turn * share) // unit * unit
                faster = on_usual_machine(its, size, mine) < on_usual_machine(mine, size, mine)
                assert faster == (rival.below == (share < 1)), (algorithm, share)


def test_the_size_is_that_of_a_search_over_all_sizes():
    cases = [row for row in sampled(ROWS, 9) if row.accepts(8) and row.promise.moves_data]
    for row in cases:
        mine = usual(row.collective, row.algorithm, 8)
        for rival in rivals_of(mine, usual_machine(mine)):
            each = mine.dtype.itemsize * max(mine.chunk_count, rival.recording.chunk_count)
            found = crossings(
                lambda size, mine=mine: on_usual_machine(mine, size, mine),
                lambda size, its=rival.recording, mine=mine: on_usual_machine(its, size, mine),
                smallest=each,
                largest=1 << 32,
            )
            if rival.turn is None:
                assert len(found) != 1, row.title
            else:
                assert len(found) == 1, row.title
                assert found[0].size == pytest.approx(rival.turn, rel=0.02), row.title
                assert found[0].second_wins != rival.below


def test_rivals_take_one_message_at_a_time():
    for row in ROWS:
        for ranks in (4, 7, 8):
            if row.accepts(ranks) and row.promise.moves_data:
                mine = record(row.collective, row.algorithm, ranks=ranks)
                rivals = rivals_of(mine, usual_machine(mine)) if mine.bound.holds else ()
                for rival in rivals:
                    assert rival.recording.counters.ports == 1, (row.title, ranks)


def test_nothing_is_said_where_ports_are_crowded_or_helpers_take_part():
    for row in ROWS:
        if not row.accepts(8):
            continue
        recording = record(row.collective, row.algorithm, ranks=8)
        said = trade_of(recording, usual_machine(recording)).sentences
        crowded = recording.counters.ports > 2 or recording.nodes > 8
        if crowded or not recording.collective.moves_data:
            assert not said, row.title


def test_a_lower_bound_is_named_as_a_need_only_where_it_is_one():
    for row in SOME_ROWS:
        if not row.accepts(8):
            continue
        recording = record(row.collective, row.algorithm, ranks=8)
        for sentence in trade_of(recording, usual_machine(recording)).sentences[:1]:
            needed = re.search(r"At least (\d+) (is|are) needed", sentence)
            assert not needed or int(needed[1]) == recording.bound.steps
            assert bool(needed) == (
                recording.counters.ports == 1 and recording.counters.steps > recording.bound.steps
            )


@pytest.mark.parametrize("size", [0, 1, 7, 1 << 20, 1 << 48])
def test_no_size_and_no_machine_keeps_a_page_from_being_made(size):
    mine = record("all_reduce", "ring", ranks=4, count=size, dtype="uint8")
    ring = topology("ring", 4)
    for machine in (ring, slow_link(ring, 0, 1, 1e9), topology("line", 4)):
        assert bool(trade_of(mine, machine).sentences) == (size > 0)
    never = dead_link(ring, 0, 1)
    assert not isfinite(lockstep(mine, never).total)
    assert not trade_of(mine, never).sentences


def test_the_page_says_it_in_the_counters_and_at_the_end():
    board = usual_board(record("all_reduce", "ring", ranks=8))
    data = story(board)
    assert data["trade"] == board.trade.sentences
    assert board.trade.note
    assert data["ending"].endswith(f"proved. {board.trade.note}")
    own = record(
        record("all_reduce", "ring", ranks=4).steps, "mine", collective="all_reduce", ranks=4
    )
    assert not usual_board(own).trade.sentences


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.collective == "all_reduce"],
    ids=lambda row: row.title,
)
def test_the_workbench_names_the_same_algorithm_of_the_fewest_steps(row):
    for ranks in (4, 8):
        if not row.accepts(ranks):
            continue
        mine = usual(row.collective, row.algorithm, ranks)
        rivals = rivals_of(mine, usual_machine(mine))
        for steps, _, title in task_of(mine).fewest[:1]:  # with one port
            fewest = [each.row.title for each in rivals if each.recording.counters.steps == steps]
            assert set(fewest) <= {title}
