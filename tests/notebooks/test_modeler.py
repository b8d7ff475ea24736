"""The Modeler: its numbers are those of the clocks, it follows its sliders, live and saved."""

import html
import json
import re
import urllib.request
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from lazy import lazy
from playwright.sync_api import expect

import animations
from animations.notebook.modeler import CHOICES, STOPS, Modeler
from animations.notebook.saved import RUN, STATE, WIDGET
from animations.notebook.training_step import GPUS, MACHINES, RANKS, TrainingSetup, modeled
from animations.notebook.training_svg import HEIGHT, WIDTH, draw
from collectives import BadInput
from collectives.catalog import find_row
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.links import find_link

SETUPS = [(machine, name) for machine, model in MACHINES.items() for name in model.algorithms]
CELLS = (
    "from animations import Modeler\nmodeler = Modeler(ranks=64)\nmodeler",
    "modeler.ranks",
    "modeler.choose(machine='cluster', algorithm='hierarchical')",
)
TITLE = "[data-stepper] svg text"
LIVE = {"text/plain": "Modeler", "text/html": "<!-- the next output is this one, saved -->"}
DRAWN = """(output, key) => (output.innerHTML = `<div class="collectives-controls">
  <input type="range"></div><div data-stepper="${key}">a picture</div>`)"""


def timed(machine, name, ranks, size, link, clock):
    """The same by a clock that walks through the schedule."""
    gpus = min(GPUS, ranks)
    row, given = find_row("all_reduce", name), {"gpus": gpus} if name == "hierarchical" else {}
    if machine == "cluster" and name == "ring" and ranks > gpus:
        given = {"channels": gpus}  # a ring for each network card
    figures = find_link(link)
    more = {"latency": figures.latency, "bandwidth": figures.bandwidth}
    if machine == "cluster":
        more = {"gpus": gpus, "outside": link}
    recording = sized(row, ranks, size, parameters=given)
    return clock(recording, topology(machine, ranks, **more)).total


@pytest.mark.parametrize(("machine", "name"), SETUPS)
@pytest.mark.parametrize("link", ["ib-ndr", "ethernet-100"])
@pytest.mark.parametrize("clock", [lockstep, dataflow])
def test_a_sync_takes_what_the_clocks_say(machine, name, link, clock):
    figures = find_link(link)
    for ranks in (1, 2, 4, 8, 16, 64):
        setup = TrainingSetup(
            machine=machine,
            algorithm=name,
            ranks=ranks,
            bandwidth=figures.bandwidth,
            latency=figures.latency,
        )
        for size in (0, 64 * 1000, 64 * 1000 * 1000):
            wanted = timed(machine, name, ranks, size, link, clock)
            assert setup.sync(size) == pytest.approx(wanted, rel=1e-12), (ranks, size)


def test_a_step_is_compute_and_what_is_not_hidden():
    alone = modeled(TrainingSetup(ranks=8, buckets=1, latency=0.0))
    assert alone.sync == pytest.approx(2 * 7 / 8 * 14e9 / 50e9)
    assert alone.step == pytest.approx(1 + alone.sync)
    assert alone.efficiency == pytest.approx(1 / (1 + alone.sync))
    assert alone.bandwidths.busbw == pytest.approx(50e9)
    assert alone.sent == pytest.approx(2 * 7 / 8 * 14e9)
    parted = modeled(TrainingSetup(ranks=8, buckets=2, latency=0.0))
    assert parted.overlap.hidden == pytest.approx(alone.sync / 2)
    assert parted.overlap.exposed == pytest.approx(alone.sync / 2)
    assert (alone.forward + alone.backward, alone.backward) == pytest.approx((1, 2 * alone.forward))
    assert modeled(TrainingSetup(ranks=1)).step == 1
    assert modeled(TrainingSetup(ranks=1)).bandwidths is None


def test_buckets_are_all_of_the_gradient():
    model = modeled(TrainingSetup(parameters=1003, dtype="fp32", buckets=7))
    assert len(model.overlap.end) == 7
    slow = replace(model.setup, latency=0.0, bandwidth=1.0)
    assert modeled(slow).overlap.busy == pytest.approx(slow.sync(4012))


