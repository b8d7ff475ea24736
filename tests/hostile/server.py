"""Runs cases, each in a fork of one process that has imported everything, and says how they end.

A case is a line of JSON on standard input: `words` of the command line, or `code` to evaluate. Its
fork ends as a process of its own would, with its own limits, and with whatever the interpreter
says while it is shut down. With `stop_at` it is killed at that event of the file system.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

GIB = 1 << 30
SPARE = 4 * GIB  # of address space, far beyond what a case may take: it protects the machine
FILES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate")
CLOCK = os.sysconf("SC_CLK_TCK")
WORKS = 0.02  # of a processor, at least, has what works on a busy machine
LONGEST = 100_000  # characters of an output that are handed on


def load(packages):
    """Import packages and all that is in them; what is not installed is left out."""
    for name in packages:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
            if not found.name.endswith(("__main__", ".film")) and ".film." not in found.name:
                importlib.import_module(found.name)


def status_pages():
    """Bytes of address space and of memory that this process has."""
    total, held, *_ = Path("/proc/self/statm").read_text().split()
    return int(total) * resource.getpagesize(), int(held) * resource.getpagesize()


def stop(case):
    """Have this process killed at the event of the file system with the number `stop_at`.

    A process that comes to its end before says in the file `events` how many there are.
    """
    seen, process = [0], os.getpid()  # not one of those it makes

    def watch(event, arguments):
        if event in FILES and not str(arguments[0]).endswith((".py", ".pyc", ".so")):
            if seen[0] == case["stop_at"]:
                os.kill(process, signal.SIGKILL)
            seen[0] += 1

    atexit.register(lambda: Path(case["events"]).write_text(str(seen[0])))
    sys.addaudithook(watch)


def evaluate(code):
    """Evaluate an expression, and print what it is, or what it raises, as JSON."""
    import numpy as np

    import animations
    import collectives

    names = {"np": np, "Path": Path, "collectives": collectives, "animations": animations}
    for package in (collectives, animations):
        names |= {name: getattr(package, name) for name in package.__all__ if name in code}
    *lines, last = code.strip().split("; ")
    try:
        for line in lines:
            exec(line, names)
        value = eval(last, names)
        problem = getattr(value, "problem", None)
        print(json.dumps({"value": str(value)[:1000], "problem": problem}))
    except Exception as problem:
        trace = problem.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        place = trace.tb_frame.f_code.co_filename
        kinds = [kind.__name__ for kind in type(problem).__mro__]
        print(json.dumps({"raised": kinds, "text": str(problem), "place": place}))


def work(case, replies):
    """Be the process of a case; returns only by SystemExit, or not at all."""
    os.setpgid(0, 0)
    os.close(replies)
    os.chdir(case["folder"])
    os.environ.update(case.get("environment", {}))
    tempfile.tempdir = None
    for number, name, mode in ((0, os.devnull, os.O_RDONLY), (1, "out", None), (2, "err", None)):
        path = name if mode is not None else case[name]
        flags = mode if mode is not None else os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (case["seconds"] + 1, case["seconds"] + 2))
    space = status_pages()[0] + SPARE
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    if "file_bytes" in case:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (case["file_bytes"], case["file_bytes"]))
    if "stop_at" in case:
        stop(case)
    if "code" in case:
        return evaluate(case["code"])
    sys.argv = ["collectives", *case["words"]]
    from collectives.__main__ import main
    from collectives.cli import waiting

    waiting.FIRST_IN_FILE = waiting.FIRST  # as in a terminal
    return main()


def leave(case, replies):
    """Be the process of a case without the end of the interpreter, which takes most of its time."""
    try:
        status = work(case, replies)
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        status = 1
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


def ends(handle, seconds):
    """Whether a process ends within so many seconds."""
    return bool(select.select([handle], [], [], seconds)[0])


def ends_working(pid, handle, seconds):
    """Whether a process ends; where the machine is busy, as long as it and what it started work."""
    before = 0.0
    while not ends(handle, seconds):
        now = worked(pid)
        if now < before + WORKS * seconds:
            return False
        before = now
    return True


def worked(pid):
    """Seconds of processor time of a process and of those that it has started."""
    states = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have ended
            states[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    family, size = {pid}, 0
    while len(family) > size:
        size = len(family)
        family |= {each for each, state in states.items() if int(state[1]) in family}
    return sum(int(t) for each in family & set(states) for t in states[each][11:15]) / CLOCK


def wait(pid, case):
    """How the process ended: its status or, negative, the signal, seconds, bytes and events."""
    handle = os.pidfd_open(pid)
    patience = case.get("stop_after", case["patience"])
    if "interrupt_after" in case and not ends(handle, case["interrupt_after"]):
        os.killpg(pid, signal.SIGINT)
    if "stop_after" in case:
        slow = not ends(handle, patience)
    else:
        slow = not ends_working(pid, handle, patience)
    if slow:
        os.killpg(pid, signal.SIGKILL)
    os.close(handle)
    _, status, used = os.wait4(pid, 0)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "slow": slow and "stop_after" not in case,
        "seconds": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * 1024 - status_pages()[1],
    }


def main():
    """Serve until standard input ends; in a fork, leave as the command line does."""
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    sys.path[0] = ""
    load(sys.argv[1:])
    replies = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    gc.collect()
    gc.freeze()
    print("ready", file=sys.stderr, flush=True)
    for line in iter(sys.stdin.readline, ""):
        case = json.loads(line)
        for name in ("out", "err"):  # it may be killed before it has made them
            Path(case[name]).touch()
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            if case.get("whole"):
                return work(case, replies)
            leave(case, replies)
        with suppress(OSError):  # before it may be killed with all that it starts
            os.setpgid(pid, pid)
        ended = wait(pid, case) | {"elapsed": time.monotonic() - began}
        for name in ("out", "err"):
            with open(case[name], "rb") as file:
                ended[name] = file.read(LONGEST).decode(errors="backslashreplace")
        os.write(replies, json.dumps(ended).encode() + b"\n")
    return None


if __name__ == "__main__":
    main()
