"""What a measurement of a collective should show on a machine, by size, with the range of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from collectives.evidence.measured_range import Coverage, MeasuredRange
from collectives.files import check_suffix, replacing
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, size_text, time_text
from collectives.words import capital, listed, plural

ALONE = "no measured row of this kind; model alone"
COLUMNS = (
    *("size_bytes", "time_us", "time_low_us", "time_high_us", "algbw_GBps"),
    *("busbw_GBps", "busbw_low_GBps", "busbw_high_GBps", "algorithm", "rows", "sources"),
)


@dataclass(frozen=True)
class ExpectedSize:
    """A size, its time by the model, what runs, and the range of measured times around it.

    share: busbw over algbw.
    """

    size: int
    seconds: float
    algorithm: str
    share: float
    range: MeasuredRange | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the most seconds that measured rows justify; None without any."""
        found = self.range
        return (self.seconds * found.low, self.seconds * found.high) if found else None

    @property
    def algbw(self) -> float:
        """Bytes per second as the caller counts them."""
        return self.size / self.seconds if self.seconds else 0.0

    @property
    def busbw(self) -> float:
        """Bytes per second as links count them."""
        return self.algbw * self.share

    def busbw_of(self, seconds: float) -> float:
        """The busbw of another time."""
        return self.size / seconds * self.share if seconds else 0.0


@dataclass(frozen=True, repr=False)
class Expectation:
    """What `collectives.expect` returns: `sizes`, each with time, bandwidths and range.

    how: whose model the times are. notes: what a reader of the numbers should know.
    """

    collective: str
    ranks: int
    machine: str
    how: str
    sizes: Sequence[ExpectedSize]
    coverage: Coverage | None = None
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        """One line: the machine, and what the largest size should show."""
        last = self.sizes[-1]
        return f"<Expectation: {self._title}; {size_text(last.size)} {_time(last)}>"

    @property
    def _title(self) -> str:
        name = self.collective.replace("_", "-")
        return f"{name}, {plural(self.ranks, 'rank')} on {self.machine}"

    def lines(self) -> Lines:
        """A line for each size, then where the ranges are from."""
        yield Heading(self._title)
        for sentence in (self.how, *self.notes):
            yield Paragraph(f"{capital(sentence)}.")
        yield ""
        head = ["size", "time", "measured range", "algbw", "busbw", "measured range", "algorithm"]
        rows = [_cells(one) for one in self.sizes]
        used = [at for at in range(len(head)) if any(row[at] for row in rows)]
        kept = [[row[at] for at in used] for row in rows]
        yield Grid(kept, [head[at] for at in used], range(len(used) - 1), spare=(3,))
        yield ""
        for found, alike in groupby(self.sizes, lambda one: one.range):
            yield Paragraph(_from_where(found, list(alike)))
        if self.coverage is not None:
            yield Paragraph(_covered(self.coverage))

    def as_json(self) -> dict[str, Any]:
        """The same as values: seconds, and bytes per second."""
        return {
            "collective": self.collective,
            "ranks": self.ranks,
            "topology": self.machine,
            "how": self.how,
            "notes": list(self.notes),
            "coverage": self.coverage and vars(self.coverage),
            "sizes": [_plain(one) for one in self.sizes],
        }

    def as_csv(self) -> str:
        """A line for each size, in µs and GB/s, with the columns of `COLUMNS`."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(map(_csv_cells, self.sizes))
        return text.getvalue()

    def save(self, path: str | Path) -> None:
        """Write the table as FILE.csv; raises BadInput where that cannot be."""
        with replacing(check_suffix(path, (".csv",), "a table")) as file:
            file.write(self.as_csv().encode())


def _time(one: ExpectedSize) -> str:
    """The time with its range, and the busbw."""
    text = f"{time_text(one.seconds, 3)}, busbw {rate_text(one.busbw, 3)}"
    if one.bounds is None:
        return f"{text}, {ALONE}"
    low, high = (rate_text(one.busbw_of(seconds), 3) for seconds in reversed(one.bounds))
    return f"{text} ({low} to {high})"


def _cells(one: ExpectedSize) -> list[str]:
    times = rates = ""
    if one.bounds is not None:
        times = " to ".join(time_text(seconds, 3) for seconds in one.bounds)
        rates = " to ".join(rate_text(one.busbw_of(each), 3) for each in reversed(one.bounds))
    rate, bus = (rate_text(value, 3) for value in (one.algbw, one.busbw))
    size, time = size_text(one.size), time_text(one.seconds, 3)
    return [size, time, times, rate, bus, rates, one.algorithm]


def _from_where(found: MeasuredRange | None, alike: Sequence[ExpectedSize]) -> str:
    """What the range of neighboring sizes is from."""
    sizes = size_text(alike[0].size)
    if len(alike) > 1:
        sizes += f" to {size_text(alike[-1].size)}"
    if found is None:
        return f"{sizes}: {ALONE}."
    sources = plural(len(found.sources), "source")
    above = " All of them take longer than the model." * (found.low > 1)
    return (
        f"{sizes}: {found.low:.2f} to {found.high:.2f} of the model's time, by "
        f"{plural(found.rows, 'measured row')} of {sources} ({listed(found.sources, 2)}).{above}"
    )


def _covered(found: Coverage) -> str:
    return (
        "A range is that of posted rows within 16 times the size, 4 times the ranks and on as many "
        "NVLink domains, wider where they have few sources. With the rows of one source left out "
        f"at a time, {found.inside} of the {found.ranged} that still have a range lie in it."
    )


def _plain(one: ExpectedSize) -> dict[str, Any]:
    low, high = one.bounds or (None, None)
    return {
        "size": one.size,
        "seconds": one.seconds,
        "seconds_low": low,
        "seconds_high": high,
        "algbw": one.algbw,
        "busbw": one.busbw,
        "busbw_low": high and one.busbw_of(high),
        "busbw_high": low and one.busbw_of(low),
        "algorithm": one.algorithm,
        "rows": one.range.rows if one.range else 0,
        "sources": list(one.range.sources) if one.range else [],
    }


def _csv_cells(one: ExpectedSize) -> list[object]:
    found = _plain(one)
    scales = {"seconds": 1e6, "algbw": 1e-9, "busbw": 1e-9}
    cells: list[object] = []
    for name, value in found.items():
        scale = scales.get(name.partition("_")[0])
        shown = value if scale is None or value is None else f"{value * scale:.6g}"
        cells.append("; ".join(shown) if isinstance(shown, list) else shown)
    return cells
