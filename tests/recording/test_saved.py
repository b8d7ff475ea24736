import base64
import copy
import hashlib
import json
import math
import sys
import time
import tracemalloc
import zlib
from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import rows
from settings import THOROUGH, recorded, taken

from collectives import (
    ROWS,
    BadInput,
    Recording,
    WrongSchedule,
    load,
    pipelined,
    record,
    reduce,
    save,
    send,
    table,
    together,
    topology,
    transposed,
    within,
)
from collectives.algorithms.ring import chain_broadcast
from collectives.cost.clocks.clock import lockstep
from collectives.formats import chrome
from collectives.recording import packed, saved
from collectives.recording.phases import phases, step_caption
from collectives.recording.saved import digest, from_json, to_json
from collectives.schedule import merged

PAIR = [send(0, 1)]
FIELDS = ("ranks", "root", "nodes", "slots", "count", "dtype", "op", "chunks")
FIELDS += ("title", "algorithm", "row", "collective")


def round_trip(recording, tmp_path):
    save(recording, tmp_path / "recording.json")
    return load(tmp_path / "recording.json")


def assert_same(one, other):
    assert {name: getattr(one, name) for name in FIELDS} == {
        name: getattr(other, name) for name in FIELDS
    }
    assert [rows(step) for step in one.steps] == [rows(step) for step in other.steps]
    assert table(one.steps) == table(other.steps)
    assert one.bytes_sent == other.bytes_sent
    for step, again in zip(one.steps, other.steps, strict=True):
        assert stamps(step) == stamps(again)
        assert step_caption(step) == step_caption(again)
    assert phases(one) == phases(other)
    assert digest(one.steps) == digest(other.steps)


def stamps(step):
    """The stamp of each row."""
    return [step.stamps[origin] for origin in step.origin]


# Catalog rows


@each("row", ROWS, row_title)
def test_a_catalog_row_is_a_recipe(row, tmp_path):
    setting = row.setting(taken(row, 6, 8))
    op = "sum" if row.promise.routed else "max"
    recording = recorded(row, setting, 17, dtype="int32", op=op)
    content = to_json(recording)
    assert set(content) - {"chunks", "parameters", "given"} == {
        *("format", "version", "collective", "algorithm", "ranks", "root", "nodes", "slots"),
        *("pieces", "count", "dtype", "op", "digest"),
    }
    assert ("chunks" in content) == ("chunks" in row.parameters)
    assert content.get("parameters", {}) == dict(setting.parameters)
    assert ("given" in content) == ("parameters" in content)
    assert_same(recording, round_trip(recording, tmp_path))
    assert (tmp_path / "recording.json").stat().st_size < 600


def test_which_parameters_were_given_is_kept(tmp_path):
    """A file that does not say so, of an earlier version, counts all as given."""
    for given in ({}, {"rows": 2}):
        recording = record("all_reduce", "torus-2d", ranks=8, parameters=given)
        assert round_trip(recording, tmp_path).given == given
        content = to_json(recording)
        del content["given"]
        assert from_json(content).given == recording.parameters == {"rows": 2}


def test_given_parameters_that_are_none_are_refused():
    content = to_json(record("all_reduce", "torus-2d", ranks=8))
    for wrong in ("rows", {"rows": 2}, ["columns"], [["rows"]], [5]):
        with pytest.raises(BadInput, match="given"):
            from_json(content | {"given": wrong})


def test_root_and_chunks_are_kept(tmp_path):
    recording = record("reduce", "ring", ranks=5, root=3, chunks=7)
    assert_same(recording, round_trip(recording, tmp_path))


def test_a_recipe_with_another_digest_is_refused_in_one_line(tmp_path):
    content = to_json(record("all_reduce", "ring", ranks=4))
    for wrong in ("sha256:0", "", None, 5, [], content["digest"].upper()):
        path = tmp_path / "recording.json"
        path.write_text(json.dumps(content | {"digest": wrong}))
        with pytest.raises(BadInput) as problem:
            load(path)
        assert str(problem.value) == (
            f"{path}: the digest differs: these are not the steps that were saved"
        )