def test_curves_are_the_efficiencies():
    model = modeled(TrainingSetup(machine="cluster", algorithm="ring"))
    assert list(model.curves) == ["ring", "hierarchical"]
    for ranks, part in zip(RANKS, model.curves["hierarchical"], strict=True):
        assert part == model.on(ranks, "hierarchical").efficiency
    assert model.curves["ring"][RANKS.index(64)] == model.efficiency


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"ranks": 0}, "ranks 0"),
        ({"ranks": 8192}, "ranks 8192"),
        ({"ranks": 12, "machine": "cluster"}, "12 ranks: each node has 8; try: 8"),
        ({"machine": "clutser"}, "unknown machine 'clutser'; did you mean cluster?"),
        ({"algorithm": "tree", "machine": "cluster"}, "tree: a cluster is modeled with ring, "),
        ({"parameters": 0}, "parameters 0"),
        ({"parameters": 10**30}, "parameters 1"),
        ({"dtype": "bf61"}, "unknown number type 'bf61'; did you mean bf16?"),
        ({"bandwidth": 0.0}, "bandwidth 0"),
        ({"bandwidth": float("nan")}, "bandwidth nan"),
        ({"latency": -1.0}, "latency -1"),
        ({"compute": 0.0}, "compute 0"),
        ({"buckets": 0}, "buckets 0"),
        ({"buckets": 10**6}, "buckets 1000000"),
    ],
)
def test_what_cannot_be_timed_is_explained_in_one_line(given, problem):
    modeler = Modeler(**given)
    assert modeler.problem.lower().startswith(problem.lower())
    assert "\n" not in modeler.problem
    assert modeler.result is None
    assert html.escape(modeler.problem) in modeler._picture.value
    assert str(modeler) == modeler.problem
    modeler.choose(**{name: getattr(TrainingSetup, name) for name in CHOICES})
    assert (modeler.problem, modeler.result.setup) == ("", TrainingSetup())


def test_it_is_a_public_name():
    assert animations.Modeler is Modeler
    with pytest.raises(AttributeError, match="no attribute 'Modeller'"):
        _ = animations.Modeller


def test_sizes_may_be_given_with_units():
    modeler = Modeler(bandwidth="400Gb/s", latency="2us", compute="250ms")
    assert (modeler.bandwidth, modeler.latency, modeler.compute) == (50e9, 2e-6, 0.25)
    with pytest.raises(BadInput, match="bandwidth 50 has no unit"):
        Modeler(bandwidth="50")


def test_sliders_follow_the_traits_and_change_them():
    modeler = Modeler()
    controls = {control.description: control for control in modeler._box.children[0].children}
    assert {name: control.value for name, control in controls.items()} == vars(TrainingSetup())
    before = modeler._picture.value
    controls["ranks"].value = 512
    assert modeler.result.setup.ranks == modeler.ranks == 512
    assert modeler._picture.value != before
    modeler.ranks = 24  # no stop of the slider
    assert (controls["ranks"].value, modeler.result.setup.ranks) == (24, 24)
    modeler.ranks = 64
    controls["machine"].value = "cluster"
    assert (modeler.algorithm, controls["algorithm"].value) == ("ring", "ring")  # fits both
    assert controls["algorithm"].options == (("ring", "ring"), ("hierarchical", "hierarchical"))
    modeler.choose(machine="crossbar", algorithm="tree")
    controls["machine"].value = "cluster"  # which has no tree
    assert (modeler.problem, modeler.algorithm) == ("", "hierarchical")


def test_every_stop_of_every_slider_is_shown():
    for name, stops in STOPS.items():
        modeler = Modeler()
        (control,) = (c for c in modeler._box.children[0].children if c.description == name)
        for stop in stops:
            control.value = stop
            assert (modeler.problem, getattr(modeler.result.setup, name)) == ("", stop)


@pytest.mark.parametrize(
    "setup",
    [
        TrainingSetup(),
        TrainingSetup(ranks=1),
        TrainingSetup(buckets=1024),
        TrainingSetup(machine="cluster", algorithm="hierarchical", ranks=4096),
        TrainingSetup(algorithm="tree", parameters=10**12, dtype="fp32", bandwidth=1.25e9),
        TrainingSetup(parameters=10**6, compute=0.001, buckets=256, latency=1e-3),
    ],
)
def test_the_picture_says_the_numbers_and_stays_on_the_page(setup):
    model = modeled(setup)
    picture = ET.fromstring(draw(model))
    texts = [each.text for each in picture.iter() if each.tag.endswith("text")]
    assert str(model.gradient) in texts
    assert texts[0].startswith("A step takes ")
    for each in picture.iter():
        if each.tag.endswith("rect"):
            at, wide = float(each.get("x")), float(each.get("width"))
            assert 0 <= at <= at + wide <= WIDTH
        if each.tag.endswith("text"):
            assert 0 <= float(each.get("x")) <= WIDTH
            assert 0 < float(each.get("y")) < HEIGHT
    (hatched,) = [r for r in picture.iter() if r.get("data-part") == "exposed"] or [None]
    shown = float(hatched.get("width")) / 850 if hatched is not None else 0
    assert shown == pytest.approx(model.overlap.exposed / model.step, abs=2e-3)


def test_it_is_saved_as_a_picture_and_as_text():
    modeler = Modeler()
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', modeler._repr_html_())[1])
    assert f'<div id="picture">{draw(modeler.result)}</div>' in page
    assert modeler._frame()["text/plain"].startswith("A step takes 1.04 s: 96.6 % of it")
    modeler.buckets = 256
    assert len(modeler._repr_html_()) <= 125_000


