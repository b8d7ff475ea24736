"""The concept inventory: one right answer an item, by ways that share no code with its making."""

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from printed_steps import everybodys, executed, parsed, wrong_ranks
from spread import THOROUGH

from collectives import BadInput
from collectives.__main__ import cli
from collectives.exercises import inventory
from collectives.exercises.gift import gift
from collectives.exercises.inventory import ITEMS
from collectives.questions.misconceptions import MISCONCEPTIONS

SEEDS = range(500) if THOROUGH else range(8)
MANUAL = Path(__file__).parents[2] / "docs" / "inventory.md"


@cache
def forms():
    return [inventory(seed) for seed in SEEDS]


def right_of(problem):
    [text] = [answer.text for answer in problem.answers if answer.right]
    return text


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def ranks_of(problem):
    return int(re.search(r"on (\d+) ranks", problem.title)[1])


def amount(text):
    """A size or a time of a text, in B or s."""
    number, unit = re.match(r"([\d,.]+) (\S+)", text).groups()
    scale = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "µs": 1e-6, "ms": 1e-3, "s": 1}
    return float(number.replace(",", "")) * scale[unit]


def all_items(name):
    return [problem for form in forms() for problem in form.exercises if problem.kind == name]


def test_a_form_has_twenty_items_with_one_right_answer_each():
    for form in forms():
        assert [problem.kind for problem in form.exercises] == list(ITEMS)
        assert len(ITEMS) == 20
        for problem in form.exercises:
            texts = [answer.text for answer in problem.answers]
            wrong = [answer for answer in problem.answers if not answer.right]
            assert len(wrong) == len(texts) - 1 >= 2, problem
            assert right_of(problem) not in [answer.text for answer in wrong]
            assert len(set(texts)) == len(texts)
            names = [answer.misconception for answer in wrong]
            assert set(names) <= set(MISCONCEPTIONS)
            assert len(set(names)) == len(names)
            assert all(answer.feedback for answer in wrong)
            assert len(problem.text.split()) <= 120


def test_forms_are_parallel_and_the_right_letter_says_nothing():
    assert inventory(7) == inventory(7)
    for name in ITEMS:
        assert len({tuple(problem.problem()) for problem in all_items(name)}) > 1, name
        assert len({problem.right[0] for problem in all_items(name)}) > 1, name
    places = [problem.right[0] for form in forms() for problem in form.exercises]
    assert all(0.15 < places.count(letter) / len(places) < 0.35 for letter in "ABC")


# Each item once more, from what is printed.


def of_a_rank(problem):
    return str(4 * (ranks_of(problem) - 1))


def of_all_ranks(problem):
    return str(ranks_of(problem))


def before_it_begins(problem):
    late, rank = (
        int(re.search(rf"rank (\d+) {verb}", problem.text)[1]) for verb in ("begins", "sent")
    )
    return str((rank - late) % ranks_of(problem))


def ring_of_twice(problem):
    return f"{2 * (2 * ranks_of(problem) - 1)} steps"


def tree_of_twice(problem):
    return f"{(2 * ranks_of(problem) - 1).bit_length()} steps"


def least(problem):
    size, ranks = amount(re.search(r"vector of (\S+ \S+);", problem.text)[1]), ranks_of(problem)
    return 2 * size * (ranks - 1) / ranks


def in_chunks(problem):
    whole = amount(re.search(r"take (\S+ \S+) from", problem.text)[1])
    chunks, ranks = int(re.search(r"in (\d+) chunks", problem.text)[1]), ranks_of(problem)
    return whole * (ranks - 1 + chunks - 1) / (ranks - 1) / chunks


def sent_so_far(problem):
    size = amount(re.search(r"vector is ([\d,.]+ \w+)", problem.text)[1])
    [step] = re.findall(r"after step (\d+)", problem.text)
    return size * int(step) / ranks_of(problem)


def latency_or_bytes(problem):
    small = "KiB" in problem.text
    return MISCONCEPTIONS["least latency" if small else "fastest bytes"].because


def on_the_last_of_each_node(problem):
    return str(int(re.search(r"(\d+) nodes", problem.text)[1]))


def lost(problem):
    steps = parsed(problem.material)
    start, ranks = everybodys(problem, steps)
    step, chunk, source, target = numbers(problem.text)[:4]
    steps[step - 1] = [row for row in steps[step - 1] if row[:3] != (source, target, chunk)]
    return str(len(wrong_ranks(executed(steps, start), ranks)))