def test_the_digest_is_sha256_of_all_columns():
    steps = [send(0, 1, 2, 3, 4), merged([reduce([1, 2], 0), send(3, 3, 70000)])]
    expected = hashlib.sha256()
    for step in steps:
        expected.update(len(step).to_bytes(8, "little"))
        for column in zip(*rows(step), strict=True):
            expected.update(b"".join(int(v).to_bytes(8, "little", signed=True) for v in column))
    assert digest(steps) == f"sha256:{expected.hexdigest()}"


def test_the_digest_tells_steps_apart_but_not_their_stamps():
    def stamped_step():
        yield send(0, 1)

    others = [send(1, 0), send(0, 2), send(0, 1, 1), send(0, 1, 0, 1), send(0, 1, count=2)]
    others += [reduce(0, 1), send(0, [1, 1]), send([], []), send(0, 1, needs=1)]
    assert digest([send(0, 1)]) not in {digest([step]) for step in others}
    assert digest([send(0, 1), send(1, 2)]) != digest([send([0, 1], [1, 2])])
    made = record(stamped_step(), collective="broadcast", ranks=2, slots=1)
    assert digest(made.steps) == digest([send(0, 1)])


# One's own schedules


def silly(n):
    """A schedule of many kinds of rows.

    It is not meant to be right.
    """
    # first caption
    yield from together(pipelined(chain_broadcast(n), [n]), transposed(chain_broadcast(n)))
    yield merged([reduce([1, 2], 0, 1, 2, 2, needs=0), send(0, 0, 0, 1)])
    for peer in range(1, 3):
        # a caption: ä → “x”
        yield send(np.int32(peer), 0)


@pytest.fixture
def own():
    return record(silly(4), collective="all_reduce", ranks=4, root=1, slots=5, count=20, nodes=6)


def test_ones_own_schedule_is_packed_and_comes_back_equal(own, tmp_path):
    assert_same(own, round_trip(own, tmp_path))


def test_stamps_sources_and_captions_come_back(own, tmp_path):
    again = round_trip(own, tmp_path)
    step = again.steps[-1]
    (frame,) = step.stamps[0]
    assert (frame.source.function, dict(frame.locals)["peer"]) == ("silly", 2)
    assert frame.source.promise == "A schedule of many kinds of rows"
    assert step_caption(step) == "a caption: ä → “x”"
    assert [f.reversed for s in again.steps[0].stamps for f in s] == [False, False, False, True]


def test_groups_of_ranks_come_back(tmp_path):
    """Of rows that share their stamp, which is empty, some ran within groups."""
    steps = [*within([[0, 1], [2, 3]], [send(0, 1)]), merged([send(1, 0), *within([0, 3], PAIR)])]
    own = record(steps, collective="broadcast", ranks=4, slots=1)
    again = round_trip(own, tmp_path).steps
    matrices = [[step.grouped[origin] for origin in step.origin] for step in again]
    assert matrices == [[((0, 1), (2, 3))] * 2, [(), ((0, 3),)]]
    assert matrices == [[step.grouped[origin] for origin in step.origin] for step in own.steps]


@pytest.mark.parametrize(
    ("groups", "grouped", "problem"),
    [
        ([[[0, 1], [2]]], [0], "rows of different lengths"),
        ([[[0, 1.5]]], [0], "1.5 is not an integer"),
        ([[[0, 1]]], [1], "grouped 1: there are 1 groups"),
        ([[[0, 1]]], [-2], "grouped -2"),
        ([[[0, 1]]], [0, 0], "stamps are damaged: [0, 0]"),
        ([0], [0], "stamps are damaged: 0"),
        ({}, [0], '"groups" is {}'),
    ],
)
def test_groups_are_checked(one_step, groups, grouped, problem):
    more = {"groups": groups, "grouped": grouped}
    assert problem in refusal(one_step | {"packed": one_step["packed"] | more})


