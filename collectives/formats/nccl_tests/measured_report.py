"""What nccl-tests measured beside the model: times, bandwidths, and their ratio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from collectives.cost.busbw import OTHER_NAMES
from collectives.evidence.measured import CLOSE
from collectives.formats.nccl_tests.measured_tables import BenchmarkRow, Table, Timed
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import capital, listed, plural, quoted, shown_name

MOST_NAMED = 4  # hosts, devices, lines
SMALL = 4096  # bytes of a message that are mostly start-up


@dataclass(frozen=True)
class Modeled:
    """The model's seconds of a size, by which algorithm; estimate: NCCL's own, where asked."""

    seconds: float
    algorithm: str
    chunks: int | None = None
    estimate: float | None = None


@dataclass(frozen=True)
class Compared:
    """A row of the file beside the model; ratio: the model's time over the measured one."""

    row: BenchmarkRow
    model: Modeled
    share: float  # busbw over algbw

    @property
    def ratio(self) -> float:
        """The model's time over the measured one."""
        return self.model.seconds / self.row.seconds

    @property
    def busbw(self) -> float:
        """The model's busbw."""
        return self.busbw_of(self.model.seconds)

    def busbw_of(self, seconds: float) -> float:
        """The busbw of a time; 0 where it takes none."""
        return self.row.size / seconds * self.share if seconds else 0.0


@dataclass(frozen=True)
class MeasuredFile:
    """What nccl-tests printed, each size beside the model on a machine by a clock.

    notes: what a reader of the numbers should know of where they are timed. verdict: whether it is
    healthy beside what the library would do, "" where there is nothing to hold it to.
    """

    path: str
    table: Table
    ranks: int
    machine: str
    clock: str
    sizes: Sequence[Compared]
    notes: Sequence[str] = ()
    verdict: str = ""

    def lines(self) -> Lines:
        """A line for each size, then what there is to say of them."""
        sizes = self.sizes
        names = list(dict.fromkeys(size.model.algorithm for size in sizes))
        yield Heading(f"{quoted(self.path)} beside the model")
        yield Paragraph(f"Measured: {_measured(self.table, self.ranks)}.", indent=2)
        model = f"{listed(names)} on {self.machine}, {self.clock} clock"
        yield Paragraph(f"Model: {model}.", indent=2)
        for note in self._every_note():
            yield Paragraph(f"{capital(note)}.", indent=2)
        yield ""
        estimated = any(size.model.estimate is not None for size in sizes)
        in_place = all(size.row.out_of_place is None for size in sizes)
        head = ["size", "in place" if in_place else "measured", "busbw", "model", "busbw", "ratio"]
        head += ["NCCL's estimate", "ratio"] * estimated + ["algorithm"] * (len(names) > 1)
        rows = [_cells(size, estimated)[: len(head)] for size in sizes]
        yield Grid(rows, head, range(8 if estimated else 6), spare=(4, 2))
        yield ""
        yield Paragraph(_summary(sizes))
        if self.verdict:
            yield Paragraph(f"Verdict: {self.verdict}. For causes: collectives diagnose FILE.")

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "file": self.path,
            "operation": self.table.operation,
            "ranks": self.ranks,
            "hosts": list(self.table.hosts),
            "devices": list(self.table.devices),
            "topology": self.machine,
            "clock": self.clock,
            "notes": self._every_note(),
            "verdict": self.verdict or None,
            "sizes": [_plain(size) for size in self.sizes],
        }

    def _every_note(self) -> list[str]:
        return [*self.notes, *_notes(self.table, self.sizes)]


