"""Hostile files: each is refused in one line that names it, at once, and nothing in it is run."""

from pathlib import Path

import pytest
from each import each
from hostile_files import FILES, READERS
from runner import judged, sampled, title


@pytest.mark.parametrize("kind", FILES)
def test_a_hostile_file_is_refused_in_one_line(server, kind):
    @each("case", sampled(FILES[kind]), title, few=4)
    def refused(case):
        name, _, status, *needles = case
        line = READERS[Path(name).suffix].format(name)
        statuses = status if isinstance(status, list) else [status]
        judged(server, statuses, needles or [name] * (statuses == [2]), line=line)

    refused()


@each("case", sampled(FILES["machines"], 20), title)
def test_a_hostile_machine_is_not_drawn(server, case):
    name, _, status, *_ = case
    statuses = status if isinstance(status, list) else [status]
    judged(server, statuses, line=f"figure topology {name} -o machine.svg")


@each("case", sampled(FILES["logs"], 9), title, few=8)
def test_a_hostile_log_is_drawn_or_refused(server, case):
    judged(server, [0, 2], line=f"log {case[0]} -o log.svg")
