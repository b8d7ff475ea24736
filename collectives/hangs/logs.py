"""`collectives.log`: what files of a job say, whose calls differ first, then how NCCL is set up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collectives.errors import BadInput
from collectives.files import source_of
from collectives.formats.nccl_log.log import read_log
from collectives.formats.nccl_log.log_report import LogReport
from collectives.hangs.hang_report import UNKNOWN, HangReport
from collectives.hangs.judge import judge
from collectives.hangs.reading import read_evidence
from collectives.recording.recording import Recording
from collectives.text_lines import Lines
from collectives.words import quoted


@dataclass(frozen=True, repr=False)
class LogsReport:
    """What the files say: of calls that hang, and of NCCL's rings, trees and connections.

    hang: None where no file has calls. setup: None where no file is a log of NCCL_DEBUG=INFO.
    """

    path: str
    hang: HangReport | None = None
    setup: LogReport | None = None

    @property
    def status(self) -> int:
        """The exit status: 0 nothing wrong, 1 a hang or a mismatch."""
        return self.hang.status if self.hang else 0

    def __repr__(self) -> str:
        """One line."""
        parts = [repr(self.hang)] if self.hang else []
        if self.setup:
            parts.append(f"<NCCL log: {self.setup.log.largest}>")
        return f"<LogsReport {' '.join(parts)}>"

    def recording(self, algorithm: str = "ring") -> Recording:
        """The rings or the trees of NCCL's log, executed; raises BadInput where there is none."""
        return self.explained().recording(algorithm)

    def explained(self) -> LogReport:
        """What NCCL's own log says; raises BadInput where no file is one."""
        if self.setup is None:
            name = quoted(self.path)
            raise BadInput(f"{name}: names no rings or trees; try: a log with NCCL_DEBUG=INFO")
        return self.setup

    def lines(self) -> Lines:
        """Findings first, then what NCCL's log says."""
        if self.hang:
            yield from self.hang.lines()
        if self.hang and self.setup:
            yield ""
        if self.setup:
            yield from self.setup.lines()

    def as_json(self) -> dict[str, Any]:
        """The same as values: NCCL's log as names of their own, all else under "hang"."""
        setup = self.setup.as_json() if self.setup else {}
        return {**setup, **({"hang": self.hang.as_json()} if self.hang else {})}


def log(*paths: str | Path) -> LogsReport:
    """Say who hangs, whose call differs, who is missing; and how NCCL is set up.

    `collectives log` in Python. The format of each file is told by its content.

    Parameters
    ----------
    *paths : str or Path
        Files of one job, in any order: logs with lines of PyTorch's NCCL watchdog, dumps of its
        Flight Recorder (JSON or pickle, the rank at the end of each name), outputs of `ncclras`
        (text or `-f json`; of several the later is compared with the one before), and logs of
        NCCL_DEBUG=INFO, with NCCL_DEBUG_SUBSYS=INIT,COLL also of calls.

    Returns
    -------
    LogsReport
        `hang` with its `verdict` and `findings`, `setup` with NCCL's rings and connections;
        `status`, `recording()`, `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For a file of none of these formats, or one that is broken. Nothing in a pickle is imported
        or called.

    Examples
    --------
    >>> log("missing.log")
    Traceback (most recent call last):
    collectives.errors.BadInput: missing.log: no such file; name an existing file
    """
    if not paths:
        raise BadInput("log(): names no file; try: log('nccl.log')")
    names = [str(source_of(path)) for path in paths]
    evidence, infos = read_evidence(names)
    hang = HangReport(evidence, judge(evidence)) if evidence.kinds else None
    setup = _setup(infos, hang)
    if setup is None and (hang is None or hang.verdict == UNKNOWN):
        raise BadInput(f"{quoted(names[0])}: cannot say: no line names a call of a rank")
    return LogsReport(names[0], hang, setup)


def _setup(infos: Sequence[str], hang: HangReport | None) -> LogReport | None:
    """What logs of NCCL say; beside calls they may have too little to be explained."""
    if not infos:
        return None
    try:
        return LogReport(read_log(*infos), infos[0])
    except BadInput:
        if hang is None:
            raise
        return None