def _notes(table: Table, sizes: Sequence[Compared]) -> Iterator[str]:
    """What a reader of the numbers should know."""
    left = sum(not row.size for row in table.rows)
    if left:
        yield f"{plural(left, 'row')} of 0 bytes left out"
    times = ((row.line, time) for row in table.rows for time in (row.out_of_place, row.in_place))
    wrong = [line for line, time in times if time is not None and time.wrong]
    if wrong:
        lines = listed([str(line) for line in dict.fromkeys(wrong)], MOST_NAMED)
        yield f"results were wrong where #wrong is above 0: line {lines}"
    odd = [size.row.line for size in sizes if not _agrees(size)]
    if odd:
        lines = listed(list(map(str, odd)), MOST_NAMED)
        yield f"algbw is not size over time in line {lines}: edited, or of another unit"
    both = [size.row for size in sizes if size.row.out_of_place and size.row.in_place]
    if both:
        worst = max(both, key=_excess)
        out, into = (time.seconds for time in (worst.out_of_place, worst.in_place) if time)
        if _excess(worst) > CLOSE:
            out_text, in_text = time_text(out), time_text(into)
            yield f"at {size_text(worst.size)} it takes {out_text} out of place, {in_text} in place"


def _agrees(size: Compared) -> bool:
    """Whether algbw is the size over the time, as far as it is rounded."""
    timed = size.row.timed
    return (
        timed is None
        or abs(size.row.size / timed.seconds - timed.algbw) <= 0.011e9 + 0.02 * timed.algbw
    )


def _excess(row: BenchmarkRow) -> float:
    """How much longer the slower of both takes, as a share of the faster."""
    times = [time.seconds for time in (row.out_of_place, row.in_place) if time is not None]
    return max(times) / min(times) - 1


def _measured(table: Table, ranks: int) -> str:
    """What was measured where, in a line."""
    ours = {theirs: name for name, theirs in OTHER_NAMES.items()}
    parts = [ours.get(table.operation, table.operation).replace("_", "-"), plural(ranks, "rank")]
    if table.hosts:
        hosts = listed([shown_name(host) for host in table.hosts], MOST_NAMED)
        parts[-1] += f" on {plural(len(table.hosts), 'node')} ({hosts})"
    if table.devices:
        parts.append(listed([shown_name(device) for device in table.devices], MOST_NAMED))
    kinds = dict.fromkeys(" ".join(filter(None, (row.kind, row.op))) for row in table.rows)
    parts.append(listed([shown_name(kind) for kind in kinds if kind], MOST_NAMED))
    return ", ".join(filter(None, parts))


def _cells(size: Compared, estimated: bool) -> list[str]:
    """The cells of a row."""
    seconds = size.row.seconds
    cells = [size_text(size.row.size), time_text(seconds), rate_text(size.busbw_of(seconds))]
    busbw = rate_text(size.busbw) if isfinite(size.model.seconds) else ""
    cells += [
        time_text(size.model.seconds),
        busbw,
        _ratio(size.ratio) if isfinite(size.ratio) else "",
    ]
    if estimated:
        estimate = size.model.estimate
        cells += ["", ""] if estimate is None else [time_text(estimate), _ratio(estimate / seconds)]
    return [*cells, size.model.algorithm]


def _ratio(value: float) -> str:
    return number_text(value, 3) if value >= 100 else f"{value:.2f}"


def _summary(sizes: Sequence[Compared]) -> str:
    """How many sizes the model meets, and what it lacks at the smallest."""
    met = [size.row.size for size in sizes if abs(size.ratio - 1) <= CLOSE]
    text = f"Ratio: the model's time over the measured one. It is within {100 * CLOSE:.0f} % at "
    text += f"{len(met)} of {plural(len(sizes), 'size')}"
    if met:
        text += f", from {size_text(min(met))} to {size_text(max(met))}"
    first = min(sizes, key=lambda size: size.row.size)
    if first.row.size > SMALL or first.ratio > 1 - CLOSE:
        return f"{text}."
    measured, modeled = time_text(first.row.seconds), time_text(first.model.seconds)
    return (
        f"{text}. {size_text(first.row.size)}, which are mostly start-up, took {measured}; the "
        f"model has {modeled}, the latency of links alone, without that of starting kernels."
    )


def _plain(size: Compared) -> dict[str, Any]:
    row = size.row
    return {
        "line": row.line,
        "size": row.size,
        "root": row.root,
        "out_of_place": _plain_timed(row.out_of_place),
        "in_place": _plain_timed(row.in_place),
        "model": vars(size.model) | {"busbw": size.busbw},
        "ratio": size.ratio,
    }


def _plain_timed(timed: Timed | None) -> dict[str, Any] | None:
    return None if timed is None else dict(vars(timed))
