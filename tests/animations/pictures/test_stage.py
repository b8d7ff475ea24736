"""What the stage draws, read back from its outlines, is the recording's state."""

import re
from itertools import product, repeat

import numpy as np
import pytest

pytest.importorskip("manim")

from contents import held
from each import each
from legible import box, inside
from samples import case_title, pairs
from settings import THOROUGH, sampled

from animations.drawing.curves import circles
from animations.drawing.glyphs import text_width
from animations.drawing.render.outlines import look
from animations.drawing.scenery_shapes import moment_boxes
from animations.drawing.shapes import MOTION
from animations.drawing.sheet import FILM, SHEETS
from animations.drawing.theme import DARK
from animations.pictures.foot import headline_text
from animations.pictures.panels import card_names, keyframe_text
from animations.pictures.scene import Layered
from animations.pictures.stage import VEIL, Stage
from animations.score.score import Keyframe, Shot
from animations.story.compose import proved_storyboard
from animations.story.flights import flights
from collectives import record, send
from collectives.collective import CUSTOM
from collectives.schedule.step import rows

LANGUAGES = ("en", "es")  # whose letters all fonts have

SIZES = range(1, 17)
EVERY_STEP = 16 if THOROUGH else 8  # ranks up to which all steps are tried


def rectangles(outline):
    """Center and size of each rectangle in an outline of merged rectangles."""
    corners = outline.points.reshape(-1, 16, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    return np.concatenate([(low + high) / 2, high - low], axis=1)


class Wells:
    """Where the wells of all cards are, found by columns: a matrix has thousands, in 72 columns."""

    def __init__(self, board):
        places = [
            (n, w, card.cell(w)) for n, card in enumerate(board.scenery.cards) for w in wells(card)
        ]
        self.node, self.well = np.array([(n, w) for n, w, _ in places]).T
        edges = [(b.left, b.top, b.right, b.bottom) for *_, b in places]
        left, self.top, right, self.bottom = np.array(edges).T
        self._columns, column = np.unique([left, right], axis=1, return_inverse=True)
        self._members = np.argsort(column, kind="stable")
        self._count = np.bincount(column)
        self._first = np.cumsum(self._count) - self._count

    def at(self, x, y):
        """In which well each point lies; they all lie in one, and in one only."""
        (left, right), x, y = self._columns, x[:, None], y[:, None]
        point, column = np.nonzero((left < x) & (x < right))
        count = self._count[column]
        turn = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        at = self._members[np.repeat(self._first[column], count) + turn]
        point = np.repeat(point, count)
        inside = (self.top[at] < y[point, 0]) & (y[point, 0] < self.bottom[at])
        assert point[inside].tolist() == list(range(len(x))), "a stripe lies in no cell, or in two"
        return at[inside]


def drawn(stage, places):
    """{(node, well, ink)} from the geometry of the settled marks alone."""
    scenery, bars = stage.board.scenery, stage.board.scenery.fold.bars
    found = set()
    for ink, outline in enumerate(stage.stripes):
        x, y = rectangles(outline)[:, :2].T
        at = places.at(x, y)
        height = (y - places.top[at]) / (places.bottom - places.top)[at] * bars
        known = scenery.whole or scenery.table
        assert known or (height.astype(int) == ink % bars).all(), "a stripe at another's height"
        found.update(
            zip(places.node[at].tolist(), places.well[at].tolist(), repeat(ink), strict=False)
        )
    return found


def wells(card):
    return range(len(card.shape.cells))


@each(("row", "ranks"), [*pairs(SIZES, 1), *sampled(pairs([17, 24, 32], 1), 5)], case_title, few=8)
def test_stage_equals_recording(row, ranks):
    """At every step up to 8 ranks, beyond at the start, at the end and at some between.

    `make thorough`: at every step up to 16 ranks.
    """
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    if board.scenery.table:
        return  # test_matrix_equals_the_recording
    stage, places, total = Stage(board), Wells(board), len(recording.steps)
    some = {0, total // 3, total // 2, total} & set(range(total + 1))
    for step in range(total + 1) if ranks <= EVERY_STEP else sorted(some):
        stage.show(Keyframe(step))
        assert drawn(stage, places) == held(recording, board.scenery.fold, step)
        assert stage.moving == []


@each(("row", "ranks"), sampled(pairs([2, 5, 8, 16], 1), 2), case_title, few=8)
def test_parcels_are_the_transfers_of_the_step(row, ranks):
    """They leave the cells that are read, arrive in those that are written, and carry the data."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    stage, places, fold = Stage(board), Wells(board), board.scenery.fold
    if board.scenery.table:
        return
    for number, step in enumerate(recording.steps, 1):
        transfers = list(rows(step.unrolled()))
        stage.show(Keyframe(number, landed=False))
        before = held(recording, fold, number - 1)
        assert drawn(stage, places) == before, "the step has not landed yet"
        found = flights(board.scenery, board.frames[number - 1])
        if any(len(flight.columns) < len(_wells_of(board, number, flight)) for flight in found):
            continue  # so many chunks that only some are drawn
        for time, ends in ((0.0, _sources(board, transfers)), (1.0, _targets(board, transfers))):
            stage.travel(time)
            boxes = np.concatenate(
                [rectangles(each) for each in stage.moving[-5 - len(stage.stripes) :][:2]]
            )
            shown = sorted({(round(x, 1), round(y, 1)) for x, y, *_ in boxes.tolist()})
            assert np.allclose(shown, sorted(ends), atol=0.2), f"step {number} at {time}"


def _wells_of(board, number, flight):
    frame, well = board.frames[number - 1], board.scenery.fold.well
    transfers = (frame.transfers[i] for i in frame.parcels[flight.parcel].transfers)
    return {(well[transfer.chunk], well[transfer.into]) for transfer in transfers}


def _sources(board, transfers):
    cells = {board.scenery.cell(src, chunk) for src, _, chunk, *_ in transfers}
    return {(round(cell.x, 1), round(cell.y, 1)) for cell in cells}


def _targets(board, transfers):
    cells = {board.scenery.cell(dst, into) for _, dst, _, into, *_ in transfers}
    return {(round(cell.x, 1), round(cell.y, 1)) for cell in cells}


def wanted(recording, node, slot):
    """Whose data a cell must hold to be complete; -1, which nothing is, where nothing is due."""
    apart = recording.collective.separate_buffers
    if node >= recording.ranks and recording.precondition[:, slot].any():
        return recording.precondition[:, slot]  # a switch or server can hold no more than there is
    if (
        node >= recording.ranks
        or slot >= recording.promised_slots
        or (apart and slot < recording.chunk_count)
    ):
        return np.full(recording.ranks, -1)
    if recording.collective.required is None:
        return recording.precondition[:, slot]
    due, rank = recording.required, np.arange(recording.ranks)
    some = (due.first[node, slot] <= rank) & (rank < due.end[node, slot])
    return some & recording.precondition[:, due.origin[node, slot]]


@each(("row", "ranks"), sampled(pairs([65, 72], 1), 3), case_title)
def test_matrix_equals_the_recording(row, ranks):
    """At the start, the end and a step between; in `make thorough` also next to the ends."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    assert board.view.name == "matrix"
    stage, places = Stage(board), Wells(board)
    due = np.array(
        [[wanted(recording, n, s) for s in range(board.slots)] for n in range(board.nodes)]
    )
    total = len(recording.steps)
    some = {0, total // 2, total} | ({1, total - 1} & set(range(total + 1)) if THOROUGH else set())
    for step in sorted(some):
        stage.show(Keyframe(step))
        times = recording.state(step).times
        held = times if recording.collective.exactly_once else times > 0
        whole = (held == due).all(axis=2)
        marks = drawn(stage, places)
        assert {mark[:2] for mark in marks} == set(
            zip(*map(np.ndarray.tolist, np.nonzero(times.sum(axis=2))), strict=True)
        )
        complete = len(stage.stripes) - 1
        assert all((ink == complete) == whole[node, slot] for node, slot, ink in marks)


@pytest.mark.parametrize("time", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_traveling_changes_nothing_settled(time):
    stage = Stage(proved_storyboard(record("all_reduce", "ring", ranks=8)))
    stage.show(Keyframe(3, landed=False))
    before = [outline.digest for outline in (*stage.still, *stage.settled)]
    stage.travel(time)
    assert before == [outline.digest for outline in (*stage.still, *stage.settled)]


COVERED = [
    ("all_gather", "neighbor-exchange", 8),
    ("all_gather", "ring", 8),
    ("all_gather", "flat", 5),
    ("broadcast", "flat", 6),
    ("all_reduce", "double-binary-tree", 8),
    ("all_reduce", "torus-3d", 8),
]


@each(("collective", "algorithm", "ranks"), COVERED)
def test_parcels_pass_below_names_and_below_the_nodes_of_trees(collective, algorithm, ranks):
    """At every moment of a step, the picture of a name or of a node's number is the same."""
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    number, size = (len(board.frames) + 1) // 2, (960, 540)
    layered = Layered(Stage(board))
    canvas, shown = layered.canvas(size), []
    shot = Shot(Keyframe(number, landed=False), 1.0, "", travels=True)
    for layers in layered.at(shot, [0.0, 0.12, 0.3, 0.66, 0.72, 0.8, 0.88]):
        canvas.draw(layers)
        shown.append(canvas.rgb())
    places = [box(name) for name in card_names(board, DARK)]
    places += [chip.box for chip in board.scenery.chips if chip.above]
    scale = size[0] / board.sheet.width
    for place in places:
        left, right = int(scale * place.left) + 2, int(scale * place.right) - 1
        top, bottom = int(scale * place.top) + 2, int(scale * place.bottom) - 1
        first, *rest = (picture[top:bottom, left:right] for picture in shown)
        assert first.size and all(np.array_equal(first, other) for other in rest), place


def test_every_bar_beside_a_node_grows_as_its_gauge_says():
    """Bars that are empty change nothing of the others."""
    board = proved_storyboard(record("all_reduce", "parameter_server", ranks=5))
    stage = Stage(board)
    for step in (0, 1, 2):
        stage.show(Keyframe(step))
        shown = {}
        for outline in stage.settled:
            for part in np.array_split(outline.points, max(1, len(outline.points) // 32)):
                x, y = part.mean(axis=0) if len(part) else (0, 0)
                shown[round(float(y)), round(float(x))] = outline.look
        boxes = list(moment_boxes(board.scenery, step, False, DARK))
        assert all(each.box.width > 0 for each in boxes)  # also of bars that are empty
        for gauge in board.scenery.gauges:
            wide = gauge.box.width * (gauge.shares[step] or 1)
            place = round(gauge.box.y), round(gauge.box.left + wide / 2)
            tone = DARK.tone(gauge.tone) if gauge.shares[step] else DARK.well
            assert shown[place] == look(tone)


def test_the_bar_of_a_hub_counts_every_message_as_it_arrives():
    recording = record("all_reduce", "parameter_server", ranks=5)
    stage, counted = Stage(proved_storyboard(recording, sheet=FILM)), []
    stage.show(Keyframe(1, landed=False))
    for time in np.linspace(0, 1, 61).tolist():
        stage.travel(time)
        texts = [line.text for drawn in stage.moving for line in drawn.texts]
        counted += [int(text.split()[1]) for text in texts if text.startswith("received")]
        flying = len(stage.moving[-2].points) / len(circles([(0, 0)], 1.0))  # but over a name
        assert counted[-1] + flying in (4, 5) or time <= MOTION.lifted or time == 1
    assert counted == sorted(counted) and len({*counted}) == 6


def test_a_cloud_of_parcels_bears_no_signs():
    for ranks, signs in ((6, True), (7, False)):  # 30 and 42 parcels at once
        stage = Stage(proved_storyboard(record("all_reduce", "flat", ranks=ranks)))
        stage.show(Keyframe(1, landed=False))
        stage.travel(0.4)
        assert bool(len(stage.moving[-1].points)) is signs


def test_nothing_covers_the_cells_before_anything_rises():
    """While a caption is read, numbers in cells are there; outlines say what will move."""
    stage = Stage(proved_storyboard(record("all_to_all", "flat", ranks=4)))
    stage.show(Keyframe(1, landed=False))
    others, hero, edges, edge, *rest = (len(mobject.points) for mobject in stage.moving)
    assert not others and not hero and not any(rest)
    assert edges and edge
    stage.travel(0.3)
    assert all(len(mobject.points) for mobject in stage.moving[:4])


@each(("row", "ranks"), pairs((4, 8), 1), title=case_title, few=8)
def test_films_say_in_eight_words_what_happens(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    for language in LANGUAGES:
        board = proved_storyboard(recording, language=language)
        for step in range(len(board.frames) + 1):
            for landed in (True, False) if step else (True,):
                head, below = headline_text(board, Keyframe(step, landed), DARK)
                assert len(re.findall(r"\w[\w-]*", head.text)) <= 8
                assert head.size > 30 > below.size
                words = text_width(below.text, below.size)
                assert below.x + words <= board.sheet.foot.right
                phase = board.phases[board.frames[step - 1].phase] if step else None
                if step and not (landed and step == len(board.frames)):
                    sent = [any(m.src != m.dst for m in f.transfers) for f in board.frames]
                    number, total = (
                        sum(sent[phase.first : step]),
                        sum(sent[phase.first : phase.end]),
                    )
                    of = f" {number} [^ ]+ {total}$" if sent[step - 1] else ":|："
                    assert re.search(of, head.text), head.text


def test_the_followed_data_bears_its_name_on_its_way():
    board = proved_storyboard(record("all_reduce", "tree", ranks=8))
    stage = Stage(board)
    for number, frame in enumerate(board.frames, 1):
        stage.show(Keyframe(number, landed=False, named=True))
        stage.travel(0.4)
        shown = len(stage.front)
        assert frame.parcels[frame.hero].transfers
        stage.show(Keyframe(number, landed=False))
        assert len(stage.front) < shown


def test_a_line_leads_from_the_name_to_the_data_on_its_way():
    stage = Stage(proved_storyboard(record("all_reduce", "swing", ranks=16)))
    for step in (1, 3):
        stage.show(Keyframe(step, landed=False, named=True))
        stage.travel(0.4)
        begun = stage.front[-1].points.copy()
        stage.travel(0.9)
        assert abs(stage.front[-1].points - begun).max() > 0.5


def test_of_what_promises_nothing_no_part_of_a_vector_is_claimed():
    recording = record([send(0, 1, into=1)], collective=CUSTOM, ranks=2, slots=1, scratch=1)
    board = proved_storyboard(recording)
    assert headline_text(board, Keyframe(0), DARK)[1].text == "rank = one GPU"


@pytest.mark.parametrize(
    ("collective", "algorithm", "words"),
    [
        ("all_reduce", "rabenseifner", ["rank = one GPU", "chunk = a piece of its vector"]),
        ("broadcast", "tree", ["rank = one GPU"]),  # no sentence speaks of a chunk
        ("all_to_all", "pairwise", ["rank = one GPU", "block = its data for one rank"]),
        ("barrier", "tree", ["rank = one GPU"]),
    ],
)
def test_words_are_explained_where_they_are_first_shown(collective, algorithm, words):
    board = proved_storyboard(record(collective, algorithm, ranks=8))
    assert headline_text(board, Keyframe(0), DARK)[1].text == " · ".join(words)
    stage, high = Stage(board), []
    for step in (1, 2):
        stage.show(Keyframe(step, landed=False, named=True))
        stage.travel(0.4)
        plate = stage.front[-2].points
        high.append(np.ptp(plate[:, 1]))
    lines = round(high[0] / high[1])  # one, where more would hide a link or what travels
    assert high[0] == pytest.approx(lines * high[1]) and lines in (1, 1 + len(words))
    assert lines > 1 or (collective, algorithm) != ("broadcast", "tree"), "there is room"


def test_words_are_explained_beside_an_enlarged_chunk():
    sheets = [SHEETS[name] for name in ("lecture", "4:3", "tall")]
    for ranks, language, sheet in product((4, 8, 16), LANGUAGES, sheets):
        recording = record("all_reduce", "ring", ranks=ranks)
        board = proved_storyboard(recording, language=language, sheet=sheet)
        if board.scenery.lens is None:
            assert sheet.name == "4:3"
            continue
        named = Keyframe(1, landed=False, named=True)
        before, lines = (
            [box(line) for line in keyframe_text(board, each, DARK, headline_text)]
            for each in (Keyframe(1, landed=False), named)
        )
        more = [line for line in lines if line not in before]
        assert more and all(inside(each, board.sheet.stage) for each in more)
        cards = [each for card in board.scenery.cards for each in card.boxes]
        taken = [*before, *cards, *(chip.box for chip in board.scenery.chips), board.scenery.lens]
        assert not any(a.overlaps(b) for a in more for b in taken), ranks


def test_the_name_of_followed_data_is_in_front_of_chips():
    stage = Stage(proved_storyboard(record("all_reduce", "double_binary_tree", ranks=8)))
    chips = [chip.box for chip in stage.board.scenery.chips if chip.above]
    stage.show(Keyframe(1, landed=False, named=True))
    *others, plate, _ = stage.front
    assert plate.look == look(DARK.panel, VEIL, DARK.now, 1.2)
    drawn = np.concatenate([outline.points for outline in others])
    assert chips and all(np.abs(drawn - (chip.left, chip.y)).min() < 1 for chip in chips)


def test_where_there_is_no_step_no_headline_speaks_of_a_first_one():
    board = proved_storyboard(record("all_reduce", "ring", ranks=1))
    head, _ = headline_text(board, Keyframe(0), DARK)
    assert head.text == "Done after 0 steps"
