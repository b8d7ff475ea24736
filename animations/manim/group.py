"""A collective as a group of mobjects: ranks, cells, links and counters, and its steps to play."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from manim import Succession, VGroup

from animations.drawing.render.outlines import Outline, of_look, outlines
from animations.drawing.shapes import Box, Shape
from animations.drawing.sheet import Sheet
from animations.drawing.theme import DARK, THEMES, Theme
from animations.manim.anchored import StagePart
from animations.manim.playing import FLYING, StepAnimation
from animations.pictures import pieces as picture
from animations.pictures.pieces import CARD, CELL, COUNTER, LINE, Piece, keyframes, piece_box
from animations.score.score import Keyframe
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.errors import BadInput, TooLarge
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.values import whole
from collectives.words import nearest

STAGE = Sheet(
    "manim",
    1920,
    1080,
    (Box.between(48, 48, 1872, 920),),
    counters=Box.between(48, 940, 1872, 1048),
)
MOST_CELLS = 256  # every one is a mobject with a mobject for each of its marks
SECONDS = 2.0  # of a step


class CollectiveGroup(VGroup):  # type: ignore[misc]
    """A recording as mobjects that any animation of Manim takes, and that play its steps.

    `animations.manim` has it as `Collective`.

    Everything is drawn from the executed recording, and where its parts are now: after the group,
    a rank or a cell was moved, scaled or turned, data flies from where its cell is to where the
    other cell is. From its next step on, a line ends at a rank that was moved alone, too.

    Parameters
    ----------
    schedule : Recording, str, callable or iterable of Step
        A recording, or what `record` executes: `Collective("all_reduce", "ring", ranks=8)`.
    algorithm : str, optional
        The catalog's name of the algorithm.
    theme : Theme or str
        Its colors: "dark", "light", or a theme of your own.
    stage : str
        The family of the stage, such as "ring" or "row"; by default what fits the links.
    options
        What `record` takes: ranks, root, chunks, parameters …

    Attributes
    ----------
    board : Storyboard
        What is drawn: `len(c.board.frames)` is the number of steps.
    state : int
        Steps whose result is shown.
    counters : VGroup
        Steps, bytes of the busiest port and time so far, of all, and the lower bound;
        `c.remove(c.counters)` leaves them out.

    Raises
    ------
    BadInput
        For what `record` refuses, for more than 256 cells, and for an unknown theme.

    Examples
    --------
    >>> from animations.manim import Collective
    >>> ring = Collective("all_reduce", "ring", ranks=4)
    >>> ring = ring.scale(0.5).shift([2, 0, 0])  # as any mobject
    >>> bool(ring.cell(3, 1).width < ring.rank(3).width < ring.width)
    True
    >>> len(ring.all_steps().animations)
    6
    """

    def __init__(
        self,
        schedule: Any,
        algorithm: str | None = None,
        *,
        theme: Theme | str = DARK,
        stage: str = "",
        **options: Any,
    ) -> None:
        super().__init__()
        if isinstance(theme, str):
            if theme not in THEMES:
                raise BadInput(f"unknown theme {theme!r}; {nearest(theme, THEMES)}")
            theme = THEMES[theme]
        recording = schedule
        if not isinstance(schedule, Recording):
            recording = record(schedule, algorithm, **options)
        cells = recording.nodes * recording.slots
        if cells > MOST_CELLS:
            raise TooLarge(f"{cells:,} cells: a Collective has at most {MOST_CELLS}", "ranks=8")
        self.drawn = Drawn(usual_board(recording, stage=stage, sheet=STAGE), theme)
        self.state = 0
        self._parts = self.drawn.parts()
        self._flying = StagePart(self.drawn.box, self.drawn.flying)
        self._ranks = [VGroup(self._parts[at]) for at in self._keys(CARD)]
        for at in self._keys(CELL):
            self._ranks[at[1]].add(self._parts[at])
        self.counters = VGroup(*(self._parts[at] for at in self._keys(COUNTER)))
        behind, front = self._parts[picture.GROUND, 0, 0], self._parts[picture.FRONT, 0, 0]
        lines = [self._parts[at] for at in self._keys(LINE)]
        self.add(behind, *self._ranks, *lines, self._parts[picture.BELOW, 0, 0])
        self.add(self._flying, front, self.counters)
        self.show(0)

    @property
    def board(self) -> Storyboard:
        """What is drawn."""
        return self.drawn.board

    def rank(self, number: int) -> VGroup:
        """The card of a rank (or switch) with its cells. Raises BadInput for one there is not."""
        return self._ranks[whole("rank", number, 0, len(self._ranks) - 1)]

    def cell(self, rank: int, slot: int) -> StagePart:
        """The cell of a slot of a rank, with what it holds. Raises BadInput for an unknown one."""
        rank = whole("rank", rank, 0, len(self._ranks) - 1)
        slot = whole("slot", slot, 0, self.board.slots - 1)
        return self._parts[CELL, rank, self.board.scenery.fold.well[slot]]

    def link(self, src: int, dst: int) -> VGroup:
        """The lines along which messages pass from a rank to another.

        Raises BadInput where the picture has none, naming those that start at the rank.
        """
        lines = self.board.scenery.lines
        along = [
            self._parts[LINE, number, 0]
            for number, line in enumerate(lines)
            if line.link and not line.fixed and line.carries(src, dst)
        ]
        if not along:
            links = sorted({line.link for line in lines if line.link and not line.fixed})
            near = [link for link in links if src in link] or links
            why = f"try: link{near[0]}" if near else "this stage has no lines; try: another stage="
            raise BadInput(f"link({src}, {dst}): no message passes there; {why}")
        return VGroup(*along)

    def step(self, number: int, run_time: float = SECONDS, **options: Any) -> StepAnimation:
        """The animation of a step, 1 for the first; options: those of Manim's `Animation`.

        It begins with the state before the step, whatever is shown. Played beside an animation of
        the group, it comes last: `self.play(ring.animate.shift(UP), ring.step(2))`. Raises BadInput
        for a step there is not.
        """
        self._check_steps(f"step {number}")
        number = whole("step", number, 1, len(self.board.frames))
        return StepAnimation(self, number, run_time=run_time, **options)

    def all_steps(self, run_time: float = SECONDS, **options: Any) -> Succession:
        """The animations of all steps, one after another; run_time: seconds of each.

        Raises BadInput where there are none, as on one rank.
        """
        self._check_steps("all steps")
        numbers = range(1, len(self.board.frames) + 1)
        return Succession(*(self.step(number, run_time, **options) for number in numbers))

    def show(self, state: int) -> CollectiveGroup:
        """Show what is there after so many steps, at once. Raises BadInput for too many."""
        self.draw(Keyframe(whole("state", state, 0, len(self.board.frames))))
        return self

    def draw(self, keyframe: Keyframe) -> None:
        """Draw a keyframe where the parts are now, with nothing on its way."""
        self.state = keyframe.done
        for at, seen in self.drawn.at(keyframe).items():
            part = self._parts[at]
            line = self.board.scenery.lines[at[1]] if at[0] == LINE else None
            if line and line.link and not line.fixed:
                ends = [self._parts[CARD, node, 0].anchor.frame for node in line.link]
                part.span(seen, line.points, ends)
            else:
                part.draw(seen)
        self._flying.draw([])

    def fly(self, drawn: Any, placed: Any) -> None:
        """Draw what is on its way, at points in Manim's coordinates."""
        self._flying.draw(drawn, placed)

    def _keys(self, kind: str) -> list[Piece]:
        return [at for at in self._parts if at[0] == kind]

    def _check_steps(self, what: str) -> None:
        if not self.board.frames:
            raise BadInput(f"{what}: nothing moves here; try: ranks={max(2, self.board.ranks + 1)}")


