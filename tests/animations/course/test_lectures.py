"""Lectures: every sentence short, in both languages, with its numbers computed."""

from dataclasses import replace
from functools import cache
from itertools import groupby, islice, pairwise

import pytest

pytest.importorskip("manim")

import manim
from each import each
from PIL import Image
from spread import SAMPLE

from animations import lectures as scenes
from animations.course import handout
from animations.course.chart_pages import BarsPage
from animations.course.checks import problems
from animations.course.examples import recording_of
from animations.course.headed import TOP
from animations.course.lecture import find_lecture, lectures
from animations.course.lecture_file import lecture_score
from animations.course.machine_pages import MachinePage
from animations.course.parts import Quantity, filled, quantities
from animations.course.queue_page import QueuePage
from animations.course.readings import turning_size
from animations.course.recalled import BESIDE
from animations.course.text_pages import TablePage
from animations.drawing.glyphs import text_width
from animations.drawing.theme import DARK
from animations.phrases import phrases
from animations.pictures.page_scene import PageScene
from animations.score.pacing import spoken_seconds, words
from animations.score.score import gives_way
from animations.story.training import TrainingStory
from animations.story.wrong import fault_strokes
from animations.whys.why import Why
from collectives import BadInput, record, time
from collectives.units import time_text
from tests.benchmarks.new_terms import new_terms

LANGUAGES = ("en", "es")  # whose letters all fonts have

NAMES = tuple(lectures())
TRIED = NAMES[:: 6 if SAMPLE else 1]  # whose scores all tests of this file share
score_of = cache(lecture_score)


@each(("name", "language"), [(name, language) for name in TRIED for language in LANGUAGES])
def test_every_sentence_can_be_said_in_its_shot(name, language):
    score = score_of(name, language)
    most = phrases(language).most_words
    assert all(words(shot.said) <= most for _, shot in score), name
    pages = [passage for passage in score.passages if hasattr(passage.shown, "at")]
    for said, shots in (of for page in pages for of in groupby(page.shots, lambda shot: shot.said)):
        assert "{" not in said
        assert sum(shot.seconds for shot in shots) >= spoken_seconds(said) - 1e-9


def test_new_terms_are_at_most_two_a_minute_each_defined_before_it_is_used():
    first = list(islice(new_terms(), 2 if SAMPLE else None))
    assert sum(len(lecture.terms) for lecture in first) > 15
    for lecture in first:
        assert lecture.rate <= 2 and not lecture.early, lecture


@each("name", TRIED)
def test_both_languages_say_the_same_in_the_same_order(name):
    one, other = (score_of(name, language) for language in LANGUAGES)
    assert len(one.passages) == len(other.passages)
    for a, b in zip(one.passages, other.passages, strict=True):
        if not hasattr(a.shown, "at"):
            continue  # the film of an algorithm: Spanish may need more sentences
        moments = ([shot.moment for shot in of.shots] for of in (a, b))
        mine, theirs = ([(*m[:2], *map(len, m[2:])) for m in ms] for ms in moments)
        assert mine == theirs


@each(("name", "language"), [(name, language) for name in TRIED for language in LANGUAGES])
def test_everything_a_page_shows_is_on_it(name, language):
    for passage in score_of(name, language).passages:
        if not hasattr(passage.shown, "at"):
            continue
        scene = PageScene(passage.shown, DARK)
        width = getattr(passage.shown, "wide", scene.sheet.width)  # a why is laid out on its own
        for item in range(passage.shown.items + 1):
            scene.show((item, False))
            drawing = passage.shown.at(item, 1.0)
            for line in drawing.lines:
                wide = text_width(line.text, line.size, line.face)
                left = line.x - wide * {"left": 0, "center": 0.5, "right": 1}[line.align]
                assert left > 0 and left + wide < width, line
                assert 0 < line.baseline < 1050 and line.size >= 14, line
            for box in drawing.boxes:
                assert box.box.left >= 0 and box.box.right <= width, box


@each("name", TRIED)
def test_no_sentence_is_spoken_over_a_page_with_only_a_heading(name):
    for passage in score_of(name, "en").passages:
        page = passage.shown
        if hasattr(page, "at") and not isinstance(page, TablePage | MachinePage):
            assert passage.shots[0].travels, passage.shots[0].said


def test_what_has_come_stays_while_more_is_said_of_it():
    """A bar that has grown is as long in the next sentence, which brings nothing."""
    pages = [p for p in score_of("data-parallel", "en").passages if isinstance(p.shown, BarsPage)]
    grown, stays = pages[0].shots[1:3]
    assert grown.moment.comes and not stays.moment.comes
    scene = PageScene(pages[0].shown, DARK)
    scene.show(grown.moment)
    scene.travel(1.0)
    before = scene.moving
    scene.show(stays.moment[:2])  # without what it points at
    assert all(a.same(b) for a, b in zip(before, scene.moving, strict=True))


