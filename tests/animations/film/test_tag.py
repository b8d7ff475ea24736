"""The name of the followed data: beside its parcel, and beside the card that it stays on."""

from msccl_programs import RING

from animations.film.flight import Tag
from animations.story.drawing import Box
from animations.story.usual import usual_board
from collectives.formats.msccl import recording_of
from collectives.formats.msccl.program import parse_program


def plate(points):
    (left, top, *_), (right, bottom, *_) = points.min(axis=0), points.max(axis=0)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def test_a_local_move_is_named_beside_its_card():
    board = usual_board(recording_of(parse_program(RING), True))
    local, sent = board.frames[0], board.frames[1]
    assert local.example.is_local and not sent.example.is_local
    card = board.scenery.cards[local.example.src].box
    parcel = board.scenery.cell(local.example.src, local.example.chunk)
    assert not plate(Tag(board, local).at(parcel)[0]).overlaps(card, -2)
    far = Box(card.x, card.bottom + 200, 40, 60)
    assert abs(plate(Tag(board, sent).at(far)[0]).bottom - far.top) < 20
