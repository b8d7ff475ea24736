"""Films of training: what is drawn is the timeline, sentences are true, nothing overlaps."""

import re
from itertools import pairwise

import pytest

pytest.importorskip("manim")

import numpy as np
from PIL import ImageColor
from settings import THOROUGH

import animations
from animations.course.lecture import Lecture, score_of_lecture
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import HATCH, Box, ColoredBox, TextLine
from animations.drawing.theme import DARK, LIGHT
from animations.pictures import training_panels as panels
from animations.pictures.scene import Layered
from animations.pictures.training import TrainingScene
from animations.pictures.training_panels import TimelinePanel
from animations.score.pacing import MOST_WORDS, words
from animations.score.training import training_score
from animations.story.training import BarFacts, TimelineFacts, texts, training_story
from collectives.errors import BadInput
from collectives.training.pairs import PAIRS, training_pair

LANGUAGES = ("en", "es")  # whose letters all fonts have

STORIES = {name: training_story(training_pair(name)) for name in PAIRS}
DRAWN = PAIRS if THOROUGH else ("zero-3", "expert")  # most colors; uneven lanes
NUMBER = re.compile(r"\d[\d.,]*")


def _only(kind, shapes):
    return [shape for shape in shapes if isinstance(shape, kind)]


def panels_of(story):
    return [TimelinePanel(story, panel) for panel in (0, 1)]


def area(line):
    """The box of a line of text."""
    wide = text_width(line.text, line.size, line.face)
    x = line.x + {"left": 0.5, "center": 0, "right": -0.5}[line.align] * wide
    return Box(x, line.baseline - 0.3 * line.size, wide, line.size)


@pytest.mark.parametrize("name", PAIRS)
def test_the_clock_of_a_story_never_goes_back_and_ends_with_the_step(name):
    story = STORIES[name]
    for panel, line in enumerate(story.pair.timelines):
        beats = [beat for beat in story.beats if beat.panel == panel]
        assert beats[0].since == 0 and beats[-1].until == line.total
        assert all(beat.until >= beat.since for beat in beats)
        assert all(one.until == two.since for one, two in pairwise(beats))
        assert all(beat.since <= beat.bar.start for beat in beats if beat.bar)
    moments = [shot.moment for _, shot in training_score(story)]
    for one, two in pairwise(moments):
        assert one.until <= two.since or two.panel > one.panel


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAIRS)
def test_sentences_are_short_and_their_numbers_are_computed(name, language):
    """What stands in the file has no number of its own but the names of stages and schemes."""
    story = training_story(STORIES[name].pair, language)
    for beat in story.beats:
        assert words(beat.said) <= MOST_WORDS, beat.said
        assert "{" not in beat.said
    for entry in texts(language)[name]["before"] + texts(language)[name]["after"]:
        said = re.sub(
            r"\{[^}]*\}|ZeRO-\d|1F1B|(expert|experto|stage|etapa|GPU) 0",
            "",
            entry.partition(" | ")[2],
        )
        assert not NUMBER.search(said), entry


def test_both_languages_say_the_same_at_the_same_times():
    one, other = (texts(language) for language in LANGUAGES)
    assert one.keys() == other.keys()
    for name in one.keys() - {"labels"}:
        assert one[name].keys() == other[name].keys(), name
    for name in PAIRS:
        for panel in ("before", "after"):
            keys = [
                [entry.partition(" | ")[0] for entry in each[name][panel]] for each in (one, other)
            ]
            assert keys[0] == keys[1]
            fields = [
                sorted(re.findall(r"\{[^}]*\}", " ".join(each[name][panel])))
                for each in (one, other)
            ]
            assert fields[0] == fields[1]


def test_facts_are_those_of_the_timeline():
    line = STORIES["ddp"].pair.after
    facts = TimelineFacts(line)
    last = line.lane(0, network=True)[-1]
    assert facts.exposed == f"{1e3 * (last.end - last.start):.3g} ms"  # no other is exposed
    uneven = next(beat.bar for beat in STORIES["expert"].beats if beat.panel and beat.bar)
    assert BarFacts(uneven).blocks == "67.1 MB · 33.6 MB · 16.8 MB · 16.8 MB"
    assert not BarFacts(last).blocks
    assert facts.sent == "9 GB" and facts.peak == "48 GB" and facts.rate == "50 GB/s"
    with pytest.raises(AttributeError):
        _ = facts.nothing


