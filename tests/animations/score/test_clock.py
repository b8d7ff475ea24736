"""The score of a clock: a constant scale, sentences in time, every number evaluated."""

import itertools
import re

import numpy as np
import pytest
from samples import case_title, pairs
from settings import sampled

from animations.pictures.clock_stage import ClockStage
from animations.score.clock import LONGEST, SHORTEST, clock_score, sentences
from animations.score.pacing import MOST_WORDS, spoken_seconds, words
from animations.score.steps import score_of
from animations.score.training import training_score
from animations.stages.lanes import delay_waits
from animations.story.compose import proved_storyboard
from animations.story.standstill import waits_of
from animations.story.training import training_story
from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link, slow_link
from collectives.training.pairs import training_pair
from collectives.units import time_text

CASES = sampled(pairs((2, 3, 8)), 4)


def scored(name, algorithm, ranks, clock=dataflow, costs=None, machine=None, clean=False, **more):
    """A timing and its score."""
    recording = record(name, algorithm, ranks=ranks, **more)
    machine = machine or topology_for(recording, "crossbar")
    timing, board = (
        clock(recording, machine, costs or Costs()),
        proved_storyboard(recording, machine),
    )
    without = clock(recording, topology_for(recording, machine.name)) if clean else None
    return timing, clock_score(board, timing, without), sentences(board, timing, without)


@pytest.mark.parametrize("case", CASES, ids=map(case_title, CASES))
@pytest.mark.parametrize("clock", [dataflow, lockstep], ids=["dataflow", "lockstep"])
def test_sentences_have_time_and_modeled_time_runs_evenly(case, clock):
    row, ranks = case
    timing, score, told = scored(row.collective, row.algorithm, ranks, clock, Costs(jitter=4e-6))
    assert all(words(sentence) <= MOST_WORDS for sentence in told), told
    spoken, pace = {}, score.passages[1].shown.pace
    running = [shot for _, shot in score if shot.travels]
    for _, shot in score:
        spoken[shot.said] = spoken.get(shot.said, 0.0) + shot.seconds
    assert all(seconds >= spoken_seconds(text) - 1e-9 for text, seconds in spoken.items())
    assert set(told) <= set(spoken)
    for one, other in itertools.pairwise(running):
        assert one.moment.last == other.moment.first
    assert [running[0].moment.first, running[-1].moment.last] == [0.0, pytest.approx(timing.total)]
    for shot in running:
        assert shot.moment.last - shot.moment.first == pytest.approx(pace * shot.seconds, rel=1e-6)
    assert SHORTEST <= timing.total / pace <= LONGEST
    assert float(f"{pace:.1e}") == pytest.approx(pace), "a round number"


def test_chapters_and_script_are_in_the_language_of_the_sentences():
    recording = record("all_reduce", "ring", ranks=3)
    board = proved_storyboard(recording, language="es")
    score = clock_score(board, dataflow(recording, topology("hgx-h100", 3)))
    chapters = [shot.chapter for _, shot in score if shot.chapter]
    assert (score.language, chapters) == ("es", ["Título", "Problema", "Ejecución", "Resultado"])
    told = [shot.chapter for _, shot in score_of(board) if shot.chapter]
    assert told[2:4] == ["Fase 1: reduce-scatter", "Fase 2: all-gather"]
    some = score_of(board, steps=(2, 3))
    assert next(shot.chapter for _, shot in some) == "Problema"
    assert training_score(training_story(training_pair("ddp"), "es")).language == "es"