def exported(modeler, path, **attributes):
    """The notebook as HTML, with the state of its widgets, and attributes of its body."""
    outputs = [
        lazy.nbformat.v4.new_output("display_data", data=data) for data in (LIVE, modeler._frame())
    ]
    notebook = lazy.nbformat.v4.new_notebook(
        cells=[lazy.nbformat.v4.new_code_cell("Modeler()", outputs=outputs)]
    )
    if not attributes:
        notebook.metadata["widgets"] = {STATE: {"version_major": 2, "state": {}}}
    text = lazy.nbconvert.HTMLExporter().from_notebook_node(notebook)[0]
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    path.write_text(text.replace('<body class="jp-Notebook"', f'<body class="jp-Notebook"{more}'))
    return path.as_uri()


def controls_of(page, modeler):
    """What is written over the controls, and whether they take clicks, once they are drawn."""
    page.locator(".jp-OutputArea-output").first.evaluate(DRAWN, modeler._key)
    controls = page.locator(".collectives-controls")
    said = controls.evaluate("(box) => getComputedStyle(box, '::before').content")
    slider = controls.locator("input").evaluate("(part) => getComputedStyle(part).pointerEvents")
    return said, slider


@pytest.mark.parametrize("draws_controls", [False, True])
def test_sliders_of_an_export_work_and_those_of_a_kernel_are_gray(draws_controls, tmp_path, window):
    """Offline it has the saved page; with a network it may draw the kernel's, which are dead."""
    modeler = Modeler()
    window.goto(exported(modeler, tmp_path / "exported.html"))
    if draws_controls:
        said, slider = controls_of(window, modeler)
        assert (RUN in said, slider) == (True, "none")
        assert not window.locator("iframe[data-saved]").is_visible()
    else:
        assert window.get_by_text(RUN).is_visible()
        picture = window.frame_locator("iframe[data-saved]").locator("svg text").first
        expect(picture).to_contain_text("A step takes 1.04 s")
        frame = window.frame_locator("iframe[data-saved]")
        frame.get_by_label("ranks", exact=True).fill(str(STOPS["ranks"].index(1)))
        expect(picture).to_contain_text("A step takes 1 s: 100 % of it is compute, no rank waits")


def test_sliders_live_in_voila_whose_page_looks_like_an_export(tmp_path, window):
    modeler = Modeler()
    voila = {"data_base_url": "/voila/", "data_voila": "voila"}  # as its template has them
    window.goto(exported(modeler, tmp_path / "voila.html", **voila))
    assert controls_of(window, modeler) == ("none", "auto")


def cell(page, number):
    return page.locator(".jp-CodeCell").nth(number)


def run(page, number):
    """Run a cell and wait until it has run."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell(page, number).locator(".jp-InputArea-prompt")).to_have_text(re.compile(r"\d"))


def drag(page, name, by):
    """Take the handle of a slider and move it, as people do."""
    handle = page.locator(".noUi-handle").nth(list(STOPS).index(name)).bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 21):
        page.mouse.move(x + by * k / 20, y)
    return page.mouse.up


def test_it_follows_a_drag_in_jupyterlab_and_stays_when_saved(lab, tab):
    address, folder = lab
    path = folder / "modelers.ipynb"
    notebook = lazy.nbformat.v4.new_notebook(
        cells=[lazy.nbformat.v4.new_code_cell(text) for text in CELLS]
    )
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
    lazy.nbformat.write(notebook, path)
    page = tab(path.name)
    page.set_viewport_size({"width": 1280, "height": 900})
    run(page, 0)
    title = page.locator(TITLE).first
    expect(title).to_have_text(re.compile("A step takes 1.04 s"))
    expect(page.locator("iframe[data-saved]")).to_be_hidden()
    release = drag(page, "ranks", 500)
    wanted = modeled(TrainingSetup(ranks=4096))
    expect(page.locator(TITLE).nth(1)).to_contain_text("4,096 ranks")  # while it is still held
    release()
    expect(title).to_contain_text(f"{100 * wanted.efficiency:.3g} % of it")
    run(page, 1)
    expect(cell(page, 1).locator(".jp-OutputArea-output")).to_have_text("4096")
    run(page, 2)
    expect(page.locator(TITLE).nth(1)).to_contain_text("nodes of 8 GPUs · hierarchical")
    page.locator(".jp-Toolbar").get_by_role("button", name="Save").click()
    for _ in range(300):
        if "nodes of 8 GPUs" in path.read_text("utf-8"):
            break
        page.wait_for_timeout(100)

    with urllib.request.urlopen(f"{address}/api/kernels") as kernels:
        for kernel in json.load(kernels):
            gone = urllib.request.Request(f"{address}/api/kernels/{kernel['id']}", method="DELETE")
            urllib.request.urlopen(gone).close()
    page = tab(path.name)
    saved = page.frame_locator("iframe[data-saved]").locator("svg text")
    expect(saved.nth(1)).to_contain_text("ranks · nodes of 8 GPUs · hierarchical")
    assert WIDGET in path.read_text()
    assert "model not found" not in page.locator(".jp-Notebook").inner_text()
