"""In which order a library adds: the algorithms of the catalog whose sums have the same bits."""

from __future__ import annotations

from collectives.catalog import ROWS
from collectives.errors import CollectivesError
from collectives.launch.measurements import compared
from collectives.launch.run import Launched
from collectives.proof.addition_order import addition_order, matters
from collectives.recording.recorder import record
from collectives.recording.recording import Recording

MAX_ELEMENTS = 1 << 16  # of all ranks, for which every algorithm is tried


def orders_matter(launched: Launched) -> bool:
    """Whether the library adds, and another order of its additions could have other bits."""
    recording = launched.recording
    few = recording.ranks * recording.count <= MAX_ELEMENTS and recording.ranks == recording.nodes
    return few and launched.own is not None and matters(recording)


def adds_like(launched: Launched) -> list[Recording]:
    """The algorithms of the catalog that end with the bits of the library's own collective.

    Of few elements some may do so by chance, and all that add in one order do.
    """
    recording = launched.recording
    alike = []
    for row in ROWS:
        if row.collective != recording.collective.name or not row.accepts(recording.ranks):
            continue
        try:
            tried = record(
                row.collective,
                row.algorithm,
                ranks=recording.ranks,
                root=recording.root,
                dtype=recording.dtype,
                op=recording.op,
                data=recording.inputs,
            )
            if launched.own is not None and compared(tried.result(), launched.own).equal:
                alike.append(tried)
        except CollectivesError:
            continue
    return alike


def order_text(recording: Recording) -> str:
    """The first of the sums of a recording, and how many others there are."""
    first, *others = addition_order(recording)
    return f"{first.expression}{f' and {len(others)} more' if others else ''}"
