"""A machine fitted to measured rows: its links, its FILE.toml, and how it foretells other rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from collectives.cost.machines.toml_file import parse_topology
from collectives.cost.machines.topology import Topology
from collectives.files import check_suffix, replacing
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, size_text, time_text
from collectives.words import capital, plural, quoted

CLOSE = 0.25  # of the measured time


@dataclass(frozen=True)
class CalibrationRow:
    """A measured row: bytes as nccl-tests counts them, and seconds."""

    path: str
    line: int
    collective: str
    ranks: int
    nodes: int
    size: int
    seconds: float

    @property
    def run(self) -> tuple[str, int, int]:
        """What rows of one curve share."""
        return self.collective, self.ranks, self.nodes


@dataclass(frozen=True)
class FittedLink:
    """Links of one kind: seconds from end to end, bytes per second, and what these are from."""

    place: str
    latency: float
    bandwidth: float
    origin: str


@dataclass(frozen=True)
class ForetoldRow:
    """A row that was held back, beside the seconds of the fitted machine."""

    row: CalibrationRow
    seconds: float

    @property
    def ratio(self) -> float:
        """The machine's time over the measured one."""
        return self.seconds / self.row.seconds

    @property
    def is_close(self) -> bool:
        """Whether the machine is off by at most a quarter of what was measured."""
        return abs(self.ratio - 1) <= CLOSE


def machine_text(ranks: int, nodes: int, links: Sequence[FittedLink]) -> str:
    """The FILE.toml of nodes that are alike: a switch in each, and a network that joins these.

    >>> link = FittedLink("within a node", 2e-6, 1e11, "")
    >>> print(parse_topology(machine_text(2, 1, [link])).describe())
    calibrated: 2 ranks, 1 switch, 4 links one way
      2 x rank → switch: 100 GB/s, 1 µs
      2 x switch → rank: 100 GB/s, 1 µs
    """
    ends = [[(f"{rank}", rank * nodes // ranks) for rank in range(ranks)]]
    ends += [[(f'"switch {node}"', nodes) for node in range(nodes)]] if nodes > 1 else []
    lines = ['name = "calibrated"', f"ranks = {ranks}", f"switches = {nodes + (nodes > 1)}"]
    for link, pairs in zip(links, ends, strict=False):
        joined = ", ".join(f'[{end}, "switch {switch}"]' for end, switch in pairs)
        lines += ["", f"[[link]]  # {link.place}", f"between = [{joined}]"]
        lines.append(f'latency = "{link.latency / 2 * 1e6:.6f}us"')
        lines.append(f'bandwidth = "{link.bandwidth / 1e9:.6f}GB/s"')
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, repr=False)
class Calibration:
    """What `collectives.calibrate` returns: a machine, and how well it foretells rows held back.

    links: within a node, and between nodes where there are several. fitted: the rows that these
    are from. foretold: all others. notes: what the rows cannot tell.
    """

    ranks: int
    nodes: int
    links: Sequence[FittedLink]
    fitted: Sequence[CalibrationRow]
    foretold: Sequence[ForetoldRow]
    notes: Sequence[str] = ()

    @property
    def close(self) -> int:
        """How many of the rows held back are foretold to within 25 %."""
        return sum(row.is_close for row in self.foretold)

    @property
    def worst(self) -> ForetoldRow:
        """The row held back that is foretold worst, by factor."""
        return max(self.foretold, key=lambda row: max(row.ratio, 1 / row.ratio))

    @cached_property
    def topology(self) -> Topology:
        """The machine, as `topology=` takes it; the same as that of the file."""
        return parse_topology(self.as_toml())

    @property
    def _hits(self) -> str:
        number = len(self.foretold)
        return f"{self.close} of {plural(number, 'row')} held back within {100 * CLOSE:.0f} %"

    def __repr__(self) -> str:
        """One line: the machine and how well it foretells."""
        what = f"{plural(self.ranks, 'rank')} on {plural(self.nodes, 'node')}"
        return f"<Calibration: {what}; {self._hits}>"

    def as_toml(self) -> str:
        """The text of the machine's file, with comments that say what it was fitted to."""
        paths = dict.fromkeys(row.path for row in self.fitted)
        comments = ["Calibrated from output of nccl-tests: latencies include start-up."]
        comments += [f"from {quoted(path)}: {self._rows_of(path)}" for path in paths]
        comments += [f"{link.place}: {link.origin}" for link in self.links]
        comments += [self._hits, *self.notes]
        head = "".join(f"# {comment}\n" for comment in comments)
        return head + machine_text(self.ranks, self.nodes, self.links)

    def _rows_of(self, path: str) -> str:
        """What of a file was fitted, and what was held back."""
        mine = [row for row in self.fitted if row.path == path]
        held = sum(held_row.row.path == path for held_row in self.foretold)
        row = mine[0]
        where = f"{plural(row.ranks, 'rank')} on {plural(row.nodes, 'node')}"
        name = row.collective.replace("_", "-")
        return f"{name}, {where}, {plural(len(mine), 'row')} fitted, {held} held back"

    def save(self, path: str | Path) -> None:
        """Write the machine as FILE.toml; raises BadInput where that cannot be."""
        with replacing(check_suffix(path, (".toml",), "a machine")) as file:
            file.write(self.as_toml().encode())

    def lines(self) -> Lines:
        """The links and what they are from, then each row held back beside its measurement."""
        yield Heading(f"{plural(self.ranks, 'rank')} on {plural(self.nodes, 'node')}: {self._hits}")
        for link in self.links:
            figures = f"{rate_text(link.bandwidth, 3)}, {time_text(link.latency, 3)}"
            yield Paragraph(f"{capital(link.place)}: {figures} ({link.origin}).")
        for path in dict.fromkeys(row.path for row in self.fitted):
            yield Paragraph(f"{quoted(path)}: {self._rows_of(path)}.")
        for note in self.notes:
            yield Paragraph(f"{capital(note)}.")
        yield ""
        rows = []
        for foretold in self.foretold:
            row, times = foretold.row, (foretold.row.seconds, foretold.seconds)
            name = f"{row.collective.replace('_', '-')} -n {row.ranks}"
            mark = f"{foretold.ratio:.2f}" + ("" if foretold.is_close else " missed")
            texts = (time_text(seconds, 3) for seconds in times)
            rows.append([name, size_text(row.size), *texts, mark])
        yield Grid(rows, ("held back", "size", "measured", "machine", "ratio"), range(1, 4))
        yield f"worst: {self.worst.ratio:.2f} at {size_text(self.worst.row.size)}"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "ranks": self.ranks,
            "nodes": self.nodes,
            "links": [asdict(link) for link in self.links],
            "fitted": [asdict(row) for row in self.fitted],
            "held_back": [
                asdict(foretold.row)
                | {"machine_seconds": foretold.seconds, "ratio": foretold.ratio}
                for foretold in self.foretold
            ],
            "within_25_percent": self.close,
            "worst_ratio": self.worst.ratio,
            "notes": list(self.notes),
        }
