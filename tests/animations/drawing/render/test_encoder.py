"""Films in MP4: colors as players of HD take them, joined without encoding again."""

import io
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest

pytest.importorskip("manim")

import av
from PIL import ImageColor

from animations.drawing.render import encoder
from animations.drawing.render.painter import Canvas
from animations.drawing.theme import THEMES
from animations.pictures.scene import Layered
from animations.pictures.stage import Stage
from animations.score.score import Keyframe, Shot
from animations.story.compose import proved_storyboard
from collectives import record

SIZE = (854, 480)
FROM_BT709 = np.array([[1, 0, 1.5748], [1, -0.1873, -0.4681], [1, 1.8556, 0]])


def colors_of(frame):
    """A frame in YUV 4:2:0 as RGB, decoded as BT.709 of a limited range."""
    planes = [
        np.frombuffer(p, np.uint8).reshape(p.height, p.line_size)[:, : p.width].astype(float)
        for p in frame.planes
    ]
    luma = (planes[0] - 16) / 219
    blue, red = (
        ((p - 128) / 224).repeat(2, 0).repeat(2, 1)[: len(luma), : luma.shape[1]]
        for p in planes[1:]
    )
    return np.rint(255 * (np.stack([luma, blue, red], axis=2) @ FROM_BT709.T)).clip(0, 255)


def theme_colors():
    return sorted(
        {
            color
            for theme in THEMES.values()
            for value in vars(theme).values()
            for color in (value if isinstance(value, tuple) else (value,))
            if str(color).startswith("#")
        }
        | {"#009e73", "#ffffff", "#000000", "#ff0000", "#0000ff"}
    )


def test_every_color_comes_back_as_it_was():
    for color in theme_colors():
        frame = encoder.YuvFrame(Canvas((16, 16), color, 1)).frame
        found = colors_of(frame)
        assert np.abs(found - ImageColor.getrgb(color)[:3]).max() <= 2, color


def test_a_green_is_the_same_green_in_the_film():
    picture = encoder.YuvFrame(Canvas((64, 64), "#009e73", 1))
    film = encoder.encoded([picture.frame] * 3, (64, 64), 15)

    with av.open(io.BytesIO(film)) as container:
        context = container.streams.video[0].codec_context
        assert (context.color_primaries, context.color_trc, context.colorspace) == (1, 1, 1)
        assert context.color_range == 1, "limited, as players assume"
        frames = list(container.decode(video=0))
    assert len(frames) == 3
    for frame in frames:
        assert np.abs(colors_of(frame) - (0x00, 0x9E, 0x73)).max() <= 2


def test_what_did_not_change_need_not_be_converted_again():
    stage = Stage(proved_storyboard(record("all_reduce", "ring", ranks=4)))
    layered = Layered(stage)
    picture = encoder.YuvFrame(layered.canvas(SIZE))
    for number in (1, 2, 5, 1):
        step = Shot(Keyframe(number, landed=False), 1, "", travels=True)
        for layers in layered.at(step, [0.0, 0.3, 0.31, 0.8]):
            picture.show(layers)
            fresh = encoder.YuvFrame(layered.canvas(SIZE))
            fresh.show(layers)
            for plane, other in zip(picture.frame.planes, fresh.frame.planes, strict=True):
                assert bytes(plane) == bytes(other)


def film_of(path, colors, rate=15):
    """A film with a frame of each color."""
    frames = [encoder.YuvFrame(Canvas((64, 64), color, 1)).frame for color in colors]
    path.write_bytes(encoder.encoded(frames, (64, 64), rate))
    return path


def test_joined_films_follow_one_another_to_the_frame(tmp_path):
    colors = [["#d55e00"] * 7 + ["#0072b2"], ["#009e73"], ["#000000", "#ffffff"] * 20]
    parts = [film_of(tmp_path / f"{i}.mp4", part) for i, part in enumerate(colors)]
    assert encoder.join(parts, tmp_path / "all.mp4", 15, "Ring") == 49
    data = (tmp_path / "all.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat"), "it starts before it is all loaded"
    assert b"colr" in data
    with av.open(str(tmp_path / "all.mp4")) as container:
        assert container.metadata["title"] == "Ring"
        stream = container.streams.video[0]
        assert (stream.frames, stream.average_rate) == (49, 15)
        assert stream.duration * stream.time_base == Fraction(49, 15)
        frames = list(container.decode(video=0))
    assert [frame.pts * frame.time_base * 15 for frame in frames] == list(range(49))
    for frame, color in zip(frames, chain(*colors), strict=True):
        found = np.median(colors_of(frame).reshape(-1, 3), axis=0)
        assert np.abs(found - ImageColor.getrgb(color)).max() <= 6
