"""What the library says in English is said in every language, with the same numbers."""

import pickle
import re
from string import Formatter

import pytest
from each import each
from settings import THOROUGH, sampled

from animations.phrases import phrases
from collectives import ROWS, record
from collectives.choices import LANGUAGES
from collectives.questions import questions
from collectives.questions.misconceptions import MISCONCEPTIONS
from collectives.questions.outcomes import OUTCOMES
from collectives.questions.question import Option, Reason
from collectives.words import Quoted, Worded, listed

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
        assert text == "" or (told.strip() and "{" not in re.sub(r"yield .*", "", told)), told
        code = any(isinstance(part, Quoted) for part in parts(text))
        assert say.language != "es" or code or not re.search(r"\d\.\d", told), told


def texts_of(question):
    yield from (question.prompt, question.detail, question.hint, question.explanation)
    yield question.unit
    for answer in (*question.options, *question.reasons):
        yield from (answer.text, answer.feedback)


@each("case", CASES if THOROUGH else sampled(CASES, 5), title=lambda case: (case[0].title, case[1]))
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
