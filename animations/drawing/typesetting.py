"""Typst in a process of its own: its threads would be missing in the workers that draw films.

A film is drawn by processes that are forks of this one. Typst computes on threads, which a fork
does not have, so that a fork of a process that has used it waits for them for ever.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from importlib.util import find_spec

SERVER = """
import json, sys, typst
for line in sys.stdin:
    pages = typst.compile(json.loads(line).encode(), format="svg")
    pages = pages if isinstance(pages, list) else [pages]
    print(json.dumps([page.decode() for page in pages]), flush=True)
"""


class Typesetter:
    """The process in which Typst runs; it ends with the one that asks it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt is not for it
            text=True,
            encoding="utf-8",
        )
        atexit.register(self.close)

    def pages(self, source: str) -> list[str]:
        """The pages of a document as SVG; raises RuntimeError where Typst refuses it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            _typesetters.clear()  # as it has ended
            raise RuntimeError(f"Typst does not set {source!r}")
        pages: list[str] = json.loads(answer)
        return pages

    def close(self) -> None:
        """End the process, in the one that began it."""
        if os.getpid() == self.owner:
            self._process.communicate()


_typesetters: dict[int, Typesetter] = {}  # by the process that asks


def is_there() -> bool:
    """Whether Typst is installed."""
    return find_spec("typst") is not None


def pages(source: str) -> list[str]:
    """The pages of a document in Typst's notation as SVG; raises RuntimeError for a wrong one."""
    asking = os.getpid()
    if asking not in _typesetters:
        _typesetters.clear()  # those of the process that this one is a fork of
        _typesetters[asking] = Typesetter()
    return _typesetters[asking].pages(source)