def test_saving_again_gives_the_same_content(own, tmp_path):
    assert to_json(round_trip(own, tmp_path)) == to_json(own)


@pytest.mark.parametrize(
    "steps",
    [[], [send(0, 1)], [send([], []), send(0, 1)], [merged([send(0, 1), send(1, 0)])]],
    ids=["nothing", "no stamps", "an empty step", "two stamps"],
)
def test_small_schedules_come_back(steps, tmp_path):
    recording = record(steps, "mine", collective="broadcast", ranks=2, slots=1)
    assert_same(recording, round_trip(recording, tmp_path))


def test_columns_are_as_narrow_as_their_values_allow(tmp_path):
    top = (1 << 16) - 1
    recording = record(
        [send(0, 1, top), send(0, 1, 0, top + 1)], collective="broadcast", ranks=2, slots=top + 2
    )
    kinds = {name: c["dtype"] for name, c in to_json(recording)["packed"]["columns"].items()}
    assert kinds.pop("into") == "uint32"
    assert set(kinds.values()) == {"uint16"}
    assert_same(recording, round_trip(recording, tmp_path))


def test_large_schedules_stay_small(tmp_path):
    chain = pipelined(chain_broadcast(64), range(100))
    recording = record(chain, "mine", collective="broadcast", ranks=64, slots=100)
    assert recording.counters.rows == 6300
    assert_same(recording, round_trip(recording, tmp_path))
    assert (tmp_path / "recording.json").stat().st_size < 6300 * 8


def test_what_could_not_be_read_again_is_not_saved(monkeypatch, own, tmp_path):
    monkeypatch.setattr(packed, "MAX_FILE_ROWS", 5)
    with pytest.raises(BadInput, match="transfers: a file holds 0 to 5"):
        save(own, tmp_path / "recording.json")
    monkeypatch.setattr(packed, "MAX_FILE_STEPS", 5)
    with pytest.raises(BadInput, match="6 steps: a file holds 0 to 5"):
        save(record("all_reduce", "ring", ranks=4), tmp_path / "recording.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"chunks": 1_000_004}, "a pipeline has at most 65536 and 16777216; try: 65534 chunks"),
        ({"ranks": 1 << 18, "nodes": 1 << 18}, r"steps; at most 2\^17 = 131072 are read"),
    ],
)
def test_a_recipe_that_would_take_minutes_is_refused_before(wrong, rule):
    content = to_json(record("broadcast", "ring", ranks=4)) | wrong
    start = time.process_time()
    with pytest.raises(BadInput, match=rule):
        from_json(content)
    assert time.process_time() - start < 2


def test_a_recipe_of_many_steps_on_many_ranks_is_refused_before(monkeypatch):
    """Found by fuzzing: a file of 300 bytes that took a minute to read."""
    content = to_json(record("broadcast", "ring", ranks=4)) | {"ranks": 76139, "nodes": 76139}
    start = time.process_time()
    with pytest.raises(BadInput, match="76,141 steps on 76,139 nodes: read from a file"):
        from_json(content)
    assert time.process_time() - start < 2
    monkeypatch.setattr(packed, "MAX_FILE_WORK", 23)
    with pytest.raises(BadInput, match="6 steps on 4 nodes"):
        to_json(record("all_reduce", "ring", ranks=4))


# Files


def test_a_file_is_replaced_as_a_whole(own, tmp_path):
    path = tmp_path / "recording.json"
    path.write_text("old")
    save(own, path)
    assert json.loads(path.read_text())["format"] == "collectives recording"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "nowhere/file.json", "folder", "with\0zero.json"])