def added_in_order(problem):
    """Follows the first rank's data round the printed ring."""
    [chunk] = [int(found) for found in re.findall(r"chunk (\d+) of rank", problem.text)]
    rows = [row for step in parsed(problem.material) for row in step if row[2] == chunk]
    order = [rows[0][0], *(row[1] for row in rows)]
    text = "({} + {})".format(*(f"x{rank}" for rank in sorted(order[:2])))
    for rank in order[2:-1]:
        text = f"({text} + x{rank})"
    return f"{text} + x{order[-1]}"


AGAIN = {
    "through-a-rank": of_a_rank,
    "who-adds": of_all_ranks,
    "at-once": of_all_ranks,
    "late": before_it_begins,
    "steps-ring": ring_of_twice,
    "steps-tree": tree_of_twice,
    "least-sent": least,
    "pipeline": in_chunks,
    "sent": sent_so_far,
    "latency-or-bytes": latency_or_bytes,
    "across-nodes": on_the_last_of_each_node,
    "loss": lost,
    "float-order": added_in_order,
}


@pytest.mark.parametrize("name", AGAIN)
def test_the_right_answer_follows_from_what_is_printed(name):
    for problem in all_items(name):
        again = AGAIN[name](problem)
        if isinstance(again, str):
            assert right_of(problem) == again, problem.lines()
        else:  # as no wrong answer is near it
            off = sorted((abs(amount(a.text) / again - 1), not a.right) for a in problem.answers)
            near = {not wrong: distance for distance, wrong in reversed(off)}
            assert near[True] < 0.05 < near[False], problem.lines()


def test_the_next_chunk_of_a_ring_is_what_arrived_before():
    for problem in all_items("next"):
        rank = int(re.search(r"rank (\d+) send", problem.text)[1])
        [chunk] = [chunk for _, to, chunk, _ in parsed(problem.material)[-1] if to == rank]
        assert right_of(problem) == f"chunk {chunk} to rank {(rank + 1) % ranks_of(problem)}"


def test_without_a_barrier_it_ends_before_the_sum_and_after_the_slowest():
    for problem in all_items("no-barrier"):
        named = re.search(r"messages take (.*?)\. In", problem.text)[1]
        slowest = [amount(text) for text in re.findall(r"[\d.]+ [µm]?s", named)]
        texts = {answer.misconception: amount(answer.text) for answer in problem.answers}
        assert max(slowest) < texts[""] < texts["lock-step"]
        assert texts["lock-step"] == pytest.approx(sum(slowest), rel=0.01)


def test_the_two_published_misconceptions_are_offered_twice_in_each_form():
    for form in forms():
        names = [answer.misconception for problem in form.exercises for answer in problem.answers]
        assert names.count("central process") >= 2
        assert names.count("lock-step") >= 2


def test_the_manual_names_each_item_its_concept_and_its_misconceptions():
    rows = re.findall(r"^\| ([\w-]+) \| (.+) \| (.+) \|$", MANUAL.read_text("utf-8"), re.MULTILINE)
    table = {name: (concept, set(listed.split(", "))) for name, concept, listed in rows[1:]}
    assert {name: item.concept for name, item in ITEMS.items()} == {
        name: concept for name, (concept, _) in table.items()
    }
    for form in forms():
        for problem in form.exercises:
            names = {answer.misconception for answer in problem.answers if not answer.right}
            assert names <= table[problem.kind][1], problem.kind
    assert set().union(*(names for _, names in table.values())) <= set(MISCONCEPTIONS)


def test_the_key_names_what_each_wrong_letter_shows():
    form = forms()[-1]
    key = "\n".join(form.lines(answer=True))
    for number, problem in enumerate(form.exercises, 1):
        assert f"\n{number}. {problem.right}\n" in key
    assert "central process (all data passes" in key
    assert "central process" not in "\n".join(form.lines())
    assert gift(form.exercises).count("\n=") == 20


@pytest.mark.parametrize("words", [["--kind", "next"], ["--number", "3"], ["--seed", "-1"]])
def test_an_inventory_is_whole(words):
    asked = CliRunner().invoke(cli, ["exercise", "inventory", *words])
    assert isinstance(asked.exception, BadInput)
    assert "; try: " in str(asked.exception)
    with pytest.raises(BadInput, match="seed"):
        inventory(-1)
