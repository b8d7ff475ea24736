"""What is known of the memory where a system says less than Linux does."""

import os
import sys

import pytest

from collectives import memory_limit
from collectives.errors import BadInput


@pytest.fixture
def only(monkeypatch):
    """Let the system know only these names, and no file of /proc or of a control group."""

    def choose(**values):
        monkeypatch.setattr(memory_limit, "_read", lambda path: "")
        monkeypatch.setattr(os, "sysconf", lambda name: values.get(name) or os_raises(name))

    def os_raises(name):
        raise ValueError(f"unrecognized configuration name {name}")

    return choose


def test_free_pages_count_where_the_system_counts_them(only):
    only(SC_AVPHYS_PAGES=10, SC_PHYS_PAGES=100, SC_PAGE_SIZE=4096)
    assert memory_limit.available_memory() == 40960


def test_all_pages_count_where_free_ones_are_not_counted(only):
    only(SC_PHYS_PAGES=100, SC_PAGE_SIZE=4096)
    assert memory_limit.available_memory() == 409600


def test_without_any_figure_nothing_is_refused(only, monkeypatch):
    only()
    memory_limit.check_memory(1 << 60, "it")
    monkeypatch.delattr(os, "sysconf")
    assert memory_limit.available_memory() == sys.maxsize


def test_what_cannot_fit_is_refused(only):
    only(SC_PHYS_PAGES=1 << 13, SC_PAGE_SIZE=4096)
    with pytest.raises(BadInput, match="it would take 64 MiB; 32 MiB are available"):
        memory_limit.check_memory(1 << 26, "it")
