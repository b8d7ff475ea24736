"""The sound of a recorded voice, as AAC for a film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av

from collectives.errors import BadInput

RATE, BITS = 48_000, 96_000  # samples and bits a second


def sound_seconds(path: str | Path) -> float:
    """How long a sound is; raises BadInput for a file that is none."""
    try:
        with av.open(str(path)) as source:
            stream = source.streams.audio[0]
            return float(sum(frame.samples for frame in source.decode(stream)) / stream.rate)
    except (OSError, IndexError, av.error.FFmpegError) as problem:
        text = "no sound in it" if isinstance(problem, IndexError) else problem.strerror
        raise BadInput(f"--voice {path}: cannot be read: {text}; nearest: a .wav file") from None


def sound_packets(container: Any, path: str | Path) -> list[Any]:
    """Add a stream of sound to a film; the packets that are to be written to it."""
    found: list[Any] = []
    with av.open(str(path)) as source:
        layout = "mono" if source.streams.audio[0].channels == 1 else "stereo"
        stream = container.add_stream("aac", rate=RATE, layout=layout)
        stream.bit_rate = BITS
        resampler = av.AudioResampler(format="fltp", layout=layout, rate=RATE)
        for frame in (*source.decode(audio=0), None):
            for part in resampler.resample(frame):
                found += stream.encode(part)
        found += stream.encode(None)
    return found
