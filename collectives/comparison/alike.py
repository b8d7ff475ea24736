"""What recordings are called beside one another: by parameters that differ, or were asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from collectives.recording.recording import Recording
from collectives.words import plural


def told_apart(
    names: Sequence[str],
    recordings: Sequence[Recording],
    asked: Sequence[Collection[str]] | None = None,
) -> list[str]:
    """What each is called: those of one name by what differs, else numbered.

    asked: of each the names of parameters that are in its name in any case.

    >>> from collectives import record
    >>> chains = [record("broadcast", "ring", ranks=4, chunks=chunks) for chunks in (1, 8)]
    >>> told_apart(["ring", "ring"], chains)
    ['ring (1 chunk)', 'ring (8 chunks)']
    """
    alike = [
        [place for place, candidate in enumerate(names) if candidate == name] for name in names
    ]
    texts = [
        name
        + _difference(
            recordings[place],
            [recordings[member] for member in group],
            () if asked is None else asked[place],
        )
        for place, (name, group) in enumerate(zip(names, alike, strict=True))
    ]
    return [
        f"{name} ({texts[: place + 1].count(name)})" if texts.count(name) > 1 else name
        for place, name in enumerate(texts)
    ]


def _difference(
    recording: Recording, alike: Sequence[Recording], asked: Collection[str] = ()
) -> str:
    """The parameters in which it is not as others of its name, or asked for: " (8 channels)"."""
    every = [_parameters(recording) for recording in alike]
    parts = []
    for name, value in _parameters(recording).items():
        if name in asked or any(parameters.get(name) != value for parameters in every):
            counted = name.endswith("s")
            parts.append(plural(value, name[:-1]) if counted else f"{name} {value}")
    return f" ({', '.join(parts)})" if parts else ""


def _parameters(recording: Recording) -> dict[str, int]:
    """Of a recording, its chunks among them."""
    chunks = {} if recording.chunks is None else {"chunks": recording.chunks}
    return {**recording.parameters, **recording.given, **chunks}
