"""The catalog, and every number and every "every" that its algorithms claim in words."""

import ast
import inspect
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from interpreter import rows, start, states

import collectives
from collectives import ROWS, BadInput, record
from collectives.algorithms import binomial, flat, ring
from collectives.catalog import DEFAULT_CHUNKS, find_row
from collectives.checking import named_collective
from collectives.collective import COLLECTIVES, find_collective, own_cells
from collectives.phases import step_caption

ALGORITHMS = [
    function
    for module in (flat, ring, binomial)
    for function in vars(module).values()
    if inspect.isgeneratorfunction(function) and function.__module__ == module.__name__
]
RANKS = range(1, 14)


def name(function):
    return function.__name__


# The table


def test_names_are_unique():
    for names in (
        [(row.collective, row.algorithm) for row in ROWS],
        [row.title for row in ROWS],
        [row.function for row in ROWS],
    ):
        assert len(set(names)) == len(names)


def test_every_collective_has_the_same_kinds_of_algorithms():
    kinds = {collective: set() for collective in COLLECTIVES}
    for row in ROWS:
        kinds[row.collective].add(row.algorithm)
    assert all(found >= {"flat", "tree"} for found in kinds.values())


def test_every_algorithm_is_in_the_table_or_part_of_one():
    parts = {ring.chain_broadcast}
    assert {row.function for row in ROWS} | parts == set(ALGORITHMS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_a_row_takes_what_its_function_takes(row):
    assert set(row.parameters) <= {"root", "chunks"}
    assert ("root" in row.parameters) == row.promise.rooted
    given = {"n": 5} | {p: {"root": 3, "chunks": 2}[p] for p in row.parameters}
    steps = list(row.schedule(5, root=3, chunks=2))
    assert [rows(step) for step in steps] == [rows(step) for step in row.function(**given)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_slots_are_as_many_as_the_function_uses(row):
    for n in RANKS:
        recording = record(row.collective, row.algorithm, ranks=n)
        used = {chunk for step in recording.steps for chunk in step.unrolled().chunk.tolist()}
        assert n == 1 or max(used) == row.slots(n, DEFAULT_CHUNKS) - 1


@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [
        ("all_reduce", "ring"),
        ("all-reduce", "ring"),
        ("All-Reduce", "RING"),
        ("ALL_REDUCE", "Ring"),
    ],
)
def test_names_are_found_in_any_spelling(collective, algorithm):
    assert find_row(collective, algorithm).title == "ring all-reduce"


@pytest.mark.parametrize(
    ("collective", "algorithm", "problem"),
    [
        ("all_redcue", "ring", "unknown collective 'all_redcue'; did you mean all-reduce?"),
        ("", "ring", "unknown collective ''; choose from broadcast, reduce, all-gather"),
        ("all_reduce", "rnig", "unknown all-reduce algorithm 'rnig'; did you mean ring?"),
        ("gather", "", "unknown gather algorithm ''; choose from flat, tree"),
    ],
)
def test_an_unknown_name_is_told_the_nearest(collective, algorithm, problem):
    with pytest.raises(BadInput) as refusal:
        find_row(collective, algorithm)
    assert str(refusal.value).startswith(problem)


def test_public_names_are_found_lazily():
    assert set(dir(collectives)) == set(collectives.__all__)
    for public in collectives.__all__:
        assert getattr(collectives, public) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = collectives.nothing


# What the collectives promise


CELLS = {  # collective → which (rank, slot) of n ranks and s slots are there before, and after
    "broadcast": (lambda r, s, own, root: r == root, lambda r, s, own, root: True),
    "reduce": (lambda r, s, own, root: True, lambda r, s, own, root: r == root),
    "all_gather": (lambda r, s, own, root: own, lambda r, s, own, root: True),
    "reduce_scatter": (lambda r, s, own, root: True, lambda r, s, own, root: own),
    "all_reduce": (lambda r, s, own, root: True, lambda r, s, own, root: True),
    "scatter": (lambda r, s, own, root: r == root, lambda r, s, own, root: own),
    "gather": (lambda r, s, own, root: own, lambda r, s, own, root: r == root),
}


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_promises_are_those_of_mpi(collective):
    promise = find_collective(collective)
    for ranks in (1, 2, 5):
        slots, root = 3 * ranks, ranks // 2
        for cells, expected in zip((promise.before, promise.after), CELLS[collective], strict=True):
            assert cells(ranks, slots, root).tolist() == [
                [expected(r, s, s // 3 == r, root) for s in range(slots)] for r in range(ranks)
            ]


def test_every_slot_has_one_owner():
    for ranks in RANKS:
        for slots in (ranks, 2 * ranks, 7 * ranks):
            assert (own_cells(ranks, slots).sum(axis=0) == 1).all()
            assert (own_cells(ranks, slots).sum(axis=1) == slots // ranks).all()


# What the algorithms promise: the first line of each docstring, and a test of it


class Run:
    """One algorithm on n ranks and n chunks: its rows, and the slots by the plain interpreter."""

    def __init__(self, function, n, root=0):
        self.n, self.root = n, root
        taken = inspect.signature(function).parameters
        given = {name: value for name, value in (("root", root), ("chunks", n)) if name in taken}
        collective = named_collective(function, None).name
        self.recording = record(
            function(n, **given), collective=collective, ranks=n, root=root, slots=n
        )
        before = map(tuple, np.argwhere(self.recording.before).tolist())
        self.steps = [rows(step) for step in self.recording.steps]
        self.states = states(start(before), self.recording.steps)
        self.rows = [row for step in self.steps for row in step]
        self.last = self.states[-1]
        self.others = set(range(n)) - {root}

    def links(self):
        return {(row.src, row.dst) for row in self.rows}

    def moved(self):
        """Source, destination and chunk of every row."""
        return {(row.src, row.dst, row.chunk) for row in self.rows}

    def whole(self, slot):
        """The sum of a slot over all ranks."""
        return {(rank, slot): 1 for rank in range(self.n)}

    def place(self, rank):
        """Where a rank is, counted from the root."""
        return (rank - self.root) % self.n


def in_one_step(run):
    return len(run.steps) == (run.n > 1)


def root_sends_everything(run):
    return in_one_step(run) and run.moved() == {(run.root, other, 0) for other in run.others}


def others_send_everything_to_the_root(run):
    adds = all(row.adds for row in run.rows)
    return in_one_step(run) and adds and run.moved() == {(r, run.root, 0) for r in run.others}


def root_sends_each_its_chunk(run):
    return in_one_step(run) and run.moved() == {(run.root, r, r) for r in run.others}


def each_sends_its_chunk_to_the_root(run):
    return in_one_step(run) and run.moved() == {(r, run.root, r) for r in run.others}


def pairs(run):
    return [(src, dst) for src in range(run.n) for dst in range(run.n) if src != dst]


def each_sends_its_chunk_to_every_other(run):
    return in_one_step(run) and run.moved() == {(src, dst, src) for src, dst in pairs(run)}


def each_sends_every_other_its_chunk(run):
    adds = all(row.adds for row in run.rows)
    return in_one_step(run) and adds and run.moved() == {(src, dst, dst) for src, dst in pairs(run)}


def each_sends_everything_to_every_other(run):
    adds = all(row.adds for row in run.rows)
    return in_one_step(run) and adds and run.moved() == {(src, dst, 0) for src, dst in pairs(run)}


def rank_r_holds_chunk_r_summed(run):
    held = all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))
    return held and len(run.steps) == run.n - 1


def every_rank_has_every_chunk(run):
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.n)]
    starts = set(run.states[0]) == {(rank, rank) for rank in range(run.n)}
    held = all(run.last[cell] == {(cell[1], cell[1]): 1} for cell in cells)
    return starts and held and len(run.steps) == run.n - 1


