"""Pictures have all their words in every language, and none of another one."""

import re
from functools import cache
from itertools import chain
from string import Formatter

import pytest
from each import each
from mistakes import recorded
from samples import pairs
from settings import THOROUGH, sampled

from animations.course.examples import two_way_all_gather
from animations.drawing.glyphs import text_width
from animations.drawing.scenery_shapes import moment_text
from animations.drawing.theme import DARK
from animations.phrases import phrases, read
from animations.pictures.foot import SMALLEST_CAPTION, headline_text
from animations.pictures.panels import card_names, fixed_text, keyframe_text
from animations.pictures.title_cards import card_text
from animations.score.pacing import words as spoken_words
from animations.score.score import Keyframe
from animations.score.steps import score_of
from animations.story.comments import in_plural
from animations.story.storyboard import LONGEST_INVARIANT
from animations.story.usual import usual_board
from collectives import ROWS, record, send
from collectives.choices import LANGUAGES
from collectives.collective import CUSTOM
from collectives.cost.machines import MACHINES
from collectives.errors import BadInput
from collectives.recording.payload import OPERATIONS
from collectives.recording.phases import phases
from collectives.schedule.provenance import caption, forward

SIZES = (*range(2, 10), 16) if THOROUGH else (5, 6, 8)
EN, ES = phrases("en"), phrases("es")
WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")


@cache
def sources():
    """Captions and promises of the catalog and of the examples of lectures, as executed."""
    captions, promises = set(), {each.sentence for each in (CUSTOM, *(r.promise for r in ROWS))}
    recordings = (
        record(row.collective, row.algorithm, ranks=n, root=root)
        for row in ROWS
        for n in filter(row.accepts, SIZES)
        for root in ((0, 1) if row.promise.rooted and n > 1 else (0,))
    )
    example = record(two_way_all_gather(8), collective="all_gather", ranks=8)
    for recording in chain(recordings, [example]):
        for stamp in (stamp for step in recording.steps for stamp in step.stamps):
            captions.add(caption(stamp))
            promises |= {frame.source.promise for frame in forward(stamp)}
    return captions - {""}, promises - {""}


