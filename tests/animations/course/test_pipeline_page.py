"""The page of a pipeline, and what schemes send over links: against the timelines, and by hand."""

import pytest

pytest.importorskip("cairo")  # measures words

from each import each

from animations.course import training_numbers
from animations.course.lecture import Writer, lectures, score_of_lecture
from animations.course.machine_pages import MachinePage
from animations.course.parts import quantities
from animations.course.pipeline_page import COUNTED, FIRST, PipelinePage
from collectives import BadInput
from collectives.cost.machines import topology
from collectives.training.network import Network
from collectives.training.parallel import Layer
from collectives.training.pipelines import gpipe, pipeline

PIPELINE = [
    *([1, "forward"], [1, "whole"], [2, "whole"], [4, "whole"], [8, "wide"]),
    *([8, "turns"], [8, "whole"]),
]


def pipeline_page(run=training_numbers.pipelined, comes=PIPELINE):
    return PipelinePage("", run=run, comes=tuple(map(tuple, comes)))


@each("count", [1, 2, 3, 8])
def test_a_pipeline_idles_in_as_many_turns_as_stages_are_before_the_last(count):
    """By hand: each of four stages works m times, and waits as long as for p - 1 = 3 of these."""
    line = training_numbers.pipelined(count)
    assert training_numbers.pipelined_in(count, "waited") == line.waited
    assert line.waited == pytest.approx(3 / (count + 3), abs=0.01)  # hops take a little more
    assert line.waited > 3 / (count + 3)
    with pytest.raises(BadInput, match="micro-batches"):
        training_numbers.pipelined(0)


@each(("stages", "count"), [(3, 4), (4, 8), (6, 2)])
def test_turns_of_a_pipeline_are_counted_below_its_last_stage(stages, count):
    """Idle ones first, then those in which it works, in an order that the page grows by."""
    layer, network = Layer(1, 1024, 8192), Network(topology("crossbar", stages), stages)
    line = pipeline(gpipe(stages, count), 1.0, layer, network)
    page = pipeline_page(lambda _: line, [[count, "turns"]])
    dashes = [s for s in page.at(1, 1.0).strokes if {y for _, y in s.points} == {COUNTED}]
    assert len(dashes) == stages - 1 + count
    texts = {text.text for text in page.at(1, 1.0).lines if text.baseline > COUNTED}
    assert {f"{stages - 1}", f"{count}"} <= texts
    half = [s for s in page.at(1, 0.4).strokes if {y for _, y in s.points} == {COUNTED}]
    assert 0 < len(half) < len(dashes)


def test_a_pipeline_is_drawn_as_it_runs():
    """Each micro-batch on each stage, there and back, to one scale, then as wide as the page."""
    page = pipeline_page()
    for item, (count, part) in enumerate(PIPELINE, 1):
        boxes = page.at(item, 1.0).boxes
        passes = 1 if part == "forward" else 2
        drawn = [box for box in boxes if box.box.width > 2 and box.box.y < COUNTED]
        assert len(drawn) == passes * 4 * count - 4 * count * (part == "turns")
        edged = [box for box in drawn if box.edge]
        assert len(edged) == len(drawn) / count  # one is followed through all stages
    drawn = [[box.box for box in page.at(item, 1.0).boxes] for item in (2, 3, 4, 5, 7)]
    lanes = [max(box.right for box in boxes if box.y < COUNTED) - FIRST for boxes in drawn]
    totals = [training_numbers.pipelined(count).total for count in (1, 2, 4, 1, 8)]
    assert lanes == pytest.approx([total / totals[0] * lanes[0] for total in totals], abs=3)
    works = [box.width for box in drawn[-1] if box.y > COUNTED]  # below, on one scale
    assert works == pytest.approx([works[0]] * len(works), rel=0.01)  # work is as much


def test_a_pipeline_that_brings_nothing_known_is_refused():
    table = {"show": "pipeline", "heading": {"en": ""}, "say": [{"en": "", "pipeline": [1, "all"]}]}
    with pytest.raises(BadInput, match="pipeline all: choose from forward"):
        Writer(lectures()["sharded-parallel"], "en", {}).passage(table)


def test_links_of_a_layer_carry_what_each_scheme_sends():
    """Lecture 12, by hand, of a GPU: h = 8,192 numbers of each of 8,192 tokens, 8 GPUs a node."""
    numbers = quantities(lectures()["sharded-parallel"].numbers)
    batch, weights = 2 * 8192 * 8192, 2 * 12 * 8192**2
    assert float(numbers["sums"].value) == 4 * 2 * 7 / 8 * batch
    assert float(numbers["shards"].value) == 3 * weights / 8 / 2
    work = 6 * weights / 2 * 8192 / 4e14 / 8  # 2 there and 4 back, of a parameter and a token
    assert float(numbers["work"].value) == pytest.approx(work)
    assert float(numbers["hidden"].value) == pytest.approx(3 * weights / 16 / 50e9)
    pages = [p.shown for p in score_of_lecture(lectures()["sharded-parallel"]).passages]
    page = next(page for page in pages if isinstance(page, MachinePage))
    (_, most), (tone, fewer) = page._looks.values()
    assert most / fewer == pytest.approx(940 / 302, rel=1e-2)
    widths = [{s.width for s in page.at(item, 1.0).strokes if s.color == tone} for item in (4, 5)]
    assert widths == [set(), {fewer}]  # they stay
    notes = [note.split("\n") for note in page.notes.values()]
    sums = "8192 × 8192 × 2 B = 134 MB", "4 × 1.75 × 134 MB = 940 MB"
    assert [note for note, _ in notes] == [*sums, "201 MB", "3 × 1/2 × 201 MB = 302 MB"]
    assert all(names.count("×") == note.count("×") for note, names in notes), "each factor is named"
    lines = {line.text: line for line in page.at(5, 1.0).lines}
    assert len({lines[note].size for note, _ in notes}) == 1
    assert all(0 < lines[names].baseline - lines[note].baseline < 45 for note, names in notes)
    near, far = (float(numbers[name].value) for name in ("near", "far"))
    assert (near, far) == pytest.approx((940e6 / 450e9, 940e6 / 50e9), rel=1e-3)
