"""What holds for every stage: nothing overlaps, nothing leaves its box, no link under a card."""

from itertools import combinations, product

from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box
from animations.drawing.ways import point
from animations.pictures.step_flights import StepFlights
from animations.score.score import Keyframe

MOMENTS = (0.2, 0.35, 0.5, 0.6, 0.7)  # of a step, in which its parcels are under way
SLACK = 1.5  # pixels
LEAST = 17  # pixels to the em; 7.5 at 480p
EDGE = 4  # pixels of a card that a way may touch


def inside(inner, outer, slack=SLACK):
    """Whether a box lies in another one."""
    return (
        inner.left >= outer.left - slack
        and inner.right <= outer.right + slack
        and inner.top >= outer.top - slack
        and inner.bottom <= outer.bottom + slack
    )


def check_places(scenery, where):
    """Cards in the box and apart, cells in their cards and apart, words and chips in the box."""
    boxes = [card.box for card in scenery.cards]
    for node, card in enumerate(scenery.cards):
        assert inside(card.box, scenery.box), f"{where}: card {node} leaves the stage"
        for cell in card.shape.cells:
            cell = Box(card.box.left + cell.x, card.box.top + cell.y, cell.width, cell.height)
            assert inside(cell, card.box), f"{where}: a cell leaves card {node}"
    for (a, one), (b, other) in combinations(enumerate(boxes), 2):
        assert not one.overlaps(other), f"{where}: cards {a} and {b} overlap"
    for shape in {card.shape for card in scenery.cards}:
        cells = shape.cells
        assert not any(a.overlaps(b, -0.1) for a, b in combinations(cells, 2)), f"{where}: cells"
    for chip in scenery.chips:
        assert inside(chip.box, scenery.box), f"{where}: chip {chip.text} leaves the stage"
    labels = []
    for gauge in scenery.gauges:
        assert inside(gauge.box, scenery.box), f"{where}: gauge {gauge.label} leaves the stage"
        if label := f"{gauge.label} {gauge.texts[-1]}".strip():
            wide, base = text_width(label, 20), gauge.box.top - 8
            labels.append(Box(gauge.box.left + wide / 2, base - 7, wide, 15))
            assert inside(labels[-1], scenery.box), f"{where}: {label} leaves the stage"
    for gauge, label in product(scenery.gauges, labels):
        assert not gauge.box.overlaps(label), f"{where}: a gauge covers text"


def check_words(scenery, where):
    """Words are large enough, and as high as the stage."""
    for word in scenery.words:
        assert word.size >= 18, f"{where}: {word}"
        assert word.baseline - 0.75 * word.size >= scenery.box.top - SLACK, f"{where}: {word}"
        assert word.baseline + 0.22 * word.size <= scenery.box.bottom + SLACK, f"{where}: {word}"
        wide = text_width(word.text, word.size, "bold" if word.bold else "sans")
        left = word.x - {"left": 0, "center": 0.5, "right": 1}[word.align] * wide
        assert left >= scenery.box.left - 12, f"{where}: {word}"
        assert left + wide <= scenery.box.right + 12, f"{where}: {word}"


def _within(box):
    """A box without its edge, whose corners are round."""
    return Box(box.x, box.y, box.width - 2 * EDGE, box.height - 2 * EDGE)


def check_links(scenery, where):
    """No line and no way under a card but those it joins; one may touch the edge of a card."""
    if scenery.table:
        return
    ways = {**scenery.ways, **{key[:2]: way for key, way in scenery.stream_ways.items()}}
    for (src, dst), way in ways.items():
        for time in range(1, 20):
            x, y = point(way, time / 20)
            for node, card in enumerate(scenery.cards):
                near = any(Box(x, y, 2, 2).overlaps(_within(box)) for box in card.boxes)
                assert node in (src, dst) or not near, f"{where}: {src}→{dst} is under {node}"


def check_parcels(board, numbers, where):
    """No two parcels of a step overlap by more than a quarter of the smaller one."""
    for number in numbers:
        frame = board.frames[number - 1]
        if all(transfer.is_local for transfer in frame.transfers):
            continue
        step_flights = StepFlights(board, frame, 0)
        for time in MOMENTS:
            boxes = step_flights.boxes(time)
            for (i, one), (j, other) in combinations(enumerate(boxes), 2):
                part = shared(one, other) / max(1e-9, min(_area(one), _area(other)))
                assert part <= 0.25, f"{where}, step {number} at {time}: {i} and {j}"


def _area(box):
    return box.width * box.height


def shared(one, other):
    """The area of what two boxes have in common."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(0.0, wide) * max(0.0, high)


def box(word):
    """The box of a line of text: its width, and an em around the x-height."""
    left = {"left": 0.0, "center": 0.5, "right": 1.0}[word.align]
    width = text_width(word.text, word.size, word.face)
    return Box(
        word.x + (0.5 - left) * width, word.baseline - 0.32 * word.size, width, 0.8 * word.size
    )


def moments(board):
    yield Keyframe(0)
    total = len(board.frames)
    for number in {1, (total + 1) // 2, total} if total else set():
        yield Keyframe(number, landed=False)
        yield Keyframe(number)