@pytest.mark.parametrize("name", PAIRS)
def test_bars_are_spans_and_hatches_are_gaps(name):
    story = STORIES[name]
    for at in panels_of(story):
        total = at.line.total
        boxes = _only(ColoredBox, panels.bars(at, lambda start, end: True, total, DARK))
        spans = [span for span in at.line.spans if span.gpu in at.gpus]
        for span, shown in zip(spans, boxes, strict=True):
            assert shown.box.left == pytest.approx(at.x(span.start), abs=0.1)
            assert shown.box.right <= at.right + panels.THIN + 0.1
        half = _only(ColoredBox, panels.bars(at, lambda start, end: True, total / 2, DARK))
        assert len(half) == sum(span.start < total / 2 for span in spans)
        assert max(each.box.right for each in half) <= at.x(total / 2) + panels.THIN
        strokes = list(panels.waits(at, lambda start, end: True, total, DARK))
        middles = [np.mean(stroke.points, axis=0) for stroke in strokes]
        for gpu in at.gpus:
            lane = at.lane(gpu, False, 0, total)
            own = np.array([x for x, y in middles if lane.top <= y <= lane.bottom])
            ends = [(at.x(start), at.x(end)) for start, end in at.line.waiting(gpu)]
            inside = [((own >= left) & (own <= right)).sum() for left, right in ends]
            assert sum(inside) == len(own), "a hatch where nothing waits"
            wide = (right - left > 2 * HATCH for left, right in ends)
            assert all(count > 0 for count, known in zip(inside, wide, strict=True) if known)


def test_equal_gpus_share_a_row():
    rows = {name: [len(at.gpus) for at in panels_of(STORIES[name])] for name in PAIRS}
    assert {name for name in PAIRS if rows[name] != [1, 1]} == {"pipeline", "1f1b", "expert"}
    assert all(rows[name] == [4, 4] for name in ("pipeline", "1f1b", "expert"))


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(
    ("part", "language"), [(0.0, "en"), (0.37, "es"), (1.0, "en"), (1.0, "es")]
)
def test_text_stands_apart_and_on_the_page(name, part, language):
    story = training_story(STORIES[name].pair, language)
    shapes = [*panels.fixed_text(story, DARK), *panels.legend(story, DARK)]
    shapes += [*panels.memory_legend(story, DARK), *panels.caption(story.beats[-1].said, DARK)]
    for at in panels_of(story):
        now = part * at.line.total
        shapes += [*panels.frame(at, DARK), *panels.memory_frame(at, DARK)]
        shapes += panels.bars(at, lambda start, end: True, now, DARK)
        shapes += [*panels.clock(at, now, DARK), *panels.memory_bars(at, now, DARK)]
    lines = _only(TextLine, shapes)
    areas = [area(line) for line in lines]
    for line, box in zip(lines, areas, strict=True):
        assert line.size >= 17, line
        assert box.left >= 40 and box.right <= 1880 and box.bottom <= 1070, line
    for i, one in enumerate(areas):
        for j in range(i):
            assert not one.overlaps(areas[j], -1), (lines[i].text, lines[j].text)


@pytest.mark.parametrize("name", PAIRS)
def test_the_clock_counts_when_any_lane_of_the_network_is_in_use(name):
    """By looking at many moments; of a pipeline's one batch that is six hops, one after another."""
    for at in panels_of(STORIES[name]):
        spans = [span for span in at.line.spans if span.kind == "network"]
        for part in (0.0, 0.4, 1.0):
            now, looks = part * at.line.total, 20_000
            moments = (np.arange(looks) + 0.5) * now / looks
            used = sum(any(s.start <= t < s.end for s in spans) for t in moments[::10]) * 10 / looks
            counter = next(shape for shape in panels.clock(at, now, DARK) if hasattr(shape, "text"))
            shown = re.search(r"network busy ([\d.]+) (\S+)", counter.text)
            unit = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[shown[2]]
            assert float(shown[1]) * unit == pytest.approx(used * now, rel=0.02, abs=0.003 * now)
    hops = STORIES["pipeline"].pair.before
    (counter,) = _only(TextLine, panels.clock(panels_of(STORIES["pipeline"])[0], hops.total, DARK))
    assert "network busy 32.2 ms" in counter.text


