"""Films rendered in parts: every frame is its still, and nothing is rendered twice."""

import dataclasses
import io
import random
from fractions import Fraction
from functools import cache
from hashlib import blake2b

import numpy as np
import pytest

pytest.importorskip("manim")

import av
from samples import brief, frames_of, quick
from settings import THOROUGH

from animations.drawing.render import encoder, side_by_side
from animations.drawing.render.cache import Kept
from animations.drawing.render.outlines import Outline
from animations.drawing.theme import DARK, LIGHT
from animations.film import engine
from animations.film.engine import Renderer, cut, render_film, spoken
from animations.film.film import render
from animations.pictures.scene import scene_of, still
from animations.pictures.stage import Stage
from animations.pictures.title_cards import TitleCard
from animations.story.compose import proved_storyboard
from collectives import record

SIZE = (426, 240, 15)
NOISE = 6.5  # mean square of shades between two encodings (40 dB); a missing word makes 50
RING = proved_storyboard(record("all_reduce", "ring", ranks=3))
TREE = proved_storyboard(record("broadcast", "binomial", ranks=2))


def nothing(step, total):
    """Progress that nobody looks at."""


@pytest.fixture
def count(monkeypatch):
    """The numbers of frames of the parts that are encoded; in one process."""
    encoded, found = encoder.encoded, []

    def counted(frames, size, rate):
        frames = list(frames) if size == (16, 16) else frames
        film = encoded(frames, size, rate)
        if size != (16, 16):
            found.append(len(packets(io.BytesIO(film))))
        return film

    monkeypatch.setattr(encoder, "encoded", counted)
    monkeypatch.setattr(engine, "most_workers", lambda memory: 1)
    return found


def packets(film):
    """The content of all packets."""
    with av.open(film) as container:
        return [bytes(packet) for packet in container.demux(video=0) if packet.size]


def alike(one, other):
    """Whether two films show the same; x264 may encode the same pictures a little differently."""
    films = [pictures(film) for film in (one, other)]
    pairs = zip(*films, strict=True)
    return all(float(((a.astype(np.float64) - b) ** 2).mean()) <= NOISE for a, b in pairs)


def pictures(film):
    """All frames of a film, decoded."""
    with av.open(io.BytesIO(film)) as container:
        return [frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0)]


def film_of(board, folder, theme=DARK, size=SIZE, **options):
    folder.mkdir()
    return render_film(brief(board), theme, size, folder, nothing, **options)


@pytest.mark.parametrize("rate", [15, 30, 60])
@pytest.mark.parametrize("sections", [False, True])
def test_parts_are_the_film_to_the_frame(rate, sections):
    parts = cut(quick(RING), rate, sections)
    assert [shot for part in parts for shot, _ in part.shots] == [s for _, s in quick(RING)]
    frames, end = 0, 0.0
    for part in parts:
        assert part.shots[0][0].section == part.name != "", "a part begins with a section"
        for shot, number in part.shots:
            frames, end = frames + number, end + shot.seconds
            assert abs(frames - end * rate) <= 0.5 + 1e-9
        assert sum(bool(shot.section) for shot, _ in part.shots) == 1 or not sections
    assert frames == frames_of(quick(RING), rate)
    assert len(parts) > 4
    assert [part.passage for part in parts][:2] == [0, 1]
    assert parts[-1].passage == len(quick(RING).passages) - 1


def test_half_a_frame_is_no_matter_of_how_seconds_are_added():
    score = quick(RING)
    passage = score.passages[1]
    short = dataclasses.replace(passage.shots[0], seconds=1 / 30)
    for count in range(1, 200):
        many = dataclasses.replace(passage, shots=(short,) * count)
        parts = cut(dataclasses.replace(score, passages=(many,)), 15)
        assert sum(part.frames for part in parts) == round(Fraction(count, 2)), count


