"""What is said of steps, bytes and rivals: counts, turning sizes, verdicts at the end of films."""

import re
from math import isfinite

import pytest
from settings import SOME_ROWS, sampled

from animations.phrases import phrases
from animations.player.pack.data import story
from animations.story.trade import trade_of
from animations.story.usual import usual_board
from collectives import record
from collectives.cost.choose.rivals import rivalries
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link, slow_link
from collectives.cost.machines.usual import usual_machine, usual_size
from collectives.recording.recording import Recording
from collectives.units import size_beside

EN = phrases("en")
RIVALS = {
    ("ring", 8): ["recursive-doubling"],
    ("ring", 16): ["recursive-doubling"],
    ("tree", 8): ["ring"],
    ("recursive-doubling", 8): ["tree", "ring"],
    ("rabenseifner", 7): ["recursive-doubling", "ring"],
    ("double-binary-tree", 8): ["ring", "tree"],
}


def usual(collective: str, algorithm: str, ranks: int) -> Recording:
    recording = record(collective, algorithm, ranks=ranks)
    return resized(recording, usual_size(recording.chunk_count), recording.dtype)


@pytest.mark.parametrize(("algorithm", "ranks"), RIVALS)
def test_steps_bytes_and_times_of_rivals_are_those_that_were_executed(algorithm, ranks):
    mine = usual("all_reduce", algorithm, ranks)
    machine = usual_machine(mine)
    found = rivalries(mine, machine)
    assert [each.other.row.algorithm for each in found] == RIVALS[algorithm, ranks]
    trade = trade_of(mine, machine, EN)
    why, *sentences = trade.sentences
    assert why.startswith(f"{mine.counters.steps} steps: ")
    whole = mine.count * mine.dtype.itemsize
    chosen = [rivalry for rivalry in found if rivalry.order >= 0 or rivalry.turn]
    expected = 2 if algorithm == "rabenseifner" else 1
    assert len(chosen) == expected, "who is slower at every size is left out"
    for rivalry, sentence, bar in zip(chosen, sentences, trade.others, strict=True):
        its = rivalry.other.recording
        steps, port = its.counters.steps, its.bytes_busiest_port
        assert (bar.steps, bar.bytes, bar.seconds) == (steps, port, rivalry.other.seconds)
        assert f" takes {steps} steps" in sentence
        assert f"{size_beside(port, whole)} pass" in sentence or "as many bytes" in sentence
        assert ("fewest possible" in sentence) == (steps == its.bound.steps)


HOPS = "Each hop adds the data of one rank: 7 hops complete a chunk"


@pytest.mark.parametrize(
    ("collective", "algorithm", "told"),
    [
        ("all_reduce", "ring", f" {HOPS}, and 7 more bring it to all."),
        ("reduce_scatter", "ring", f" {HOPS}."),
        ("all_reduce", "recursive-doubling", ""),
        ("all_gather", "ring", ""),
    ],
)
def test_why_so_many_steps_says_what_each_hop_adds(collective, algorithm, told):
    mine = usual(collective, algorithm, 8)
    why = trade_of(mine, usual_machine(mine), EN).sentences[0]
    assert why.endswith(told)
    assert ("Each hop" in why) == bool(told)


TOLD = {
    ("all_reduce", "nvls"): (
        "With 232 chunks, its best here, this algorithm takes 199 µs. "
        "It beats the ring, which takes 275 µs."
    ),
    ("all_reduce", "multishot"): (
        "Here the ring is faster: 275 µs. Below 10 MiB, it beats the ring, sending one "
        "message at a time."
    ),
    ("all_gather", "sparbit"): (
        "Bruck takes about as long here. On a switch tree, it beats Bruck. "
        "There it takes 2.03 ms, and Bruck 3.54 ms."
    ),
    ("all_reduce", "bar-noy"): (
        "Recursive doubling takes about as long here. With 9 ranks on an NVL72 rack, it beats "
        "recursive doubling. There it takes 302 µs, and recursive doubling 378 µs."
    ),
    ("barrier", "tree"): "Linear beats it only if ports take 7 messages at once.",
    ("all_to_all", "triangular"): (
        "Pairwise exchange takes about as long here. At this size, it beats pairwise exchange on "
        "none of the machines we tried."
    ),
    ("all_reduce", "hierarchical"): "It beats the ring, which takes 101 µs with 4 channels.",
}


@pytest.mark.parametrize(("collective", "algorithm"), TOLD)
def test_a_film_ends_with_what_the_algorithm_wins_or_where_it_would(collective, algorithm):
    board = usual_board(record(collective, algorithm, ranks=8))
    assert " ".join(board.trade.verdict) == TOLD[collective, algorithm]
    assert (board.trade.best is not None) == (algorithm == "nvls")


def test_the_best_number_of_chunks_is_said_only_of_a_picture_with_another():
    short = record("all_reduce", "short-rank", ranks=8, count=7 << 23, dtype="uint8")
    said = trade_of(short, usual_machine(short), EN)
    assert said.best is None and not [text for text in said.verdict if "its best here" in text]
    assert "whose rank 0 has half its bandwidth, it beats the ring." in " ".join(said.verdict)
    nvls = record("all_reduce", "nvls", ranks=8)
    assert "its best here" in trade_of(nvls, usual_machine(nvls), EN).verdict[0]


def test_a_lower_bound_is_named_as_a_need_only_where_it_is_one():
    for row in sampled(SOME_ROWS, 3):
        if not row.accepts(8):
            continue
        recording = record(row.collective, row.algorithm, ranks=8)
        for sentence in trade_of(recording, usual_machine(recording), EN).sentences[:1]:
            needed = re.search(r"At least (\d+) (is|are) needed", sentence)
            assert not needed or int(needed[1]) == recording.bound.steps
            steps, bound = recording.counters.steps, recording.bound
            known = recording.collective.moves_data and bound.holds
            assert bool(needed) == (known and recording.counters.ports == 1 and steps > bound.steps)


@pytest.mark.parametrize("size", [0, 1, 7, 1 << 20, 1 << 48])
def test_no_size_and_no_machine_keeps_a_page_from_being_made(size):
    mine = record("all_reduce", "ring", ranks=4, count=size, dtype="uint8")
    ring = topology("ring", 4)
    for machine in (ring, slow_link(ring, 0, 1, 1e9), topology("line", 4)):
        assert bool(trade_of(mine, machine, EN).sentences) == (size > 0)
    never = dead_link(ring, 0, 1)
    assert not isfinite(lockstep(mine, never).total)
    assert not trade_of(mine, never, EN).sentences


def test_the_page_says_it_in_the_counters_and_at_the_end():
    board = usual_board(record("all_reduce", "ring", ranks=8))
    data = story(board)
    assert data["trade"] == board.trade.sentences
    assert data["ending"].endswith(f"proved. {board.trade.verdict[0]}")
    switch = usual_board(record("all_reduce", "nvls", ranks=8))
    assert story(switch)["ending"].endswith("its best here, this algorithm takes 199 µs.")
    own = record(
        record("all_reduce", "ring", ranks=4).steps, "mine", collective="all_reduce", ranks=4
    )
    assert not usual_board(own).trade.sentences


def test_what_was_not_tried_is_not_said_to_win_nowhere():
    board = usual_board(record("broadcast", "bine", ranks=64))
    assert board.trade.others
    assert not any("tried" in sentence for sentence in board.trade.verdict)