def test_a_bar_of_more_parts_begins_as_the_one_before():
    pages = [p.shown for p in score_of("hierarchy", "en").passages if isinstance(p.shown, BarsPage)]
    inside, rails, again, _ = pages[-1].bars
    assert rails.start == (*inside.values, 0) and again.start == (*rails.values, 0)
    assert pages[0].bars[1].start == (0,), "another bar grows from nothing"


@pytest.mark.parametrize("name", ["data-parallel", "sharded-parallel"])
def test_no_bar_of_a_training_step_hides_the_other_from_inside(name):
    """In a lecture both timelines stay in sight, and run from their start to their end."""
    passages = [p for p in score_of(name, "en").passages if isinstance(p.shown, TrainingStory)]
    for passage in passages:
        moments = [shot.moment for shot in passage.shots]
        assert not any(moment.keyframe for moment in moments)
        for panel, line in enumerate(passage.shown.pair.timelines):
            own = [moment for moment in moments if moment.panel == panel]
            assert own[0].since == 0 and own[-1].until == line.total
    assert passages


def test_a_sentence_after_the_last_step_marks_what_is_wrong():
    seven, eight, _ = (p for p in score_of("your-own", "en").passages if hasattr(p.shown, "frames"))
    revealed = [shot.moment.revealed for shot in eight.shots]
    assert revealed == [0] * (len(revealed) - 1) + [1]
    assert fault_strokes(eight.shown, 3, 1)[1] and not fault_strokes(seven.shown, 3, 1)[1]


def test_numbers_are_what_the_clock_says():
    numbers = quantities({"t": 'seconds("all_reduce", "ring", 8, 64*MiB, "hgx-h100")'})
    took = time(record("all_reduce", "ring", ranks=8), "hgx-h100", size="64MiB").total
    assert numbers["t"].value == pytest.approx(took, rel=1e-6)
    assert filled("{t:time}", numbers) == "275 µs"


