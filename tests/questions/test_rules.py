"""Rules of all questions: no guess pays, no reason tells, a refutation says what happens."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from settings import THOROUGH

from collectives import ROWS, record
from collectives.questions import questions
from collectives.questions.why import WHY
from collectives.units import parse_time, size_text

SEEDS = range(1000) if THOROUGH else range(20)
EACH = 10  # a seed asks every tenth row
RANKS = (8, 4, 3, 16, 6, 2, 5)
OTHERWISE = {*WHY, "steps", "line"}  # what would happen otherwise
ON_THE_STAGE = {"next", "cell", "idle", "done"}
PLACE = re.compile(r"\b(rank|ranks|switch|server) \d+")
DATA = re.compile("chunk|vector|data|scratch|block|list|heard|received", re.IGNORECASE)
GAIN = 0.05  # over chance, that a guess may have


def numbers_of(row, seed):
    accepted = [n for n in RANKS if row.accepts(n)]
    return accepted[(seed + seed // EACH) % len(accepted)]


@cache
def pages():
    """The questions of many pages, each with the name of its page."""
    found = []
    for seed in SEEDS:
        for row in ROWS[seed % EACH :: EACH]:
            n = numbers_of(row, seed)
            asked = questions(record(row.collective, row.algorithm, ranks=n), seed)
            found.append((f"{row.title} on {n}, seed {seed}", asked))
    return found


def every():
    return [(title, question) for title, asked in pages() for question in asked]


def likeness(options):
    """How much each answer shares with the others."""
    words = [set(pairwise(option.text.split())) for option in options]
    common = Counter(word for each in words for word in each)
    return [sum(common[word] for word in each) / max(1, len(each)) for each in words]


def amounts(options):
    """How large each answer is."""
    return [amount(option.value) for option in options]


def amount(value):
    if isinstance(value, int | float):
        return value
    if value and isinstance(value[0], tuple):
        return sum(times for *_, times in value)
    return 0 if isinstance(value, str) else len(value)


def lengths(options):
    return [len(option.text) for option in options]


def middle(looks):
    return sorted(looks)[len(looks) // 2]


POLICIES = {
    "longest": (lengths, max),
    "shortest": (lengths, min),
    "middle": (lengths, middle),
    "largest": (amounts, max),
    "smallest": (amounts, min),
    "in the middle": (amounts, middle),
    "most frequent": (likeness, max),
    "least frequent": (likeness, min),
}


def hit(options, look, choose):
    """How likely a guess by a look is right, where several look alike."""
    looks = look(options)
    chosen = [option for option, each in zip(options, looks, strict=True) if each == choose(looks)]
    return sum(not option.misconception for option in chosen) / len(chosen)


@pytest.mark.parametrize("policy", POLICIES)
def test_who_sees_only_the_answers_is_hardly_better_than_chance(policy):
    chosen = [question.options for _, question in every() if question.form != "number"]
    chance = sum(1 / len(options) for options in chosen) / len(chosen)
    right = sum(hit(options, *POLICIES[policy]) for options in chosen) / len(chosen)
    assert len(chosen) > 500 and right <= chance + GAIN


@pytest.mark.parametrize("policy", POLICIES)
def test_no_single_kind_of_question_can_be_guessed_by_its_answers(policy):
    kinds = {}
    for _, question in every():
        if question.form != "number":
            kinds.setdefault((question.kind, question.form), []).append(question.options)
    assert len(kinds) >= 8
    for kind, chosen in kinds.items():
        chance = sum(1 / len(options) for options in chosen) / len(chosen)
        right = sum(hit(options, *POLICIES[policy]) for options in chosen) / len(chosen)
        spread = 3 * (chance * (1 - chance) / len(chosen)) ** 0.5  # of so few questions
        assert right <= chance + GAIN + (0.0 if len(chosen) > 800 else spread), kind


@pytest.mark.parametrize("place", [0, -1])
def test_the_right_answer_stands_anywhere(place):
    chosen = [question for _, question in every() if question.form == "choice"]
    right = sum(question.options[place] == question.right for question in chosen) / len(chosen)
    assert abs(right - sum(1 / len(each.options) for each in chosen) / len(chosen)) < GAIN


def test_no_reason_contains_the_answer():
    for title, question in every():
        numbers = set(re.findall(r"\d+", question.right.text))
        for reason in question.reasons:
            assert question.right.text not in reason.text, (title, question)
            if question.form == "number":
                assert not numbers & set(re.findall(r"\d+", reason.text)), (title, question)


def adds_up(text):
    """Whether the times of messages one after another add up to what it takes."""
    took, parts = re.match(r"it takes (\S+ \S+) instead .*another: (.*) = \1$", text).groups()
    whole = 0.0
    for number, each in re.findall(r"(?:(\d+) × )?([\d.]+ [mµn]?s)", parts):
        whole += int(number or 1) * parse_time(each)
    return abs(whole / parse_time(took) - 1) < 0.01


def test_the_explanation_contains_the_computation():
    for title, question in every():
        text, right = question.explanation, question.right
        if question.kind == "bytes":
            *_, end = text.split(" = ")
            said = right.text if right.text.endswith("s") or "message" in right.text else None
            assert "step" in text and " × " in text
            assert end.startswith(said or size_text(right.value)), (title, question)
        elif question.kind == "steps":
            assert re.search(rf"(= |^it was run: |^){right.value}\b|= {right.value}\b", text), (
                question
            )
        elif question.kind == "fewest":
            assert "1 → " in text and f": {right.text};" in text
        elif question.kind == "done":
            assert text.startswith(f"in step {right.value} ")
        elif question.kind in ("slow", "chunks") and "How long" in question.prompt:
            assert re.search(r"it takes \S+ \S+ instead of \S+ \S+: ", text)
            if question.kind == "slow":
                assert adds_up(text), (title, text)
                took, before = re.match(r"it takes (\S+ \S+) instead of (\S+ \S+): ", text).groups()
                assert took == before or " to or from rank " in text, (title, text)
        elif question.kind == "faster":
            assert all(option.text in text for option in question.options)
        elif question.kind == "cell":
            assert ": together " in text or text.endswith("takes its place")
        assert text != question.right.text


def test_a_refutation_names_step_rank_and_data_and_the_stage_shows_it():
    for title, question in every():
        for option in question.options if question.kind in {*ON_THE_STAGE, "steps"} else ():
            if option.misconception:
                assert re.search(r"\bstep \d+", option.feedback, re.IGNORECASE), (title, option)
                assert PLACE.search(option.feedback), (title, option)
                assert DATA.search(option.feedback), (title, option)
                assert option.marks or question.kind == "steps", (title, option)
                assert option.feedback[0].isupper() and option.feedback.endswith(".")


def test_a_third_of_a_page_asks_what_would_happen_otherwise():
    asked = [(title, page) for title, page in pages() if page]
    assert len(asked) > 0.9 * len(pages())
    few = record("all_gather", "tree", ranks=8, counts=range(1, 9))  # timed at no other size
    for title, page in [*asked, ("uneven tree", questions(few, 0))]:
        otherwise = sum(question.kind in OTHERWISE for question in page)
        assert 3 * otherwise >= len(page), title


def test_nothing_is_asked_before_the_first_step_and_no_hint_points_at_the_source():
    for title, question in every():
        assert question.step >= 2, (title, question)
        assert "source" not in question.hint, (title, question)


def test_reasons_are_different_and_one_is_right():
    for title, question in every():
        texts = [reason.text for reason in question.reasons]
        assert len(set(texts)) == len(texts) >= 2, (title, question)
        assert [reason.misconception for reason in question.reasons].count("") == 1
