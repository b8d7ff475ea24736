"""Own code runs in a process of its own: nothing it does to that process makes a verdict right."""

import os
import signal
import subprocess
import sys
import time

import pytest
from each import each

from collectives import time_limit
from collectives.errors import WrongSchedule
from collectives.own_code import own_child
from collectives.own_code.own_process import own_function
from collectives.own_code.supervisor import LOST

MINE = '''
import os, sys, time
from collectives import send
from collectives.schedule.spmd import Recv, Send


def right_broadcast(n, root=0):
    """The root sends to all others."""
    for rank in range(1, n):
        # the root sends to the next
        yield send(root, (root + rank) % n)


def leaving_broadcast(n, root=0):
    print("leaving_broadcast: right in all 69 cases")
    sys.stdout.flush()
    os._exit(0)
    yield


def odd_sizes_all_gather(n):
    """Right on sizes that divide evenly only, and so asked again."""
    for rank in range(n):
        yield send(rank, [other for other in range(n) if other != rank], chunk=rank)
        yield send(0, 0, chunk=0, into=0)


def waiting_broadcast(rank, n, root=0):
    """All ranks receive first."""
    yield Recv((rank + 1) % n, 0)
    yield Send((rank + 1) % n, 0)


def leaving_ranks_broadcast(rank, n, root=0):
    """A program of one rank."""
    os._exit(0)
    yield Send(0, 0)


def writing_broadcast(n, root=0):
    global kept
    kept = open("steps.txt", "w")
    for rank in range(1, n):
        kept.write(f"to {rank}\\n")
        yield send(root, (root + rank) % n)


def forking_broadcast(n, root=0):
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        yield send(root, (root + 1) % n)  # one step more than there are
    for rank in range(1, n):
        yield send(root, (root + rank) % n)


def deaf_broadcast(n, root=0):
    print(os.getpid(), file=sys.stderr, flush=True)
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
    yield


def haunt():
    """Start processes that outlive this one: in its session, and in one of their own."""
    for leaves in (False, True):
        if os.fork():
            continue
        if leaves:
            os.setsid()
            if os.fork():
                os._exit(0)
        for number in range(3):
            os.close(number)
        with open("processes.txt", "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(60)
        os._exit(0)
    while not os.path.exists("processes.txt") or open("processes.txt").read().count("\\n") < 2:
        time.sleep(0.01)


def haunting_broadcast(n, root=0):
    haunt()
    for rank in range(1, n):
        yield send(root, (root + rank) % n)


def haunting_and_leaving_broadcast(n, root=0):
    haunt()
    os._exit(3)
    yield


def haunting_and_killed_broadcast(n, root=0):
    haunt()
    import signal
    os.kill(os.getpid(), signal.SIGUSR1)
    yield


def haunting_and_deaf_broadcast(n, root=0):
    haunt()
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
    yield


def trickle():
    """In a process that it forks, begin a long message, and send it byte by byte."""
    import gc
    pipe = next(one._replies for one in gc.get_objects() if type(one).__name__ == "_Child")
    if os.fork():
        return
    try:
        os.write(pipe, (1 << 27).to_bytes(8, "little"))
        for _ in range(1500):
            os.write(pipe, b" ")
            time.sleep(0.01)
        open("to the end.txt", "w").close()
    finally:
        os._exit(0)


def trickling_broadcast(n, root=0):
    trickle()
    time.sleep(0.1)
    os._exit(0)
    yield


def trickling_and_deaf_broadcast(n, root=0):
    import signal
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    trickle()
    time.sleep(20)
    yield


def breaking_broadcast(n, root=0):
    os._exit(70)
    yield


def sleeping_broadcast(n, root=0):
    import signal, time
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    print("asleep", file=sys.stderr, flush=True)
    while True:
        time.sleep(1)
    yield
'''
PATIENT = """from collectives import time_limit
from collectives.__main__ import main
time_limit.OWN_SECONDS = 600
main()
"""
VERBS = [
    "run S",
    "run S --json",
    "run S --counts-only",
    "check S",
    "check S --json",
    "time S --size 1MiB",
    "convert S out.json",
    "program S --for mpi4py",
    "launch S --backend mpi",
    "page S -o out.html",
    "figure picture S -o out.svg",
    "figure space-time S -o out.svg",
    "video S -o out.png",
]


@pytest.fixture
def own(collectives, folder):
    """The command line in a folder with such code."""
    (folder / "mine.py").write_text(MINE)
    return collectives