def test_the_order_turns_at_the_turning_size():
    size = turning_size("all_reduce", "recursive-doubling", "ring", 8, "hgx-h100")

    def ring_wins(size):
        one, other = (
            time(record("all_reduce", name, ranks=8), "hgx-h100", size=size).total
            for name in ("ring", "recursive-doubling")
        )
        return one < other

    assert not ring_wins(int(0.99 * size) // 64 * 64)
    assert ring_wins(int(1.01 * size) // 64 * 64)


def test_unknown_numbers_lectures_and_kinds_are_refused():
    with pytest.raises(BadInput, match="unknown lecture 'rnig'"):
        find_lecture("rnig")
    with pytest.raises(BadInput, match="stpes"):
        filled("{stpes}", {"steps": Quantity(3)})
    with pytest.raises(BadInput, match="tiem"):
        filled("{steps:tiem}", {"steps": Quantity(3)})


def test_every_lecture_is_a_scene_that_manim_finds():
    from manim.utils.module_ops import get_scene_classes_from_module

    found = {scene.__name__ for scene in get_scene_classes_from_module(scenes)}
    assert found == {scenes.scene_name(name) for name in NAMES}
    assert "RingLecture" in found


def test_manim_plays_a_page_of_a_lecture(tmp_path, monkeypatch):
    """Its first page; all pages are played alike."""
    score = score_of("ring", "en")
    page = next(passage for passage in score.passages if isinstance(passage.shown, QueuePage))
    shown = replace(score, passages=(page,))
    monkeypatch.setattr(scenes.RingLecture, "score", lambda self: shown)
    given = {"quality": "low_quality", "media_dir": str(tmp_path), "save_last_frame": True}
    with manim.tempconfig({**given, "progress_bar": "none", "verbosity": "ERROR"}):
        scenes.RingLecture().render()
    (picture,) = tmp_path.rglob("RingLecture*.png")
    with Image.open(picture) as last:
        assert len(last.convert("RGB").getcolors(1 << 20)) > 10


@each("name", TRIED)
def test_a_lecture_needs_no_mending(name):
    for language in LANGUAGES:
        assert problems(score_of(name, language), language) == []


@pytest.mark.parametrize("name", ["hierarchy", "ring"])
def test_a_stage_sinks_only_where_a_why_follows(name):
    passages = [*score_of(name, "en").passages, None]
    for passage, after in pairwise(passages):
        if any(map(gives_way, passage.shots)):
            assert after and isinstance(after.shown, Why)


def test_the_second_tree_grows_under_the_first_before_both_are_run():
    """A film's whys come before it where the lecture says so; its sentences have numbers."""
    score = score_of("trees", "en")
    places = [passage.shots[0].chapter for passage in score.passages]
    alone, film = (
        places.index(chapter) for chapter in ("Why not one tree?", "A second tree for the leaves")
    )
    assert film == alone + 1
    assert score.passages[alone - 1].shown.title == "A tree: few levels, but idle leaves"
    said = " ".join(shot.said for _, shot in score)
    chain = record("broadcast", "ring", ranks=8, chunks=1)
    trees = record("broadcast", "double-binary-tree", ranks=8, chunks=2)
    assert f"waits for {len(chain.steps)} messages" in said
    assert f"has {len(trees.steps)} levels" in said


def test_a_handout_has_the_numbers_of_what_a_film_says(monkeypatch):
    monkeypatch.setattr(handout, "_png", lambda *of: b"")
    parts = handout.parts_of(find_lecture("trees"), "en")
    said = [sentence for part in parts for sentence in part.sentences]
    assert any(text.endswith("3 times: 450 µs for 64 MiB.") for text in said)
    assert not any("{" in text for text in said)


def test_the_one_tree_of_a_lecture_is_the_first_of_its_two():
    lone = recording_of({"collective": "broadcast", "function": "one_tree", "ranks": 8})
    both = record("broadcast", "double-binary-tree", ranks=8, chunks=2)
    assert lone.structure.parent == both.structure.parents[0]


@each("ranks", (2, 4, 5))
def test_a_collector_takes_one_vector_after_another(ranks):
    table = {"collective": "all_reduce", "function": "collecting_all_reduce", "ranks": ranks}
    recording = recording_of({**table, "with": {"chunks": ranks}})
    assert recording.check()
    for step in recording.steps:
        rows = step.unrolled()
        assert len(rows.chunk) == ranks and 0 in (rows.src[0], rows.dst[0])
        assert len({*rows.src.tolist()}) == len({*rows.dst.tolist()}) == 1


def test_the_riddle_is_asked_and_solved_on_the_same_machine():
    """The rings of the first page run once more beside what beats them, in the times said."""
    pages = [p.shown for p in score_of("hierarchy", "en").passages]
    asked, solved = (p for p in pages if isinstance(p, MachinePage) and p.topology.ranks == 64)
    ((rings,), (again, hierarchy)) = asked.lit, solved.lit
    assert rings.timing.total == again.timing.total > 5 * hierarchy.timing.total
    texts = {line.text for line in solved.at(2, 1.0).lines}
    assert {time_text(run.timing.total, 3) for run in (again, hierarchy)} <= texts


def test_each_rank_of_a_rail_finishes_one_of_the_two_chunks_that_are_followed():
    recording = record("all_reduce", "hierarchical", ranks=8, parameters={"gpus": 4})
    for number, adds in ((3, {(3, 7, 7), (7, 3, 6)}), (4, {(7, 3, 7), (3, 7, 6)})):
        rows = recording.steps[number].unrolled()
        moved = zip(rows.src.tolist(), rows.dst.tolist(), rows.chunk.tolist(), strict=True)
        assert {row for row in moved if row[2] in (6, 7)} == adds


def test_whys_may_stand_alone_or_before_a_film():
    passages = score_of("log-step", "en").passages
    chapters = "Eight ranks halve first, then double", "Bruck: blocks of all ranks hop at once"
    for film in (p for p in passages if p.shots[0].chapter in chapters):
        assert isinstance(passages[passages.index(film) - 1].shown, Why)
    assert all(passage.shots for passage in passages)


@each("name", TRIED)
def test_the_end_of_a_lecture_shows_what_it_says(name):
    end = score_of(name, "en").passages[-1].shown
    assert len(end.pictures) == len(end.texts)
    for picture in end.pictures:
        drawing = picture.at(1.0)
        assert drawing.strokes or len(drawing.boxes) > 1
        assert all(line.size >= 24 and line.baseline > TOP - 40 for line in drawing.lines)


@each("name", TRIED)
def test_the_end_of_a_lecture_is_a_sentence_above_one_large_picture(name):
    end = score_of(name, "en").passages[-1].shown
    for item, text in enumerate(end.texts, 1):
        drawing = end.at(item, 1.0)
        assert [line.text for line in drawing.lines][2] == text
        assert not {line.text for line in drawing.lines} & {*end.texts} - {text}
        across = [x for stroke in drawing.strokes for x, _ in stroke.points]
        across += [x for entry in drawing.boxes[1:] for x in (entry.box.left, entry.box.right)]
        assert min(across) < BESIDE.left and max(across) - min(across) > 850, text
