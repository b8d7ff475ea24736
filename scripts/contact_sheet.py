"""Draw a step of every row of the catalog on one sheet: `make contact-sheet`.

python scripts/contact_sheet.py [FILE.png] [RANKS]
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from animations.film.gif import still
from animations.film.stage import Stage
from animations.score.score import Keyframe, Shot
from animations.story.usual import usual_board
from collectives import ROWS, Row, record

COLUMNS, SIZE = 6, (480, 270)


def picture(row: Row, ranks: int) -> Image.Image:
    """The row in the middle of a step in the middle of its steps."""
    ranks = next(n for n in (*range(ranks, 2 * ranks + 1), *range(ranks, 0, -1)) if row.accepts(n))
    board = usual_board(record(row.collective, row.algorithm, ranks=ranks))
    step = (len(board.frames) + 1) // 2
    shot = Shot(Keyframe(step, landed=not step), 0, "")
    return Image.fromarray(still(Stage(board), shot, 0.45, SIZE))


def main(path: str = "build/contact-sheet.png", ranks: str = "8") -> None:
    """Write the sheet, a row after the other as `collectives list` has them."""
    sheet = np.zeros((-(-len(ROWS) // COLUMNS) * SIZE[1], COLUMNS * SIZE[0], 3), np.uint8)
    for number, row in enumerate(ROWS):
        top, left = number // COLUMNS * SIZE[1], number % COLUMNS * SIZE[0]
        sheet[top : top + SIZE[1], left : left + SIZE[0]] = picture(row, int(ranks))
        print(f"\r{number + 1} of {len(ROWS)}", end="", file=sys.stderr, flush=True)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet).save(path)
    print(f"\n{path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
