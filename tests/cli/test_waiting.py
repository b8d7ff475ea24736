"""What a waiting user is told, and that memory and own code end before patience does."""

import re
import subprocess
import sys
import threading

import pytest
from each import each

from animations.course.lecture import find_lecture, score_of_lecture
from animations.player import catalog
from collectives import ROWS, memory_limit, progress, time_limit
from collectives.cli import waiting
from collectives.errors import BadInput, WrongSchedule
from collectives.proof.check import check

SLOW = """
import time
from collectives import send

def slow_broadcast(n):
    for rank in range(1, n):
        time.sleep(0.9)
        yield send(0, rank)
"""
ENDLESS = """
from collectives import send, together

def silent_broadcast(n):
    yield send(0, 1)
    while True:
        pass

def deaf_broadcast(n):
    while True:
        try:
            n += 1
        except Exception:
            if n < 0:
                yield send(0, 1)

def inner_broadcast(n):
    yield from together(silent_broadcast(n))

def called_broadcast(n):
    while True:
        pass
"""


def command(*words, before="", folder="."):
    """The command in a process of its own, with some code before it begins."""
    start = f"from collectives.__main__ import main\nsys.argv[1:] = {words!r}\nmain()"
    code = f"import sys\n{before}\n{start}"
    line = [sys.executable, "-c", code]
    return subprocess.run(line, capture_output=True, text=True, cwd=folder, check=False)