def test_paths_that_cannot_be_used(name, own, tmp_path):
    (tmp_path / "folder").mkdir()
    path = f"{tmp_path}/{name}"
    for broken in (lambda: load(path), lambda: save(own, path)):
        with pytest.raises(BadInput):
            broken()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b"{}",
        b"\xff\xfe",
        b"\x00",
        b"\x80abc",
        b'{"format": "collectives recording"}',
        b'{"format": "collectives recording", "version": 2}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 10_000,
        b'{"format": ' + b"[" * 900 + b"]" * 900 + b"}",
        b"\x1f\x8b\x08\x00",
    ],
    ids=range(16),
)
def test_files_that_are_no_recordings(text, tmp_path):
    path = tmp_path / "recording.json"
    path.write_bytes(text)
    with pytest.raises(BadInput) as problem:
        load(path)
    assert "\n" not in str(problem.value)
    assert len(str(problem.value)) < len(str(path)) + 200


def test_what_could_not_be_read_again_is_not_written(monkeypatch, tmp_path):
    monkeypatch.setattr(saved, "MAX_FILE_BYTES", 100)
    with pytest.raises(
        BadInput, match=r"the recording takes .* B; the limit for reading it again is"
    ):
        record("all_reduce", "ring", ranks=2).save(tmp_path / "r.json")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_too_large(monkeypatch, tmp_path):
    monkeypatch.setattr(saved, "MAX_FILE_BYTES", 1 << 20)
    path = tmp_path / "recording.json"
    path.write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(BadInput, match=r"has 1\.049 MB; the limit is 1 MiB"):
        load(path)


def test_reading_imports_and_runs_nothing(own, tmp_path, monkeypatch):
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('imported')\n")
    content = to_json(own)
    content["packed"]["sources"] = [
        ["silly", str(trap), 1, "raise SystemExit('run')"] for _ in content["packed"]["sources"]
    ]
    content["algorithm"] = "trap:main"
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    modules = set(sys.modules)
    for name in ("exec", "eval", "compile", "open"):
        monkeypatch.setattr(f"builtins.{name}", lambda *_, name=name: pytest.fail(name))
    recording = from_json(content)
    monkeypatch.undo()
    assert set(sys.modules) == modules
    assert "trap" not in sys.modules
    assert phases(recording)


# Hostile content


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


HOSTILE = [
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    300,
    1 << 31,
    1 << 32,
    1 << 63,
    10**12,
    10**30,
    10**400,
    0.5,
    math.inf,
    math.nan,
    "",
    "x",
    "\0",
    "ring",
    "9" * 5000,
    "x" * 100_000,
    "(" * 300,
    [],
    [0],
    [[]],
    ["x"] * 4,
    [0, 0, {}, False],
    [0, 1, {"n": math.inf}, False],
    [99, 1, {}, False],
    [-1, 1, {}, False],
    ["f", "f", math.inf, ""],
    {},
    {"n": 1},
    {"length": 0, "dtype": "uint16", "deflate": ""},
    nested(3),
    nested(5000),
]


