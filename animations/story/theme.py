"""All colors: surfaces, inks, and a hue for each rank, in a dark and a light theme."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colors as #rrggbb. `now` is the one accent: what moves or is executed at present.

    now_ink: text on it; now_faint: moves beside the one in the caption; now_band: behind the
    current line; local: variables. hues: colors of ranks 0 to 7; pale: of ranks 8 to 15. phases:
    tints that alternate in the timeline, none of them the color of a rank. levels: shades of
    cells from empty to nearly complete; complete is another hue, so that "nearly" and "done"
    differ. changed: outlines of the cells that a step changes in a matrix.

    The inks ink, faint, now and local have a contrast of at least 4.5 : 1 on `background` and
    `panel` (WCAG AA).
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
    pale: tuple[str, ...]
    phases: tuple[str, ...]
    levels: tuple[str, ...]
    complete: str
    changed: str

    @property
    def ranks(self) -> tuple[str, ...]:
        """The colors of ranks, which take turns: seven hues and gray, then the same, paler."""
        return self.hues + self.pale

    def rank(self, rank: int) -> str:
        """The color of a rank."""
        return self.ranks[rank % len(self.ranks)]


# Okabe and Ito's set, blue and black exchanged for a lighter blue and gray, which show on dark;
# the pale hues are 38 % closer to white.
DARK = Theme(
    background="#11151c",
    panel="#171d27",
    well="#0c0f15",
    line="#2b3544",
    edge="#3a4658",
    link="#34445a",
    ink="#e8edf4",
    faint="#9aa7b8",
    now="#ffd166",
    now_ink="#11151c",
    now_faint="#a08a52",
    now_band="#3a3215",
    local="#7fd1b9",
    hues=("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#4b93d6", "#a9b4c2"),
    pale=("#96d0f1", "#efc361", "#61c3a8", "#dfacc8", "#f5ee8a", "#e59b61", "#8fbce6", "#cad1d9"),
    phases=("#7d93b8", "#a58fc4"),
    levels=("#1b2330", "#23506f", "#2f86b5", "#6fb9e2", "#b5def5"),
    complete="#ffd166",
    changed="#ffffff",
)

# On white the original set is too pale: darker shades, with a contrast of 3.7 to 6.6 : 1.
LIGHT = Theme(
    background="#fafbfc",
    panel="#ffffff",
    well="#eef1f5",
    line="#c9d1db",
    edge="#b3bdca",
    link="#c3cddb",
    ink="#1a212b",
    faint="#56626f",
    now="#8a5a00",
    now_ink="#ffffff",
    now_faint="#b99a5b",
    now_band="#ffefc2",
    local="#0b6b57",
    hues=("#2b8cc4", "#b97700", "#008060", "#b0508a", "#8f8200", "#c04f00", "#0060a0", "#66727f"),
    pale=("#6fb0d6", "#cfa04d", "#4da68f", "#c885ad", "#b1a84d", "#d3844d", "#4d90bd", "#949ca5"),
    phases=("#4f6a96", "#75599b"),
    levels=("#e3e8ee", "#bcd9ec", "#86bade", "#4a94c8", "#1f6ea6"),
    complete="#c48a00",
    changed="#1a212b",
)

THEMES = {"dark": DARK, "light": LIGHT}