def test_memory_bars_are_as_long_as_what_is_held():
    story = STORIES["zero-1"]
    for at in panels_of(story):
        shapes = list(panels.memory_bars(at, 0.0, DARK))
        boxes, lines = _only(ColoredBox, shapes), _only(TextLine, shapes)
        own = boxes[: len(boxes) // len(at.gpus)]
        share = sum(each.box.width for each in own) / panels.MEMORY
        assert share == pytest.approx(float(at.line.peak(0)) / panels.most_held(story))
        over = at.line.peak(0) > story.pair.memory
        assert (lines[0].color == DARK.wrong) == over


@pytest.mark.parametrize("theme", [DARK, LIGHT] if THOROUGH else [DARK])
@pytest.mark.parametrize("name", DRAWN)
def test_every_shot_is_drawn_and_the_inside_of_a_bar_comes_and_goes(name, theme):
    story = STORIES[name]
    scene = TrainingScene(story, theme)
    layered, bars = Layered(scene), set()
    for _, shot in training_score(story):
        layers = list(layered.at(shot, [0.5]))[-1]
        assert all(np.isfinite(outline.points).all() for layer in layers for outline in layer)
        inside = [bar for bar, stage in scene._stages.items() if stage is scene._inside]
        assert len(inside) == (shot.moment.keyframe is not None)
        bars |= set(inside)
        for bar in inside:
            assert scene.front == scene._stages[bar].front != []
    assert bars == {beat.bar for beat in story.beats if beat.bar}
    canvas = layered.canvas((1920, 1080))
    canvas.draw(layers)
    pixels = canvas.rgb()
    for at in panels_of(story):  # of the end, bars lie above their lanes
        for span in (span for span in at.line.spans if span.gpu in at.gpus):
            box = at.lane(span.gpu, span.kind == "network", span.start, span.end)
            tone = ImageColor.getrgb(theme.tone(panels.TONES[panels.tone_of(span)]))
            if box.width > 12:
                assert tuple(pixels[int(box.top) + 3, int(box.left) + 5]) == tone, span.label


def test_a_picture_of_the_end_is_written(tmp_path):
    path = animations.training_film("ddp", tmp_path / "ddp.png", quality="l")
    assert path.read_bytes()[:4] == b"\x89PNG"
    for wrong in (
        {"scheme": "dpd"},
        {"theme": "dim"},
        {"language": "eo"},
        {"quality": "x"},
        {"path": "film.avi"},
    ):
        given = {"scheme": "ddp", "path": tmp_path / "x.png", **wrong}
        with pytest.raises(BadInput):
            animations.training_film(given.pop("scheme"), given.pop("path"), **given)


def test_a_scheme_is_a_part_of_a_lecture():
    title = {"en": "The data-parallel step", "es": "El paso con datos en paralelo"}
    passages = [{"show": "training", "scheme": "ddp"}]
    lecture = Lecture(11, "data-parallel", title, {}, passages)
    (passage,) = score_of_lecture(lecture, "es").passages
    assert passage.shown.language == "es" and passage.shown.pair.scheme == "ddp"
    assert {shot.said for shot in passage.shots} >= {beat.said for beat in passage.shown.beats}


def test_one_bucket_is_followed_and_room_is_where_it_was():
    """Gathered twice, computed twice, its gradients scattered; where nothing is freed, none is."""
    stories = [training_story(training_pair(name)) for name in ("zero-3", "fsdp")]
    first, second = map(panels.most_held, stories)
    assert first == pytest.approx(second)
    for story in stories:
        at = TimelinePanel(story, 1)
        end = at.line.total
        drawn = panels.bars(at, lambda start, end: True, end, DARK)
        edged = [shape for shape in drawn if isinstance(shape, ColoredBox) and shape.edge]
        assert len(edged) == 5 and at.followed == "3"
    assert TimelinePanel(stories[0], 0).followed == ""
