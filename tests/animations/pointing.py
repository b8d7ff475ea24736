"""Points of a page at which the cells and cards of a storyboard are."""

POINT = """([left, top]) => {
  const stage = document.querySelector("[data-part=stage]");
  const { x, y } = new DOMPoint(left, top).matrixTransform(stage.getScreenCTM());
  return [x, y];
}"""


def middle(board, node, slot=None):
    """The middle of a cell, or a place in the header of a card."""
    card = board.scenery.cards[node]
    box = card.box if slot is None else card.cell(board.scenery.fold.well[slot])
    return [box.x, card.box.top + 6 if slot is None else box.y]
