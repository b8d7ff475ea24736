"""A saved Modeler computes and draws in its page what Python computes and draws, kernel or not."""

import html
import json
import random
import re
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from animations.notebook.modeler import STOPS, Modeler
from animations.notebook.modeler_page import _picture
from animations.notebook.training_step import MACHINES, TrainingSetup, modeled
from animations.notebook.training_svg import draw, numbers, summary
from collectives import train

SCRIPT = Path(__file__).with_name("modeled.mjs")
USUAL = [(machine, name) for machine, model in MACHINES.items() for name in model.algorithms]


def setups(many):
    """The usual setup of each algorithm, then setups of stops drawn by lot."""
    dice = random.Random(28)
    yield from (TrainingSetup(machine=machine, algorithm=name) for machine, name in USUAL)
    yield TrainingSetup(ranks=1)
    yield TrainingSetup(latency=0.0, buckets=1)
    for _ in range(many):
        machine, algorithm = dice.choice(USUAL)
        drawn = {name: dice.choice(stops) for name, stops in STOPS.items()}
        dtype = dice.choice(["fp32", "bf16", "fp8"])
        yield TrainingSetup(machine=machine, algorithm=algorithm, dtype=dtype, **drawn)


def run(node, asked, ranks=64):
    given = {"picture": _picture(ranks), "setups": [vars(setup) for setup in asked]}
    ended = subprocess.run(
        [node, SCRIPT], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(ended.stdout)


def shapes(svg):
    """What is seen: each text with its place, each box, and how many strokes there are."""
    parts = list(ET.fromstring(svg).iter())
    texts = [
        (each.text, each.get("fill"), float(each.get("x")), float(each.get("y")))
        for each in parts
        if each.tag.endswith("text")
    ]
    boxes = [
        (each.get("fill"), *(float(each.get(side)) for side in ("x", "y", "width", "height")))
        for each in parts
        if each.tag.endswith("rect")
    ]
    ways = [each.get("d") for each in parts if each.tag.endswith("path")]
    return texts, boxes, ways


def same(one, other):
    """Whether two lists of shapes differ by no more than rounding."""
    assert len(one) == len(other)
    for left, right in zip(one, other, strict=True):
        for a, b in zip(left, right, strict=True):
            assert a == (pytest.approx(b, abs=0.02) if isinstance(b, float) else b), (left, right)


def test_the_page_has_pythons_numbers_and_draws_pythons_picture(node):
    asked = list(setups(60))
    for setup, found in zip(asked, run(node, asked), strict=True):
        step = modeled(setup)
        for name in ("step", "sync", "latency", "sent", "efficiency", "forward", "backward"):
            assert found["step"][name] == pytest.approx(getattr(step, name), rel=1e-12), name
        for name in ("exposed", "hidden", "busy"):
            wanted = pytest.approx(getattr(step.overlap, name), rel=1e-9, abs=1e-12)
            assert found["step"][name] == wanted, (name, setup)
        for name, curve in step.curves.items():
            assert found["curves"][name] == pytest.approx(curve, rel=1e-12)
        assert found["summary"] == summary(step)
        assert [tuple(row) for row in found["numbers"]] == numbers(step), setup
        page, python = shapes(found["svg"]), shapes(draw(step))
        same(page[0], python[0])
        same(page[1], python[1])
        assert len(page[2]) == len(python[2])


def test_the_page_has_the_numbers_of_train(node):
    """One source: what the page shows of a step is what `collectives train` says of it."""
    billion = 1 << 30
    report = train(
        billion, ranks=8, topology="crossbar", tokens=512, bucket=billion // 4, latency=2e-6
    )
    setup = TrainingSetup(billion, ranks=8, compute=report.compute, buckets=8, latency=2e-6)
    (found,) = run(node, [setup])
    (ddp,) = report.schemes
    assert found["step"]["exposed"] == pytest.approx(ddp.exposed)
    assert found["step"]["busy"] == pytest.approx(ddp.communication)
    assert found["step"]["sent"] == pytest.approx(ddp.sent)


def test_numbers_of_ranks_between_stops_are_there_where_an_algorithm_takes_them(node):
    base = TrainingSetup(ranks=24)
    tree, cluster = replace(base, algorithm="tree"), replace(base, machine="cluster")
    folded = replace(base, algorithm="rabenseifner")
    found = run(node, [base, tree, cluster, replace(base, ranks=25), folded], 24)
    assert [each is not None for each in found[:4]] == [True, True, True, False]
    for setup, each in zip((base, tree, cluster), found, strict=False):
        assert each["step"]["step"] == pytest.approx(modeled(setup).step)


def saved(modeler, path):
    """The page within a saved Modeler as a file."""
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', modeler._repr_html_())[1])
    path.write_text(page, "utf-8")
    return path.as_uri()


def test_sliders_of_the_saved_page_work_without_a_kernel(window, tmp_path):
    page, wrong = window, []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(saved(Modeler(), tmp_path / "modeler.html"))
    title = page.locator("svg text").first
    assert title.text_content() == summary(modeled(TrainingSetup()))
    labels = page.locator("label > span").all_text_contents()
    assert labels == list(vars(TrainingSetup()))
    stop = STOPS["ranks"].index(512)
    page.get_by_label("ranks", exact=True).fill(str(stop))
    assert title.text_content() == summary(modeled(TrainingSetup(ranks=512)))
    page.get_by_label("algorithm").select_option("tree")
    page.get_by_label("machine").select_option("cluster")  # which has no tree
    setup = TrainingSetup(ranks=512, machine="cluster", algorithm="hierarchical")
    assert title.text_content() == summary(modeled(setup))
    assert page.get_by_label("algorithm").input_value() == "hierarchical"
    page.get_by_label("dtype").select_option("fp8")
    assert title.text_content() == summary(modeled(replace(setup, dtype="fp8")))
    assert wrong == []
