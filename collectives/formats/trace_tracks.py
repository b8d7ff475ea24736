"""What happens when on each rank and link of a timing: the slices of a trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from collectives.cost.clocks.phase_times import phase_times
from collectives.cost.clocks.timing import Timing
from collectives.errors import TooLarge
from collectives.recording.phases import step_caption
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.words import printable, ranges

MOST_HOPS = 1 << 18  # links that messages pass, all together: some 100 MB
MOST_CHUNKS = 1 << 12  # of a message, that are named
Group = dict[str, list["Slice"]]


@dataclass(frozen=True)
class Slice:
    """Something that takes time: its name, its start and end in seconds, and what it is about.

    kind: the category by which viewers filter. message: the number of the message whose arrow
    begins or ends here.
    """

    name: str
    start: float
    end: float
    kind: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    message: int | None = None


@dataclass(frozen=True)
class Tracks:
    """The slices of each track by its name, of nodes and links in the order of their numbers."""

    phases: list[Slice]
    sends: Group
    receives: Group
    work: Group
    links: Group

    @classmethod
    def of(cls, timing: Timing) -> Tracks:
        """What happens in a timing; what never begins is left out."""
        names = node_names(timing)
        sends, receives, work = (
            {f"{name} {does}": list[Slice]() for name in names}
            for does in ("sends", "receives", "adds")
        )
        links: dict[int, list[Slice]] = defaultdict(list)
        for at, (times, about, path) in enumerate(_messages(timing, names)):
            start, sent, end = times
            if not isfinite(start):
                continue
            ends = isfinite(end)
            step, src, dst = (about[key] for key in ("step", "from", "to"))
            stalls, arrow = ("", at) if ends else (", never ends", None)
            to, back = f"step {step} to {dst}{stalls}", f"step {step} from {src}{stalls}"
            sends[f"{src} sends"].append(Slice(to, start, sent, "send", about, arrow))
            receives[f"{dst} receives"].append(Slice(back, start, end, "receive", about, arrow))
            what = {"step": step, "bytes": about["bytes"]}
            across = Slice(f"step {step}: {src} to {dst}{stalls}", start, sent, "link", what)
            for link in path:
                links[link].append(across)
        for rank, delay in timing.costs.arrivals.items():
            if delay:
                sends[f"{names[rank]} sends"].append(Slice("not there yet", 0.0, delay, "late"))
        for node, begin, until in _own_work(timing):
            work[f"{names[node]} adds"].append(Slice("adds its own", begin, until, "work"))
        return cls(_phases(timing), sends, receives, work, _named(links, timing))


def node_names(timing: Timing) -> list[str]:
    """The name of each node of the algorithm on its machine: rank 3, switch 0."""
    recording = timing.recording
    placement = timing.topology.placement(recording.ranks, recording.nodes)
    return [timing.topology.label(node) for node in placement.tolist()]


def _messages(
    timing: Timing, names: Sequence[str]
) -> Iterator[tuple[tuple[float, float, float], dict[str, Any], list[int]]]:
    """Each message: its start, when it is sent, its end; what is in it; the links of its path."""
    messages, topology, recording = timing.messages, timing.topology, timing.recording
    placement = topology.placement(recording.ranks, recording.nodes)
    paths = topology.paths(placement[messages.src], placement[messages.dst])
    if len(paths.link) > MOST_HOPS:
        raise TooLarge(
            f"{len(paths.link):,} links are passed by all messages together, too many for a trace; "
            f"at most {MOST_HOPS:,}",
            "fewer ranks (-n) or chunks",
            fixed="leave -o out",
        )
    columns = (messages.step, messages.src, messages.dst, messages.size)
    rows = zip(*(column.tolist() for column in columns), _contents(recording), strict=True)
    times = zip(*(x.tolist() for x in (messages.start, messages.sent, messages.end)), strict=True)
    for at, ((step, src, dst, size, content), when) in enumerate(zip(rows, times, strict=True)):
        about = {"step": step + 1, "from": names[src], "to": names[dst], "bytes": int(size)}
        yield when, about | content, paths.link[paths.start[at] : paths.start[at + 1]].tolist()


def _named(links: Mapping[int, list[Slice]], timing: Timing) -> Group:
    """The slices of each link by its name, with its number where another has the same name."""
    tracks: Group = {}
    for link in sorted(links):
        name = timing.topology.link_label(link)
        tracks[f"{name}, link {link}" if name in tracks else name] = links[link]
    return tracks


def _contents(recording: Recording) -> Iterator[dict[str, Any]]:
    """Of each message the chunks in it, whether they are added, and the comment above its line."""
    for step in recording.steps:
        comment = printable(step_caption(step))
        key = step.src * recording.nodes + step.dst
        rows = np.flatnonzero(step.src != step.dst)
        rows = rows[np.argsort(key[rows], kind="stable")]
        starts = np.flatnonzero(np.diff(key[rows], prepend=-1))
        for group in np.split(rows, starts[1:]) if len(rows) else ():
            about: dict[str, Any] = {"chunks": _chunks(step, group)}
            about["adds"] = bool(step.reduces[group].any())
            yield about | ({"comment": comment} if comment else {})


def _chunks(step: Step, rows: Any) -> str:
    """The chunks that these rows read: 0-3, 8."""
    if int(step.count[rows].sum()) > MOST_CHUNKS:
        return f"{int(step.count[rows].sum())} chunks"
    numbers = (range(c, c + k) for c, k in zip(step.chunk[rows], step.count[rows], strict=True))
    return ranges(sorted({int(chunk) for part in numbers for chunk in part}))


def _own_work(timing: Timing) -> Iterator[tuple[int, float, float]]:
    """Nodes that add something of their own, and from when until when."""
    for run in timing.walk():
        if run.work is None:
            continue
        for begin in run.begins.tolist():
            node, start, end = (column.tolist() for column in run.work)
            for which, since, until in zip(node, start, end, strict=True):
                if isfinite(begin + since):
                    yield which, begin + since, begin + until


def _phases(timing: Timing) -> list[Slice]:
    return [
        Slice(phase.name, start, end, "phase", {"steps": f"{phase.first + 1}-{phase.end}"})
        for phase, start, end in phase_times(timing)
        if isfinite(start)
    ]
