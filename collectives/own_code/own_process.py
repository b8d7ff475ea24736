"""Runs somebody's own code in a process of its own: what comes back is data, and is proved here."""

from __future__ import annotations

import inspect
import json
import os
import selectors
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NoReturn, TypeVar

from collectives import time_limit
from collectives.errors import BadInput, WrongSchedule
from collectives.own_code.confined import Limits
from collectives.own_code.own import Function, find_function
from collectives.own_code.supervisor import LOST
from collectives.proof.own_algorithm import FunctionElsewhere
from collectives.recording.packed import typed, values
from collectives.recording.step_bytes import Message, StepReader
from collectives.schedule import Step
from collectives.schedule.pulling import Elsewhere
from collectives.unfinished import IS_POSIX
from collectives.units import size_text

STANDARD_ERROR = 2  # the number of its stream; input and output are before it
KINDS = (  # in the order of their numbers
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)
GLANCE = 0.1  # seconds between two looks at whether the process still runs
SPARE = 2.0  # seconds beyond the time limit, in which the process says itself where it was stopped
TO_END = 1.0  # seconds in which the process closes what own code has opened
TO_KILL = 20.0  # seconds in which its supervisor kills what own code has started, on a busy machine
PIECE = 1 << 16  # bytes that are read at least
PAUSE = 0.002  # seconds
INT = 4  # bytes of C's int
Thing = TypeVar("Thing")
DAMAGED = (BadInput, ValueError, TypeError, LookupError, ArithmeticError)  # reading such a message


@contextmanager
def own_function(
    words: str, limits: Limits | None = None
) -> Iterator[Function | FunctionElsewhere]:
    """The function that MODULE:FUNCTION or FILE.py:FUNCTION names, in a process of its own.

    In this process where the system forks none, as Windows: nothing then stops what never ends.
    With limits it is a new Python without anything of this one's memory, confined to the folder of
    its file. Raises BadInput where there is none, and WrongSchedule where importing it ends the
    process.
    """
    if not IS_POSIX:
        assert limits is None, "nothing confines own code in this process"
        yield find_function(words)
        return
    process = _OwnProcess(words, limits)
    try:
        yield process.start()
    finally:
        process.stop()


def refuse_unnamed(place: str) -> NoReturn:
    """Raise BadInput for a file without the name of a function, with one that is in it."""
    with own_function(place) as function:
        raise BadInput(f"{place}: name a function, as in {place}:{function.__name__}")


