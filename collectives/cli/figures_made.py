"""Makes the figures of one schedule, and writes any figure to its file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from collectives.cli.draw import check_output, check_theme, default_name
from collectives.cli.subject import DEFAULT_RANKS, MOST_BYTES, Subject
from collectives.cli.where import Where
from collectives.cost.choose.setup import Setup
from collectives.errors import BadInput, NotInstalled
from collectives.files import check_writable
from collectives.recording.recording import Recording
from collectives.units import parse_size

SIZE = "1MiB"


@dataclass(frozen=True)
class Output:
    """Where a figure of some kind goes, and its colors; checked."""

    kind: str
    path: str | None
    theme: str

    @classmethod
    def of(cls, kind: str, options: dict[str, Any]) -> Output:
        """From the options, which it takes away; raises BadInput, NotInstalled."""
        path, theme = options.pop("output"), options.pop("theme")
        check_theme(theme)
        if path is not None:
            check_output(path, (".svg", ".png", ".pdf"), "a figure")
        try:
            import matplotlib  # noqa: F401
        except ImportError as problem:
            raise NotInstalled(
                f"a figure needs matplotlib ({problem}); "
                "type: make setup, or pip install 'collectives[figure]'"
            ) from None
        return cls(kind, path, theme)

    def write(self, draw: Callable[..., Any], *data: Any, name: str) -> None:
        """Draw, write the file and print its path; `name` is that of the default file."""
        from animations.figures.slide import save
        from animations.story.theme import THEMES

        path = self.path or f"{self.kind}-{name}.svg"
        check_writable(path)
        save(draw(data[0], THEMES[self.theme], *data[1:]), path)
        print(path)


@dataclass(frozen=True)
class Timed:
    """The size of the vector and where it is timed; None where not given."""

    size: str | None
    where: Where

    @classmethod
    def of(cls, options: dict[str, Any]) -> Timed:
        """From the options, which it takes away."""
        size = options.pop("size")
        names = ("topology", "latency", "bandwidth")
        name, latency, bandwidth = (options.pop(option, None) for option in names)
        return cls(size, Where(name, latency, bandwidth, options.pop("clock", "lockstep")))


def traffic(subject: Subject, timed: Timed, output: Output) -> None:
    """`collectives figure traffic`."""
    from animations.figures.traffic import draw, traffic

    recording = _recording(subject, timed)
    output.write(draw, traffic(recording), name=_name(recording))


def space_time(subject: Subject, timed: Timed, output: Output) -> None:
    """`collectives figure space-time`."""
    from animations.figures.space_time import draw, space_time

    recording, setup = _placed(subject, timed)
    output.write(draw, space_time(recording, setup), name=_name(recording))


def links(subject: Subject, timed: Timed, output: Output) -> None:
    """`collectives figure links`."""
    from animations.figures.link_load import draw, load

    recording, setup = _placed(subject, timed)
    name = f"{_name(recording)}-{plain(timed.where.name or timed.where.machine)}"
    output.write(draw, load(recording, setup), name=name)


def plain(name: str) -> str:
    """A name as a part of a file's: letters, digits and hyphens, without folders and suffix."""
    last = re.split(r"[/\\]", name)[-1].removesuffix(".toml")
    return re.sub(r"[\W_]+", "-", last, flags=re.ASCII).strip("-")[:60] or "machine"


def _name(recording: Recording) -> str:
    return default_name(recording, "")


def _placed(subject: Subject, timed: Timed) -> tuple[Recording, Setup]:
    """The recording and where it runs; raises BadInput where it does not fit."""
    setup = timed.where.setup()
    if not subject.is_saved:
        subject = replace(subject, ranks=timed.where.ranks(subject.ranks) or DEFAULT_RANKS)
    recording = _recording(subject, timed, setup)
    timed.where.check_ranks(recording.ranks)
    timed.where.check_fits(recording)
    return recording, setup


def _recording(subject: Subject, timed: Timed, setup: Setup | None = None) -> Recording:
    """The recording that is meant, of so many bytes; raises BadInput."""
    if subject.is_saved:
        if timed.size is not None:
            raise BadInput(f"--size {timed.size}: a saved recording has its own; leave it out")
        saved: Recording = subject.recording(executed=False)
        return saved
    if timed.size is not None:
        why = "--size says how large the vector is"
        subject.refuse(why, count=subject.count, counts=subject.counts)
    row = None if subject.is_own else subject.row()
    moves_nothing = row is not None and not row.promise.moves_data
    if moves_nothing and timed.size is not None:
        raise BadInput(f"--size {timed.size}: a barrier moves no data; leave it out")
    size = parse_size(timed.size or SIZE, "--size", MOST_BYTES)
    if row is not None and setup is not None:
        filled = setup.fill(row, subject.ranks or DEFAULT_RANKS, subject.parameters)
        subject = replace(subject, parameters=filled)
    if subject.count is None and subject.counts is None and not moves_nothing:
        subject = replace(subject, count=size)
    recording: Recording = subject.recording(dtype="uint8", executed=False)
    return recording
