"""What public values are in a notebook and on a line, and the pictures a recording makes."""

import dataclasses
import html
import re
import sys
import xml.etree.ElementTree as ElementTree
from functools import cached_property

import numpy as np
import pytest

import collectives
from animations.drawing.theme import DARK
from collectives import BadInput, NotInstalled, record, send

SRCDOC = re.compile(
    r"<iframe [^>]*sandbox=\"allow-scripts\"[^>]* srcdoc=\"([^\"]*)\"></iframe>", re.DOTALL
)
RING = record("all_reduce", "ring", ranks=4, dtype="float32")
MACHINE = collectives.topology("hgx-h100", 8)
VALUES = {
    "recording": RING,
    "steps": RING.steps,
    "step": RING.steps[0],
    "state": RING.state(2),
    "counters": RING.counters,
    "verdict": RING.check(),
    "collective": RING.collective,
    "exchange": collectives.exchange([(0, 0, 1, 0)]),
    "row": RING.row,
    "topology": MACHINE,
    "timing": collectives.time(RING),
    "costs": collectives.Costs(),
    "ranking": collectives.rank("reduce_scatter", ranks=8, size="1MiB"),
    "choice": collectives.choose("nccl", "all_reduce", 8, "1MiB"),
    "closed form": collectives.closed_form(RING),
    "sum": collectives.addition_order(RING)[0],
    "picture": RING.figure(0),
}


def rows(text):
    """An HTML table as lists of texts."""
    table = ElementTree.fromstring(text)
    return [["".join(cell.itertext()) for cell in row] for row in table]


@pytest.mark.parametrize("name", VALUES)
def test_every_public_value_is_one_useful_line(name):
    line = repr(VALUES[name])
    assert "\n" not in line and len(line) < 250
    assert not re.search(r"array\(|<function|object at 0x|<lambda>|dtype\(", line)


def test_the_lines_say_what_it_is():
    assert repr(RING.steps[0]) == "<Step: 4 transfers: 0→1 +3   1→2 +0   2→3 +1   3→0 +2>"
    assert repr(RING.state(0)) == "<State: 4 nodes of 4 slots, 16 of 16 hold data>"
    assert repr(MACHINE) == "<Topology: hgx-h100: 8 ranks, 1 switch, 16 links one way>"
    assert repr(RING.check()).startswith("<Verdict: right: ring all-reduce: every rank ends")
    assert "messages 24, ports 1, links 4, sent by all 384 B" in repr(RING.counters)
    big = record("all_reduce", "ring", ranks=9).steps[0]
    assert repr(big) == "<Step: 9 transfers: 0→1 +8   1→2 +0   2→3 +1   3→4 +2   …>"


def test_a_recording_shows_its_page():
    found = SRCDOC.search(RING._repr_html_())
    text = html.unescape(found[1])
    assert text.startswith("<!DOCTYPE html>") and "Content-Security-Policy" in text
    assert "<title>Ring all-reduce, 4 ranks</title>" in text


def test_a_wrong_recording_shows_that_it_is_wrong():
    wrong = record([send(0, 1)], "<mine>", collective="all_reduce", ranks=2, slots=1)
    text = wrong._repr_html_()
    assert 'title="Wrong: &lt;mine&gt;"' in text and "<mine>" not in text
    assert "<h1>" not in text and "proved" not in text


def test_a_recording_that_cannot_be_drawn_says_why():
    many = record("all_reduce", "tree", ranks=5000)
    assert "5000 x" not in many._repr_html_() and "iframe" not in many._repr_html_()


def test_a_step_shows_its_transfers_and_their_lines():
    head, *body = rows(RING.steps[0]._repr_html_())
    assert head == ["from", "to", "slot", "into slot", "", "source"]
    assert body[0][:5] == ["0", "1", "3", "3", "adds"]
    assert len(body) == 4 and body[0][5].startswith("ring.py line ")
    wide = record("all_reduce", "flat", ranks=16).steps[0]
    body = rows(wide._repr_html_())
    assert len(body) == 66 and body[-1] == [f"… and {len(wide) - 64} more"]


def test_counters_show_their_totals():
    body = dict(rows(RING.counters._repr_html_()))
    assert body["steps"] == "6" and body["sent by the busiest node"] == "96 B"


def test_a_verdict_shows_its_sign_and_why():
    right = ElementTree.fromstring(RING.check()._repr_html_())
    assert "".join(right.itertext()) == f"✓ right {RING.check()}"
    wrong = record([send(0, 1)], collective="broadcast", ranks=3, slots=1).check()
    assert "".join(ElementTree.fromstring(wrong._repr_html_()).itertext()) == f"✗ wrong {wrong}"


def test_a_timing_shows_what_where_and_how_long():
    timing = collectives.time(record("all_reduce", "ring", ranks=8), "hgx-h100", size="1GiB")
    assert dict(rows(timing._repr_html_())) == {
        "timing": "",
        "schedule": "ring all-reduce, 8 ranks, 1 GiB",
        "machine": "hgx-h100",
        "time by the lockstep clock": "4.19 ms",
        "steps": "14",
        "busiest link": "rank 0 → switch 0: 1.75 GiB, in use for 99.7 % of the time",
    }
    alone = collectives.time(record("all_reduce", "ring", ranks=1))
    assert "busiest link" not in dict(rows(alone._repr_html_()))


def test_a_closed_form_shows_its_formula_and_letters():
    form = collectives.closed_form(RING)
    shown = "6 α + 1.5 S β = 2 (N-1) α + 2 (N-1)/N S β"
    assert repr(form) == f"<ClosedForm: {shown}>"
    body = dict(rows(form._repr_html_()))
    assert (body["time"], body["N"]) == (shown, "ranks")
    assert "γ" not in body
    adding = collectives.closed_form(RING, additions=True)
    assert dict(rows(adding._repr_html_()))["time"] == "6 α + 1.5 S β + 0.75 S γ"


