"""Files and words with random changes of their structure and bytes: read, or refused at once.

`make test` tries EXAMPLES of each, the same ones every time; the long version thirty times as
many, and others each time.
"""

import json
import resource
import signal
import string
from contextlib import contextmanager, suppress

import pytest
from hostile_arrays import PACKED, header, npy, npz
from hostile_machines import GOOD as MACHINE
from hostile_machines import STAR
from hostile_recordings import OWN, RECIPE, but, numbers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msccl_programs import FOLDER, FOUND, RING, program
from runner import HOSTILE
from server import status_pages

from collectives.cli import options
from collectives.cli.data import read_data
from collectives.cost.machines.toml_file import read_topology
from collectives.errors import CollectivesError
from collectives.formats.msccl import load as load_program
from collectives.formats.msccl.program import KINDS
from collectives.recording.saved import load
from collectives.units import parse_rate, parse_size, parse_time

EXAMPLES = 60
SECONDS, MEMORY = 5, 1 << 31  # of an example, by the processor; of address space beyond this
fuzzed = settings(
    max_examples=EXAMPLES * 30 if HOSTILE else EXAMPLES,
    derandomize=not HOSTILE,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
WHOLE = st.one_of(st.integers(-3, 70000), st.integers(), st.sampled_from([2**31, 2**63, 10**400]))
LEAVES = st.one_of(st.none(), st.booleans(), WHOLE, st.floats(), st.text(max_size=8))
NAMES = st.text(max_size=4)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
COLUMNS = OWN["packed"]["columns"]
PLACES = [
    *RECIPE,
    *(f"packed.{name}" for name in OWN["packed"]),
    *(f"packed.columns.{name}" for name in COLUMNS),
    *(f"packed.columns.src.{name}" for name in COLUMNS["src"]),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder for the files of this module, and limits of time and memory while it is tried."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (status_pages()[0] + MEMORY, before[1]))
    yield tmp_path_factory.mktemp("fuzz")
    resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def refused_or_read():
    """Whatever is read, it ends soon, with a value or one of our failures."""

    def stop(number, frame):
        raise TimeoutError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with suppress(CollectivesError):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@st.composite
def damaged(draw, *contents):
    """One of these contents with some bytes overwritten, left out, put in or cut off."""
    content = bytearray(draw(st.sampled_from(contents)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.sampled_from([0, 1, 4, 10**9]))
        content[start:end] = draw(st.binary(max_size=4))
    return bytes(content)


def tried(read, place, suffix, content):
    """Read a file with this content."""
    path = place / f"file{suffix}"
    path.write_bytes(content)
    with refused_or_read():
        read(path)


@fuzzed
@given(st.sampled_from(PLACES), VALUES)
def test_a_recording_with_another_value_at_a_place(place, where, value):
    content = but(OWN if where.startswith("packed") else RECIPE, where, value)
    tried(load, place, ".json", content.encode())


@fuzzed
@given(damaged(json.dumps(OWN).encode(), json.dumps(RECIPE).encode()))
def test_a_recording_with_other_bytes(place, content):
    tried(load, place, ".json", content)


@fuzzed
@given(st.lists(st.lists(st.integers(0, 6), min_size=7, max_size=7), max_size=6))
def test_a_recording_with_other_steps(place, rows):
    columns = {name: numbers(*(row[k] for row in rows)) for k, name in enumerate(COLUMNS)}
    packed = {**OWN["packed"], "lengths": numbers(*[1] * len(rows)), "columns": columns}
    tried(load, place, ".json", but(OWN, "packed", packed).encode())


@fuzzed
@given(damaged(RING))
def test_a_program_with_other_bytes(place, content):
    tried(load_program, place, ".xml", content)


@st.composite
def flipped(draw, contents):
    """One of these contents with one to four bits flipped; of half of them only bits of digits.

    With another digit most files are still XML, so that what they say is wrong, not how.
    """
    content = bytearray(draw(st.sampled_from(contents)))
    digits = [place for place, byte in enumerate(content) if 0x30 <= byte <= 0x39]
    places = st.sampled_from(digits) if draw(st.booleans()) else st.integers(0, len(content) - 1)
    for _ in range(draw(st.integers(1, 4))):
        at, bits = draw(places), 3 if draw(st.booleans()) else 8
        content[at] ^= 1 << draw(st.integers(0, bits - 1))
    return bytes(content)


if FOUND:  # they are no part of the project: without them the test is not there

    @fuzzed
    @given(flipped([(FOLDER / name).read_bytes() for name in FOUND]))
    def test_a_program_of_other_people_with_flipped_bits(place, content):
        tried(load_program, place, ".xml", content)


PART = st.integers(-1, 3).map(lambda slot: f"{'ios'[slot % 3]}{slot}")
OPERATION = st.tuples(
    *(st.sampled_from(KINDS), PART, PART, st.integers(0, 3)),
    st.tuples(st.integers(-1, 2), st.integers(0, 3)).map(lambda after: f"{after[0]}/{after[1]}"),
)
BLOCK = st.tuples(st.integers(-1, 2), st.integers(-1, 2), st.lists(OPERATION, max_size=4)).map(
    lambda block: (
        f"{block[0]} {block[1]} 0: " + ";".join(" ".join(map(str, step)) for step in block[2])
        if block[2]
        else "-1 -1 0: nop"
    )
)


@fuzzed
@given(
    st.sampled_from(["allreduce", "allgather", "alltoall", "reduce", "custom", "scatter"]),
    st.lists(st.lists(BLOCK, max_size=3), min_size=1, max_size=3),
    st.integers(0, 1),
    st.integers(0, 4),
)
def test_a_program_with_another_structure(place, collective, gpus, inplace, output):
    content = program(collective, *gpus, inplace=inplace, sizes={"o": output})
    tried(load_program, place, ".xml", content)


@fuzzed
@given(damaged(npy(), npy(dtype="f4"), npy(dtype=">u2")))
def test_an_array_with_other_bytes(place, content):
    tried(lambda path: read_data(str(path)), place, ".npy", content)


SHAPES = st.one_of(VALUES, st.lists(WHOLE, max_size=5).map(tuple))
DTYPES = st.one_of(VALUES, st.sampled_from(["<i8", ">f2", "|O", "V4", "<U3", "M8[s]", "<c8"]))


@fuzzed
@given(SHAPES, DTYPES, LEAVES, st.sampled_from([1, 2, 3]))
def test_an_array_with_another_header(place, shape, dtype, order, version):
    text = str({"descr": dtype, "fortran_order": order, "shape": shape})
    content = header(text[:60_000], bytes(200), version)
    tried(lambda path: read_data(str(path)), place, ".npy", content)


@fuzzed
@given(damaged(npz(a=npy(), b=npy()), PACKED))
def test_arrays_with_other_bytes(place, content):
    tried(lambda path: read_data(str(path)), place, ".npz", content)


WORDS = st.one_of(
    st.sampled_from(["ranks", "link", "between", "kind", "[[link]]", "[0, 1]", "3", "=", "\n"]),
    st.text(string.printable, max_size=6),
    VALUES.map(lambda value: json.dumps(value)[:200]),
)


@fuzzed
@given(
    st.sampled_from([MACHINE, STAR]), st.lists(st.tuples(st.integers(0, 300), WORDS), max_size=4)
)
def test_a_machine_with_other_words(place, text, changes):
    for start, word in changes:
        text = text[:start] + word + text[start + len(word) :]
    tried(read_topology, place, ".toml", text.encode(errors="replace"))


@fuzzed
@given(damaged(MACHINE.encode(), f"ranks = 3\nswitches = 1\n{STAR}".encode()))
def test_a_machine_with_other_bytes(place, content):
    tried(read_topology, place, ".toml", content)


UNITS = st.sampled_from(["B", "GiB", "us", "s", "GB/s", "Gb/s", "x"])
TEXTS = st.one_of(
    st.text(max_size=12),
    st.text("0123456789.,-_+e NaInfx", max_size=12),
    st.tuples(st.text("0123456789.,-e", max_size=9), UNITS).map("".join),
)
READERS = [
    *(parse_size, parse_time, parse_rate),
    *(options.numbers, options.span, options.counts, options.sizes, options.pair),
    options.number(),
]


@fuzzed
@given(st.sampled_from(READERS), TEXTS)
def test_words_of_options(place, read, text):
    with refused_or_read():
        read(text, "-n")
