"""Exercises: one right answer, which an interpreter of the printed steps gives, too."""

import random
import re
from itertools import permutations

import pytest
from printed_steps import everybodys, executed, is_wrong, parsed, the_roots, wrong_ranks
from spread import THOROUGH

from collectives import BadInput
from collectives.exercises import KINDS, exercise, sheet

SEEDS = range(1000) if THOROUGH else range(6)
WIDEST = 104
RING = "ring all-reduce"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_one_right_answer_and_fits_on_paper(kind):
    for seed in SEEDS:
        problem = exercise("", kind, seed)
        assert problem.kind == kind
        assert len(problem.text.split()) <= 120
        assert all(len(line) <= WIDEST for line in problem.lines(answer=True))
        texts = [answer.text for answer in problem.answers]
        assert len(set(texts)) == len(texts)
        if problem.value is None:
            assert [answer.right for answer in problem.answers].count(True) == 1
            assert 3 <= len(texts) <= 6
        else:
            assert not texts
        assert problem.explanation
        lines = [line for line in problem.lines(answer=True) if ", None]" not in line]
        assert "None" not in "\n".join(lines)


def test_a_seed_makes_the_same_again_and_another_one_another():
    assert exercise("ring", seed=7) == exercise("ring", seed=7)
    assert len({tuple(exercise("ring", seed=seed).problem()) for seed in range(12)}) > 9


def test_messages_are_those_of_the_printed_steps():
    for seed in SEEDS:
        problem = exercise("", "messages", seed)
        by_step = [{row[:2] for row in step} for step in parsed(problem.material)]
        assert problem.value == sum(map(len, by_step))


def test_who_ends_wrong_without_a_transfer():
    counts = set()
    for seed in SEEDS:
        problem = exercise("all-reduce", "lost", seed)
        steps = parsed(problem.material)
        start, ranks = everybodys(problem, steps)
        assert not wrong_ranks(executed(steps, start), ranks)
        number, chunk, source, target = map(
            int,
            re.match(
                r"In step (\d+) the transfer of chunk (\d+) from rank (\d+) to rank (\d+)",
                problem.text,
            ).groups(),
        )
        lost = next(row for row in steps[number - 1] if row[:3] == (source, target, chunk))
        steps[number - 1].remove(lost)
        assert problem.value == len(wrong_ranks(executed(steps, start), ranks))
        counts.add(problem.value)
    assert len(counts) > 1


def test_a_wrong_step_can_be_mended_in_this_step_alone():
    for seed in range(200 if THOROUGH else 6):
        topic = ("all-reduce", "chains broadcast")[seed % 2]
        problem = exercise(topic, "wrong-step", seed)
        steps = parsed(problem.material)
        start, ranks = (everybodys if topic == "all-reduce" else the_roots)(problem, steps)
        chunks = {chunk for _, chunk in start}
        assert is_wrong(steps, start, ranks)
        mended = set()
        for number, step in enumerate(steps):
            for place, (source, target, _, adds) in enumerate(step):
                for chunk in chunks:
                    row = [*step[:place], (source, target, chunk, adds), *step[place + 1 :]]
                    tried = [*steps[:number], row, *steps[number + 1 :]]
                    if not is_wrong(tried, start, ranks):
                        mended.add(f"step {number + 1}")
        assert mended == {answer.text for answer in problem.answers if answer.right}


def test_of_all_orders_of_shuffled_steps_one_is_right():
    for seed in SEEDS[:200]:
        problem = exercise("all-reduce", "sort", seed)
        steps = dict(zip("ABCDEF", parsed(problem.material), strict=False))
        start, ranks = everybodys(problem, [*steps.values()])
        right = [
            " ".join(order)
            for order in permutations(steps)
            if not wrong_ranks(executed([steps[letter] for letter in order], start), ranks)
        ]
        assert right == [answer.text for answer in problem.answers if answer.right]