def fields(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_languages_have_the_same_patterns_with_the_same_fields():
    assert EN.patterns.keys() == ES.patterns.keys()
    for key, text in EN.patterns.items():
        same = key.startswith("wrong.") or fields(text) == fields(ES.patterns[key])
        assert same and fields(ES.patterns[key]) <= fields(text), key
        assert text.strip() and ES.patterns[key].strip(), key


@pytest.mark.parametrize("file", ["films", "training"])
@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_no_sentence_is_left_in_english(language, file):
    """English stands in where a language lacks a pattern, so that the file itself is read."""
    own = read(language, file)
    for section, table in read("en", file).items():
        if isinstance(table, dict) and section != "translations":
            assert table.keys() <= own[section].keys(), (section, table.keys() - own[section])


def test_languages_have_the_same_nouns_and_neighbors():
    assert EN.nouns.keys() == ES.nouns.keys() and EN.neighbors.keys() == ES.neighbors.keys()
    for say in (EN, ES):
        assert all(len(set(pair)) == 2 for pair in (*say.nouns.values(), *say.neighbors.values()))
    for key, sides in EN.neighbors.items():
        assert list(map(fields, sides)) == list(map(fields, ES.neighbors[key])), key


def test_translations_are_of_what_sources_say():
    """An algorithm that is added needs none: its English words stand in their place."""
    captions, promises = sources()
    for found, table in ((captions, "captions"), (promises, "promises")):
        known = ES.translated[table].keys()
        assert len(found & known) > 70, table
        assert not THOROUGH or known <= found, known - found
    assert ES.translated["algorithms"].keys() <= {row.algorithm for row in ROWS}


def test_a_row_without_spanish_is_shown_in_english(monkeypatch):
    for table in ("algorithms", "captions", "promises"):
        monkeypatch.setitem(ES.translated, table, {})
    recording = record("all_reduce", "ring", ranks=3)
    board = usual_board(recording, language="es")
    stamp = recording.steps[0].stamps[0]
    assert board.title == "Ring all-reduce"
    assert caption(stamp) and f" — {caption(stamp)}: el rango 1 suma" in board.captions[1]
    assert board.invariant(1) == forward(stamp)[-1].source.promise


def test_a_translated_promise_has_as_many_parts():
    for text, other in ES.translated["promises"].items():
        assert text.count("; ") <= other.count("; "), other
        assert len(other) <= 1.3 * LONGEST_INVARIANT and other[0].isupper(), other
    for text, other in ES.translated["captions"].items():
        assert len(other) <= 72 and other[0].islower() and other[-1] not in ".;", text


@each("text", ES.translated["captions"])
def test_a_translated_caption_can_be_changed_as_the_english_one(text):
    other = ES.caption(text)
    every = [say("comments.every_rank") for say in (EN, ES)]
    assert text.count(every[0]) == other.count(every[1])
    assert (in_plural(text, EN) != text) == (in_plural(other, ES) != other)
    sides = [
        {key for key, (side, _) in say.neighbors.items() if re.search(rf"\b{side}\b", words)}
        for say, words in ((EN, text), (ES, other))
    ]
    longest = [max(found, key=len, default="") for found in sides]
    assert longest[0] == longest[1]


def texts(board):
    """All text of a film but its source code and its variables."""
    lines = [*fixed_text(board, DARK), *card_names(board, DARK)]
    lines += card_text(board, DARK)
    for step in range(len(board.frames) + 1):
        lines += keyframe_text(board, Keyframe(step), DARK)
        lines += headline_text(board, Keyframe(step), DARK)
        lines += moment_text(board.scenery, step, False, DARK)
    said = {shot.said for _, shot in score_of(board)}
    assert all(spoken_words(text) <= ES.most_words for text in said)
    found = {line.text for line in lines if line.face != "mono"} | said
    return found | {shot.chapter for _, shot in score_of(board)}


def untranslated(recording):
    """Words of captions and promises that have no translation."""
    frames = [frame for step in recording.steps for stamp in step.stamps for frame in stamp]
    promises = {frame.source.promise for frame in frames} - ES.translated["promises"].keys()
    stamps = {caption(stamp) for step in recording.steps for stamp in step.stamps}
    captions = stamps - ES.translated["captions"].keys()
    return {word.lower() for text in promises | captions for word in WORD.findall(text)}


@cache
def english():
    """Words that are English only."""
    other = [*ES.patterns.values(), *(noun for pair in ES.nouns.values() for noun in pair)]
    other += [text for table in ES.translated.values() for text in table.values()]
    said = [*EN.patterns.values(), *(noun for pair in EN.nouns.values() for noun in pair)]
    said += [text for table in ("captions", "promises") for text in ES.translated[table]]
    words = [
        {word.lower() for text in each for word in WORD.findall(text)} for each in (said, other)
    ]
    return {word for word in words[0] - words[1] if len(word) > 1}


@each(
    ("row", "ranks"),
    sampled(pairs((5, 8, 9), 1), 3),
    title=lambda case: (case[0].title, case[1]),
    few=10,
)
def test_a_spanish_film_has_no_english_words(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = usual_board(recording, language="es")
    assert board.title == ES.title(row.heading, row.algorithm, row.collective.replace("_", "-"))
    known = {*recording.parameters, *WORD.findall(board.counters[-1].label)}
    known |= {recording.collective.title, *untranslated(recording)}
    known |= {*WORD.findall(" ".join(MACHINES))}  # on one of them it may be faster
    for text in texts(board):
        words = WORD.findall(re.sub(r"\S*…", "", text))  # but what is cut
        assert not ({word.lower() for word in words} - known) & english(), text
    for text in board.captions:
        assert text_width(text, SMALLEST_CAPTION) < board.sheet.foot.width
    for step in range(len(board.frames) + 1):
        assert text_width(board.invariant(step), 23) < board.sheet.foot.width


def test_translated_phases_are_no_collectives():
    names = {
        part.rpartition(" × ")[2]
        for row in ROWS
        for ranks in filter(row.accepts, (5, 8, 9))
        for phase in phases(record(row.collective, row.algorithm, ranks=ranks))
        for part in phase.name.split(" + ")
    }
    others = names - {row.promise.title for row in ROWS}
    assert others and ES.translated["phases"].keys() <= others


@pytest.mark.parametrize(
    "name", ["add_for_copy_all_reduce", "missed_fold_all_reduce", "empty_read_broadcast"]
)
def test_a_wrong_schedule_is_wrong_in_spanish(name):
    english_board = usual_board(recorded(name))
    board = usual_board(recorded(name), language="es")
    assert board.title == f"Incorrecto: {name}" and board.wrong.band.startswith("INCORRECTO — ")
    assert board.wrong.text == english_board.wrong.text  # for the terminal
    assert english_board.wrong.diagnosis != board.wrong.diagnosis
    own = re.sub(r"\(broken.py[^)]*\)", "", board.wrong.diagnosis)  # but for comments of the code
    assert not {word.lower() for word in WORD.findall(own)} & english()
    assert board.captions[-1].endswith(board.wrong.sentence)


def test_comments_of_others_are_shown_as_they_are():
    def passed_on(n):
        # the first hands everything over
        yield send(0, 1)

    recording = record(passed_on(2), collective="broadcast", ranks=2, slots=1)
    board = usual_board(recording, language="es")
    assert "the first hands everything over: el rango 0 envía" in board.captions[1]


@each("op", OPERATIONS)
def test_promises_name_the_operation_in_both_languages(op):
    recording = record("all_reduce", "ring", ranks=3, op=op, dtype="float64")
    boards = [usual_board(recording, language=language) for language in LANGUAGES]
    assert boards[0].promise == recording.promise
    assert ES(f"operations.the_{op}") in boards[1].promise.replace("del ", "de el ")


def test_nouns_and_contractions_follow_their_numbers():
    assert ES.plural(1, "switch") == "1 conmutador"
    assert ES.plural(2048, "chunk") == "2,048 fragmentos"
    assert ES("sentences.sends", source="a", data="b", there="el rango 1") == "a envía b al rango 1"
    assert ES("sentences.slots_of", slots="la casilla 0", target="el rango 1").endswith(
        "del rango 1"
    )
    assert EN.steps(3, 4) == "3 steps and 1 in place" and ES.steps(1, 1) == "1 paso"


def test_a_language_that_there_is_not_is_refused():
    with pytest.raises(BadInput, match=r"language e: unknown; did you mean e[ns]\?"):
        phrases("e")
    with pytest.raises(KeyError):
        ES("sentences.sends", source="a")