def _open_standard() -> None:
    """Open nothing as standard input, output and error where closed: no pipe takes their place."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        pass
    os.close(number)


class _OwnProcess:
    """The process, the pipes to it and from it, and how far it has come."""

    def __init__(self, words: str, limits: Limits | None) -> None:
        self._words, self._limits, self._sent = words, limits, 0
        self._pid = self._requests = self._replies = -1  # the process is the one that supervises
        self._status: int | None = None  # as `waitpid` gives it, once the process has ended
        self._number: int | None = None  # of steps that have come; None while it is imported
        self._busy = True  # with what it was asked last
        self._until = 0.0  # when patience with the message that is read ends
        self._left: int | None = None  # bytes in the pipe, once the process has ended

    def start(self) -> FunctionElsewhere:
        """Start the process, and find the function in it."""
        _open_standard()
        parent = os.getpid()
        requests, self._requests = os.pipe()
        self._replies, replies = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():  # of threads: ours only wait
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if not self._pid:
            from collectives.own_code.own_child import run_confined, serve

            os.close(self._requests)
            os.close(self._replies)
            if self._limits:
                run_confined(self._words, self._limits, requests, replies, parent)
            serve(self._words, os.fdopen(requests, "rb"), replies, parent)
        os.close(requests)
        os.close(replies)
        self._status, self._busy, self._number = None, True, None
        self._buffer, self._reader = bytearray(), StepReader(self._take)
        self._left = None
        return self._read(self._function)

    def stop(self) -> None:
        """End the process: where it waits for requests it does so by itself, else at once."""
        if self._pid < 0:
            return
        os.close(self._requests)
        if self._busy or not self._has_ended(TO_END):
            self._kill()
        os.close(self._replies)
        self._pid = -1

    def _call(self, arguments: Mapping[str, int | str], programs: int) -> Elsewhere:
        """Have the function called; raises what this raises, or gives its steps."""
        if self._busy:  # with steps that nobody wants any more
            self.stop()
            self.start()
        request = {"arguments": {name: int(value) for name, value in arguments.items()}}
        self._busy, self._number = True, 0
        with suppress(BrokenPipeError):  # it has ended, which reading will find
            os.write(self._requests, json.dumps(request | {"programs": programs}).encode() + b"\n")
        self._read(lambda message: None)
        return Elsewhere(lambda: self._read(self._step))

    def _function(self, message: Message) -> FunctionElsewhere:
        """The function that a message is about."""
        parameters = []
        for entry in typed(message, "parameters", list):
            name, kind, has_default, whole = values(entry)
            values([name, kind, has_default], str, int, bool)
            default = whole if has_default else inspect.Parameter.empty
            parameters.append(inspect.Parameter(name, KINDS[kind], default=default))
        self._busy = False
        name, line = (typed(message, key, str) for key in ("name", "first_yield"))
        return FunctionElsewhere(name, parameters, self._call, line)

    def _step(self, message: Message) -> Step | None:
        """The step that a message is about; None after the last."""
        if message["kind"] == "end":
            self._busy = False
            return None
        step = self._reader.step(message)
        self._number = (self._number or 0) + 1
        return step

    def _read(self, use: Callable[[Message], Thing]) -> Thing:
        """What becomes of the next message; raises what the process says is wrong."""
        try:
            self._be_patient()
            message = self._reader.message()
            self._be_patient()  # anew, with the columns
            if message["kind"] != "problem":
                return use(message)
            problem = self._reader.problem(message)
        except WrongSchedule:
            raise
        except DAMAGED as damage:
            raise self._lost(f"has sent what is no step ({damage}); try: yield it") from None
        self._busy = False
        raise problem

    def _take(self, size: int) -> bytes:
        """The next bytes that the process sends."""
        self._sent += size
        if self._limits and self._sent > self._limits.output:
            raise self._lost(f"has sent more than {size_text(self._limits.output)} of steps")
        while len(self._buffer) < size:
            self._wait()
            limit = max(size - len(self._buffer), PIECE)
            piece = os.read(self._replies, limit if self._left is None else min(limit, self._left))
            if not piece:
                raise self._lost(self._how_it_ended())
            self._buffer += piece
            self._left = None if self._left is None else self._left - len(piece)
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken

    def _be_patient(self) -> None:
        """Wait from now on for as long as own code may run, and then a little."""
        patience = time_limit.OWN_SECONDS + time_limit.PATIENCE * time_limit.AGAIN + SPARE
        self._until = time.monotonic() + patience

    def _wait(self) -> None:
        """Wait for bytes, or for the end of the process: one that it forked may keep the pipe."""
        import fcntl  # not on Windows, which runs own code without this process
        import termios

        with selectors.DefaultSelector() as selector:
            selector.register(self._replies, selectors.EVENT_READ)
            arrived = False
            while not arrived and self._left is None:
                arrived = bool(selector.select(GLANCE))
                if self._has_ended():
                    sizes = fcntl.ioctl(self._replies, termios.FIONREAD, bytes(INT))
                    self._left = int.from_bytes(sizes, sys.byteorder)
                elif time.monotonic() > self._until:
                    self._kill()
                    limit = f"{time_limit.OWN_SECONDS:g} s"
                    raise self._lost(f"has run for {limit} and is stopped; does it ever end?")

    def _lost(self, why: str) -> WrongSchedule:
        """That there will be no more steps, why, and where the process had come to."""
        if self._number is None:
            place = self._words.rpartition(":")[0] or self._words
            return WrongSchedule(f"{place}: importing it {why}")
        return WrongSchedule(f"step {self._number + 1}: own code {why}")

    def _how_it_ended(self) -> str:
        """How the process has ended, which sends nothing any more."""
        if not self._has_ended(TO_END):
            self._kill()
            return "has closed what its steps are sent through"
        code = os.waitstatus_to_exitcode(self._status or 0)
        if code < 0:
            return f"has ended its process by {signal.Signals(-code).name}"
        if code == LOST:
            return "has broken the process that it runs in"
        hint = "" if self._number is None else "; try: return"
        return f"has ended its process with exit status {code}{hint}"

    def _has_ended(self, seconds: float = 0) -> bool:
        """Whether the process ends within so many seconds."""
        until = time.monotonic() + seconds
        while self._status is None:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if ended:
                self._status = status
            elif time.monotonic() >= until:
                return False
            else:
                time.sleep(PAUSE)
        return True

    def _kill(self) -> None:
        """End the process, whatever it does, and all that it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):  # the second if own code stops the first
            if not self._has_ended():
                os.kill(self._pid, number)
                self._has_ended(TO_KILL)
