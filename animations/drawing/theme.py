"""All colors, of themes.toml: surfaces, inks, and a hue for each rank, dark and light."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Theme:
    """Colors as #rrggbb. `now` is the one accent: what moves or is executed at present.

    now_ink: text on it; now_faint: transfers beside the one in the caption; now_band: behind the
    current line; local: variables. hues: colors of ranks 0 to 7; hatched: of ranks 8 to 15. phases:
    tints that alternate in the timeline, none of them the color of a rank. levels: shades of
    cells from empty to nearly complete; complete is another hue, so that "nearly" and "done"
    differ. fade: the share of its color that a faint mark keeps. changed: outlines of the cells
    that a step changes in a matrix. wrong: the mark of a schedule that breaks its promise.

    Text has a contrast of at least 4.5 : 1 on what it stands on, a mark 3 : 1 (WCAG AA): the inks
    ink, faint, now, local, wrong and the colors of ranks on `background` and `panel`, now_ink on
    wrong and the colors of ranks, all marks on `well` and, if they are levels, on the shade of an
    empty cell. line, edge and link are quiet: what they outline is told by what is in it.
    """

    background: str
    panel: str
    well: str
    line: str
    edge: str
    link: str
    ink: str
    faint: str
    now: str
    now_ink: str
    now_faint: str
    now_band: str
    local: str
    hues: tuple[str, ...]
    hatched: tuple[str, ...]
    phases: tuple[str, ...]
    levels: tuple[str, ...]
    fade: float
    complete: str
    changed: str
    wrong: str

    @property
    def ranks(self) -> tuple[str, ...]:
        """The colors of ranks, which take turns: seven hues and gray, then these hatched."""
        return self.hues + self.hatched

    def rank(self, rank: int) -> str:
        """The color of a rank."""
        return self.ranks[rank % len(self.ranks)]

    def faded(self, color: str) -> str:
        """A color as it is where only a part is there: closer to that of the wells."""
        pairs = ((int(c[i : i + 2], 16) for c in (color, self.well)) for i in (1, 3, 5))
        mixed = (round(self.fade * own + (1 - self.fade) * behind) for own, behind in pairs)
        return "#" + "".join(f"{part:02x}" for part in mixed)

    def tone(self, name: str) -> str:
        """A color by its name: a field of the theme, or "rank 3", "phase 0", "level 2", #12ab34."""
        if not name or name.startswith("#"):
            return name
        kind, _, number = name.partition(" ")
        if not number:
            color: str = getattr(self, kind)
            return color
        colors = {"rank": self.ranks, "phase": self.phases, "level": self.levels}[kind]
        return colors[int(number) % len(colors)]


def _themes() -> dict[str, Theme]:
    """The themes by name; raises TypeError where a color is missing, or has another name."""
    tables = tomllib.loads(Path(__file__).with_name("themes.toml").read_text("utf-8"))
    for table in tables.values():
        lists = {name: tuple(colors) for name, colors in table.items() if isinstance(colors, list)}
        table.update(lists)
    return {name: Theme(**table) for name, table in tables.items()}


THEMES = _themes()
DARK, LIGHT = THEMES["dark"], THEMES["light"]