@pytest.mark.parametrize("seconds", [2e-5, 1e-4])
def test_numbers_that_are_said_are_those_of_the_messages(seconds):
    late = Costs(arrivals={2: seconds, 3: seconds / 2})
    timing, _score, told = scored("all_reduce", "ring", 4, costs=late, clean=True)
    said = " ".join(told)
    messages, idle = timing.messages, []
    for rank in range(4):
        now = np.linspace(0, timing.total, 20_001)
        busy = np.zeros(len(now), bool)
        for own, until in ((messages.src, messages.sent), (messages.dst, messages.end)):
            for row in np.flatnonzero(own == rank):
                busy |= (messages.start[row] <= now) & (now < until[row])
        idle.append(1 - busy.mean())
    share = int(re.search(r"waits (\d+) % of the time", said)[1])
    assert abs(share - 100 * np.mean(idle)) < 1
    without = dataflow(timing.recording, topology("crossbar", 4))
    times = timing.total / without.total
    more = f"{round(100 * (times - 1))} % longer" if times < 2 else f"{times:.2g} times as long"
    wanted = f"takes {time_text(without.total, 3)}; here it takes {more}"
    assert wanted in said
    assert told[0] == "4 ranks on a crossbar, in modeled time."
    assert told[-1] == f"It ends after {time_text(timing.total, 3)}."


def test_the_busiest_link_is_named_where_it_is_one():
    slow = slow_link(topology("ring", 4), 1, 2, 3)
    timing, _, told = scored("all_reduce", "ring", 4, machine=slow, count=1 << 22)
    messages = timing.messages
    its = (messages.src == 1) & (messages.dst == 2)
    carried = 2 * 3 * (timing.recording.count * 8 // 4)
    share = carried / slow.bandwidth[(slow.src == 1) & (slow.dst == 2)][0] / timing.total
    assert its.sum() == 6
    assert f"The busiest link, rank 1 to rank 2, works {100 * share:.0f} % of the time." in told


def test_what_never_ends_has_an_end():
    broken = dead_link(topology("ring", 4), 1, 2)
    _timing, score, told = scored("broadcast", "ring", 4, machine=broken, chunks=1)
    assert "dead" in told[0]
    assert "forever" in told[-1]
    assert score.result[1].moment.result
    assert score.seconds < 120


def test_a_delay_goes_round_and_is_paid_once():
    timing, score, told = scored(
        "all_reduce", "ring", 8, costs=Costs(arrivals={5: 6e-5}), clean=True
    )
    assert "Rank 6 waits for rank 5, then rank 7 for rank 6, and so on." in told
    late = "Rank 5 begins to send 60 µs late."
    assert told[1] == late, "while that happens"
    assert "Whoever has waited is as late as rank 5, so nobody waits again." in told
    assert told[-1] == "It ends after 130 µs, 60 µs later: the delay is paid once."
    waits = delay_waits(timing)
    stage = ClockStage(score.passages[1].shown)
    panel, begun = stage._panel, {}
    for shot in score.passages[1].shots:
        begun.setdefault(shot.said, shot.moment.first)
    assert begun["Rank 6 waits for rank 5, then rank 7 for rank 6, and so on."] >= waits[6][0][0]
    for node, ((begin, end),) in waits.items():
        assert node in stage._waiting((begin + end) / 2) and node not in stage._waiting(end)
    assert [row.node for row in panel.lanes.rows] == list(waits) == [5, 6, 7, 0, 1, 2, 3, 4]
    assert all(end - begin == pytest.approx(6e-5) for ((begin, end),) in waits.values())
    assert score.title == "Ring all-reduce, rank 5 late"
    clean = dataflow(timing.recording, timing.topology, Costs())
    assert timing.total - clean.total == pytest.approx(6e-5)
    assert begun["Without the delay, all would end here, after 70 µs."] >= clean.total
    assert not panel.later(0.9 * clean.total) and panel.later(clean.total), "a bracket to the end"
    first = [
        next(wait for wait in own if wait.other != rank)
        for rank, own in enumerate(waits_of(timing, timing.total).of_node)
    ]
    assert [first[rank].other for rank in (6, 7, 0)] == [5, 6, 7]
    timing, _, told = scored("all_reduce", "tree", 8, costs=Costs(arrivals={5: 6e-5}), clean=True)
    assert not delay_waits(timing)
    assert not any("paid once" in text or "and so on" in text for text in told)
