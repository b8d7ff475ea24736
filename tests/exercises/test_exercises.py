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
        chunk, rank = map(int, re.search(r"chunk (\d+) of rank (\d+) be", problem.text).groups())
        for _ in range(20):
            data = [generator.uniform(-1, 1) * 10 ** generator.randrange(16) for _ in range(ranks)]
            held = executed(steps, {(rank, slot): data[rank] for rank, slot in start})
            names = {f"x{rank}": number for rank, number in enumerate(data)}
            right = next(answer.text for answer in problem.answers if answer.right)
            assert held[rank, chunk] == eval(right, {}, names)


def test_a_sum_of_floats_is_that_of_the_steps_in_plain_python():
    """Rounded as the text says: what is far larger than 64 swallows what is smaller."""
    held = set()
    for seed in range(3 * len(SEEDS)):
        problem = exercise("all-reduce", "float-sum", seed)
        steps = parsed(problem.material)
        start, _ = everybodys(problem, steps)
        text = problem.text.partition("In chunk ")[2]
        chunk, huge, negative, *at = map(
            int,
            re.match(
                r"(\d+), rank (\d+) has 2³⁰, rank (\d+) has .* chunk (\d+) of rank (\d+) hold",
                text,
            ).groups(),
        )
        data = {huge: Rounded(2**30), negative: Rounded(-(2**30))}
        ends = executed(steps, {cell: data.get(cell[0], Rounded(1)) for cell in start})
        assert at[0] == chunk and problem.value == ends[at[1], chunk]
        held.add(problem.value)
    assert len(held) > 1


class Rounded(int):
    """A whole number that an addition rounds to 2³⁰ or −2³⁰ near these."""

    def __add__(self, other):
        total = int(self) + int(other)
        near = [huge for huge in (2**30, -(2**30)) if abs(total - huge) < 64]
        return Rounded(*near or [total])


def test_idle_steps_are_those_in_which_a_rank_is_not_printed():
    for seed in SEEDS:
        problem = exercise("", "idle-steps", seed)
        rank = int(re.search(r"is rank (\d+) idle", problem.text)[1])
        busy = [{node for row in step for node in row[:2]} for step in parsed(problem.material)]
        assert problem.value == sum(rank not in nodes for nodes in busy)


def test_by_hand_a_slow_cable_delays_the_steps_in_which_its_rank_takes_part():
    for seed in SEEDS:
        problem = exercise("", "slow-time", seed)
        latency, bandwidth, part, rank, factor = map(
            int,
            re.search(
                r"takes (\d+) µs .* (\d+) GB/s .* (\d+) MiB each .* of rank (\d+) has 1/(\d+) of",
                problem.text,
            ).groups(),
        )
        micros = 0.0
        for step in parsed(problem.material):
            chunks = [[row[end] for row in step].count(n) for end in (0, 1) for n in range(9)]
            times = factor if any(rank in row[:2] for row in step) else 1
            micros += latency + times * max(chunks) * part * 2**20 / bandwidth / 1e3
        assert problem.accepts(micros), problem


def test_the_best_number_of_chunks_is_the_fastest_of_those_told():
    for seed in SEEDS:
        problem = exercise("", "best-chunks", seed)
        chunks, steps = (
            [int(number) for number in re.findall(r"\d+", text)]
            for text in re.match(r"In (.*) equal chunks it takes (.*) steps", problem.text).groups()
        )
        latency, bandwidth, size = map(
            int,
            re.search(r"takes (\d+) µs .* (\d+) GB/s .* has (\d+) MiB", problem.text).groups(),
        )
        micros = {
            number: many * (latency + size * 2**20 / number / bandwidth / 1e3)
            for number, many in zip(chunks, steps, strict=True)
        }
        assert problem.value == min(micros, key=micros.get)


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
