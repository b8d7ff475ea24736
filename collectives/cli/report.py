"""What `run --json` prints."""

from __future__ import annotations

import math
from typing import Any

from collectives.cli.rounding import order_report
from collectives.proof.rounding import Rounding
from collectives.recording.recording import Recording

MOST_LINKS = 1 << 16  # of a report


def described(recording: Recording) -> dict[str, Any]:
    """What was counted, in `run --json` and `time --json`."""
    counted = recording.counters
    return {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "chunks": recording.chunks,
        "parameters": dict(recording.parameters),
        "steps": counted.steps,
        "messages": counted.messages,
        "ports": counted.ports,
    }


def run_report(
    recording: Recording, correct: bool | None, compared: Rounding | None
) -> dict[str, Any]:
    """Everything `run --json` prints."""
    counted = recording.counters
    report = described(recording) | {
        "count": recording.count,
        "dtype": str(recording.dtype),
        "op": recording.op,
        "slots": recording.slots,
        "pieces": recording.chunk_count,
        "transfers": counted.transfers,
        "latency_units": counted.steps,
        "bytes_sent": recording.bytes_sent[: recording.ranks],
        "bytes_received": recording.bytes_received[: recording.ranks],
        "bytes_total": counted.total_bytes,
        "links": _links(recording),
        "correct": correct,
        "lower_bound": _lower_bound(recording),
        "closed_form": _closed_form(recording),
    }
    if compared is not None:
        report["rounding"] = {
            "elements": compared.elements,
            "differing": compared.differing,
            "largest": _finite(compared.largest),
            "ulps": compared.ulps,
            "ranks_disagree": compared.disagreeing,
            "not_finite": compared.not_finite,
            "largest_error": compared.exact and compared.exact.largest,
            "largest_error_ulps": compared.exact and compared.exact.ulps,
            "numpys_largest_error": compared.numpys and compared.numpys.largest,
            "numpys_largest_error_ulps": compared.numpys and compared.numpys.ulps,
            "order": order_report(recording),
        }
    return report


def _links(recording: Recording) -> list[list[int]] | None:
    """[source, destination, bytes] of every link in use; None where they are too many to read."""
    counted = recording.counters
    if len(counted.links) > MOST_LINKS:
        return None
    return [[src, dst, sent] for (src, dst), sent in sorted(counted.link_bytes.items())]


def _lower_bound(recording: Recording) -> dict[str, int | None]:
    """The bounds; null where nodes that are no ranks take part, for which they do not hold."""
    bound = recording.bound
    if not bound.holds:
        return {"steps": None, "ports": bound.ports, "bytes": None}
    return {"steps": bound.steps, "ports": bound.ports, "bytes": bound.sent}


def _closed_form(recording: Recording) -> dict[str, Any] | None:
    """The closed form's values; null where chunks differ and it says only between what."""
    if recording.row is None:
        return None
    form, case = recording.row.form, recording.case
    return {
        "steps": form.step_count(case),
        "messages": form.message_count(case),
        "bytes": _one_value(form.sent_range(case)),
        "bytes_total": _one_value(form.total_range(case)),
        "source": recording.row.source,
    }


def _one_value(ends: tuple[int, int]) -> int | None:
    return ends[0] if ends[0] == ends[1] else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