@each("line", VERBS, str, few=4)
def test_no_verb_lets_code_pass_that_leaves(own, line):
    for name in ("leaving_broadcast", "leaving_ranks_broadcast"):
        ended = own(line.replace("S", f"mine.py:{name} --slots 1 -n 3", 1))
        assert ended.status == 1 and "right" not in ended.out, ended
        said = f"collectives: {name} on 3 ranks, root 0: step 1: own code has ended its process"
        assert said in ended.err
        assert "with exit status 0" in ended.err


def test_a_file_that_leaves_while_it_is_imported(own, folder):
    (folder / "mine.py").write_text("import os\nos._exit(0)\n")
    for words in ("mine.py:f_broadcast", "mine.py"):
        ended = own(f"check {words}")
        assert (ended.status, ended.out) == (1, "")
        said = "mine.py: importing it has ended its process with exit status 0"
        assert ended.err.startswith(f"collectives: {said}")


IMPORTS = {  # what is said of a file whose import fails, by its text
    "x = 1\ny = 1 / 0\n": "mine.py line 2: importing it raised ZeroDivisionError: division by zero",
    "import sys\n\nsys.exit(3)\n": "mine.py line 3: importing it raised SystemExit: 3",
    "import min\n": (  # as the name of the module begins
        "mine.py line 1: importing it raised ModuleNotFoundError: No module named 'min'"
    ),
    "import json\njson.loads('')\n": (
        "mine.py line 2: importing it raised JSONDecodeError: "
        "Expecting value: line 1 column 1 (char 0)"
    ),
    "def at():\n    raise KeyError\n\nat()\n": "mine.py line 2: importing it raised KeyError",
    "import other\n": "mine.py line 1: importing it raised ZeroDivisionError: division by zero",
}


@each("text", IMPORTS, str)
@each("words", ["mine.py:f", "mine:f"], str)
def test_an_import_that_fails_is_explained_at_its_line(own, folder, words, text):
    (folder / "other.py").write_text("1 / 0\n")
    (folder / "mine.py").write_text(text)
    ended = own(f"check {words}")
    assert (ended.status, ended.err) == (1, f"collectives: {IMPORTS[text]}\n")


def test_what_own_code_prints_is_on_stderr(command, folder):
    (folder / "mine.py").write_text(MINE)
    ended = command("check mine.py:leaving_broadcast --json")
    assert ended.status == 1 and ended.json["ok"] is False
    assert "leaving_broadcast: right in all 69 cases\n" in ended.err
    (folder / "mine.py").write_text("import os\nos.write(1, b'hello\\n')\n" + MINE)
    ended = command("run mine.py:right_broadcast --slots 1 --json")
    assert ended.status == 0 and ended.json["correct"] is True
    assert ended.err == "hello\n"


def test_it_is_shown_as_if_it_ran_here(own):
    shown = own("run mine.py:right_broadcast --slots 1 -n 3")
    assert shown.status == 0
    assert "step 1 of 2: the root sends to the next" in shown.out
    assert "The root sends to all others" in shown.out
    ended = own("check mine.py:waiting_broadcast --slots 1 -n 3")
    assert "deadlock: rank 0 waits to receive chunk 0 from rank 1 (mine.py line 30)" in ended.err


def test_a_deadlock_keeps_who_waits_for_whom(own, folder):
    ended = own("page mine.py:waiting_broadcast --slots 1 -n 3 -o out.html")
    assert ended.status == 1 and "deadlock: rank 0 waits" in ended.err
    assert (folder / "out.html").exists()


def test_a_file_that_own_code_leaves_open_is_written(own, folder):
    assert own("run mine.py:writing_broadcast --slots 1 -n 3").status == 0
    assert (folder / "steps.txt").read_text() == "to 1\nto 2\n"


def test_a_process_that_own_code_forks_is_not_asked(own):
    report = own("run mine.py:forking_broadcast --slots 1 -n 3 --json").json
    assert (report["steps"], report["correct"]) == (2, True)


@each(
    ("name", "seconds", "said"),
    [
        ("trickling", 10, "own code has ended its process with exit status 0"),
        ("trickling_and_deaf", 2, "own code has run for 2 s and is stopped"),
    ],
)
def test_what_a_forked_process_sends_byte_by_byte_is_not_waited_for(
    own, folder, monkeypatch, name, seconds, said
):
    monkeypatch.setattr(time_limit, "OWN_SECONDS", seconds)
    monkeypatch.setattr(time_limit, "AGAIN", 0.1)
    ended = own(f"check mine.py:{name}_broadcast --slots 1 -n 3")
    assert ended.status == 1 and f"step 1: {said}" in ended.err
    assert not (folder / "to the end.txt").exists()


