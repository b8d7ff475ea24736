"""Pictures as H.264: only changed tiles are converted to YUV; packets are joined into a film."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import av
import numpy as np

from animations.drawing.render.painter import TILE, Array, Layers, tiled
from animations.drawing.render.sound import Piece, sound_packets
from animations.drawing.render.subtitles import Cue, Spoken
from animations.phrases import read

OPTIONS = {"preset": "veryfast", "crf": "20", "chroma_sample_location": "center", "bf": "0"}
MILLI = 1000  # of the time of text
STYLE = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, Alignment
Style: Default,Sans,16,&Hffffff,&H0,&H0,0,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""
BT709, LIMITED = 1, 1  # the numbers of H.264 for colors as in HD television
LUMA = (47, 157, 16)  # of red, green and blue in 256ths of a limited range, by BT.709
# Blue and red difference: 2^16 / 4 times the weights of red, green and blue, of four pixels.
BLUE_DIFFERENCE, RED_DIFFERENCE = (-1649, -5547, 7196), (7196, -6536, -660)


class Pictured(Protocol):
    """A picture of layers, as `Canvas` draws it."""

    size: tuple[int, int]

    @property
    def pixels(self) -> Array:
        """The picture, with margins at its right and lower edge up to whole tiles."""

    def draw(self, layers: Layers) -> Array:
        """Draw the outlines of each layer; the tiles that changed, [tile, 2]."""


class YuvFrame:
    """A canvas as a frame in YUV 4:2:0, which is converted anew only where it changes."""

    def __init__(self, canvas: Pictured) -> None:
        self._canvas = canvas
        self.frame = av.VideoFrame(*canvas.size, "yuv420p")
        self._planes = [_plane(plane) for plane in self.frame.planes]
        rows, columns = self._planes[0].shape
        self._convert(np.argwhere(np.ones((rows // TILE, columns // TILE))))

    def show(self, layers: Layers) -> None:
        """Draw layers, and convert what changed."""
        changed = self._canvas.draw(layers)
        if len(changed):
            self._convert(changed)

    def _convert(self, at: Array) -> None:
        """Convert some tiles, [tile, 2]."""
        row, column = at.T
        colors = tiled(self._canvas.pixels, TILE)[row, column][..., None].view(np.uint8)
        blue, green, red = (colors[..., i].astype(np.uint16) for i in range(3))
        luma = red * LUMA[0] + green * LUMA[1] + blue * LUMA[2]
        planes = [(luma + ((16 << 8) + 128)) >> 8]
        fours = [_sum_of_fours(color) for color in (red, green, blue)]
        for weights in (BLUE_DIFFERENCE, RED_DIFFERENCE):
            total = sum(w * four for w, four in zip(weights, fours, strict=True))
            planes.append((total + ((128 << 16) + (1 << 15))) >> 16)
        for plane, values in zip(self._planes, planes, strict=True):
            tiled(plane, values.shape[1])[row, column] = values


def _plane(plane: Any) -> Array:
    """The memory of a plane of a frame, with its margins: [rows, bytes in a row]."""
    memory: Array = np.frombuffer(plane, np.uint8)
    return memory.reshape(plane.height, plane.line_size)


def _sum_of_fours(color: Array) -> Array:
    """The sums of squares of four pixels, [tile, row, column]."""
    rows = color[:, ::2] + color[:, 1::2]
    fours: Array = rows[:, :, ::2] + rows[:, :, 1::2]
    return fours.astype(np.int32)


def encoded(frames: Iterable[Any], size: tuple[int, int], rate: int) -> bytes:
    """Frames as a film of their own, in MP4. A frame may be the one before, with other content."""
    film = BytesIO()
    with av.open(film, "w", format="mp4") as container:
        stream: Any = container.add_stream("libx264", rate=rate, options=OPTIONS)
        stream.width, stream.height = size
        context = stream.codec_context
        context.pix_fmt, context.time_base, context.thread_count = "yuv420p", Fraction(1, rate), 1
        context.color_primaries = context.color_trc = context.colorspace = BT709
        context.color_range = LIMITED
        for number, frame in enumerate(frames):
            frame.pts, frame.time_base = number, context.time_base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return film.getvalue()


def is_film(content: bytes, size: tuple[int, int], rate: int, frames: int) -> bool:
    """Whether bytes are a film as `encoded` makes it, with so many frames of this size."""
    try:
        with av.open(BytesIO(content), "r", format="mp4") as source:
            stream: Any
            (stream,) = source.streams
            context = stream.codec_context
            if context is None:  # a codec that is not known
                return False
            form = (context.name, (context.width, context.height), stream.average_rate)
            times = (packet.pts for packet in source.demux(stream) if packet.size)
            numbers = [round(time * stream.time_base * rate) for time in times]
    except (OSError, ValueError, TypeError, av.error.FFmpegError):
        return False
    return form == ("h264", size, rate) and numbers == list(range(frames))


@dataclass(frozen=True)
class Track:
    """What a film has beside its pictures: subtitles, chapters as (start, end, name), a sound."""

    cues: Sequence[Cue]
    chapters: Sequence[Spoken]
    language: str
    voice: Piece | None = None


def join(
    parts: Sequence[Path], target: Path, rate: int, title: str, track: Track | None = None
) -> int:
    """Join films into one without encoding them again; the number of its frames."""
    frames = 0
    with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        container.metadata["title"] = title
        for part in parts:
            with av.open(str(part)) as source:
                if not frames:
                    stream = container.add_stream_from_template(source.streams.video[0])
                    others = _others(container, track) if track else iter(())
                    following = next(others, None)
                for packet in source.demux(video=0):
                    if packet.size:  # the last one is empty
                        while following and _seconds(following) * rate <= frames:
                            container.mux_one(following)
                            following = next(others, None)
                        packet.stream, packet.time_base = stream, Fraction(1, rate)
                        packet.pts = packet.dts = frames  # without B-frames they come in order
                        packet.duration = 1
                        container.mux_one(packet)
                        frames += 1
        for left in (following, *others) if following else ():
            container.mux_one(left)
    return frames


def _others(container: Any, track: Track) -> Iterator[Any]:
    """Add text and sound to a film; what is to be written to them, in the order of time."""
    text = _text_packets(container, track)
    sound = sound_packets(container, track.voice) if track.voice else []
    return merge(text, sound, key=_seconds)


def _seconds(packet: Any) -> Fraction:
    return Fraction(packet.pts * packet.time_base)


def _text_packets(container: Any, track: Track) -> Iterator[Any]:
    """Add chapters and a stream of text to a film; what is to be written to it."""
    unit = Fraction(1, MILLI)
    container.set_chapters(
        [
            {"id": number, "start": round(start * MILLI), "end": round(end * MILLI)}
            | {"time_base": unit, "metadata": {"title": name}}
            for number, (start, end, name) in enumerate(track.chapters)
        ]
    )
    if not track.cues:
        return iter(())
    stream = container.add_stream("mov_text")
    stream.codec_context.subtitle_header = STYLE.encode()
    stream.time_base = unit
    stream.metadata["language"] = read(track.language, "language")["iso_639"]
    return (_text_packet(stream, cue) for cue in track.cues)


def _text_packet(stream: Any, cue: Cue) -> Any:
    """A cue as 3GPP timed text: the number of its bytes, then these."""
    text = "\n".join(cue.lines).encode()
    packet = av.Packet(len(text).to_bytes(2, "big") + text)
    packet.stream, packet.time_base = stream, Fraction(1, MILLI)
    packet.pts = packet.dts = round(cue.start * MILLI)
    packet.duration = round(cue.end * MILLI) - packet.pts
    return packet
