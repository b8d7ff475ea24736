"""Exercises of runs and machines once more, from what is printed alone."""

import re
from collections import Counter
from itertools import islice
from random import Random

import numpy as np
import pytest
from printed_steps import everybodys, executed, is_wrong, parsed, the_roots, wrong_ranks
from spread import THOROUGH

from collectives import reduce, send
from collectives.exercises import exercise
from collectives.exercises.cases import cases
from collectives.exercises.code_exercises import asked

SEEDS = range(1000) if THOROUGH else range(5)
GIGA = 1e9


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def right_of(problem):
    [text] = [answer.text for answer in problem.answers if answer.right]
    return text


def test_a_number_is_that_of_the_printed_steps():
    for seed in SEEDS:
        problem = exercise("all-reduce", "numbers", seed)
        steps = parsed(problem.material)
        own = dict(re.findall(r"rank (\d+): (\d+)", problem.text))
        chunk, rank, _ = numbers(problem.text.partition("Which")[2].partition("?")[0])
        start = {(int(r), c): int(x) for r, x in own.items() for c in range(64)}
        assert problem.value == executed(steps, start)[rank, chunk]


def test_exchanged_steps_are_executed_in_their_new_order():
    counts = set()
    for seed in SEEDS:
        problem = exercise("all-reduce", "exchanged", seed)
        steps, first = parsed(problem.material), numbers(problem.text)[0]
        start, ranks = everybodys(problem, steps)
        steps[first - 1 : first + 1] = steps[first], steps[first - 1]
        assert problem.value == len(wrong_ranks(executed(steps, start), ranks))
        counts.add(problem.value)
    assert len(counts) > 1


def test_of_the_transfers_that_are_offered_one_completes_the_step():
    for seed in SEEDS:
        topic = ("all-reduce", "chains broadcast")[seed % 2]
        problem = exercise(topic, "missing", seed)
        at = numbers(problem.text)[0] - 1
        for answer in problem.answers:
            lines = [*problem.material]
            lines[at] = lines[at].replace("____", answer.text)
            steps = parsed(lines)
            start, ranks = (everybodys if topic == "all-reduce" else the_roots)(problem, steps)
            assert is_wrong(steps, start, ranks) != answer.right


def test_messages_cross_where_the_text_puts_the_ranks():
    for seed in SEEDS:
        problem = exercise("", "crossing", seed)
        near = numbers(problem.text.partition(" are on")[0])
        links = [{row[:2] for row in step} for step in parsed(problem.material)]
        assert problem.value == sum((a in near) != (b in near) for step in links for a, b in step)


def test_a_rank_gets_as_far_as_what_it_needs_lets_it():
    for seed in SEEDS:
        problem = exercise("", "late", seed)
        late, rank = (
            int(re.search(text, problem.text)[1]) for text in (r"Rank (\d+) has", r"is rank (\d+)")
        )
        steps = parsed(problem.material)

        def ends(rank, step, late=late, steps=steps):
            needed = {src for src, dst, *_ in steps[step] if dst == rank}
            at = {rank, *needed}
            return late not in at and (step == 0 or all(ends(r, step - 1) for r in at))

        assert int(right_of(problem)) == sum(ends(rank, step) for step in range(len(steps)))


def test_before_and_after_are_those_of_one_collective():
    """Counts what is held before and after: each collective has counts of its own."""
    kinds = {}
    for seed in SEEDS:
        problem = exercise("", "before-after", seed)
        cells = [re.split(r"  +", line.partition(":")[2].strip()) for line in problem.material]
        terms = [tuple(len(re.findall(r"\w+", cell)) for cell in line) for line in cells]
        kinds.setdefault(problem.material, set()).add(right_of(problem))
        if right_of(problem) == "all-reduce":
            assert terms == [(1, 0, len(cells))] * len(cells)
    assert all(len(names) == 1 for names in kinds.values())


def test_a_benchmark_says_busbw():
    for seed in SEEDS:
        problem = exercise("ring", "benchmark", seed)
        size, _, *_, micros, _, _ = problem.material[2].split()
        ranks = numbers(problem.title)[0]
        share = (2 if "all-reduce" in problem.title else 1) * (ranks - 1) / ranks
        assert float(right_of(problem).split()[0]) == pytest.approx(
            int(size) * share / float(micros) / 1e3, rel=0.01
        )


def test_two_times_give_a_line():
    kib = {"KiB": 1, "MiB": 1 << 10, "GiB": 1 << 20}
    for seed in SEEDS:
        problem = exercise("", "two-times", seed)
        sizes = [float(n) * kib[u] for n, u in re.findall(r"([\d.]+) ([KMG]iB)", problem.text)]
        low, high = map(float, re.findall(r"([\d.]+) µs", problem.text))
        slope = (high - low) / (sizes[1] - sizes[0])
        whole = low - slope * sizes[0]
        steps = numbers(problem.text)[0]
        asked = whole + slope * sizes[2] if len(sizes) > 2 else whole / steps
        assert problem.accepts(asked), problem


def test_the_busiest_links_carry_most_for_their_bandwidth():
    for seed in SEEDS:
        problem = exercise("", "bottleneck", seed)
        rates = [float(re.search(r"([\d.]+) GB/s", line)[1]) for line in problem.material[:3]]
        cards, loads = numbers(problem.text)[0], [Counter() for _ in rates]
        for src, dst, *_ in (row for step in parsed(problem.material) for row in step):
            for way, rank in enumerate((src, dst)):
                for kind in (0,) if src // 4 == dst // 4 else (1, 2):
                    card = rank // 4, rank % 4 * cards // 4
                    loads[kind][way, card if kind == 2 else rank] += 1
        times = [max(load.values()) / rate for load, rate in zip(loads, rates, strict=True)]
        busiest = problem.material[times.index(max(times))]
        assert busiest.startswith(right_of(problem)), problem


def test_nobody_before_a_dead_link_waits():
    """Who sends over it has its data: what it waits for itself, it waits for later."""
    for seed in SEEDS:
        problem = exercise("ring", "dead-link", seed)
        waits = {
            line[0]: tuple(line[1:]) for line in map(numbers, problem.material) if len(line) > 1
        }
        src, dst = numbers(right_of(problem))
        assert waits[dst][0] == src
        assert src not in waits or waits[src][1] >= waits[dst][1]


def test_code_that_is_printed_needs_no_other_and_takes_the_steps_that_are_asked():
    for case in islice(cases("", Random(0)), 40):
        draft = asked("how many steps", case, Random(0))
        if draft is None:
            continue
        names = {"np": np, "send": send, "reduce": reduce, "Schedule": object}
        exec("\n".join(draft.material), names)
        function = names[case.recording.row.function.__name__]
        root = {"root": case.recording.root} if case.recording.collective.rooted else {}
        assert draft.value == len([*function(case.recording.ranks, **root, **case.settings)])
