"""Prints a recording as a program of its own: what each rank does, with mpi4py or torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from collectives.collective import Cells
from collectives.errors import BadInput, TooLarge
from collectives.recording.payload import is_float
from collectives.recording.rank_program import RankOperation, rank_programs
from collectives.recording.recording import Recording
from collectives.schedule.provenance import caption
from collectives.values import one_of
from collectives.words import listed, plural, printable

PYTHON = "python3"
LIBRARIES = {
    "mpi4py": "mpirun -n {nodes} {python} {file}",
    "torch": "{python} -m torch.distributed.run --nproc-per-node {nodes} {file}",
}
NEEDS = {"mpi4py": ("mpi4py", "numpy"), "torch": ("torch",)}  # modules of the Python that runs it
INSTALL = {
    "mpi4py": "apt-get install openmpi-bin python3-mpi4py python3-numpy",
    "torch": "pip install torch",
}
MAX_OPERATIONS = 1 << 16  # lines of a program
OPERATORS = {
    "mpi4py": {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum", "avg": "add"},
    "torch": {"sum": "add", "prod": "mul", "min": "minimum", "max": "maximum", "avg": "add"},
}
TYPES = {
    "mpi4py": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    "torch": ["int8", "int16", "int32", "int64", "uint8"],
}
FLOATS = ["float16", "float32", "float64"]


def printed(recording: Recording, library: str, file: str, python: str = PYTHON) -> str:
    """The text of a program that does the same on real ranks.

    Parameters
    ----------
    recording : Recording
        Of any schedule that reads no empty slot.
    library : str
        "mpi4py" or "torch".
    file : str
        The name under which the text says how it is run.
    python : str
        The Python that is named there.

    Returns
    -------
    str
        A file of Python: a function for each rank, with a line for each operation.

    Raises
    ------
    BadInput
        For another library, a dtype it does not have, and for more lines than anybody reads.
    WrongSchedule
        Where an empty slot is read.
    """
    _check(recording, one_of("library", library, LIBRARIES))
    template = Path(__file__).with_name("templates") / f"{library}.txt"
    text = template.read_text("utf-8")
    for name, value in _values(recording, library).items():
        text = text.replace(f"@{name}@", str(value))
    names = {"python": printable(python), "file": printable(file)}
    run = LIBRARIES[library].format(nodes=recording.nodes, **names)
    needs = f"It needs a Python with {listed(NEEDS[library])}: {INSTALL[library]}"
    head = f"# {printable(recording.heading)} on {plural(recording.ranks, 'rank')}: "
    head += f"{recording.promise[:1].lower()}{recording.promise[1:]}\n"
    head += f"# Run it: {run}\n# {needs}\n\n"
    return head + text.replace("@PROGRAMS@", "\n\n".join(_programs(recording)))


def _check(recording: Recording, library: str) -> None:
    """Raise BadInput for a dtype that a library does not have, and for too many operations."""
    kind, known = recording.dtype.name, TYPES[library] + FLOATS
    if kind not in known:
        raise BadInput(f"dtype {kind}: {library} has none; try: --dtype {known[-2]}")
    lines = 2 * recording.counters.messages
    if lines > MAX_OPERATIONS:
        raise TooLarge(
            f"{recording.title} on {plural(recording.ranks, 'rank')}: a program of {lines} "
            f"operations; at most {MAX_OPERATIONS} are printed",
            "fewer ranks (-n)",
        )


def _values(recording: Recording, library: str) -> dict[str, object]:
    """What stands in the template of a library in the place of each name."""
    return {
        "NODES": recording.nodes,
        "RANKS": recording.ranks,
        "COUNT": recording.count,
        "SIZES": _listed([int(size) for size in recording.size]),
        "KIND": recording.dtype.name,
        "OPERATOR": OPERATORS[library][recording.op],
        "SCALE": " / 10" if is_float(recording.dtype) else "",
        "STARTS": _cells(recording.precondition, recording.nodes),
        "ENDS": _cells(recording.postcondition, recording.nodes),
        "DIVIDED": "result / RANKS" if recording.op == "avg" else "result",
    }


def _programs(recording: Recording) -> Iterator[str]:
    """A function for each rank, then the list of them."""
    captions = [""]
    for step in recording.steps:
        said_of = dict.fromkeys(map(caption, step.stamps))
        captions.append(
            ": " + printable(next(iter(said_of))) if len(said_of) == 1 and any(said_of) else ""
        )
    for rank, program in enumerate(rank_programs(recording)):
        lines = [f"def rank_{rank}():"]
        for number, operations in groupby(program, lambda operation: operation.step):
            lines.append(f"    # step {number}{captions[number]}")
            lines += [f"    {_call(operation)}" for operation in operations]
            lines.append("    done()")
        yield "\n".join(lines if program else [*lines, "    pass"]) + "\n"
    names = ", ".join(f"rank_{rank}" for rank in range(recording.nodes))
    yield f"PROGRAMS = [{names}]\n"


def _call(operation: RankOperation) -> str:
    """The line of an operation."""
    count = len(operation.sizes)
    if operation.verb in ("recv", "reduce"):
        sizes = _listed(operation.sizes)
        return f"{operation.verb}({operation.peer}, slot={operation.slot}, sizes={sizes})"
    more = f", count={count}" if count > 1 else ""
    first = operation.peer if operation.verb == "send" else operation.source
    return f"{operation.verb}({first}, slot={operation.slot}{more})"


def _listed(numbers: Sequence[int]) -> str:
    """A list as Python writes it, short where all numbers are the same.

    >>> _listed([4, 4, 4]), _listed([2, 1]), _listed([4])
    ('[4] * 3', '[2, 1]', '[4]')
    """
    if len(numbers) > 1 and len(set(numbers)) == 1:
        return f"[{numbers[0]}] * {len(numbers)}"
    return str(list(numbers))


def _cells(cells: Cells, nodes: int) -> str:
    """The slots of each node as a list of ranges and lists."""
    texts = []
    for row in cells:
        slots = row.nonzero()[0].tolist()
        together = bool(slots) and slots[-1] - slots[0] == len(slots) - 1
        texts.append(f"range({slots[0]}, {slots[-1] + 1})" if together else str(slots))
    texts += ["[]"] * (nodes - len(texts))
    if len(set(texts)) == 1 and len(texts) > 1:
        return f"[{texts[0]}] * {len(texts)}"
    return f"[{', '.join(texts)}]"
