"""Pages of causes and variables: what each makes of the time, asked of the tuner again."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from animations.site.advice import variables_of
from collectives.comparison.slow_causes import TABLE, modeled_causes
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.libraries.nccl.nccl_names import nccl_names
from collectives.units import time_text

LAUNCH = 27e-6  # seconds
GIB = 1 << 30


class Rows(HTMLParser):
    """The cells of all rows of a page's tables."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data.replace("\xa0", " ")


def rows_of(site, name):
    return Rows((site.folder / "work" / name).read_text("utf-8")).rows


def test_a_variable_stands_beside_the_time_without_what_it_leaves_out(site):
    rows = {tuple(row[:1]): row for row in rows_of(site, "variables.html")[:8]}
    machine = replace(hgx("H100"), without=("Ring", "NVLS", "NVLSTree", "PAT"))
    seconds = tuner.choose(machine, "all_reduce", GIB).candidate.seconds + LAUNCH
    assert rows["NCCL_ALGO=Tree",][4] == time_text(seconds)


def test_every_variable_of_nccl_is_in_the_table(site):
    names = {row[0] for row in rows_of(site, "variables.html")}
    assert {entry.name for entry in nccl_names().names if entry.kind == "variable"} <= names


def test_a_cause_of_slow_times_is_slower_and_has_its_next_step(site):
    rows = rows_of(site, "symptoms.html")
    steps = {row[0]: row[1] for row in rows if len(row) == 2}
    assert steps.items() >= TABLE.items()
    causes = [row for row in rows if len(row) == 7 and row[0] != "cause"]
    healthy = [row for row in causes if row[0] == "nothing is wrong"]
    assert len(healthy) == 2 and len(causes) > 20
    assert all(float(row[-1].split()[0]) > 1 for row in causes if row not in healthy)


def test_causes_of_known_extent_are_times_of_changed_machines():
    machine = hgx("H100", 2, 8, 8, 50.0)
    causes = dict(modeled_causes(machine, "all_reduce", 8, 50.0))
    usual = tuner.choose(machine, "all_reduce", GIB).candidate.seconds + LAUNCH
    assert causes[""](GIB) == pytest.approx(usual)
    off = replace(machine, without=("NVLS", "NVLSTree"))
    without = tuner.choose(off, "all_reduce", GIB).candidate.seconds + LAUNCH
    assert causes["NVSwitches do not add (NVLS is off)"](GIB) == pytest.approx(without)
    assert "an oversubscribed fabric" not in causes


def test_variables_are_those_that_the_next_step_unsets():
    assert variables_of("P2P is disabled: GPUs exchange through host memory") == "NCCL_P2P_DISABLE"
    assert variables_of("the network cards run at half their rate") == ""
