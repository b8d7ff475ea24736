"""What the library says in English is said in every language, with the same numbers."""

import pickle
import re
from dataclasses import replace
from string import Formatter

import numpy as np
import pytest
from each import each
from mistakes import FUNCTIONS, recorded
from settings import THOROUGH, sampled

from animations.phrases import phrases
from animations.story.usual import usual_board
from collectives import ROWS, record, send
from collectives.choices import LANGUAGES
from collectives.errors import CollectivesError, WrongSchedule
from collectives.proof.prove import prove
from collectives.questions import questions
from collectives.questions.misconceptions import MISCONCEPTIONS
from collectives.questions.names import Names
from collectives.questions.outcomes import OUTCOMES
from collectives.questions.question import Option, Reason
from collectives.words import Quoted, Worded, capital, listed

OTHERS = [phrases(language) for language in LANGUAGES if language != "en"]
RANKS = (*range(2, 10), 16) if THOROUGH else (4, 5)
UNIT = re.compile(r"\b([KMGT]i?B|[mnµ]s)\b")
CASES = [(row, ranks) for row in ROWS for ranks in filter(row.accepts, RANKS)]
INVENTORY = "central process"  # from here on no page asks


def parts(text):
    """A text and all texts that it is made of."""
    yield text
    if isinstance(text, Worded):
        for field in text.fields.values():
            for part in field if isinstance(field, tuple) else (field,):
                if isinstance(part, str) and text.pattern != "{algorithm}":
                    yield from parts(part)


def pattern_of(text):
    return text.pattern if isinstance(text, Worded) else text


def untranslated(text, say):
    """The patterns and words in a text that a language lacks; numbers and units are none."""
    for part in parts(text):
        pattern = pattern_of(part)
        if pattern == "{algorithm}":
            if say.translation(part) == part:
                yield part
        elif not isinstance(part, Quoted) and pattern not in say.sentences:
            bare = UNIT.sub("", re.sub(r"\{.*?\}", "", pattern))
            yield from [pattern] * bool(re.search("[A-Za-z]{2}", bare))


def numbers(text):
    """The digits of a text, but for those of algorithms' names."""
    return sorted(re.findall(r"\d+", str(text).replace(",", "").replace(".", "")))


def check(text):
    """A sentence that a page can show."""
    for say in OTHERS:
        assert not [*untranslated(text, say)], text
        told = say.translation(text)
        named = any(pattern_of(part) == "{algorithm}" for part in parts(text))
        assert named or numbers(told) == numbers(text), (text, told)
        assert text == "" or (told.strip() and not re.search(r"\{[a-z]", told)), told
        code = any(isinstance(part, Quoted) for part in parts(text))
        assert say.language != "es" or code or not re.search(r"\d\.\d", told), told


def texts_of(question):
    yield from (question.prompt, question.detail, question.hint, question.explanation)
    yield question.unit
    for answer in (*question.options, *question.reasons):
        yield from (answer.text, answer.feedback)


@each(
    "case",
    CASES if THOROUGH else sampled(CASES, 5),
    title=lambda case: (case[0].title, case[1]),
    few=12,
)
def test_each_question_is_asked_in_every_language(case):
    row, ranks = case
    recording = record(row.collective, row.algorithm, ranks=ranks)
    for seed in range(3 if THOROUGH else 1):
        for question in questions(recording, seed=seed):
            for text in texts_of(question):
                check(text)


def test_what_learners_get_wrong_is_said_in_every_language():
    core = [*MISCONCEPTIONS][: [*MISCONCEPTIONS].index(INVENTORY)]
    for name in core:
        check(Reason(MISCONCEPTIONS[name].because, name).text)
        check(Option("", 0, name).feedback)
    for text in OUTCOMES.values():
        check(text)


@each("case", sampled(CASES, 3), title=lambda case: (case[0].title, case[1]))
def test_the_place_of_each_rank_is_said_in_every_language(case):
    recording = record(case[0].collective, case[0].algorithm, ranks=case[1])
    for node in range(recording.nodes):
        check(recording.structure.role(node, Names(recording).node))


