"""What a page with an editor holds: the text, the task for each number of ranks, and Python."""

from __future__ import annotations

import inspect
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from animations.phrases import Phrases
from animations.player.pack.editor_text import editor_text, parameters_of
from animations.player.pack.interpreter import interpreter
from animations.player.pack.library import library
from animations.player.pack.modules import packed
from animations.story.origins import goals_of, starts_of
from animations.story.storyboard import Storyboard
from collectives.catalog import NO_PARAMETERS, Row, Setting
from collectives.collective import Collective
from collectives.errors import BadInput
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import plural

TRIED = range(1, 18)  # numbers of ranks: odd and even ones, primes, and past a power of two


@dataclass(frozen=True)
class Trial:
    """A number of ranks to try: the arguments of the function, and what it has to do.

    task: as `taskFrom` of core/task.js takes it; None of the own ranks of a page of many.
    """

    ranks: int
    arguments: dict[str, Any]
    task: dict[str, Any] | None


@dataclass(frozen=True)
class Editing:
    """What an editor begins with: a text, the function in it that is called, and its trials."""

    text: str
    function: str
    trials: tuple[Trial, ...]

    def __repr__(self) -> str:
        """One line: the function, and how many numbers of ranks there are."""
        return f"<Editing: {self.function}, {len(self.trials)} numbers of ranks>"

    def as_json(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return asdict(self)


def editing_of_row(row: Row, setting: Setting, given: Mapping[str, int] = NO_PARAMETERS) -> Editing:
    """An algorithm of the catalog, at its setting and on each number of ranks that it accepts.

    Parameters
    ----------
    row : Row
        The algorithm.
    setting : Setting
        What the page shows.
    given : mapping
        Parameters that were chosen; others have the default of each number of ranks.

    Returns
    -------
    Editing
        Its source, from its file.

    Raises
    ------
    BadInput
        Where the function is put together of others, which the page cannot pass to it.
    """
    function = row.function_in(setting)
    if function is row.in_ways:
        raise BadInput(
            f"--edit: {row.title} is put together of parts here, which a page cannot pass on; "
            f"leave -p {' and -p '.join(sorted(each.name for each in row.takes if each.ways))} out"
        )
    text = Path(str(inspect.getsourcefile(function))).read_text("utf-8")
    trials = []
    for ranks in sorted({*TRIED, setting.ranks}):
        root = min(setting.root, ranks - 1)
        try:
            tried = row.setting(ranks, root, _chunks(row, setting), given)
        except BadInput:
            continue
        if row.function_in(tried) is function:
            sizes = row.chunk_count(tried), row.scratch(tried), row.nodes(tried)
            empty = _empty(row.promise_in(tried), ranks, root, *sizes)
            trials.append(Trial(ranks, _arguments(row, tried), _task_of(empty)))
    return Editing(editor_text(text, function.__name__), function.__name__, tuple(trials))


def editing_of_own(own: OwnAlgorithm, text: str, ranks: int, root: int) -> Editing:
    """Anybody's own function of all ranks, on the page's number of ranks and on the usual ones.

    Parameters
    ----------
    own : OwnAlgorithm
        The function, with what it promises.
    text : str
        All of its file.
    ranks, root : int
        What the page shows.

    Returns
    -------
    Editing
        The part of the file that it needs.

    Raises
    ------
    BadInput
        For a program of single ranks, or a file that cannot be read.
    """
    if own.per_rank:
        raise BadInput(f"--edit: {own.name} is the program of one rank; leave it out")
    shown, trials = editor_text(text, own.name), []
    names = parameters_of(shown, own.name)
    for tried in sorted({*TRIED, ranks}):
        at = min(root, tried - 1)
        try:
            promise = own.promise(tried)
            sizes = own.slots(tried), own.scratch(tried), own.nodes(tried)
            empty = _empty(promise, tried, at, *sizes)
        except BadInput:
            if tried == ranks:
                raise
            continue
        known = {"n": tried, "ranks": tried, "root": at, "chunks": own.chunks, **own.parameters}
        given = {name: known[name] for name in names if known.get(name) is not None}
        trials.append(Trial(tried, given, _task_of(empty)))
    return Editing(shown, own.name, tuple(trials))


def _task_of(recording: Recording) -> dict[str, Any] | None:
    """What a recording has to do, as `taskFrom` of core/task.js; None where the page knows it."""
    if recording.ranks not in TRIED:
        return None
    promise = recording.collective
    return {
        "nodes": recording.nodes,
        "ranks": recording.ranks,
        "slots": recording.slots,
        "promised": recording.promised_slots,
        "begins": starts_of(recording),
        "needs": tuple(goals_of(recording)),
        "exactly_once": promise.exactly_once,
        "at_home": promise.reduces and promise.required is None,
    }


def editor_blocks(editing: Editing | Sequence[Editing | None], say: Phrases, worker: str) -> str:
    """The elements that hold an editor in a page: what it begins with, its words, and Python.

    Parameters
    ----------
    editing : Editing or sequence
        What is edited; of several the elements are numbered.
    say : Phrases
        The language of the page.
    worker : str
        The script of the worker.

    Returns
    -------
    str
        Markup in which no text can begin any.
    """
    several = (
        {"editing": editing}
        if isinstance(editing, Editing)
        else {f"editing-{number}": each for number, each in enumerate(editing) if each}
    )
    blocks = {}
    for name, each in several.items():
        held = each.as_json() | {"words": say.section("editor")}
        blocks[name] = packed(json.dumps(held, separators=(",", ":")).encode())
    blocks["python"] = packed_python(worker)
    return "".join(
        f'<script type="text/plain" id="{name}">{content}</script>\n'
        for name, content in blocks.items()
    )


@cache
def packed_python(worker: str) -> str:
    """Python as a page has it: the length of the JSON, the JSON, and the program.

    The JSON is [the script of the worker, the library's files].
    """
    known = interpreter()
    script = f'(async () => {{"use strict";\n{known.script}\n{worker}}})();'
    text = json.dumps([script, library()], separators=(",", ":")).encode()
    return packed(struct.pack("<I", len(text)) + text + known.program)


def check_edited(board: Storyboard, editing: Editing | None) -> None:
    """Raise BadInput for an editor on a page that does not show each rank."""
    if editing is not None and board.task is None:
        what = f"a page of {plural(board.ranks, 'rank')} does not show what each holds"
        raise BadInput(f"--edit: {what}; try: -n 8")


def _chunks(row: Row, setting: Setting) -> int | None:
    return setting.chunks if "chunks" in row.parameters else None


def _empty(
    promise: Collective, ranks: int, root: int, slots: int, scratch: int, nodes: int | None
) -> Recording:
    """The recording of no step, which has the same task."""
    return record(
        [], collective=promise, ranks=ranks, root=root, slots=slots, scratch=scratch, nodes=nodes
    )


def _arguments(row: Row, setting: Setting) -> dict[str, Any]:
    """The arguments of the row's function by name; a routing table as its numbers."""
    function = row.function_in(setting)
    first, *further = inspect.signature(function).parameters
    known: dict[str, Any] = {"root": setting.root, "chunks": setting.chunks}
    known |= {"gpus": setting.gpus} | dict(setting.parameters)
    if "routing" in further:
        table = setting.routing
        choice = table.choice.tolist()
        routing = {"ranks": table.ranks, "experts": table.experts, "choice": choice}
        known["routing"] = routing
    return {first: setting.ranks} | {name: known[name] for name in further}