@each(
    ("name", "status", "said"),
    [
        ("haunting", 0, ""),
        ("haunting_and_leaving", 1, "own code has ended its process with exit status 3"),
        ("haunting_and_killed", 1, "own code has ended its process by SIGUSR1"),
        ("haunting_and_deaf", 1, "has not been yielded for 1 s and is stopped"),
    ],
)
def test_all_processes_that_own_code_started_end_with_the_command(
    own, folder, monkeypatch, name, status, said
):
    monkeypatch.setattr(time_limit, "OWN_SECONDS", 1)
    monkeypatch.setattr(time_limit, "AGAIN", 0.05)
    ended = own(f"run mine.py:{name}_broadcast --slots 1 -n 3")
    assert ended.status == status and said in ended.err
    assert not _left_alive(folder)


@each("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_all_processes_that_own_code_started_end_where_the_command_is_killed(folder, number):
    (folder / "mine.py").write_text(MINE)
    started = subprocess.Popen(
        [sys.executable, "-c", PATIENT, "check", "mine.py:haunting_and_deaf_broadcast"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    with started:
        until = time.monotonic() + 60
        while len(_written(folder)) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        started.send_signal(number)
        started.communicate(timeout=60)
    assert not _left_alive(folder, seconds=20)


def test_own_code_is_not_imported_where_it_is_proved(own):
    before = set(sys.modules)
    assert own("check mine.py:right_broadcast --slots 1 -n 3").status == 0
    assert not {name for name in set(sys.modules) - before if "mine" in name}


def test_control_c_ends_own_code_too(folder):
    (folder / "mine.py").write_text(MINE)
    started = subprocess.Popen(
        [sys.executable, "-m", "collectives", "run", "mine.py:sleeping_broadcast"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with started:
        assert started.stderr.readline() == "asleep\n"
        os.killpg(started.pid, signal.SIGINT)
        assert started.wait(60) == 130
        left = _is_left(started.pid, seconds=20)
        if left:
            os.killpg(started.pid, signal.SIGKILL)
        assert started.stderr.read() == "collectives: interrupted\n"
    assert not left, "own code still runs"


def test_own_code_whose_steps_nobody_wants_is_ended(folder, monkeypatch):
    (folder / "mine.py").write_text(MINE)
    started, fork = [], os.fork
    monkeypatch.setattr(os, "fork", lambda: started.append(fork()) or started[-1])
    with own_function(f"{folder}/mine.py:deaf_broadcast") as function:
        function.call({"n": 3}, 0)
    assert len(started) == 1 and not _runs(started[0])


def test_own_code_ends_when_what_started_it_is_killed(folder):
    (folder / "mine.py").write_text(MINE)
    started = subprocess.Popen(
        [sys.executable, "-c", PATIENT, "check", "mine.py:deaf_broadcast"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    with started:
        own = int(started.stderr.readline())
        started.kill()
        try:
            assert started.communicate(timeout=20)[1] == "", "own code still runs"
        except subprocess.TimeoutExpired:
            os.kill(own, signal.SIGKILL)
            raise


def test_own_code_ends_where_nobody_reads_why_it_is_stopped(monkeypatch):
    class Left(BaseException):
        pass

    def leave(status):
        raise Left(status)

    monkeypatch.setattr(time_limit, "give_up", [])
    monkeypatch.setattr(own_child.os, "_exit", leave)
    replies, gone = os.pipe()
    os.close(replies)
    child = own_child._Child(gone)
    with pytest.raises(Left, match=str(LOST)):
        child._leave(WrongSchedule("has run for 10 s"))
    os.close(gone)


@each("closed", ["<&- >&-", ">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"], str, few=2)
def test_closed_streams_make_no_algorithm_wrong(folder, closed):
    (folder / "mine.py").write_text(MINE)
    line = "-m collectives check mine.py:right_broadcast --slots 1 -n 3"
    done = subprocess.run(
        ["sh", "-c", f'"$0" {line} {closed}', sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_that_is_broken_is_said_to_be(own):
    ended = own("check mine.py:breaking_broadcast --slots 1 -n 3")
    assert ended.status == 1
    assert "step 1: own code has broken the process that it runs in" in ended.err


def _is_left(group, seconds):
    """Whether some process of a group still runs after so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.01)
    return True


def _written(folder):
    """The processes that `haunt` has started."""
    path = folder / "processes.txt"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def _left_alive(folder, seconds=0):
    """Those of them that still run after so many seconds: they are ended here."""
    left, until = _written(folder), time.monotonic() + seconds
    assert len(left) == 2
    (folder / "processes.txt").unlink()
    while (left := list(filter(_runs, left))) and time.monotonic() < until:
        time.sleep(0.01)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left


def _runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