def test_every_frame_is_its_still(tmp_path, monkeypatch):
    score, seen = quick(RING), []
    parts = cut(score, 15)
    scenes = [scene_of(passage, DARK) for passage in score.passages]
    renderer = Renderer(score, DARK, SIZE, parts, tmp_path, Kept(None))

    def compared(frames, size, rate):
        moments = [(shot, i / number) for shot, number in parts[part].shots for i in range(number)]
        for place, ((shot, time), _) in enumerate(zip(moments, frames, strict=True)):
            if place % 7 == 0 or place == len(moments) - 1:
                drawn = renderer._picture._canvas.rgb()
                scene, time = scenes[parts[part].passage], time if shot.travels else 0.0
                wanted = still(scene, shot, time, SIZE[:2], cues=True)
                assert np.array_equal(drawn, wanted), (shot, time)
                seen.append(time)
        return b""

    monkeypatch.setattr(engine, "_means", bytes)
    monkeypatch.setattr(encoder, "encoded", compared)
    for part in (0, 1, 2, 5, 3, len(parts) - 1):  # in any order
        renderer(part)
    assert len(seen) > 20


def test_a_film_has_every_frame_once_and_decodes(tmp_path):
    film = film_of(RING, tmp_path / "a")
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        frames = [frame.pts for frame in container.decode(video=0)]
        assert stream.frames == len(frames) == frames_of(brief(RING), 15)
        assert np.diff(frames).tolist() == [frames[1]] * (len(frames) - 1)
        assert frames[0] == 0


def test_two_processes_render_the_film_of_one(tmp_path, monkeypatch):
    films = {}
    for workers, method in ((1, "fork"), (2, "fork"), (2, "spawn")):
        monkeypatch.setattr(engine, "most_workers", lambda memory, n=workers: n)
        monkeypatch.setattr(side_by_side, "METHOD", method)
        films[workers, method] = film_of(TREE, tmp_path / f"{workers}{method}").read_bytes()
    first, *others = films.values()
    assert all(alike(first, other) for other in others)


def test_subtitles_change_with_the_picture(tmp_path):
    parts = cut(quick(RING), 60)
    spans = spoken(parts, 60)
    assert [said for _, _, said in spans] == list(dict.fromkeys(s.said for _, s in quick(RING)))
    assert [end for _, end, _ in spans[:-1]] == [start for start, _, _ in spans[1:]]
    assert spans[0][0] == 0 and spans[-1][1] == pytest.approx(quick(RING).seconds, abs=0.01)
    frames = sum(count for part in parts for shot, count in part.shots if shot.said == spans[0][2])
    assert spans[0][1] == frames / 60


def test_what_was_rendered_is_taken_from_the_cache(tmp_path, count):
    kept = Kept(tmp_path / "cache")
    first = film_of(RING, tmp_path / "a", kept=kept).read_bytes()
    assert sum(count) == frames_of(brief(RING), 15)
    count.clear()
    assert alike(film_of(RING, tmp_path / "b", kept=kept).read_bytes(), first)
    assert count == [], "nothing changed, and something was rendered"
    assert alike(film_of(RING, tmp_path / "c").read_bytes(), first)
    assert count, "without a cache all is rendered"


def changed_caption(board):
    """As many letters as before, of which some are others."""
    board.__dict__["ending"] = board.ending.replace("s", "o")


def test_a_changed_caption_renders_its_part_again(tmp_path, count):
    kept = Kept(tmp_path / "cache")
    film_of(RING, tmp_path / "a", kept=kept)
    every = list(count)
    count.clear()
    board = dataclasses.replace(RING)
    changed_caption(board)
    film = film_of(board, tmp_path / "b", kept=kept)
    assert 0 < len(count) <= 2 < len(every)
    assert alike(film.read_bytes(), film_of(board, tmp_path / "c").read_bytes())


def test_a_render_that_was_stopped_goes_on(tmp_path, count):
    kept = Kept(tmp_path / "cache")

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    (tmp_path / "a").mkdir()
    with pytest.raises(KeyboardInterrupt):
        render_film(brief(RING), DARK, SIZE, tmp_path / "a", stop, kept=kept)
    done = sum(count)
    count.clear()
    film_of(RING, tmp_path / "b", kept=kept)
    assert done > 0
    assert done + sum(count) == frames_of(brief(RING), 15)


def digests(board, theme=DARK, size=SIZE, order=1):
    score = quick(board)
    renderer = Renderer(score, theme, size, cut(score, size[2]), None, Kept(None))
    found = [renderer.digest(renderer.shown(part)) for part in renderer.parts[::order]]
    return found[::order]


