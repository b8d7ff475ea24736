"""What a machine is made of beside what its model tells apart: kinds of links, chips, trays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Makeup:
    """What pictures of a machine and its figures need to know beside its links.

    Attributes
    ----------
    wires : tuple of (str, str, str)
        Two kinds of nodes, and the link of `LINKS` that joins them.
    chips : int
        Switch chips that the model counts as one switch.
    gpu_tray, chip_tray : int
        GPUs and switch chips of a tray; 0 where there are no trays.
    source : str
        Who says so.
    """

    wires: tuple[tuple[str, str, str], ...] = ()
    chips: int = 1
    gpu_tray: int = 0
    chip_tray: int = 0
    source: str = ""

    def wire(self, source: str, target: str) -> str:
        """The name of the link between nodes of two kinds; nothing where it has none.

        >>> Makeup(wires=(("rank", "NIC", "pcie5"),)).wire("NIC", "rank")
        'pcie5'
        """
        ends = {source, target}
        return next((name for *pair, name in self.wires if set(pair) == ends), "")


PLAIN = Makeup()  # of a machine of which nothing more is known
