"""Sheets become pages by Sphinx, which are kept while nothing changes; files are made once."""

import re
from pathlib import Path

import pytest

from animations.site import takeaways
from animations.site.kept_files import KeptFiles
from animations.site.layout import frame, workshop, write_sheet
from animations.site.sheets import make_pages

BODY = """<h1>{title}</h1><p>It takes {time}.</p><div><h2>Within</h2></div>
<h2 id="own">One &amp; two</h2><p>text</p><h2>A <code>name</code>, here</h2><pre>x < y</pre>"""


def write(folder, times):
    for name, time in times.items():
        body = BODY.format(title=name.title(), time=time)
        write_sheet(folder, f"docs/{name}.html", name.title(), body)
    return make_pages(folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A site of two pages, what its second build says, and when its pages were made."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    first = write(folder, {"slow": "12 ms", "quick": "5 µs", "index": "1 s"})
    times = {path.name: path.stat().st_mtime_ns for path in (folder / "docs").iterdir()}
    second = write(folder, {"slow": "13 ms", "quick": "5 µs", "index": "1 s"})
    after = {path.name: path.stat().st_mtime_ns for path in (folder / "docs").iterdir()}
    page = (folder / "docs" / "slow.html").read_text("utf-8")
    third = write(folder, {"slow": "13 ms", "index": "1 s"})
    return folder, (first, second, third), (times, after), page


def test_only_what_changed_is_made_anew_and_what_is_gone_is_removed(built):
    folder, (first, second, third), (times, after), page = built
    assert not first.numbers and not first.gone
    assert second.numbers == ("docs/slow.html: 12 ms → 13 ms",) and not second.gone
    assert {name for name in times if times[name] != after[name]} == {"slow.html"}
    assert "It takes 13 ms." in page
    assert third.gone == ("docs/quick.html",) and not third.numbers
    assert sorted(path.name for path in (folder / "docs").iterdir()) == ["index.html", "slow.html"]
    assert "quick.html" not in (folder / "docs" / "slow.html").read_text("utf-8")


def test_headings_have_anchors_and_what_stands_within_an_element_stays(built):
    _, _, _, page = built
    assert re.findall(r'<section id="([^"]*)"', page) == ["slow", "own", "a-name-here"]
    assert "<div><h2>Within</h2></div>" in page
    assert "<pre>x < y</pre>" in page
    assert '<a class="reference internal" href="../docs/quick.html">Quick</a>' in page


def test_a_file_is_made_once_for_the_same_inputs(tmp_path):
    calls = []

    def build(inputs, name="a.txt"):
        kept = KeptFiles(tmp_path / "site")
        kept.make([name], inputs, lambda: calls.append((tmp_path / "site" / name).write_text("x")))
        kept.finish()

    (tmp_path / "site").mkdir()
    build("ring")
    build("ring")
    assert len(calls) == 1
    build("tree")
    assert len(calls) == 2
    build("tree", "b.txt")
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["b.txt"]
    assert workshop(tmp_path / "site").is_dir()


def test_sheets_of_a_part_are_written_once_for_the_same_inputs(tmp_path):
    calls, site = [], tmp_path / "site"
    site.mkdir()

    def build(inputs):
        def write():
            calls.append(inputs)
            write_sheet(site, "work/one.html", "One", f"<h1>One</h1><p>{inputs}</p>")
            return [inputs]

        kept = KeptFiles(site)
        value = kept.write_sheets("work", inputs, write)
        make_pages(site)
        kept.finish()
        return value, inputs in (site / "work" / "one.html").read_text("utf-8")

    assert [build(inputs) for inputs in ("a b", "a b", "c d")] == [
        (["a b"], True),
        (["a b"], True),
        (["c d"], True),
    ]
    assert calls == ["a b", "c d"]
    cut_off = KeptFiles(site)
    cut_off.write_sheets("work", "e f", lambda: calls.append("cut off"))
    cut_off.make(["b.txt"], "", (site / "b.txt").touch)
    assert build("e f") == (["e f"], True)


def test_a_film_is_rendered_where_it_is_asked_for_and_stays(tmp_path, monkeypatch):
    calls, site = [], tmp_path / "site"
    site.mkdir()

    def render(words):
        calls.append(words[:-1])
        Path(words[-1]).write_bytes(b"film")
        Path(words[-1]).with_suffix(".vtt").write_text("WEBVTT")

    monkeypatch.setattr(takeaways, "run_quietly", render)
    for is_asked in (False, True, True, False):
        kept = KeptFiles(site)
        takeaways.write_film(kept, "ring.mp4", "video all-reduce ring -n 8", is_asked)
        kept.finish()
        assert all((site / f"ring.{kind}").is_file() == bool(calls) for kind in ("mp4", "vtt"))
    assert calls == [["video", "all-reduce", "ring", "-n", "8", "-q", "m", "-o"]]
    (site / "players").mkdir()
    (site / "ring.mp4").rename(site / "players" / "ring.mp4")
    framed = takeaways.completed(site, "a/ring.html", frame("../players/ring.html", "Ring"))
    assert '<video controls preload="none" src="../players/ring.mp4"><track' in framed
    assert 'kind="captions" src="../players/ring.vtt"' in framed