@cache
def of_ring():
    return digests(RING)


@pytest.mark.parametrize("algorithm", ["ring", "recursive_doubling"])
def test_digests_do_not_depend_on_what_was_drawn_before(algorithm):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=4))
    assert digests(board) == digests(board, order=-1)


def test_digests_of_equal_films_are_equal():
    board = proved_storyboard(record("all_reduce", "ring", ranks=3))
    assert digests(board) == of_ring()
    assert len(set(of_ring())) == len(of_ring())


def text(**changes):
    """A change of the storyboard's text or numbers."""
    return lambda board: board.__dict__.update(changes)


def cell(board):
    """One cell holds less after the second step."""
    frame = board.frames[1]
    at, held = next(iter(frame.cells.items()))
    fewer = held._replace(held=held.held[:1])
    frames = list(board.frames)
    frames[1] = dataclasses.replace(frame, cells={**frame.cells, at: fewer})
    board.__dict__["frames"] = tuple(frames)


def transfer(board):
    """A chunk of the third step goes elsewhere."""
    frame = board.frames[2]
    first, *others = frame.transfers
    transfers = (dataclasses.replace(first, adds=not first.adds), *others)
    frames = list(board.frames)
    frames[2] = dataclasses.replace(frame, transfers=transfers)
    board.__dict__["frames"] = tuple(frames)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (text(title="Another"), "some"),
        (text(subtitle="on another machine"), "some"),
        (text(promise="Nobody has anything"), "title"),
        (changed_caption, "some"),
        (cell, "some"),
        (transfer, "some"),
    ],
)
def test_every_change_of_what_is_shown_changes_a_digest(change, parts):
    board = dataclasses.replace(RING)
    change(board)
    differ = [a != b for a, b in zip(of_ring(), digests(board), strict=True)]
    if parts == "title":
        assert differ[0]
    assert 0 < sum(differ) < len(differ)


@pytest.mark.parametrize(
    "given",
    [
        {"theme": LIGHT},
        {"theme": dataclasses.replace(DARK, background="#11151d")},
        {"size": (1280, 720, 15)},
        {"size": (426, 240, 16)},
    ],
)
def test_colors_size_and_rate_change_all_digests(given):
    pairs = zip(digests(TREE), digests(TREE, **given), strict=True)
    assert all(a != b for a, b in pairs)


@pytest.mark.parametrize(
    "change",
    [
        lambda points, look: (points + 0.001, look),
        lambda points, look: (points, (0.07, *look[1:])),
        lambda points, look: (points, (*look[:3], 0.5, *look[4:])),
        lambda points, look: (points, (*look[:4], 0.07, *look[5:])),
        lambda points, look: (points, (*look[:7], 0.5, *look[8:])),
        lambda points, look: (points, (*look[:8], 3.25)),
    ],
)
@pytest.mark.parametrize("layer", ["still", "settled", "card"])
def test_every_look_of_an_outline_changes_the_digest(change, layer, monkeypatch):
    kind, name = (TitleCard, "settled") if layer == "card" else (Stage, layer)
    method = "travel" if layer == "card" else "show"
    drawn = getattr(kind, method)

    def draw(scene, moment):
        drawn(scene, moment)
        for place in [i for i, each in enumerate(getattr(scene, name)) if len(each.points)][-1:]:
            outline = getattr(scene, name)[place]
            getattr(scene, name)[place] = Outline(*change(outline.points, outline.look))

    before = digests(TREE)
    monkeypatch.setattr(kind, method, draw)
    differ = [a != b for a, b in zip(before, digests(TREE), strict=True)]
    assert any(differ[1:]) == (layer != "card") and (differ[0] or layer != "card")


def test_another_encoder_or_other_code_changes_all_digests(monkeypatch):
    before = digests(TREE)
    for change in (
        lambda: monkeypatch.setitem(encoder.OPTIONS, "crf", "21"),
        lambda: monkeypatch.setattr(av, "__version__", "0.1"),
        lambda: monkeypatch.setattr("cairo.cairo_version_string", lambda: "0.1"),
        lambda: monkeypatch.setattr(encoder, "__file__", engine.__file__),
    ):
        with monkeypatch.context():
            engine._means.cache_clear()
            change()
            assert all(a != b for a, b in zip(before, digests(TREE), strict=True))
        before = digests(TREE)
    engine._means.cache_clear()