class Drawn:
    """What never changes of a group, which its copies share: the storyboard and the theme."""

    def __init__(self, board: Storyboard, theme: Theme) -> None:
        self.board, self.theme = board, theme
        self.flying = FLYING + len(board.view.mark_colors(theme))
        self.box = piece_box(board, (picture.GROUND, 0, 0))
        self._last: tuple[Keyframe, dict[Piece, list[Outline]]] | None = None

    def __deepcopy__(self, copied: dict[int, Any]) -> Drawn:
        """The same, for a copy of the group."""
        return self

    def at(self, keyframe: Keyframe) -> dict[Piece, list[Outline]]:
        """All pieces of a keyframe, which are made anew only for another keyframe."""
        if self._last is None or self._last[0] != keyframe:
            drawn = picture.pieces(self.board, keyframe, self.theme)
            self._last = keyframe, {at: outlines(shapes) for at, shapes in drawn.items()}
        return self._last[1]

    def parts(self) -> dict[Piece, StagePart]:
        """Empty parts, each with room for what it shows in any state."""
        room: Counter[Piece] = Counter()
        for keyframe in keyframes(self.board):
            for at, shapes in picture.pieces(self.board, keyframe, self.theme).items():
                room[at] = max(room[at], _runs(shapes))
        return {at: StagePart(piece_box(self.board, at), count) for at, count in room.items()}


def _runs(shapes: list[Shape]) -> int:
    """How many outlines they are."""
    return sum(1 for _ in groupby((type(shape), of_look(shape)) for shape in shapes))