def no_byte_too_many(run):
    least = 2 * (run.n - 1)  # of each of n chunks, summed over the ranks that send
    return sorted(row.chunk for row in run.rows) == sorted([*range(run.n)] * least)


def once_along_the_ring(run):
    path = [(run.root + hop) % run.n for hop in range(run.n)]
    hops = [[(row.src, row.dst) for row in step] for step in run.steps]
    return hops == [[hop] for hop in pairwise(path)]


def all_links_work_at_once(run):
    """There are enough chunks for that: one for each link, and one more."""
    links = [{(row.src, row.dst) for row in step} for step in run.steps]
    return max(map(len, links), default=0) == run.n - 1


def every_rank_adds_its_own(run):
    whole = all(run.last[run.root, slot] == run.whole(slot) for slot in range(run.n))
    towards_the_root = {(other, (other - 1) % run.n) for other in run.others}
    return whole and run.links() == (towards_the_root if run.n > 1 else set())


def data_is_soon_everywhere(run):
    """In as many steps as the number of ranks can be halved."""
    having = [sum(1 for _, slot in state if slot == 0) for state in run.states]
    return having[0] == 1 and having[-1] == run.n and len(run.steps) == (run.n - 1).bit_length()


def sums_meet_until_one_is_left(run):
    left = [set(range(run.n))]
    for step in run.steps:
        left.append(left[-1] - {row.src for row in step})
        if not all(row.adds and row.dst in left[-1] for row in step):
            return False
    return left[-1] == {run.root} and run.last[run.root, 0] == run.whole(0)


