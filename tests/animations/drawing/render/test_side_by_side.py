"""Tasks in several processes: in order, with their problems, and none is left behind."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from animations.drawing.render import side_by_side as module
from animations.drawing.render.side_by_side import most_workers, side_by_side
from collectives.errors import BadInput


def touch(folder):
    """A task that leaves a file with the number of its process; the first takes longest."""

    def task(number):
        time.sleep(0.3 if number == 0 else 0.01)
        (folder / str(number)).write_text(str(os.getpid()))

    return task


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_all_tasks_are_done_and_told_in_order(tmp_path, workers):
    assert list(side_by_side(touch(tmp_path), 9, workers)) == list(range(9))
    processes = {(tmp_path / str(number)).read_text() for number in range(9)}
    assert len(processes) == workers
    assert (str(os.getpid()) in processes) == (workers == 1)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "problem", [OSError(28, "No space left on device"), BadInput("too many"), MemoryError("none")]
)
def test_a_problem_is_raised_here(workers, problem):
    def task(number):
        if number == 2:
            raise problem

    with pytest.raises(type(problem)) as raised:
        list(side_by_side(task, 5, workers))
    assert str(raised.value) == str(problem)
    assert not multiprocessing.active_children()


class UnsendableError(Exception):
    """It takes what its copy would not be given."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def test_a_problem_that_cannot_be_sent_is_described():
    def task(number):
        raise UnsendableError("salt", "pepper")

    with pytest.raises(RuntimeError, match="UnsendableError: salt and pepper"):
        list(side_by_side(task, 3, 2))


class Freed:
    """What leaves a file when it is freed, which only a collection of garbage does."""

    def __init__(self, folder):
        self.folder, self.itself = folder, self

    def __del__(self):
        (self.folder / f"freed by {os.getpid()}").touch()


def test_what_was_here_before_is_not_freed_there(tmp_path):
    """A filter of sound has threads that are not in a copy of the process, and would wait there."""
    Freed(tmp_path)
    assert list(side_by_side(lambda _: gc.collect() and None, 2, 2)) == [0, 1]
    assert not list(tmp_path.iterdir())
    gc.collect()
    assert [file.name for file in tmp_path.iterdir()] == [f"freed by {os.getpid()}"]


def test_a_process_that_is_killed_is_noticed():
    def task(number):
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(MemoryError, match="status -9"):
        list(side_by_side(task, 4, 2))
    assert not multiprocessing.active_children()


def test_who_stops_listening_stops_them():
    def task(number):
        time.sleep(0.01 if number == 0 else 60)

    numbers = side_by_side(task, 4, 2)
    assert next(numbers) == 0
    start = time.monotonic()
    numbers.close()
    assert time.monotonic() - start < 10
    assert not multiprocessing.active_children()


ORPHANS = r"""
import os, sys, time
from animations.drawing.render import side_by_side as module
from animations.drawing.render.side_by_side import side_by_side

if sys.argv[1] == "alone":  # the kernel does not end them: the end of their pipe does
    module.KILLED_WITH_PARENT = 3  # asks for a flag, and changes nothing

def task(number):
    os.write(1, f"{os.getpid()}\n".encode())
    time.sleep(0.2)

list(side_by_side(task, 1000, 2))
"""


@pytest.mark.parametrize("means", ["kernel", "alone"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_one_that_made_it(number, means):
    process = subprocess.Popen(
        [sys.executable, "-c", ORPHANS, means],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    children = set()
    while len(children) < 2:
        children.add(int(process.stdout.readline()))
    process.send_signal(number)
    process.wait(timeout=30)
    process.stdout.close()
    for _ in range(100):
        alive = [child for child in children if os.path.exists(f"/proc/{child}/exe")]
        if not alive:
            return
        time.sleep(0.1)
    raise AssertionError(f"{alive} go on")


def test_one_process_where_memory_is_short(monkeypatch):
    monkeypatch.setattr(module, "available_memory", lambda: 10**9)
    cores = len(os.sched_getaffinity(0))
    assert most_workers(10**8) == min(cores, 10)
    assert most_workers(6 * 10**8) == 1
    assert most_workers(10**12) == 1