def test_a_choice_shows_its_rule():
    choice = collectives.choose("nccl", "all_reduce", 8, "1MiB")
    body = dict(rows(choice._repr_html_()))
    assert (body["uses"], body["rule"]) == (choice.library_name, choice.rule)
    assert body["in this catalog"] == f"all-reduce {choice.row}"


def test_a_state_shows_whose_data_each_slot_holds():
    state = record("all_reduce", "ring", ranks=4).state(1)
    head, *body = rows(state._repr_html_())
    assert head == ["node", "slot 0", "slot 1", "slot 2", "slot 3"]
    for rank, cells in enumerate(body):
        for slot, text in enumerate(cells[1:]):
            assert text.split() == [str(r) for r in np.flatnonzero(state.times[rank, slot])]
    assert DARK.rank(3) in state._repr_html_()
    assert (
        "0 × 2" in record(doubled(), collective="reduce", ranks=2, slots=1).state(2)._repr_html_()
    )
    wide = record("all_reduce", "tree", ranks=100)
    last = rows(wide.state(len(wide.steps))._repr_html_())
    assert last[1] == ["0", "100 ranks"] and last[-1] == ["… and 36 more"]


def doubled():
    """Rank 0's data, twice, in rank 1."""
    yield collectives.reduce(0, 1)
    yield collectives.reduce(0, 1)


def test_a_topology_shows_its_drawing():
    drawing = ElementTree.fromstring(MACHINE._repr_svg_())
    found = {node.get("id") for node in drawing.iter()}
    assert {"node-0", "node-8", "link-0-8"} <= found
    assert (drawing.get("width"), drawing.get("height")) == ("960", "540")
    assert collectives.topology("torus-2d", 1 << 14)._repr_svg_() is None


def test_without_matplotlib_a_topology_is_a_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "animations.figures.machine", None)
    assert MACHINE._repr_svg_() is None
    monkeypatch.setitem(sys.modules, "animations.figures.still", None)
    with pytest.raises(NotInstalled, match=r"needs matplotlib .*; type: make -C \S+ setup"):
        RING.figure()


def test_a_page_is_written(tmp_path):
    path = RING.page(tmp_path / "ring.html", topology="ring", theme="light")
    assert path == tmp_path / "ring.html"
    assert 'data-theme="light"' in path.read_text()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_a_figure_is_drawn_and_written(tmp_path, suffix):
    path = RING.figure(2).save(tmp_path / f"ring{suffix}")
    start = path.read_bytes()[:100]
    assert any(mark in start for mark in (b"<?xml", b"\x89PNG", b"%PDF"))
    assert repr(RING.figure()) == "<Picture: ring all-reduce after step 6 of 6>"
    marks = RING.figure(2)._repr_svg_().count('id="mark-')
    assert marks == int((RING.state(2).times > 0).sum())


def test_a_film_is_rendered(tmp_path):
    path = record("broadcast", "tree", ranks=2).film(tmp_path / "film.png", quality="l")
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: RING.page("ring.pdf"), "a page is written as .html; try: ring.html"),
        (lambda: RING.page("ring.html", theme="drak"), "theme 'drak': unknown; did you mean dark"),
        (lambda: RING.page("ring.html", topology="tours"), "unknown topology 'tours'"),
        (lambda: RING.film("ring.avi"), "a film is written as .mp4 or .gif or .png"),
        (lambda: RING.film("ring.mp4", quality="x"), "quality x: must be one of l, m"),
        (lambda: RING.figure(7), "step 7: must be at most 6; try: 6"),
        (lambda: RING.figure().save("ring.gif"), "a figure is written as .svg or .png"),
    ],
)
def test_what_cannot_be_made_is_refused(make, problem, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=problem):
        make()
    assert not list(tmp_path.iterdir())


def test_a_wrong_recording_is_drawn_with_a_warning(tmp_path):
    wrong = record([send(0, 1)], "mine", collective="all_reduce", ranks=2, slots=1)
    with pytest.warns(UserWarning, match="ends wrong") as warned:
        path = wrong.page(tmp_path / "wrong.html")
    assert warned[0].filename == __file__
    assert "<title>Wrong: mine, 2 ranks</title>" in path.read_text("utf-8")
    with pytest.warns(UserWarning, match="ends wrong") as warned:
        picture = wrong.figure()
    assert repr(picture) == "<Picture: Wrong: mine, 2 ranks, after step 1>"
    assert warned[0].filename == __file__


def test_a_recording_saves_itself(tmp_path):
    RING.save(tmp_path / "ring.json")
    assert collectives.load(tmp_path / "ring.json").bytes_sent == RING.bytes_sent


def warmed(value):
    """The value, after everything that it may keep has been asked for."""
    for name, what in vars(type(value)).items():
        if isinstance(what, cached_property | property):
            getattr(value, name)
    if value is RING:
        value.state(2), value.levels(2), value.sizes(2)
    return value


@pytest.mark.parametrize("name", [n for n, v in VALUES.items() if dataclasses.is_dataclass(v)])
def test_a_copy_shares_no_cache_with_the_value_it_is_of(name):
    value = warmed(VALUES[name])
    copied = dataclasses.replace(value)
    given = {field.name for field in dataclasses.fields(value) if field.init}
    kept = {key: held for key, held in vars(value).items() if key not in given}
    assert not [key for key, held in vars(copied).items() if key in kept and kept[key] is held]


def test_there_are_caches_to_share():
    assert {"_replays", "precondition"} <= set(vars(warmed(RING)))
    assert "best" in vars(warmed(VALUES["ranking"]))