def holders_hand_on_the_upper_part(run):
    for before, step in zip(run.states, run.steps, strict=False):
        for src, dst in {(row.src, row.dst) for row in step}:
            handed = {run.place(row.chunk) for row in step if (row.src, row.dst) == (src, dst)}
            held = {run.place(slot) for rank, slot in before if rank == src}
            held -= {run.place(r.chunk) for r in earlier(run, step) if r.src == src}
            if not handed < held or min(handed) <= max(held - handed):
                return False
    return all((rank, rank) in run.last for rank in range(run.n))


def earlier(run, step):
    return [row for other in run.steps[: run.steps.index(step)] for row in other]


def chunks_are_collected_on_the_way(run):
    towards = all(run.place(row.dst) < run.place(row.src) for row in run.rows)
    return towards and all((run.root, chunk) in run.last for chunk in range(run.n))


def to_rank_0_and_back(adds):
    """First all to rank 0, added up or not, which then has everything; then all away from it."""

    def holds(run):
        half = len(run.steps) // 2
        there = [row for step in run.steps[:half] for row in step]
        back = [row for step in run.steps[half:] for row in step]
        ways = all(r.dst < r.src for r in there) and all(r.dst > r.src for r in back)
        verbs = {row.adds for row in there} <= {adds} and not any(row.adds for row in back)
        used = {row.chunk + k for row in run.rows for k in range(row.count)}
        return (
            ways
            and verbs
            and all(
                run.states[half][0, slot] == {cell: 1 for cell in run.states[0] if cell[1] == slot}
                for slot in used
            )
        )

    return holds


