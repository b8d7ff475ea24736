"""What a recording is, in a line and as values: the head of every report."""

from __future__ import annotations

from typing import Any

from collectives.catalog.parameters import plain
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import plural

MOST_SIZES = 16  # of slots that are listed


def heading(recording: Recording) -> str:
    """One line that says what was run."""
    size = size_text(recording.count * recording.dtype.itemsize)
    slots = plural(recording.chunk_count, "slot")
    if recording.counts is not None:
        slots += f" of {', '.join(map(str, recording.counts[:MOST_SIZES]))}"
        slots += ", …" if len(recording.counts) > MOST_SIZES else ""
    parts = [recording.title, plural(recording.ranks, "rank")]
    if recording.collective.moves_data:
        parts.append(f"{recording.count} {recording.dtype} = {size} in {slots}")
    if recording.nodes > recording.ranks:
        parts.insert(2, plural(recording.nodes - recording.ranks, "more node"))
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def described(recording: Recording) -> dict[str, Any]:
    """What was run and counted, as the reports of `run`, `time` and `launch` begin."""
    counted = recording.counters
    return {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "chunks": recording.chunks,
        "parameters": plain(recording.parameters),
        "steps": counted.steps,
        "messages": counted.messages,
        "ports": counted.ports,
    }