def test_the_order_of_additions_gives_the_bits_of_the_steps():
    generator = random.Random(7)
    for seed in SEEDS:
        problem = exercise(RING, "float-order", seed)
        steps = parsed(problem.material)
        start, ranks = everybodys(problem, steps)
        chunk = int(re.search(r"chunk (\d+) added up", problem.text)[1])
        for _ in range(20):
            data = [generator.uniform(-1, 1) * 10 ** generator.randrange(16) for _ in range(ranks)]
            held = executed(steps, {(rank, slot): data[rank] for rank, slot in start})
            names = {f"x{rank}": number for rank, number in enumerate(data)}
            right = next(answer.text for answer in problem.answers if answer.right)
            assert {held[rank, chunk] for rank in range(ranks)} == {eval(right, {}, names)}


def test_a_rank_receives_from_those_that_send_to_it():
    for seed in SEEDS:
        problem = exercise("", "sources", seed)
        rank = int(re.search(r"does rank (\d+) receive", problem.text)[1])
        senders = {row[0] for step in parsed(problem.material) for row in step if row[1] == rank}
        right = next(answer.text for answer in problem.answers if answer.right)
        assert {int(number) for number in re.findall(r"\d+", right)} == senders


def test_numbers_of_a_ring_are_those_of_its_formulas():
    """2(N - 1) steps of S/N; busbw as nccl-tests defines it."""
    for seed in SEEDS:
        timed = exercise(RING, "time", seed)
        ranks = int(re.search(r"on (\d+) ranks", timed.title)[1])
        latency, bandwidth, mib, number = map(
            float,
            re.search(
                r"takes (\d+) µs .* (\d+) GB/s .* has (\d+) MiB in (\d+) chunks", timed.text
            ).groups(),
        )
        assert number == ranks
        step = latency + mib * 2**20 / ranks / bandwidth / 1e3
        assert timed.value == pytest.approx(2 * (ranks - 1) * step)
        sent = exercise(RING, "bytes", seed)
        ranks = int(re.search(r"on (\d+) ranks", sent.title)[1])
        size = int(re.search(r"vector has (\d+) MiB", sent.text)[1])
        assert sent.value == pytest.approx(2 * (ranks - 1) / ranks * size)
        speed = exercise("all-reduce", "busbw", seed)
        ranks = int(re.search(r"on (\d+) ranks", speed.title)[1])
        micros, size = re.search(r"reports (\d+) µs .*\(([\d,]+) B\)", speed.text).groups()
        algbw = int(size.replace(",", "")) / int(micros) / 1e3
        assert speed.value == pytest.approx(algbw * 2 * (ranks - 1) / ranks)


def test_a_ring_is_placed_as_it_is_told():
    for seed in SEEDS:
        problem = exercise(RING, "place", seed)
        first = {int(r) for r in re.findall(r"\d", problem.text.partition(" are on")[0])}
        crossing = sum((rank in first) != ((rank + 1) % 8 in first) for rank in range(8))
        assert problem.value == crossing


def test_a_sheet_has_no_problem_twice_and_many_kinds():
    problems = sheet("all-reduce", 12, seed=3).exercises
    assert len({tuple(problem.problem()) for problem in problems}) == 12
    placed = sheet("ring", 30, seed=0, kind="place").exercises
    assert len({tuple(problem.problem()) for problem in placed}) == 30
    assert len({problem.kind for problem in problems}) > 9


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("rng",), "no algorithm or collective is rng; did you mean ring?"),
        (("ring", "bytez"), "unknown kind of exercise bytez; did you mean bytes?"),
        (("ring", "bytes", -1), "seed -1"),
        (("flat", "place"), "flat has no exercise of kind place"),
    ],
)
def test_bad_input_is_told_with_the_nearest_choice(arguments, rule):
    with pytest.raises(BadInput, match=re.escape(rule)):
        exercise(*arguments)
    with pytest.raises(BadInput, match="number of exercises 0"):
        sheet("ring", 0)