def test_what_takes_long_says_so_and_how_long_it_will_take(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    often = "waiting.FIRST_IN_FILE = waiting.LONGEST_SILENCE = 0.5"
    soon = f"from collectives.cli import waiting\n{often}"
    words = ["run", "slow.py:slow_broadcast", "-n", "7", "--slots", "1"]
    done = command(*words, before=soon, folder=tmp_path)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    says = r"collectives: recording slow_broadcast on 7 nodes: .+ so far(, step [2-6])?"
    told = [re.fullmatch(says, line) for line in lines]
    assert any(one and one[1] for one in told), lines


def test_nothing_is_told_once_a_command_has_ended(tmp_path):
    (tmp_path / "stops.py").write_text(
        "def stops_broadcast(n):\n    raise KeyboardInterrupt\n    yield\n"
    )
    soon = (
        "import atexit, time\natexit.register(time.sleep, 1)\n"
        "from collectives.cli import waiting\nwaiting.FIRST_IN_FILE = 0.5"
    )
    done = command("run", "stops.py:stops_broadcast", before=soon, folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("stops_broadcast raised KeyboardInterrupt")


def test_what_is_quick_says_nothing():
    done = command("run", "broadcast", "ring")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still: clock[0] is what it shows; nothing is under way."""
    shows = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: shows[0])
    monkeypatch.setattr(progress, "current", progress.Progress())  # others may have left a walk
    monkeypatch.setattr(waiting, "_peak", lambda: 0)  # tests before this one may have taken much
    return shows


def test_the_time_that_is_left_is_that_of_the_parts_before(clock):
    walk = progress.counted(range(5), "recording", total=5)
    for number in range(3):
        assert next(walk) == number
        clock[0] += 10
    assert waiting._state(30) == "recording: 30 s so far, 40 % of 5 steps, about 20 s left"
    clock[0] += 100  # the third takes longer
    assert waiting._state(130) == "recording: 130 s so far, 40 % of 5 steps, about 20 s left"
    assert list(walk) == [3, 4]
    assert waiting._state(160) == "at work: 160 s so far"


def test_a_part_that_is_soon_done_does_not_stand_for_the_whole(clock):
    with progress.under_way("film.mp4", 412, "frames") as film:
        clock[0] = 2
        assert waiting._state(2) == "film.mp4: 2 s so far, 0 % of 412 frames"
        clock[0] = 20
        film.reach(153)
        steps = progress.counted(range(5), "executing", total=5)
        next(steps)
        said = "film.mp4: 20 s so far, 37 % of 412 frames, about 30 s left"
        assert waiting._state(20) == said
        clock[0] = 23
        assert waiting._state(23) == "executing: 23 s so far, 0 % of 5 steps"
        steps.close()
        assert waiting._state(20) == said
        film.reach(412)
        assert waiting._state(23).endswith("100 % of 412 frames")
    assert waiting._state(70) == "at work: 70 s so far"


def test_a_walk_that_ends_late_leaves_what_is_under_way_then(clock):
    with progress.under_way("page all-reduce ring"):
        late = progress.counted(range(5), "executing", total=5)
        next(late)
    assert waiting._state(8) == "at work: 8 s so far"
    with progress.under_way("film.mp4"):
        late.close()
        assert waiting._state(9) == "film.mp4: 9 s so far"
    assert waiting._state(10) == "at work: 10 s so far"


def test_a_walk_that_ends_before_its_part_leaves_that(clock):
    walk = progress.counted(range(5), "executing", total=5)
    next(walk)
    with progress.under_way("film.mp4"):
        walk.close()
        assert waiting._state(9) == "film.mp4: 9 s so far"
    assert waiting._state(10) == "at work: 10 s so far"


def test_what_has_no_name_is_not_told_of_what_has_just_begun(clock):
    with progress.under_way("page all-reduce ring"):
        assert waiting._state(8) == "page all-reduce ring: 8 s so far"
        with progress.under_way("preparing ring.html", 1, "algorithms"):
            assert waiting._state(8) == "page all-reduce ring: 8 s so far"
            clock[0] += 2
            assert waiting._state(10) == "preparing ring.html: 10 s so far"


@pytest.fixture
def told(monkeypatch, clock):
    """What would be told at any moment of a command: at each beginning, and each part that ends."""
    lines = []

    class Told(progress.Progress):
        def __init__(self, *given):
            super().__init__(*given)
            self.tell()

        def reach(self, done):
            super().reach(done)
            self.tell()

        def tell(self):
            clock[0] += 2
            before, progress.current = progress.current, self
            lines.append(waiting._state(clock[0]))
            progress.current = before

    monkeypatch.setattr(progress, "Progress", Told)
    return lines


TOLD = {
    "compare all-reduce ring tree -n 4 -q l -o x.png": (
        "timing ring and tree:",
        "preparing x.png:",
        "x.png:",
    ),
    "compare all-reduce ring tree -n 4 -o x.html": (
        "timing ring and tree:",
        r"preparing the page: .+ so far, 50 % of 2 algorithms, about .+ left",
        r"timing the recordings: .+ so far, 50 % of 2 recordings, about .+ left",
    ),
    "video all-reduce ring -n 4 -q l -o x.png": (
        "preparing x.png:",
        r"laying out the steps: .+ so far, 83 % of 6 steps, about .+ left",
        "x.png:",
    ),
    "page all-reduce ring -n 4 -o x.html": (
        "preparing x.html:",
        r"laying out the steps: .+ so far, 83 % of 6 steps, about .+ left",
        "packing x.html:",
        r"packing the steps: .+ so far, 83 % of 6 steps, about .+ left",
    ),
    "page all-reduce ring --also tree -n 4 -o x.html": (
        r"preparing x\.html: .+ so far, 50 % of 2 algorithms, about .+ left",
        "packing the recordings:",
    ),
    "gallery -n 2 -o x.html": (
        r"the catalog: .+ so far, 9\d % of \d+ recordings, about .+ left",
        r"packing the recordings: .+ so far, \d+ % of \d+ collectives, about .+ left",
    ),
    "figure time-size all-reduce -n 4 --size 1KiB-4KiB -o x.svg": (
        r"ranking all-reduce algorithms: .+ so far",
        r"timing \S+( and \S+)?: .+ so far, \d+ % of \d+ algorithms",
        r"timing \S+: .+ so far, \d+ % of \d+ sizes, about .+ left",
    ),
    "figure time-ranks all-reduce ring tree -n 2,3 -o x.svg": (
        r"timing ring: .+ so far, 50 % of 2 numbers of ranks, about .+ left",
    ),
    "figure bounds all-reduce -n 4 -o x.svg": (
        r"counting all-reduce algorithms: .+ so far, 9\d % of \d+ algorithms, about",
    ),
}


@each("line", TOLD, few=5)
def test_every_part_of_a_long_command_has_a_name(right, told, monkeypatch, line):
    monkeypatch.setenv("COLLECTIVES_CACHE", "")
    monkeypatch.setattr(catalog, "ROWS", ROWS[5::12])  # of which a gallery is made
    told.clear()
    right(line)
    assert told and not [text for text in told if text.startswith("at work")]
    first = line.partition(" -")[0]
    assert any(text.startswith(f"{first}: ") for text in told)
    for wanted in TOLD[line]:
        assert any(re.match(wanted, text) for text in told), (wanted, told)


def test_the_passages_of_a_lecture_are_counted(told):
    score_of_lecture(find_lecture("ring"), "en")
    says = r"preparing lecture ring: .+ so far, \d+ % of \d+ passages, about .+ left"
    assert any(re.match(says, text) for text in told), told


def test_a_user_hears_at_least_once_a_minute(clock, monkeypatch):
    said = []

    class Ended:
        def wait(self, seconds):
            clock[0] += seconds
            return clock[0] > 600

    monkeypatch.setattr(waiting, "ended", Ended())
    monkeypatch.setattr(waiting, "_say", said.append)
    monkeypatch.setattr(waiting.sys.stderr, "isatty", lambda: False, raising=False)
    waiting._tell()
    assert [int(line.split()[2]) for line in said] == [8, 16, 32, 64, *range(124, 600, 60)]


def test_much_memory_is_announced_before_it_is_taken(monkeypatch):
    said = []
    monkeypatch.setattr(progress, "announced", [said.append])
    monkeypatch.setattr(memory_limit, "available_memory", lambda: 1 << 33)
    memory_limit.check_memory(1 << 30, "a little")
    memory_limit.check_memory(1 << 32, "the proof")
    assert said == ["the proof: 4 GiB of memory will be taken; Ctrl-C stops it"]
    with pytest.raises(BadInput, match="the proof would take 16 GiB; 8 GiB are available"):
        memory_limit.check_memory(1 << 34, "the proof")


def test_memory_that_the_machine_does_not_have_ends_in_a_line(tmp_path):
    (tmp_path / "much.py").write_text(
        "import numpy\n\ndef much_broadcast(n):\n    yield numpy.ones(1 << 28)\n"
    )
    before = "from collectives.cli import waiting\nwaiting.available_memory = lambda: 1 << 29"
    done = command("run", "much.py:much_broadcast", before=before, folder=tmp_path)
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1
    assert "llocate" in done.stderr or "memory" in done.stderr


@pytest.mark.parametrize("name", ["silent", "deaf", "inner", "called"])
def test_own_code_that_never_yields_is_stopped_at_its_line(monkeypatch, tmp_path, name):
    monkeypatch.setattr(time_limit, "OWN_SECONDS", 0.3)
    monkeypatch.setattr(time_limit, "AGAIN", 0.05)
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS)
    spaces = {}
    exec(compile(ENDLESS, str(path), "exec"), spaces)
    verdict = check(spaces[f"{name}_broadcast"], ranks=2)
    assert not verdict
    assert "for 0.3 s and is stopped; does it ever end?" in str(verdict)
    assert "endless.py line " in str(verdict)


def test_importing_a_file_that_never_ends_is_stopped(tmp_path):
    (tmp_path / "never.py").write_text("while True:\n    pass\n")
    before = "from collectives import time_limit\ntime_limit.OWN_SECONDS = 0.3"
    done = command("check", "never.py:f", before=before, folder=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    said = "collectives: never.py line [12]: importing it has run for 0.3 s and is stopped"
    assert re.match(said, done.stderr)


def test_own_code_that_catches_everything_ends_the_process(tmp_path):
    (tmp_path / "deaf.py").write_text(
        "def deaf_broadcast(n):\n    while True:\n        try:\n            while True:\n"
        "                pass\n        except BaseException:\n            pass\n    yield\n"
    )
    before = "from collectives import time_limit as t\nt.OWN_SECONDS, t.AGAIN = 0.3, 0.05"
    done = command("run", "deaf.py:deaf_broadcast", before=before, folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "collectives: deaf_broadcast on 4 ranks, root 0: own code, which catches what would stop "
        "it, has not been yielded for 0.3 s and is stopped; does it ever end?\n"
    )


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("def f_broadcast(n):\n    return 'send'", 1, "it returned 'send'; it must yield steps"),
        (
            "async def f_broadcast(n):\n    return []",
            2,
            "f_broadcast: is async; try: def",
        ),
        (
            "def __getattr__(name):\n    1 / 0",
            1,
            "collectives: own.py line 3: importing it raised ZeroDivisionError: division by zero\n",
        ),
        (
            "def f_broadcast(n):\n  try:\n    yield 5\n  except Exception:\n    yield send(0, 1)",
            1,
            "5 is no step (own.py line",
        ),
    ],
)
def test_odd_own_code_ends_in_a_line(tmp_path, code, status, says):
    (tmp_path / "own.py").write_text("from collectives import send\n" + code)
    done = command("run", "own.py:f_broadcast", "-n", "2", "--slots", "1", folder=tmp_path)
    assert done.returncode == status
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_a_defect_of_ours_has_a_status_of_its_own():
    done = command(
        "run", "broadcast", "ring", before="from collectives.cli import run\nrun.say_report=1"
    )
    assert done.returncode == 4 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(
        "collectives: unforeseen TypeError: 'int' object is not callable ("
    )


def test_the_limit_is_gone_when_the_code_has_ended(monkeypatch):
    monkeypatch.setattr(time_limit, "OWN_SECONDS", 0.05)
    with time_limit.time_limit("it"):
        pass
    threading.Event().wait(0.15)
    with pytest.raises(WrongSchedule, match=r"it for 0\.05 s"), time_limit.time_limit("it"):
        threading.Event().wait(1)


def test_a_thread_has_no_limit(monkeypatch):
    monkeypatch.setattr(time_limit, "OWN_SECONDS", 0.01)
    done = []

    def work():
        with time_limit.time_limit("it"):
            threading.Event().wait(0.1)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done
