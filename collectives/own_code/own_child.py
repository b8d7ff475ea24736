"""The process that runs somebody's own code: it imports, calls and pulls, and sends data alone."""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from collectives import time_limit
from collectives.errors import CollectivesError, WrongSchedule
from collectives.own_code.confined import Limits, confine, python_folders
from collectives.own_code.own import find_function
from collectives.own_code.supervisor import LOST, end_with, supervised
from collectives.proof.own_algorithm import first_yield, parameters_of, steps_of
from collectives.recording.step_bytes import StepWriter
from collectives.schedule.pulling import described, explained, pulled
from collectives.schedule.validate import check_columns, step_location

ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}


def serve(
    words: str, requests: BinaryIO, replies: int, parent: int, confined: Callable[[], object] = bool
) -> NoReturn:
    """Be that process, from a fork by `parent` on, until there are no more requests.

    Another process supervises it, see `supervised`. confined: what confines it.
    """
    status = LOST
    try:
        end_with(supervised(parent, requests.fileno(), replies), signal.SIGKILL)
        _be_alone()
        confined()
        child = _Child(replies)
        function = child.found(words)
        if function is not None:
            for line in requests:
                child.answer(function, **json.loads(line))
            getattr(function, "__globals__", {}).clear()  # closes what it has opened
            gc.collect()
        sys.stdout.flush()
        status = 0
    finally:  # whatever was raised: nothing of the process that was forked may be run
        os._exit(status)


def run_confined(words: str, limits: Limits, requests: int, replies: int, parent: int) -> NoReturn:
    """Become a new Python, which serves so: without memory, files, settings and streams of ours."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        for number in (requests, replies):
            os.set_inheritable(number, True)
        request = [str(Path(words).parent), Path(words).name, requests, replies, parent]
        folders = python_folders()
        text = json.dumps([*request, astuple(limits), folders])
        home = str(Path(__file__).parents[2])
        code = (
            f"import sys; sys.path[:] = [{home!r}, *{folders!r}]\n"
            "from collectives.own_code.own_child import main; main(sys.argv[1])"
        )
        os.execve(sys.executable, [sys.executable, "-I", "-c", code, text], ENVIRONMENT)
    finally:
        os._exit(LOST)


def main(request: str) -> NoReturn:
    """What that new Python does: it serves in the folder of the file, which alone it may read."""
    folder, words, requests, replies, parent, limits, folders = json.loads(request)
    del sys.path[0], sys.argv[1:]
    os.chdir(folder)
    allowed = Limits(*limits)
    time_limit.OWN_SECONDS = allowed.step_seconds
    confined = partial(confine, allowed, [*folders, folder])
    serve(words, os.fdopen(requests, "rb"), replies, parent, confined)


def _be_alone() -> None:
    """Leave standard output and Ctrl-C to the process that proves and prints."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.unraisablehook = lambda raised: None  # of own code that is thrown away
    os.dup2(2, 1)
    for name in ("stdout", "stderr"):
        stream = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


class _Child:
    """What is sent to the process that asks."""

    def __init__(self, replies: int) -> None:
        self._replies, self._process, self._writer = replies, os.getpid(), StepWriter()
        time_limit.give_up[:] = [self._leave]

    def found(self, words: str) -> Callable[..., Any] | None:
        """Find the function and say what its parameters are; None where there is none."""
        try:
            function = find_function(words)
            parameters = [_plain(parameter) for parameter in parameters_of(function).values()]
            name = str(function.__name__)
            about = {"name": name, "parameters": parameters, "first_yield": first_yield(function)}
            self._send(self._writer.message("function", **about))
        except CollectivesError as problem:  # which says where
            self._send(self._writer.problem(problem))
            return None
        except BaseException as problem:
            self._refuse(problem, None)
            return None
        return function

    def answer(
        self, function: Callable[..., Any], arguments: dict[str, int], programs: int
    ) -> None:
        """Call the function and send the steps that it gives, then that they are all."""
        try:
            steps = steps_of(function, arguments, programs)
            self._send(self._writer.message("began"))
            for number, step in enumerate(pulled(steps, own=True), 1):
                try:
                    check_columns(step)
                except WrongSchedule as problem:
                    where = step_location(number, step)
                    raise WrongSchedule(f"{where}: {problem}") from None
                self._send(self._writer.step(step))
            self._send(self._writer.message("end"))
        except BaseException as problem:
            self._refuse(problem, function)
        with suppress(Exception):  # own code may have closed or replaced it
            sys.stdout.flush()

    def _refuse(self, problem: BaseException, function: object) -> None:
        located = explained(problem, function)
        if not isinstance(located, CollectivesError):
            located = WrongSchedule(f"own code raised {described(problem)}")
        self._send(self._writer.problem(located))

    def _leave(self, problem: WrongSchedule) -> None:
        """Leave at once: own code catches what would stop it."""
        text = f"own code, which catches what would stop it, {problem}"
        try:
            self._send(self._writer.problem(WrongSchedule(text)))
        finally:  # own code would also catch that nobody reads
            os._exit(LOST)

    def _send(self, data: bytes) -> None:
        if os.getpid() != self._process:
            os._exit(LOST)  # a process that own code has forked is not asked
        left = memoryview(data)
        while left:
            left = left[os.write(self._replies, left) :]


def _plain(parameter: inspect.Parameter) -> list[Any]:
    """A parameter as plain values: its name, its kind, whether it has a default, that if whole."""
    default = parameter.default
    optional = default is not parameter.empty
    whole = int(default) if isinstance(default, int) else None
    return [parameter.name, int(parameter.kind), optional, whole]
