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
        posted = self.range
        return (self.seconds * posted.low, self.seconds * posted.high) if posted else None

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
        rows = [_cells(size) for size in self.sizes]
        used = [at for at in range(len(head)) if any(row[at] for row in rows)]
        kept = [[row[at] for at in used] for row in rows]
        yield Grid(kept, [head[at] for at in used], range(len(used) - 1), spare=(3,))
        yield ""
        for posted, alike in groupby(self.sizes, lambda size: size.range):
            yield Paragraph(_from_where(posted, list(alike)))
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
            "sizes": [_plain(size) for size in self.sizes],
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


def _time(size: ExpectedSize) -> str:
    """The time with its range, and the busbw."""
    text = f"{time_text(size.seconds, 3)}, busbw {rate_text(size.busbw, 3)}"
    if size.bounds is None:
        return f"{text}, {ALONE}"
    low, high = (rate_text(size.busbw_of(seconds), 3) for seconds in reversed(size.bounds))
    return f"{text} ({low} to {high})"


def _cells(size_of_row: ExpectedSize) -> list[str]:
    times = rates = ""
    if size_of_row.bounds is not None:
        times = " to ".join(time_text(seconds, 3) for seconds in size_of_row.bounds)
        rates = " to ".join(
            rate_text(size_of_row.busbw_of(bound), 3) for bound in reversed(size_of_row.bounds)
        )
    rate, bus = (rate_text(value, 3) for value in (size_of_row.algbw, size_of_row.busbw))
    size, time = size_text(size_of_row.size), time_text(size_of_row.seconds, 3)
    return [size, time, times, rate, bus, rates, size_of_row.algorithm]


def _from_where(posted: MeasuredRange | None, alike: Sequence[ExpectedSize]) -> str:
    """What the range of neighboring sizes is from."""
    sizes = size_text(alike[0].size)
    if len(alike) > 1:
        sizes += f" to {size_text(alike[-1].size)}"
    if posted is None:
        return f"{sizes}: {ALONE}."
    sources = plural(len(posted.sources), "source")
    above = " All of them take longer than the model." * (posted.low > 1)
    return (
        f"{sizes}: {posted.low:.2f} to {posted.high:.2f} of the model's time, by "
        f"{plural(posted.rows, 'measured row')} of {sources} ({listed(posted.sources, 2)}).{above}"
    )


def _covered(coverage: Coverage) -> str:
    return (
        "A range is that of posted rows within 16 times the size, 4 times the ranks and on as many "
        "NVLink domains, wider where they have few sources. With the rows of one source left out "
        f"at a time, {coverage.inside} of the {coverage.ranged} that still have a range lie in it."
    )


def _plain(size: ExpectedSize) -> dict[str, Any]:
    low, high = size.bounds or (None, None)
    return {
        "size": size.size,
        "seconds": size.seconds,
        "seconds_low": low,
        "seconds_high": high,
        "algbw": size.algbw,
        "busbw": size.busbw,
        "busbw_low": high and size.busbw_of(high),
        "busbw_high": low and size.busbw_of(low),
        "algorithm": size.algorithm,
        "rows": size.range.rows if size.range else 0,
        "sources": list(size.range.sources) if size.range else [],
    }


def _csv_cells(size: ExpectedSize) -> list[object]:
    values = _plain(size)
    scales = {"seconds": 1e6, "algbw": 1e-9, "busbw": 1e-9}
    cells: list[object] = []
    for name, value in values.items():
        scale = scales.get(name.partition("_")[0])
        cell = value if scale is None or value is None else f"{value * scale:.6g}"
        cells.append("; ".join(cell) if isinstance(cell, list) else cell)
    return cells
