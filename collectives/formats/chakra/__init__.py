"""Chakra execution traces: a file for each rank, read without a protobuf package."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from collectives.catalog import ROWS
from collectives.collective import CUSTOM, find_collective, own_cells
from collectives.errors import BadInput, naming
from collectives.formats.chakra.nodes import read_nodes, stem_of
from collectives.formats.chakra.schedule import Together, Trace, steps_of
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import listed, nearest, plural, quoted

__all__ = ["load"]

MAX_CELLS = 1 << 21  # slots of all ranks


def load(
    path: str | Path,
    algorithm: str | None = None,
    collective: str | None = None,
    *,
    parameters: dict[str, int] | None = None,
    chunks: int | None = None,
    root: int | None = None,
) -> Recording:
    """Read the Chakra traces of all ranks; nothing in them is run.

    Parameters
    ----------
    path : str or Path
        One of the files STEM.0.et, STEM.1.et …, or STEM.et for all of them.
    algorithm : str, optional
        Run the collective of the trace with this algorithm of the catalog; by default the messages
        are recorded, and collectives counted.
    collective : str, optional
        Which collective, where the trace has several; of several sizes the largest.
    parameters, chunks, root : optional
        Of the algorithm, as for `record`.

    Returns
    -------
    Recording
        Of the messages, of which nothing is promised: each rank sends its own block of their size.
        Or of the algorithm.

    Raises
    ------
    BadInput
        For anything but whole traces whose sends have receives, and which end.
    """
    nodes = read_nodes(path)
    with naming(quoted(str(path))):
        trace = Trace(nodes)
        if algorithm is not None:
            chosen = _chosen(trace, collective)
            promise = find_collective(chosen.name)
            # of those that gather, nodes have the bytes of a rank, not of the whole vector
            count = chosen.size * (chosen.ranks if promise.precondition is own_cells else 1)
            if not promise.moves_data:
                count = 0  # whatever the trace has for it
            options: dict[str, Any] = {"parameters": parameters, "chunks": chunks}
            options |= {"count": count, "dtype": "uint8", "root": root or 0}
            return record(chosen.name, algorithm, ranks=chosen.ranks, **options)
        return _messages(trace, Path(path).name)


def counted(collectives: list[Together]) -> str:
    """Collectives in words: all-reduce of 1 MiB on 4 ranks, 3 times."""
    times = Counter(map(str, collectives)).most_common()
    return listed([what if n == 1 else f"{what}, {n:,} times" for what, n in times], limit=4)


def _chosen(trace: Trace, collective: str | None) -> Together:
    """The largest collective of the trace, of those that are meant; raises BadInput."""
    if not trace.collectives:
        raise BadInput("it has no collectives, only messages; leave the algorithm out")
    names = list(dict.fromkeys(call.name for call in trace.collectives))
    if collective is None and len(names) > 1:
        every = listed([name.replace("_", "-") for name in names])
        near = names[0].replace("_", "-")
        raise BadInput(f"it has {every}; say which; try: --collective {near}")
    name = names[0] if collective is None else find_collective(collective).name
    if name not in names:
        known = [name.replace("_", "-") for name in names]
        raise BadInput(f"--collective {collective}: it has none; {nearest(name, known)}")
    return max(
        (call for call in trace.collectives if call.name == name), key=lambda call: call.size
    )


def _messages(trace: Trace, name: str) -> Recording:
    """The recording of the messages."""
    if not trace.messages:
        if not trace.collectives:
            raise BadInput("it has no messages and no collectives")
        known = [row.algorithm for row in ROWS if row.collective == trace.collectives[0].name]
        near = "ring" if "ring" in known else known[0]
        raise BadInput(
            f"it has no messages, but {counted(trace.collectives)}; name an algorithm too, as in "
            f"{name} {near}"
        )
    sizes, steps = steps_of(trace.messages)
    if 2 * len(sizes) * trace.ranks > MAX_CELLS:
        raise BadInput(f"its messages have {len(sizes)} sizes; {trace.ranks} ranks have no room")
    left_out = f", {plural(len(trace.collectives), 'collective')} left out"
    return record(
        steps,
        f"{stem_of(name)}{left_out if trace.collectives else ''}",
        collective=CUSTOM,
        ranks=trace.ranks,
        slots=len(sizes),
        counts=sizes,
        dtype="uint8",
    )