def mistakes_in(row, ranks):
    """Schedules of a row with a step left out, another verb, another destination or chunk."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    steps = [step.unrolled() for step in recording.steps]
    for number, step in enumerate(steps):
        changed = [
            None,
            replace(step, reduces=~step.reduces),
            replace(step, dst=(step.dst + 1) % ranks),
            replace(step, into=(step.into + 1) % recording.slots),
        ]
        for other in changed:
            mutant = [*steps[:number], *([other] if other else []), *steps[number + 1 :]]
            try:
                yield record(
                    mutant,
                    "mutant",
                    ranks=ranks,
                    collective=recording.collective,
                    slots=recording.chunk_count,
                    scratch=recording.slots - recording.promised_slots,
                    nodes=recording.nodes,
                )
            except CollectivesError:
                continue


def problem_of(verdict):
    """What is wrong, as the pages of other languages say it; "" where they say it shorter."""
    problem = verdict.text.fields["problem"] if isinstance(verdict.text, Worded) else ""
    return problem if isinstance(problem, Worded) else ""


@each("case", sampled(CASES, 1 if THOROUGH else 25), title=lambda case: (case[0].title, case[1]))
def test_what_is_wrong_with_a_changed_schedule_is_said_in_every_language(case):
    for recording in mistakes_in(*case):
        verdict = prove(recording)
        assert verdict or problem_of(verdict)
        check(problem_of(verdict) if not verdict else "")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_classic_mistake_is_told_in_the_language_of_the_page(name, monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)  # of the endless one
    recording = recorded(name)
    problem = problem_of(prove(recording))
    check(problem)
    for say in OTHERS:
        wrong = usual_board(recording, language=say.language).wrong
        assert not problem or wrong.diagnosis == say.translation(capital(problem))
        assert not re.search("step|slot|wrong", wrong.diagnosis), wrong.diagnosis


REFUSED = [
    send(0, 5),
    send(-1, 0),
    send(0, 1, chunk=7),
    send(np.array([0, 1]), np.array([2, 2])),
    send(np.array([0, 0]), np.array([2, 2])),
    send(0, 1, chunk=0, into=2),
    [send(0, 1), send(1, 2)],
    (0, 1),
    "send",
    (step for step in [send(0, 1)]),
]


@pytest.mark.parametrize("step", REFUSED, ids=lambda step: str(step).partition(" at 0x")[0])
def test_a_step_that_breaks_a_rule_is_told_in_the_language_of_the_page(step):
    def refused(n):
        yield send(0, 1)
        yield step

    with pytest.raises(WrongSchedule) as raised:
        record(refused(3), collective="broadcast", ranks=3, slots=3, counts=[2, 2, 3])
    problem = problem_of(prove(raised.value.recording))
    assert problem and str(raised.value) == problem
    check(problem)


@each("say", OTHERS, title=lambda say: say.language)
def test_a_translation_fills_the_fields_of_its_pattern(say):
    for pattern, words in say.sentences.items():
        named, own = (
            {name for _, name, _, _ in Formatter().parse(text) if name} for text in (words, pattern)
        )
        assert named == own, pattern


@each("say", OTHERS, title=lambda say: say.language)
def test_algorithms_of_a_collective_have_names_of_their_own(say):
    names = [
        say.translation(Worded("{algorithm}", algorithm=row.algorithm, collective=row.collective))
        for row in ROWS
    ]
    assert len(names) == len(set(names)), sorted(names)


def test_sentences_are_as_an_engineer_would_write_them():
    spanish, chinese = phrases("es"), phrases("zh")
    sent = Worded(
        "{src} adds {slot} into {dst}",
        src=Worded("rank {number}", number=2),
        slot=Worded("chunk {number}", number=3),
        dst=Worded("switch {number}", number=0),
    )
    assert spanish.translation(sent) == "el rango 2 suma el fragmento 3 en el conmutador 0"
    assert chinese.translation(sent) == "rank 2 把分块 3 加到交换机 0"
    late = Worded("In step {step} {way}.", step=4, way=sent)
    assert spanish.translation(late).startswith("En el paso 4, el rango 2")
    bruck = Worded("{algorithm}", algorithm="bruck", collective="all-gather")
    assert chinese.translation(bruck) == "Bruck 全收集（all-gather）"
    numbers = listed(["0", "1", "2", "3"], 2)
    assert [say.translation(numbers) for say in OTHERS] == ["0, 1 y 2 más", "0、1 和另外 2 个"]
    code = Worded("in {function}: {code}", function=Quoted("steps"), code=Quoted("x = 1.5"))
    assert spanish.translation(code) == "en steps: x = 1.5"
    time = Worded(
        "{size}, {machine}; a rank goes on as soon as it can", size="1.5 MiB", machine="x"
    )
    assert spanish.translation(time).startswith("1,5 MiB, x; cada rango")


@pytest.mark.parametrize("text", [listed(["{a}", "b"]), Worded("{all}", all=("1", "2"))])
def test_a_text_keeps_its_pattern_in_another_process(text):
    again = pickle.loads(pickle.dumps(text))
    assert (again, again.pattern, again.fields) == (text, text.pattern, text.fields)