def places(value, path=()):
    """Every place in a JSON value, as the keys that lead to it."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changed(content, path, value, remove=False):
    """A copy of the content with another value at one place, or without it."""
    if not path:
        return value
    result = copy.copy(content)
    if remove and len(path) == 1:
        del result[path[0]]
    else:
        result[path[0]] = changed(content[path[0]], path[1:], value, remove)
    return result


def outcome(make):
    """The recording made, else None and the text of one of the two failures that are promised."""
    try:
        return make(), ""
    except (BadInput, WrongSchedule) as problem:
        return None, str(problem)


def read(content):
    """The recording, else None; whatever happens is held to what is promised."""
    recording, problem = outcome(lambda: from_json(content))
    assert "\n" not in problem
    assert len(problem) < 2000
    if recording is not None:
        assert isinstance(recording, Recording)
        phases(recording)
        recording.check()
        to_json(recording)
    return recording


def packed_content():
    return to_json(record(silly(4), collective="all_reduce", ranks=4, slots=5, count=20, nodes=6))


def recipe_content():
    return to_json(record("broadcast", "ring", ranks=3, chunks=2))


@pytest.mark.parametrize("make", [packed_content, recipe_content])
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: str(type(value).__name__))
def test_no_wrong_value_at_any_place_does_harm(make, value):
    """Each value at every third place, all at different ones, unless all is tried."""
    content, turn = make(), [id(one) for one in HOSTILE].index(id(value))
    for path in list(places(content))[0 if THOROUGH else turn % 3 :: 1 if THOROUGH else 3]:
        began = time.process_time()
        read(changed(content, path, value))
        assert time.process_time() - began < 5, path


@pytest.mark.parametrize("make", [packed_content, recipe_content])
def test_no_missing_value_at_any_place_does_harm(make):
    content = make()
    for path in list(places(content))[1:]:
        recording = read(changed(content, path, None, remove=True))
        optional = "stamps" in path or "sources" in path or path == ("chunks",)
        assert recording is None or optional, path


@pytest.mark.parametrize("name", ["ranks", "root", "nodes", "slots", "count", "chunks", "version"])
@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, [1], -1, 10**12, 10**400, math.inf])
def test_numbers_are_whole_and_within_reason(name, wrong):
    if wrong == 10**12 and name in ("count", "chunks"):
        return  # these are within reason
    for content in (packed_content(), recipe_content()):
        assert read(content | {name: wrong}) is None


def column(numbers, kind="uint16", length=None):
    numbers = np.asarray(numbers, "<u2" if kind == "uint16" else "<u4")
    return {
        "dtype": kind,
        "length": len(numbers) if length is None else length,
        "deflate": base64.b64encode(zlib.compress(numbers.tobytes())).decode(),
    }


def with_columns(content, **columns):
    packed = content["packed"]
    return content | {"packed": packed | {"columns": packed["columns"] | columns}}


@pytest.fixture
def one_step():
    return to_json(record([send(0, 1)], "mine", collective="broadcast", ranks=2, slots=1))


def refusal(content):
    with pytest.raises((BadInput, WrongSchedule)) as problem:
        from_json(content)
    return str(problem.value)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"origin": column([1])}, "origin 1: there are 1 stamps"),
        ({"reduces": column([2])}, "reduces 2: must be 0 or 1"),
        ({"src": column([0, 0])}, "column src has 2 rows; the steps have 1"),
        ({"src": column([0], length=2)}, "column src has 2 rows; the steps have 1"),
        ({"src": column([0, 0], length=1)}, "column src is damaged: it does not hold 1 rows"),
        ({"src": column([], length=1)}, "column src is damaged: it does not hold 1 rows"),
        ({"src": column([0]) | {"dtype": "uint8"}}, "dtype 'uint8'; it must be uint16 or uint32"),
        ({"src": column([0]) | {"deflate": "!!"}}, "column src is damaged"),
        ({"src": column([0]) | {"deflate": "ä"}}, "column src is damaged"),
        ({"src": column([0]) | {"deflate": "AAAA"}}, "column src is damaged"),
        ({"src": column([0]) | {"deflate": ""}}, "column src is damaged"),
        ({"src": column([9], "uint32")}, "step 1: node 9 does not exist"),
        ({"chunk": column([(1 << 32) - 1], "uint32")}, "step 1: slot 4294967295 does not exist"),
        ({"count": column([0])}, "step 1: count 0: a transfer moves at least one slot"),
        ({"count": column([65535])}, "step 1: slot 65534 does not exist"),
        ({"dst": column([0])}, "the digest differs"),
    ],
)
def test_columns_are_checked(one_step, columns, problem):
    assert problem in refusal(with_columns(one_step, **columns))


@pytest.mark.parametrize(
    ("lengths", "problem"),
    [
        (column([0]), "a length is 0"),
        (column([1, 0]), "a length is 0"),
        (column([2]), "column src has 1 rows; the steps have 2"),
        (column([]), "column src has 1 rows; the steps have 0"),
        (column([1], length=1 << 18), "262144 steps: a file holds 0 to 131072"),
        (column([1], length=-1), "-1 steps: a file holds"),
        (column([(1 << 32) - 1], "uint32"), "4294967295 transfers: a file holds 0 to 16777216"),
        (column([0] * (1 << 18)), "262144 steps: a file holds 0 to 131072"),
    ],
)
def test_lengths_are_checked(one_step, lengths, problem):
    content = one_step | {"packed": one_step["packed"] | {"lengths": lengths}}
    assert problem in refusal(content)


def bomb(size):
    """Zeros by the million in a few thousand letters."""
    deflate = zlib.compressobj()
    block = bytes(1 << 20)
    parts = [deflate.compress(block) for _ in range(size >> 20)]
    return base64.b64encode(b"".join([*parts, deflate.flush()])).decode()


def many_rows(one_step):
    """A file of few bytes, all of whose columns inflate to the most rows that are read."""
    rows_of_zeros = {"dtype": "uint16", "length": 1 << 24, "deflate": "AAAA"}
    names = one_step["packed"]["columns"]
    lengths = column([1 << 24], "uint32")
    return {"columns": dict.fromkeys(names, rows_of_zeros), "lengths": lengths}


BOMBS = {
    "a column": lambda c: with_columns(c, src=column([0]) | {"deflate": bomb(1 << 26)}),
    "the lengths": lambda c: (
        c | {"packed": c["packed"] | {"lengths": column([1]) | {"deflate": bomb(1 << 26)}}}
    ),
    "many rows": lambda c: c | {"packed": c["packed"] | many_rows(c)},
    "many ranks": lambda c: c | {"ranks": 10**12, "nodes": 10**12},
    "many slots": lambda c: c | {"slots": 10**12},
    "a long count": lambda c: c | {"count": 1 << 48, "ranks": 1 << 20, "nodes": 1 << 20},
}


@pytest.mark.parametrize("kind", BOMBS)
def test_bombs_do_not_go_off(one_step, kind):
    content = BOMBS[kind](one_step)
    assert len(json.dumps(content)) < 200_000
    tracemalloc.start()
    began = time.process_time()
    problem = refusal(content)
    spent, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20, problem
    assert spent < 5, problem


def test_counts_that_unroll_to_terabytes_are_refused(one_step):
    number, slots = 2000, 1 << 21
    zero, whole = column([0] * number), column([slots - 1] * number, "uint32")
    content = with_columns(
        one_step | {"slots": slots},
        **dict.fromkeys(("src", "chunk", "into", "origin"), zero),
        **dict.fromkeys(("dst", "reduces"), column([1] * number)),
        count=whole,
    )
    content["packed"]["lengths"] = column([number])
    assert "step 1 would take" in refusal(content)


@pytest.mark.parametrize(
    ("stamps", "problem"),
    [
        ([[[0, 5, {}, False]]], "source 0: there are 0 sources"),
        ([[[-1, 5, {}, False]]], "source -1"),
        ([[[False, 5, {}, False]]], "False is not an integer"),
        ([[[0, 5.0, {}, False]]], "5.0 is not an integer"),
        ([[[0, math.inf, {}, False]]], "inf is not an integer"),
        ([[[0, 5, [], False]]], "[] is not an object"),
        ([[[0, 5, {}, 0]]], "0 is not true or false"),
        ([[[0, 5, {}]]], "stamps are damaged: [0, 5, {}]"),
        ([{"a": 1}], "stamps are damaged: {'a': 1}"),
        (["abcd"], "stamps are damaged: 'abcd'"),
        ([], "origin 0: there are 0 stamps"),
        ({}, '"stamps" is {}; it must be an array'),
    ],
)
def test_stamps_are_checked(one_step, stamps, problem):
    content = one_step | {"packed": one_step["packed"] | {"stamps": stamps}}
    assert problem in refusal(content)


@pytest.mark.parametrize(
    "source",
    [["f", "f.py", math.inf, ""], ["f", "f.py", "1", ""], ["f", 1, 1, ""], ["f"], "ffff", None, {}],
    ids=str,
)
def test_sources_are_checked(one_step, source):
    content = one_step | {"packed": one_step["packed"] | {"sources": [source]}}
    assert "stamps are damaged" in refusal(content)


def mutated(text, random):
    """The text with a few bytes changed, taken out, doubled or moved."""
    data = bytearray(text)
    for _ in range(random.randint(1, 4)):
        first = random.randrange(len(data))
        end = min(len(data), first + random.choice((1, 1, 1, 5, 50)))
        match random.randrange(4):
            case 0:
                data[first] = random.randrange(256)
            case 1:
                del data[first:end]
            case 2:
                data[first:first] = data[first:end]
            case 3:
                data[first:end] = random.choice((b"-1", b"null", b"[]", b"1e9", b"0", b'"'))
    return bytes(data)


@pytest.mark.parametrize("make", [packed_content, recipe_content])
def test_damaged_files_are_refused_or_read_but_nothing_else(make, tmp_path):
    random, text, files = Random(5), json.dumps(make()).encode(), 500 if THOROUGH else 150
    path = tmp_path / "recording.json"
    outcomes = {"read": 0, "refused": 0}
    for _ in range(files):
        path.write_bytes(mutated(text, random))
        recording, problem = outcome(lambda: load(path))
        assert "\n" not in problem
        outcomes["refused" if recording is None else "read"] += 1
        if recording is not None:
            phases(recording)
    assert outcomes["refused"] > files / 2
    assert outcomes["read"] > 0


def test_mutated_structures_are_refused_or_read_but_nothing_else():
    random, content, outcomes = Random(6), packed_content(), {"refused": 0, "read": 0}
    paths = list(places(content))
    for _ in range(500):
        damaged = content
        for _ in range(random.randint(1, 3)):
            try:
                damaged = changed(damaged, random.choice(paths), random.choice(HOSTILE))
            except (KeyError, IndexError, TypeError):
                continue  # the place has gone already
        outcomes["refused" if read(damaged) is None else "read"] += 1
    assert outcomes["refused"] > 250
    assert outcomes["read"] > 0


def test_control_characters_of_a_file_are_escaped(one_step):
    content = copy.deepcopy(one_step)
    content["algorithm"] = "my\x1b[2J \u202eown"
    content["packed"]["sources"] = [["f\x07", "\x9b.py", 1, "# \x08\n    # abc\u2028d\n"]]
    content["packed"]["stamps"] = [[[0, 3, {"n\x1b": 4}, False]]]
    found = from_json(content)
    frame = found.steps[0].stamps[0][0]
    assert found.title == r"my\x1b[2J \u202eown"
    assert frame.locals == ((r"n\x1b", 4),)
    assert all(map(str.isprintable, (frame.source.function, frame.source.file)))
    assert step_caption(found.steps[0]) == r"abc\u2028d"


def test_half_a_surrogate_pair_is_refused_wherever_text_is(one_step):
    half = "\ud800"
    for place in (
        lambda content: content.update(algorithm=half),
        lambda content: content["packed"].update(sources=[[half, "f.py", 1, ""]]),
        lambda content: content["packed"].update(sources=[["f", "f.py", 1, half]]),
        lambda content: content["packed"].update(
            sources=[["f", "f.py", 1, ""]], stamps=[[[0, 1, {half: 1}, False]]]
        ),
    ):
        content = json.loads(json.dumps(one_step))
        place(content)
        assert "surrogate" in refusal(content)


def test_a_trace_is_no_recording_and_is_called_what_it_is(tmp_path):
    path = tmp_path / "ring.trace.json"
    chrome.save(lockstep(record("all_reduce", "ring", ranks=4), topology("ring", 4)), str(path))
    with pytest.raises(BadInput, match="holds times and no schedule"):
        load(path)
