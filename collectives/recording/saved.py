"""Recordings as JSON: a recipe for catalog rows, packed columns for everybody's own schedules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from collectives.catalog import find_row
from collectives.catalog.parameters import plain
from collectives.collective import (
    CUSTOM,
    IN_PLACE_ALL_TO_ALL,
    Collective,
    blocks_in_place,
    every_cell,
    exchange,
    find_collective,
)
from collectives.errors import BadInput, naming
from collectives.files import read_bytes, replacing
from collectives.recording.packed import (
    MAX_FILE_STEPS,
    check_length,
    check_work,
    pack,
    short,
    typed,
    unpack,
    values,
)
from collectives.recording.recorder import ranks_and_root, record
from collectives.recording.recording import Recording, check_recording
from collectives.recording.request import catalog_request
from collectives.routed_promises import by_pairs
from collectives.schedule import Step
from collectives.schedule.step import COLUMNS
from collectives.units import size_text
from collectives.words import brief

FORMAT = "collectives recording"
VERSION = 2
MAX_FILE_BYTES = 1 << 26  # of a file
MAX_LETTERS = 1000  # of a setting
TEXTS = ("collective", "algorithm", "dtype", "op")
NUMBERS = ("ranks", "root", "nodes", "pieces", "slots", "count")  # pieces: chunks of the vector


def save(recording: Recording, path: str | Path) -> None:
    """Write a recording to a file, whole or not at all.

    Parameters
    ----------
    recording : Recording
        Its steps are written, its data is not.
    path : str or Path
        The file, in JSON.

    Raises
    ------
    BadInput
        Where the file cannot be written, and for more steps than can be read again.
    """
    check_recording(recording)
    content = json.dumps(to_json(recording), indent=1).encode()
    if len(content) > MAX_FILE_BYTES:
        size, cap = map(size_text, (len(content), MAX_FILE_BYTES))
        raise BadInput(
            f"{path}: the recording takes {size}; the limit for reading it again is {cap}"
        )
    with replacing(path) as file:
        file.write(content)


def load(path: str | Path) -> Recording:
    """Read a recording; nothing in the file is imported or run.

    Parameters
    ----------
    path : str or Path
        A file that `save` wrote.

    Returns
    -------
    Recording
        Catalog algorithms are made anew, other steps are unpacked and validated.

    Raises
    ------
    BadInput
        For anything but a valid recording.
    """
    text = read_bytes(path, MAX_FILE_BYTES)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{path}: not a recording: {short(problem)}") from None
    with naming(str(path)):
        return from_json(content)


def to_json(recording: Recording) -> dict[str, Any]:
    """A recording as plain JSON values; raises BadInput for one too large to be read again."""
    own = recording.row is None
    if recording.refused:
        why = brief(recording.refused.reason)
        raise BadInput(f"{recording.title} breaks off ({why}); try: a schedule that ends")
    check_length(recording.counters.walked, recording.counters.rows if own else 0)
    if not own:
        check_work(recording.counters.walked, recording.nodes)
    content = {**settings_of(recording, own), "digest": digest(recording.steps)}
    if recording.parameters:
        content["given"] = sorted(recording.given)
    if own:
        content["packed"] = pack(recording.steps)
    return content


def settings_of(recording: Recording, own: bool) -> dict[str, Any]:
    """What a file says of a recording before its steps; own: they are in the file."""
    promise = recording.collective
    settings = {name: getattr(recording, name) for name in (*TEXTS, *NUMBERS) if name != "pieces"}
    settings |= {"collective": promise.name, "dtype": str(recording.dtype)}
    settings["pieces"] = recording.chunk_count
    where_given = {
        "helpers": recording.helpers if own and recording.helpers != "switch" else None,
        "chunks": recording.chunks,
        "counts": None if recording.counts is None else list(recording.counts),
        "parameters": plain(recording.parameters) or None,
        "out_of_place": promise.out_of_place or None,
        "in_place": promise.required is blocks_in_place or None,
        "pairs": None if promise.pairs is None or not own else list(map(list, promise.pairs)),
    }
    if own and promise.routed:
        where_given["zeros"] = promise.precondition is every_cell or None
    settings |= {name: value for name, value in where_given.items() if value is not None}
    return {"format": FORMAT, "version": VERSION, **settings}


def from_json(content: object) -> Recording:
    """The recording such values stand for; raises BadInput for anything else."""
    if isinstance(content, dict) and "traceEvents" in content:
        rule = "a trace for ui.perfetto.dev holds times and no schedule"
        raise BadInput(
            f"not a recording: {rule}; try: collectives convert all-reduce ring ring.json"
        )
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f'not a recording: "format" is not "{FORMAT}"')
    if typed(content, "version", int) != VERSION:
        raise BadInput(f"version {brief(content['version'])}; this program reads {VERSION}")
    for name in NUMBERS:
        typed(content, name, int)
    for name in TEXTS:
        if len(typed(content, name, str)) > MAX_LETTERS:
            raise BadInput(f'"{name}" is longer than {MAX_LETTERS} letters')
    counts = typed(content, "counts", list, None)
    common = {name: content[name] for name in ("ranks", "root", "dtype", "op")}
    common |= {"count": content["count"] if counts is None else None, "counts": counts}
    common["chunks"] = typed(content, "chunks", int, None)
    recording = (_own if "packed" in content else _of_catalog)(content, common)
    if content.get("digest") != digest(recording.steps):
        raise BadInput("the digest differs: these are not the steps that were saved")
    return recording


def _own(content: dict[str, Any], common: dict[str, Any]) -> Recording:
    """The recording of steps that are in the file; scratch slots are those beyond the promise."""
    collective = _promise(content)
    scratch = content["slots"] - collective.promised_slots(content["pieces"])
    if scratch < 0:
        raise BadInput(f"{content['slots']} slots: too few for {content['pieces']} chunks")
    return record(
        unpack(typed(content, "packed", dict)),
        content["algorithm"],
        collective=collective,
        slots=content["pieces"],
        scratch=scratch,
        nodes=content["nodes"],
        helpers=typed(content, "helpers", str, "switch"),
        **common,
    )


def _of_catalog(content: dict[str, Any], common: dict[str, Any]) -> Recording:
    """The recording of a catalog algorithm, made anew."""
    parameters = typed(content, "parameters", dict, {})
    row = find_row(content["collective"], content["algorithm"])
    for name in parameters:
        if name not in {parameter.name for parameter in row.takes}:
            raise BadInput(f"{brief(name)} is no parameter of {row.title}")
        if not isinstance(parameters[name], str):
            typed(parameters, name, int)
    listed = typed(content, "given", list, list(parameters))
    for name in listed:
        if not isinstance(name, str) or name not in parameters:
            raise BadInput(f'"given" names {brief(name)}, which is not in "parameters"')
    ranks, root = ranks_and_root(common["ranks"], common["root"])
    asked = catalog_request(row, ranks, root, common["chunks"], parameters, MAX_FILE_STEPS)
    check_work(asked.steps, asked.nodes)
    recording = record(content["collective"], content["algorithm"], parameters=parameters, **common)
    if (recording.nodes, recording.slots) != (content["nodes"], content["slots"]):
        raise BadInput(
            f"{content['nodes']} nodes and {content['slots']} slots; {recording.title} has "
            f"{recording.nodes} and {recording.slots}"
        )
    return replace(
        recording, given={name: recording.parameters.get(name, parameters[name]) for name in listed}
    )


def _promise(content: dict[str, Any]) -> Collective:
    """The collective, or the sends that a list of pairs promises."""
    if content["collective"] == CUSTOM.name:
        return CUSTOM
    if typed(content, "out_of_place", bool, False):
        return replace(find_collective(content["collective"]), out_of_place=True)
    if typed(content, "in_place", bool, False):
        return IN_PLACE_ALL_TO_ALL
    if "pairs" not in content:
        return find_collective(content["collective"])
    pairs = typed(content, "pairs", list)
    listed = [values(pair, int, int, int, int) for pair in pairs]
    kind = find_collective(content["collective"])
    zeros = typed(content, "zeros", bool, False)
    return by_pairs(kind, listed, zeros) if kind.routed else exchange(listed)


def digest(steps: Iterable[Step]) -> str:
    """SHA-256 over the columns of all steps but `origin`, as 64-bit little-endian integers."""
    sha = hashlib.sha256()
    for step in steps:
        sha.update(len(step).to_bytes(8, "little"))
        for name in COLUMNS[:-1]:
            sha.update(getattr(step, name).astype("<i8").tobytes())
        if step.needs is not None:
            sha.update(b"needs" + step.needs.astype("<i8").tobytes())
    return f"sha256:{sha.hexdigest()}"