PROMISES = {
    "The root sends everything to every other rank at once.": root_sends_everything,
    "Every other rank sends everything to the root, which adds it all up.": (
        others_send_everything_to_the_root
    ),
    "The root sends each rank its chunk.": root_sends_each_its_chunk,
    "Each rank sends its chunk to the root.": each_sends_its_chunk_to_the_root,
    "Each rank sends its chunk to every other rank at once.": each_sends_its_chunk_to_every_other,
    "Each rank sends every other rank that rank's chunk, and adds up what it gets.": (
        each_sends_every_other_its_chunk
    ),
    "Each rank sends everything to every other rank, and adds up what it gets.": (
        each_sends_everything_to_every_other
    ),
    "After n - 1 steps rank r holds chunk r summed over all ranks.": rank_r_holds_chunk_r_summed,
    "Rank r starts with chunk r; after n - 1 steps every rank has every chunk.": (
        every_rank_has_every_chunk
    ),
    "Reduce-scatter, then all-gather: no rank sends a byte too many.": no_byte_too_many,
    "The data runs once along the ring, from the root to its left neighbour.": once_along_the_ring,
    "Chunks follow one another along the chain, so that all links work at once.": (
        all_links_work_at_once
    ),
    "The chain backwards: every rank adds its own data to what comes by.": every_rank_adds_its_own,
    "Ranks that have the data help to pass it on, so that it is soon everywhere.": (
        data_is_soon_everywhere
    ),
    "The broadcast in reverse: sums meet until one reaches the root.": sums_meet_until_one_is_left,
    "Holders hand the upper part of their chunks on until each rank has its own.": (
        holders_hand_on_the_upper_part
    ),
    "The scatter backwards: chunks are collected on the way to the root.": (
        chunks_are_collected_on_the_way
    ),
    "Reduce to rank 0, then broadcast from it.": to_rank_0_and_back(adds=True),
    "Gather on rank 0, then broadcast all chunks from it.": to_rank_0_and_back(adds=False),
    "Reduce all chunks to rank 0, then scatter them from it.": to_rank_0_and_back(adds=True),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    promise = inspect.getdoc(function).partition("\n")[0]
    assert promise in PROMISES, "a new promise needs a test in PROMISES"
    for n in RANKS:
        rooted = "root" in inspect.signature(function).parameters
        for root in sorted({0, n // 2, n - 1}) if rooted else [0]:
            assert PROMISES[promise](Run(function, n, root)), (n, root)


@pytest.mark.parametrize(
    "function", [f for f in ALGORITHMS if f.__module__ == flat.__name__], ids=name
)
def test_flat_algorithms_take_one_step(function):
    """One step, as the module says."""
    for n in RANKS:
        assert len(Run(function, n, n // 2).steps) == (n > 1)


@pytest.mark.parametrize(
    "function", [f for f in ALGORITHMS if f.__module__ == ring.__name__], ids=name
)
def test_on_a_ring_every_rank_talks_to_its_two_neighbours_only(function):
    for n in RANKS:
        links = Run(function, n, n // 2).links()
        assert all((src - dst) % n in (1, n - 1) for src, dst in links)


@pytest.mark.parametrize(
    "function", [f for f in ALGORITHMS if f.__module__ == binomial.__name__], ids=name
)
def test_one_way_along_a_tree_takes_as_many_steps_as_n_minus_1_has_binary_digits(function):
    there_and_back = ("binomial_all_reduce", "binomial_all_gather", "binomial_reduce_scatter")
    ways = 2 if function.__name__ in there_and_back else 1
    for n in range(1, 34):
        digits = len(f"{n - 1:b}") if n > 1 else 0
        assert sum(1 for step in function(n) if len(step)) == ways * digits


def test_the_busiest_rank_of_a_ring_all_reduce_sends_no_more_than_it_must():
    for n in RANKS:
        recording = record("all_reduce", "ring", ranks=n, count=3 * n)
        assert set(recording.bytes_sent) == {recording.bound.sent}


# Captions


def captions(function, n):
    """Caption and rows of every step."""
    run = Run(function, n)
    captions = [step_caption(step) for step in run.recording.steps]
    return run, list(zip(captions, run.steps, strict=True))


def test_captions_that_say_every_rank():
    for function in (ring.ring_reduce_scatter, ring.ring_all_gather):
        for n in RANKS[1:]:
            run, steps = captions(function, n)
            for number, (text, step) in enumerate(steps):
                assert text.startswith("every rank ")
                assert [(row.src, row.dst) for row in step] == [(r, (r + 1) % n) for r in range(n)]
                if "a finished chunk" in text:
                    held = run.states[number]
                    assert all(
                        held[row.src, row.chunk] == {(row.chunk, row.chunk): 1} for row in step
                    )


def test_captions_that_say_every_second():
    """Of the ranks that are left, the second, fourth, … hand theirs to the one before."""
    for function in (binomial.binomial_reduce, binomial.binomial_gather):
        for n in RANKS[1:]:
            left = list(range(n))
            for text, step in captions(function, n)[1]:
                assert text.startswith("every second ")
                assert {(row.src, row.dst) for row in step} == set(
                    zip(left[1::2], left[::2], strict=False)
                )
                left = left[::2]


def test_captions_that_say_half_as_far():
    for n in RANKS[1:]:
        steps = captions(binomial.binomial_broadcast, n)[1]
        hops = [{row.dst - row.src for row in step} for _, step in steps]
        assert all("half as far" in text for text, _ in steps)
        assert hops == [{1 << k} for k in reversed(range(len(steps)))]


# How the textbook is written


def functions():
    """Each algorithm with the lines of its file and its syntax tree."""
    for module in (flat, ring, binomial):
        text = Path(module.__file__).read_text()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                yield node, text.splitlines()


def yields(function):
    return [n for n in ast.walk(function) if isinstance(n, ast.Yield | ast.YieldFrom)]


FUNCTIONS = [pytest.param(*found, id=found[0].name) for found in functions()]


@pytest.mark.parametrize(("function", "lines"), FUNCTIONS)
def test_an_algorithm_fits_on_a_slide(function, lines):
    body = lines[function.body[1].lineno - 1 : function.end_lineno]
    code = [line for line in body if not line.strip().startswith("#")]
    assert max(map(len, code)) <= 49
    assert len(body) <= 12
    plain = ast.unparse(strip_types(function)).splitlines()[0]
    assert len(plain) <= 49


def strip_types(function):
    copy = ast.parse(ast.unparse(function)).body[0]
    copy.returns = None
    for argument in copy.args.args:
        argument.annotation = None
    return copy


@pytest.mark.parametrize(("function", "lines"), FUNCTIONS)
def test_captions_are_short_and_in_lower_case(function, lines):
    comments = [
        lines[node.lineno - 2].strip()
        for node in yields(function)
        if lines[node.lineno - 2].strip().startswith("#")
    ]
    for comment in comments:
        assert comment.startswith("# ")
        assert len(comment) - 2 < 60
        assert comment[2].islower()
        assert not comment.endswith(".")


@pytest.mark.parametrize(("function", "lines"), FUNCTIONS)
def test_every_yield_of_a_leaf_has_a_caption(function, lines):
    """A leaf makes steps; others put algorithms together, which have captions of their own."""
    for node in yields(function):
        above = lines[node.lineno - 2].strip()
        if isinstance(node, ast.Yield):
            assert above.startswith("# ")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_every_step_has_a_caption(row):
    for n in RANKS:
        for step in record(row.collective, row.algorithm, ranks=n).steps:
            assert step_caption(step)


@pytest.mark.parametrize(("function", "lines"), FUNCTIONS)
def test_an_algorithm_has_one_sentence_and_an_example(function, lines):
    text = ast.get_docstring(function)
    sentence, _, rest = text.partition("\n\n")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert rest.startswith(">>> from collectives.schedule import table\n>>> print(table(")


def test_a_leaf_takes_ranks_root_and_chunks_and_nothing_else():
    for function in ALGORITHMS:
        assert list(inspect.signature(function).parameters) in (
            ["n"],
            ["n", "root"],
            ["n", "root", "chunks"],
        )