def test_a_broken_part_of_the_cache_is_rendered_again(tmp_path, count):
    kept = Kept(tmp_path / "cache")
    first = film_of(TREE, tmp_path / "a", kept=kept).read_bytes()
    for file in (tmp_path / "cache").iterdir():
        file.write_bytes(file.read_bytes()[:-20])
    count.clear()
    assert alike(film_of(TREE, tmp_path / "b", kept=kept).read_bytes(), first)
    assert sum(count) == frames_of(brief(TREE), 15)


def as_part(content):
    """What a file of the cache holds for a part with this content."""
    return blake2b(content, digest_size=16).digest() + content


def film_in(codec, size=SIZE[:2], frames=3):
    """A film of black frames."""
    film = io.BytesIO()
    with av.open(film, "w", format="mp4") as container:
        stream = container.add_stream(codec, rate=SIZE[2])
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        for _ in range(frames):
            container.mux(stream.encode(av.VideoFrame(*size, "yuv420p")))
        container.mux(stream.encode(None))
    return film.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"no film", film_in("libx264"), film_in("mpeg4"), film_in("libx264", (64, 48))],
    ids=["nothing", "text", "length", "codec", "size"],
)
def test_a_part_that_is_another_film_or_none_is_rendered_again(tmp_path, count, content):
    kept = Kept(tmp_path / "cache")
    first = film_of(TREE, tmp_path / "a", kept=kept).read_bytes()
    for number, file in enumerate((tmp_path / "cache").glob("*.film")):
        whole = file.read_bytes()[16:]
        file.write_bytes(as_part(content or whole[: number * len(whole) // 9]))
    count.clear()
    assert alike(film_of(TREE, tmp_path / "b", kept=kept).read_bytes(), first)
    assert sum(count) == frames_of(brief(TREE), 15)


def test_a_mutated_part_is_a_film_that_can_be_joined_or_none(tmp_path):
    """Any bit may be another one, and the checksum right: nothing unforeseen is raised."""
    noise, size = np.random.default_rng(4), (128, 96)
    shades = (noise.integers(0, 255, (size[1], size[0], 3), np.uint8) for _ in range(9))
    whole = encoder.encoded(map(av.VideoFrame.from_ndarray, shades), size, 15)
    assert encoder.is_film(whole, size, 15, 9)
    mutations, part, taken = random.Random(4), tmp_path / "part.mp4", 0
    for _ in range(4000 if THOROUGH else 80):
        content = bytearray(whole)
        for _ in range(mutations.choice([1, 1, 2, 8])):
            place = mutations.choice([mutations.randrange(len(whole)), mutations.randrange(900)])
            ends = len(content) - place - 1
            place = mutations.choice([place, ends])  # the tables stand at the end
            content[place] = mutations.choice([0, 255, content[place] ^ 1 << place % 8])
            del content[place : place + mutations.choice([0, 0, 0, 4])]
        if encoder.is_film(bytes(content), size, 15, 9):
            part.write_bytes(content)
            assert encoder.join([part], tmp_path / "film.mp4", 15, "x") == 9
            taken += 1
    assert taken, "no mutation of a part was taken for a film: the test says nothing of joining"


def test_the_command_and_python_use_the_cache_unless_told_not_to(tmp_path, monkeypatch, count):
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path / "cache"))
    render(brief(TREE), tmp_path / "a.mp4", "l", nothing, cache=False)
    assert not (tmp_path / "cache").exists()
    render(brief(TREE), tmp_path / "a.mp4", "l", nothing)
    kept = list((tmp_path / "cache").glob("collectives-film/*.film"))
    assert len(kept) == len(cut(brief(TREE), 15))
    count.clear()
    render(brief(TREE), tmp_path / "b.mp4", "l", nothing)
    assert count == []
    assert alike((tmp_path / "a.mp4").read_bytes(), (tmp_path / "b.mp4").read_bytes())
