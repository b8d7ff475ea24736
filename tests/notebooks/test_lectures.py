"""The lectures: they run from top to bottom, exercises judge themselves, every number is true."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from collectives import record

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
RING = record("all_reduce", "ring", ranks=4, count=64)
BROADCAST = record("broadcast", "tree", ranks=8, count=1)
BOTH_WAYS = record("all_reduce", "tree", ranks=8, count=1)
BUSY = BOTH_WAYS.bytes_sent.index(max(BOTH_WAYS.bytes_sent), 1)  # beside the root


def times(recording):
    """Bytes sent by the busiest rank, in units of S."""
    return f"{max(recording.bytes_sent) / recording.case.S:g}"


def holders(recording):
    """Ranks that have the data after each step, the start included."""
    steps = range(len(recording.steps) + 1)
    return [int(recording.state(step).full.sum()) for step in steps]


def complete_chunk(rank):
    """The chunk of a rank that is complete after the reduce-scatter of the ring."""
    (chunk,) = (RING.state(3).times[rank].min(axis=1) == 1).nonzero()[0]
    return int(chunk)


# all phrases with numbers in the text of each lecture, with the numbers as they are computed
SAID = {
    "01_ring_all_reduce": [
        f"{len(RING.steps)} steps: {len(RING.steps) // 2} in which sums grow",
        f"and {len(RING.steps) // 2} in which finished chunks go round",
        f"{times(RING)} S. In each of the {len(RING.steps)} steps",
        f"Chunk {complete_chunk(0)}. In this project",
        "N − 1 messages",
        "N − 1 more",
        "2 (N − 1) S bytes",
        "2 (N − 1) / N",
        f"below {2} S however many",  # 2 (N - 1) / N < 2
        "2 (N − 1) steps",
        "log₂ N",
        "for 1 to 16 ranks",
        "rank - 1",
        "N − 1 hops",
        "chunk 0 at the end",
        "has rank 0?",
    ],
    "02_trees": [
        f"{len(BROADCAST.steps)} steps: each step doubles",
        " → ".join(map(str, holders(BROADCAST))),
        f"{len(BROADCAST.steps[-1])} ranks: all that had",
        f"{times(BROADCAST)} S: the root sends all",
        "and 6 ranks, and step again",
        "With N ranks",
        "log₂ N",
        "1000 ranks take",
        f"{len(BOTH_WAYS.steps)} steps: {len(BOTH_WAYS.steps) // 2} up",
        f"{len(BOTH_WAYS.steps) // 2} down",
        f"sends {times(BOTH_WAYS)} S",
        f"rank {BUSY} sends\nas much, S up and {BOTH_WAYS.bytes_sent[BUSY] // 8 - 1} S down",
        "step k = 0, 1, …",
        "2ᵏ",
        "towards rank 0",
        "rank 2 hands its sum to rank 0",
        "rank 3 hand its own\nto rank 2",
    ],
    "03_cost": [
        "for 64 ranks: how many steps",
        "2 log₂ N steps (for N",
        "2 (N − 1) steps, each with a chunk",
        "2 log₂ N of both",
        "2 (N − 1) steps and 2 (N − 1) / N vectors",
        "the crossover grows almost like N²",
        "trees almost like N²",
        "takes n − 2 + q steps",  # the solution is judged by the clock
        "at least 1. The check",
        "(n − 2 + q) (α + β S / q)",
        "do not go below 1.",
        "Rank 3 has links",
        "a ring of 8 ranks take",
        "nodes of 8 GPUs. Inside",
        "for 64 ranks: how many times",
        "algbw\ntimes 2 (N − 1) / N",
        "for 64 GPUs in 8 nodes",
        "`fp32` instead of `bf16`",
    ],
}
NUMBERING = re.compile(r"^(\d\. |#+ Exercise \d:)", re.MULTILINE)
WRONG = (
    "is empty at the end",
    "is missing",
    "are missing",
    "is in it",
    "instead of",
    "not the busiest",
)


def read(path):
    return nbformat.read(path, as_version=4)


def tagged(notebook, tag):
    return [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]


def words(cell):
    """What a cell printed."""
    return "".join(out.text for out in cell.outputs if out.output_type == "stream")


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def executed(path, places):
    """The lecture, run from top to bottom by a kernel of its own."""
    notebook = read(path)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places.items():
            patch.setenv(name, value)
        client = NotebookClient(notebook, timeout=60, kernel_name="python3")
        client.store_widget_state = False  # as JupyterLab saves it
        client.execute()
    return notebook


def test_there_are_lectures():
    assert [path.stem for path in NOTEBOOKS] == list(SAID)


def test_it_runs_and_judges_exercises(executed):
    exercises, solutions = tagged(executed, "exercise"), tagged(executed, "solution")
    assert len(exercises) == len(solutions) >= 2
    for cell in exercises:
        assert any(reason in words(cell) for reason in WRONG), words(cell)
        assert "right in all" not in words(cell)
    for cell in solutions:
        assert re.fullmatch(r"\w+: right in all \d+ cases\n", words(cell))
        assert cell.metadata.jupyter.source_hidden
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text


def test_steppers_are_saved_and_nothing_is_refused(executed):
    saved = [
        output.data["text/html"]
        for cell in executed.cells
        for output in cell.get("outputs", [])
        if "data-saved" in output.get("data", {}).get("text/html", "")
    ]
    assert len(saved) >= 2
    assert all(text.count("<iframe") == 1 for text in saved)
    assert max(map(len, saved)) <= 100_000


def test_outputs_are_not_kept(path):
    for cell in read(path).cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
    assert "widgets" not in read(path).metadata


def test_it_needs_the_project_and_numpy_only(path):
    names = set()
    for cell in read(path).cells:
        if cell.cell_type == "code":
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Import):
                    names |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    names.add(node.module)
    tops = {name.partition(".")[0] for name in names}
    assert tops <= {"collectives", "animations", "numpy", "inspect", "re", "functools", "IPython"}


def test_every_number_in_the_text_is_computed_here(path):
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    text = NUMBERING.sub("", "\n".join(cells))
    for phrase in SAID[path.stem]:
        assert phrase in text
        text = text.replace(phrase, "")
    assert re.findall(r".*[\d₀-₉].*", text) == []


def test_what_is_said_in_words():
    """Seven steps if only the root of eight sends; half of the ranks of a tree send nothing."""
    assert BROADCAST.ranks - 1 == 7
    for ranks in (2, 4, 8, 16):
        sent = record("broadcast", "tree", ranks=ranks).bytes_sent
        assert sent.count(0) == ranks // 2


def test_the_last_tables_say_who_wins(executed, path):
    text = "".join(words(cell) for cell in executed.cells if cell.cell_type == "code")
    if path.stem == "02_trees":
        faster = re.findall(r"^2\^.* (\w+)$", text, re.MULTILINE)
        assert (faster[0], faster[-1]) == ("tree", "ring")
        assert faster == sorted(faster, reverse=True)
    elif path.stem == "01_ring_all_reduce":
        rows = re.findall(r"^ +\d+ +\d+ +\S+ +(\d+) +\d+ +\S+ +(\d+)$", text, re.MULTILINE)
        assert int(rows[0][0]) > int(rows[0][1])
        assert int(rows[-1][0]) < int(rows[-1][1])


def column(cell, pattern):
    """What a pattern finds in the output of a cell, as numbers where it can be."""
    return [float(found) for found in re.findall(pattern, words(cell), re.MULTILINE)]


def test_what_the_lecture_on_cost_says(executed, path):
    """Its sentences about tables that it computes: growth, barriers, who waits, busbw, buckets."""
    if path.stem != "03_cost":
        return
    said = {cell.id: cell for cell in executed.cells}

    def of(phrase):
        (found,) = (cell for cell in said.values() if phrase in cell.source and "outputs" in cell)
        return found

    factors = column(of("ring_beats_trees(8"), r"^ +\d+ .* (\d\.\d\d) *$")
    assert len(factors) == 5
    assert all(3.5 < factor < 4.5 for factor in factors)  # about fourfold
    late = re.search(
        r"comes .* late +(\d+) µs +(\d+) µs +(\d+) µs +(\d+) µs", words(of("trouble ="))
    )
    well = re.search(r"well +(\d+) µs +(\d+) µs +(\d+) µs +(\d+) µs", words(of("trouble =")))
    assert late[2] == well[2]
    assert all(int(late[k]) > int(well[k]) for k in (1, 3, 4))
    idle = column(of("slow.idle"), r"idle (\d+)%")
    assert idle[2:5] == [0, 0, 0]
    assert min(idle[:2] + idle[5:]) > 30
    assert min(column(of("times faster"), r"s +(\d+\.\d) ")) > 4
    buses = column(of("meaning("), r"busbw (\d+) GB/s")
    assert buses[1] > 450
    assert buses[3] > 50
    assert "Ring" not in words(of('table("nccl"'))
    hidden = column(of("modeler.buckets"), r"(\d+\.\d)%$")
    assert hidden[0] < hidden[4] > hidden[5]  # more buckets help, until they hurt
    steps = column(of("rabenseifner"), r"step \d +(\S+) µs")
    assert len(set(steps)) > 1
