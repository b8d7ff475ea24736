"""The sound of a recorded voice, as AAC for a film."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

import av
import numpy as np

from collectives.errors import BadInput
from collectives.unfinished import open_regular
from collectives.units import size_text
from collectives.words import quoted

RATE, BITS = 48_000, 96_000  # samples and bits a second
SILENT = 1024  # samples of a clip for which there is no sound left
FADE = RATE // 200  # samples in which a sound that is cut begins and ends, lest it clicks
ACCURATE = {"aac_coder": "fast"}  # the default overshoots by up to 77 % after a sudden beginning
LARGEST = 1 << 30  # bytes of a file
RATES, MOST_CHANNELS = range(4_000, 384_001), 8
# Formats that hold their sound themselves: no list of other files, no address, no program.
FORMATS = "wav,w64,aiff,au,caf,flac,mp3,ogg,aac,mov,mp4,m4a,matroska,webm"
OPTIONS = {"format_whitelist": FORMATS, "protocol_whitelist": "none"}


@dataclass(frozen=True)
class Piece:
    """A part of a sound, in seconds."""

    path: str
    start: float = 0.0
    end: float = inf


def sound_seconds(path: str | Path, limit: float = inf) -> float:
    """How long a sound is, or how much of it is more than `limit`, after which no more is read.

    Raises BadInput for a file that is none.
    """
    samples = 0
    with _resampled(path) as (_, parts):
        for part in parts:
            samples += part.samples
            if samples > limit * RATE:
                break
    if not samples:
        raise _unreadable(path, "no sound in it")
    return samples / RATE


def sound_samples(path: str | Path, limit: float = inf) -> Any:
    """The samples of a sound at our rate, in one channel; raises BadInput as `sound_seconds`.

    limit: seconds after which no more is read.
    """
    decoded, samples = [np.zeros(0, np.float32)], 0
    with _resampled(path) as (_, parts):
        for part in parts:
            decoded.append(part.to_ndarray().mean(axis=0))
            samples += part.samples
            if samples > limit * RATE:
                break
    if not samples:
        raise _unreadable(path, "no sound in it")
    return np.concatenate(decoded)


def sound_packets(container: Any, piece: Piece) -> list[Any]:
    """Add a stream of sound to a film; the packets that are to be written to it."""
    packets: list[Any] = []
    with _resampled(piece.path) as (layout, parts):
        stream = container.add_stream("aac", rate=RATE, layout=layout, options=ACCURATE)
        stream.bit_rate = BITS
        for part in _within(parts, piece):
            packets += stream.encode(part)
        packets += stream.encode(None)
    return packets


@contextmanager
def _resampled(path: str | Path) -> Iterator[tuple[str, Iterator[Any]]]:
    """The layout and the parts of a sound at our rate; raises BadInput for a file that is none.

    ffmpeg is given an open file, and never a name, which may be an address.
    """
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > LARGEST:
                raise _unreadable(path, f"has {size_text(size)}; the limit is {size_text(LARGEST)}")
            with av.open(file, "r", options=OPTIONS) as source:
                yield _parts(path, source)
    except (OSError, ValueError, ArithmeticError, LookupError, av.error.FFmpegError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise _unreadable(path, getattr(problem, "strerror", None) or str(problem)) from None


def _parts(path: str | Path, source: Any) -> tuple[str, Iterator[Any]]:
    """The layout and the parts of the first sound of an open file."""
    if not source.streams.audio:
        raise _unreadable(path, "no sound in it")
    stream = source.streams.audio[0]
    if stream.codec_context is None:
        raise _unreadable(path, "its sound is in an unknown code")
    if stream.rate not in RATES or not 0 < stream.channels <= MOST_CHANNELS:
        has = f"{stream.rate} samples a second and {stream.channels} channels"
        rates = f"{RATES[0]} to {RATES[-1]}"
        raise _unreadable(path, f"has {has}; the range is {rates}, and 1 to {MOST_CHANNELS}")
    layout = "mono" if stream.channels == 1 else "stereo"
    resampler = av.AudioResampler(format="fltp", layout=layout, rate=RATE)
    decoded = chain(source.decode(stream), [None])
    return layout, chain.from_iterable(resampler.resample(frame) for frame in decoded)


def _unreadable(path: str | Path, why: str) -> BadInput:
    return BadInput(f"--voice {quoted(str(path))}: cannot be read: {why}; try: a .wav file")


def _within(parts: Iterator[Any], piece: Piece) -> Iterator[Any]:
    """The samples of a piece, from time 0 on; silence where the sound ends before it begins."""
    first = round(piece.start * RATE)
    last = inf if piece.end == inf else round(piece.end * RATE)
    at, layout, rest = 0, None, None
    for part in parts:
        samples, begin = part.to_ndarray(), at
        at, layout = at + part.samples, part.layout.name
        low, high = max(first - begin, 0), int(min(last - begin, part.samples))
        rest = samples[:, :0]
        if low < high:
            loudness = _loudness(np.arange(begin + low, begin + high), first, last)
            yield _frame(samples[:, low:high] * loudness, layout, begin + low - first)
        elif begin >= last:
            break
    if at <= first and rest is not None:
        yield _frame(np.zeros((len(rest), SILENT), rest.dtype), layout, 0)


def _loudness(at: Any, first: int, last: float) -> Any:
    """What samples are multiplied with, by their numbers: less than 1 where the sound is cut."""
    begins = (at - first + 0.5) / FADE if first else np.ones(len(at))
    return np.clip(np.minimum(begins, (last - at - 0.5) / FADE), 0, 1).astype(np.float32)


def _frame(samples: Any, layout: Any, start: int) -> Any:
    """Samples as a frame that begins at sample number `start`."""
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="fltp", layout=layout)
    frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
    return frame
