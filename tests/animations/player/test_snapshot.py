"""The picture for notebooks that are not trusted: what it shows, and how small it is."""

import io
from itertools import product

from PIL import Image, ImageColor
from samples import few, kinds
from settings import sampled

from animations.drawing.sheet import LECTURE
from animations.drawing.theme import DARK
from animations.player.snapshot import PIXEL, png
from animations.story.compose import proved_storyboard
from animations.story.transfers import EMPTY
from collectives import record


def pixels(board):
    with Image.open(io.BytesIO(png(board))) as image:
        return image.convert("RGB")


def test_each_cell_shows_whose_data_is_in_it_at_the_end():
    board = proved_storyboard(record("scatter", "tree", ranks=12))
    image = pixels(board)
    assert image.size == (LECTURE.stage.width / PIXEL, LECTURE.stage.height / PIXEL)
    cells = board.cells(len(board.frames))
    for node, slot in product(range(12), range(board.slots)):
        box = board.scenery.cell(node, slot)
        left, top = (box.left - LECTURE.stage.left) / PIXEL, (box.top - LECTURE.stage.top) / PIXEL
        area = image.crop((left, top, left + box.width / PIXEL, top + box.height / PIXEL))
        colors = {color for _, color in area.getcolors()}
        for rank in range(12):
            held = rank in cells.get((node, slot), EMPTY).held
            assert (ImageColor.getrgb(DARK.rank(rank)) in colors) == held


def test_each_card_has_the_number_of_its_rank():
    board = proved_storyboard(record("all_reduce", "ring", ranks=12))
    image, seen = pixels(board), set()
    for card in board.scenery.cards:
        box, stage = card.box, LECTURE.stage
        left, top = (box.left - stage.left) / PIXEL, (box.top - stage.top) / PIXEL
        top += card.shape.name_top / PIXEL
        header = image.crop((left + 4, top + 4, left + 40, top + card.shape.header / PIXEL))
        shape = header.convert("L").point(lambda light: 255 * (light > 60))
        seen.add(shape.tobytes())
    assert len(seen) == 12


def test_nodes_are_framed_as_in_every_other_picture():
    board = proved_storyboard(record("all_reduce", "hierarchical", ranks=16))
    image, stage = pixels(board), LECTURE.stage
    framed = [ground for ground in board.scenery.grounds if ground.edge and not ground.dashed]
    assert len(framed) == 4
    for ground in framed:
        row = (ground.box.bottom - stage.top) / PIXEL
        near = image.crop((0, row - 4, image.width, row + 4))
        assert ImageColor.getrgb(DARK.tone(ground.edge)) in {c for _, c in near.getcolors()}


def test_every_kind_of_picture_is_small():
    """Each kind on 8 ranks, some on 64; `make thorough`: each on both."""
    tried = few(kinds(), "snapshot")
    large = sampled(tried, 4)
    for row in tried:
        for ranks in filter(row.accepts, (8, 64) if row in large else (8,)):
            board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
            assert len(png(board)) < 6_200, row.title
