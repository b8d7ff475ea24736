"""The sound of a recorded voice, as AAC for a film."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

import av
import numpy as np

from collectives.errors import BadInput

RATE, BITS = 48_000, 96_000  # samples and bits a second
SILENT = 1024  # samples of a clip for which there is no sound left


def sound_seconds(path: str | Path) -> float:
    """How long a sound is; raises BadInput for a file that is none."""
    try:
        with av.open(str(path)) as source:
            stream = source.streams.audio[0]
            return float(sum(frame.samples for frame in source.decode(stream)) / stream.rate)
    except (OSError, IndexError, av.error.FFmpegError) as problem:
        text = "no sound in it" if isinstance(problem, IndexError) else problem.strerror
        raise BadInput(f"--voice {path}: cannot be read: {text}; nearest: a .wav file") from None


@dataclass(frozen=True)
class Piece:
    """A part of a sound, in seconds."""

    path: str
    start: float = 0.0
    end: float = inf


def sound_packets(container: Any, piece: Piece) -> list[Any]:
    """Add a stream of sound to a film; the packets that are to be written to it."""
    found: list[Any] = []
    with av.open(piece.path) as source:
        layout = "mono" if source.streams.audio[0].channels == 1 else "stereo"
        stream = container.add_stream("aac", rate=RATE, layout=layout)
        stream.bit_rate = BITS
        resampler = av.AudioResampler(format="fltp", layout=layout, rate=RATE)
        decoded = chain(source.decode(audio=0), [None])
        parts = chain.from_iterable(resampler.resample(frame) for frame in decoded)
        for part in _within(parts, piece):
            found += stream.encode(part)
        found += stream.encode(None)
    return found


def _within(parts: Iterable[Any], piece: Piece) -> Iterator[Any]:
    """The samples of a piece, from time 0 on; silence where the sound ends before it begins."""
    first = round(piece.start * RATE)
    last = inf if piece.end == inf else round(piece.end * RATE)
    at, layout, rest = 0, None, None
    for part in parts:
        samples, begin = part.to_ndarray(), at
        at, layout = at + part.samples, part.layout.name
        low, high = max(first - begin, 0), min(last - begin, part.samples)
        rest = samples[:, :0]
        if low < high:
            yield _frame(samples[:, low : int(high)], layout, begin + low - first)
    if at <= first and rest is not None:
        yield _frame(np.zeros((len(rest), SILENT), rest.dtype), layout, 0)


def _frame(samples: Any, layout: Any, start: int) -> Any:
    """Samples as a frame that begins at sample number `start`."""
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="fltp", layout=layout)
    frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
    return frame
