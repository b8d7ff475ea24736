"""Subjects and files: own functions, saved recordings, checks, and results that are written."""

import os
import stat
from collections import Counter
from textwrap import dedent

import numpy as np
import pytest
from msccl_programs import RING, program

from collectives import check, record
from collectives.catalog import ROWS
from collectives.formats.msccl import events, waits
from collectives.formats.msccl import program as program_module

MINE = """
    import numpy as np
    from collectives import pipelined, reduce, send

    def my_broadcast(n, root=0):
        '''The root passes the data on.'''
        for hop in range(n - 1):
            # one more rank gets the data
            yield send((root + hop) % n, (root + hop + 1) % n)

    def relay(n, root, far):
        yield send(root, (root + far) % n)
        yield send(root, [r for r in range(n) if r not in (root, (root + far) % n)])

    def piped_broadcast(n, chunks):
        yield from pipelined(my_broadcast(n), range(chunks))

    def lazy_all_reduce(n):
        yield reduce(np.arange(1, n), 0)

    def zero_broadcast(n):
        # rank 0 has it
        yield send(0, np.arange(1, n))
"""


@pytest.fixture
def mine(tmp_path):
    """A module of own schedules in the current folder."""
    (tmp_path / "mine.py").write_text(dedent(MINE))


# --- run: subjects and files


def test_a_recording_is_saved_and_is_a_subject(right, tmp_path):
    before = right("run broadcast ring -n 5 --root 2 --chunks 3 -o saved.json --json").json
    after = right("run saved.json --json").json
    assert after == before
    assert right("check saved.json").out == "ring broadcast on 5 ranks: right\n"
    assert right("check saved.json --json").json["ok"] is True


@pytest.mark.parametrize(
    "subject", ["mine:my_broadcast", "mine.py:my_broadcast", "./mine.py:my_broadcast"]
)
def test_own_functions_are_subjects(right, mine, subject):
    report = right(f"run {subject} --slots 1 -n 6 --root 4 --json").json
    assert (report["collective"], report["algorithm"]) == ("broadcast", "my_broadcast")
    assert (report["ranks"], report["root"], report["steps"]) == (6, 4, 5)
    assert "step 1 of 5: one more rank gets the data" in right(f"run {subject} --slots 1 -n 6").out
    assert right(f"check {subject} --slots 1 -n 1-5 --json").json["cases"] == 1 + 2 + 3 + 4 + 5


def test_a_file_without_a_function_is_told_which_it_has(collectives, tmp_path):
    mine, empty = tmp_path / "mine.py", tmp_path / "empty.py"
    mine.write_text("def odd_broadcast(n):\n    yield from ()\n")
    empty.write_text("import math\n")
    told = collectives(f"run {mine}")
    assert told.status == 2 and told.err.endswith(f"as in {mine}:odd_broadcast\n")
    told = collectives(f"run {empty}")
    assert told.status == 2 and "has no function" in told.err and told.err.count("\n") == 1


def test_own_functions_are_saved_and_run_without_their_file(right, mine, tmp_path):
    before = right("run mine:my_broadcast --slots 1 --count 3 -o own.json --json").json
    (tmp_path / "mine.py").unlink()
    assert right("run own.json --json").json == before
    assert "one more rank gets the data" in right("run own.json").out


def test_no_compiled_file_is_left_beside_an_own_file(right, mine, tmp_path):
    right("run mine.py:my_broadcast --slots 1")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_arguments_are_filled_by_name_and_with_p(right, mine):
    line = "mine.py:relay --collective broadcast --slots 1 -p far=2"
    assert right(f"run {line} -n 5 --root 1 --json").json["correct"] is True
    assert right(f"check {line} -n 3-5").out.startswith("relay: right in all 12 cases")


def test_chunks_of_an_own_function_are_its_slots(right, mine):
    assert right("run mine.py:piped_broadcast --json").json["slots"] == 4
    assert right("run mine.py:piped_broadcast --chunks 3 --json").json["steps"] == 2 + 3


# --- check


def test_check_all_checks_every_row(right):
    report = right("check all -n 1-3 --json").json
    assert report["ok"] is True
    assert len(report["algorithms"]) == len(ROWS)
    assert all(found["ok"] for found in report["algorithms"])
    tried = [(row, n) for row in ROWS for n in (1, 2, 3) if row.accepts(n)]
    assert report["cases"] == sum(n if row.promise.rooted else 1 for row, n in tried)
    assert right("check all -n 1").out.splitlines()[-1].startswith(f"{len(ROWS)} algorithms, ")


@pytest.mark.parametrize(
    ("numbers", "cases"), [("1-33", 33), ("2,4,8", 3), ("5", 1), ("1-3,3,2,8-9", 5)]
)
def test_check_takes_numbers_lists_and_ranges(right, numbers, cases):
    assert right(f"check all-gather tree -n {numbers} --json").json["cases"] == cases


def test_check_tries_1_to_33_ranks_and_every_root_up_to_9(right):
    assert right("check all-reduce tree --json").json["cases"] == 33
    assert right("check broadcast tree --json").json["cases"] == sum(range(1, 10)) + 24
    assert right("check broadcast tree --root 2 --json").json["cases"] == 31


def test_check_takes_chunks_and_count(right):
    said = right("check reduce ring --chunks 5 --count 12 -n 3 --root 1").out
    assert said == "ring reduce: right in the one case (3 ranks, root 1, count 12)\n"


def test_a_wrong_algorithm_is_named_and_ends_with_1(collectives, mine):
    for line in (
        "run mine.py:lazy_all_reduce --slots 1",
        "check mine.py:lazy_all_reduce --slots 1 -n 2-9",
    ):
        ended = collectives(line)
        assert ended.status == 1
        assert ended.err.count("\n") == 1
        assert "lazy_all_reduce" in ended.err
        assert "rank 1, slot 0 ends wrong: chunk 0 of rank" in ended.err
        assert "All of it is in slot 0 of rank 0 since step 1 (mine.py line " in ended.err
        assert "), but no step sends it to rank 1" in ended.err


def test_run_and_check_and_python_say_the_same(collectives, mine, tmp_path):
    line = "mine.py:lazy_all_reduce --slots 1 -n 3"
    said = {collectives(f"{verb} {line}").err for verb in ("run", "check")}
    namespace = {"__name__": "mine"}
    source = (tmp_path / "mine.py").read_text()
    exec(compile(source, str(tmp_path / "mine.py"), "exec"), namespace)
    function = namespace["lazy_all_reduce"]
    verdict = check(function, ranks=3, slots=1)
    recorded = record(function(3), collective="all_reduce", ranks=3, slots=1).check()
    assert str(recorded) == str(verdict)
    assert said == {f"collectives: {verdict}\n"}


def test_a_function_that_takes_no_root_is_checked_from_rank_0(right, collectives, mine):
    said = right("check mine.py:zero_broadcast --slots 1 -n 2-4").out
    assert "right in all 3 cases (2-4 ranks, root 0, as it takes none)\nOn 4 ranks" in said
    ended = collectives("check mine.py:zero_broadcast --slots 1 -n 2-4 --root 1")
    assert ended.status == 1
    assert "zero_broadcast on 2 ranks, root 1: step 1 (mine.py line " in ended.err


def test_a_wrong_algorithm_is_wrong_in_json_too(collectives, mine):
    ran = collectives("run mine.py:lazy_all_reduce --slots 1 --json")
    assert (ran.status, ran.json["correct"]) == (1, False)
    checked = collectives("check mine.py:lazy_all_reduce --slots 1 --json")
    assert (checked.status, checked.json["ok"]) == (1, False)
    assert checked.json["cases"] == 2  # it stops at 2 ranks


def test_a_wrong_algorithm_writes_no_result(collectives, mine, tmp_path):
    (tmp_path / "old.npy").write_bytes(b"old")
    assert collectives("run mine.py:lazy_all_reduce --slots 1 -o old.npy").status == 1
    assert (tmp_path / "old.npy").read_bytes() == b"old"
    assert "step 1 of 1" in collectives("run mine.py:lazy_all_reduce --slots 1").out


# --- files


@pytest.mark.parametrize("name", ["sum.npy", "sum.npz", "sum.json"])
def test_output_files_are_replaced_and_nothing_else_is_left(right, tmp_path, name):
    (tmp_path / name).write_bytes(b"old")
    note = " (the schedule, not its data)" if name.endswith(".json") else ""
    assert right(f"run all-reduce ring -o {name}").out.endswith(f"written: {name}{note}\n")
    assert (tmp_path / name).read_bytes() != b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    (tmp_path / "plain").write_bytes(b"as any program writes a file")
    rights = [stat.S_IMODE((tmp_path / each).stat().st_mode) for each in (name, "plain")]
    assert rights[0] == rights[1]


def test_a_file_that_lacks_where_ranks_stand_says_so(right, tmp_path):
    ring = "from collectives.algorithms.per_rank.ring import ring_all_gather\n"
    (tmp_path / "ranks.py").write_text(ring)
    said = right("run ranks.py:ring_all_gather -o ranks.json").out
    assert said.endswith("(the schedule, not its data nor where programs of ranks stand)\n")


def test_results_are_files_numpy_reads(right, tmp_path):
    right("run all-reduce ring -o sum.npy")
    right("run all-reduce ring -o sum.npz")
    want = (np.arange(64) % 100 + 1).reshape(4, 16).sum(axis=0)
    np.testing.assert_array_equal(np.load(tmp_path / "sum.npy"), np.tile(want, (4, 1)))
    np.testing.assert_array_equal(np.load(tmp_path / "sum.npz")["result"], np.tile(want, (4, 1)))


def test_a_full_disk_leaves_the_old_file(collectives, tmp_path, monkeypatch):
    (tmp_path / "sum.npy").write_bytes(b"old")
    real, calls = os.replace, []

    def fail(*paths):
        calls.append(paths)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    ended = collectives("run all-reduce ring -o sum.npy")
    monkeypatch.setattr(os, "replace", real)
    assert (ended.status, len(calls), ended.out) == (2, 1, "")
    assert ended.err == "collectives: sum.npy: cannot be written: No space left on device\n"
    assert [path.name for path in tmp_path.iterdir()] == ["sum.npy"]
    assert (tmp_path / "sum.npy").read_bytes() == b"old"


def test_an_msccl_program_is_a_subject(right, collectives, tmp_path):
    path = tmp_path / "three.xml"
    path.write_bytes(RING)
    ran = right(f"run {path} --count 30 --dtype float32 --op avg --json").json
    assert (ran["correct"], ran["ranks"], ran["count"], ran["messages"]) == (True, 3, 30, 12)
    assert right(f"check {path} --json").json["ok"]
    timed = right(f"time {path} --size 3MB --topology crossbar --json").json
    assert timed["messages"] == 12
    assert timed["seconds"] > 4 * 5e-6
    for name in ("picture.svg", "page.html"):
        verb = "page" if name.endswith("html") else "figure picture"
        assert collectives(f"{verb} {path} -o {tmp_path / name}").status == 0
        assert (tmp_path / name).stat().st_size


def test_an_msccl_program_is_checked_in_place_and_out_of_place(right, collectives, tmp_path):
    path = tmp_path / "both.xml"
    blocks = [[f"{1 - r} {1 - r} 0: s i0; cpy i0 o0; rrc o0 o0"] for r in (0, 1)]
    options = {"chunks": 1, "sizes": {"o": 1}, "outofplace": 1}
    path.write_bytes(program("allreduce", *blocks, **options))
    checked = right(f"check {path} --json").json["algorithms"][0]
    assert checked["cases"] == 2
    assert checked["text"] == "mine on 2 ranks: right, in place and out of place"
    wrong = [[f"{1 - r} {1 - r} 0: s i0; rrc i0 i0"] for r in (0, 1)]
    path.write_bytes(program("allreduce", *wrong, **options))
    ended = collectives(f"check {path}")
    assert ended.status == 1
    assert ended.err.startswith(
        "collectives: out of place, mine on 2 ranks: rank 0, slot 1 is empty"
    )


def test_an_msccl_program_is_read_and_ordered_once_for_all_its_calls(right, tmp_path, monkeypatch):
    called = []

    def counted(module, name):
        of = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: called.append(name) or of(*given))

    counted(program_module, "tree_of")
    counted(events, "_Queue")
    counted(waits, "_raising")
    blocks = [[f"{1 - r} {1 - r} 0: s i0; cpy i0 o0; rrc o0 o0"] for r in (0, 1)]
    content = program("allreduce", *blocks, chunks=1, sizes={"o": 1}, outofplace=1, name="once")
    path = tmp_path / "once.xml"
    path.write_bytes(content)
    assert "in place and out of place" in right(f"check {path}").out
    assert Counter(called) == {"tree_of": 1, "_Queue": 1, "_raising": 2}


def test_an_msccl_program_with_a_data_race_is_not_right(collectives, tmp_path):
    """In the order that is tried each rank sends before it adds."""
    path = tmp_path / "race.xml"
    blocks = [[f"{1 - r} -1 0: s i0", f"-1 {1 - r} 0: rrc i0 i0"] for r in (0, 1)]
    path.write_bytes(program("allreduce", *blocks, chunks=1))
    said = "mine on 2 ranks: right in the order that was tried, but others may differ: gpu 0, tb 0,"
    for verb in ("check", "run"):
        ended = collectives(f"{verb} {path}")
        assert ended.status == 1 and ended.err.startswith(f"collectives: {said}")
        ended = collectives(f"{verb} {path} --json")
        assert ended.status == 1 and not ended.json["ok" if verb == "check" else "correct"]
    assert collectives(f"run {path} --counts-only").status == 0


def test_a_custom_program_is_counted_and_said_to_be_unproved(right, collectives, tmp_path):
    path, saved = tmp_path / "next.xml", tmp_path / "next.json"
    path.write_bytes(program("custom", ["1 -1 0: s i0"], ["-1 0 0: r - o0"], sizes={"o": 2}))
    ran = right(f"run {path} --json -o {saved}").json
    assert (ran["correct"], ran["messages"]) == (None, 1)
    assert ran["lower_bound"]["steps"] is None
    assert collectives(f"run {path}").out.endswith("a custom collective promises nothing\n")
    for given in (path, saved):
        assert "nothing is promised, so nothing is proved" in collectives(f"check {given}").out


@pytest.mark.parametrize("option", ["-n 3", "--chunks 2", "--slots 3", "-p radix=2", "--root 1"])
def test_an_msccl_program_takes_no_options_of_algorithms(collectives, tmp_path, option):
    path = tmp_path / "three.xml"
    path.write_bytes(RING)
    ended = collectives(f"run {path} {option}")
    assert ended.status == 2
    assert "leave it out" in ended.err


def test_imports_are_saved_with_what_they_promise(right, collectives, tmp_path):
    """Out of place, and an all-to-all in place: another promise than that of the collective."""
    path, saved = tmp_path / "mine.xml", tmp_path / "mine.json"
    swap = ["1 1 0: s i1; r - i1"], ["0 0 0: s i0; r - i0"]
    gather = [[f"{1 - r} {1 - r} 0: s i0; cpy i0 o{r}; r - o{1 - r}"] for r in (0, 1)]
    for content in (
        program("alltoall", *swap),
        program("allgather", *gather, inplace=0, sizes={"i": 1}),
    ):
        path.write_bytes(content)
        ran = right(f"run {path} --json -o {saved}").json
        again = right(f"run {saved} --json").json
        assert ran == again
        assert right(f"check {saved} --json").json["ok"]


def test_subjects_are_converted(right, collectives, mine, tmp_path):
    for words in ("all-reduce ring -n 5", "mine:my_broadcast --slots 1 -n 3"):
        right(f"convert {words} ring.xml")
        right("convert ring.xml ring.json")
        assert right("run ring.xml --json").json["correct"]
        assert right("check ring.json --json").json["ok"]
    for line, why in (
        ("convert ring.xml", "name a schedule and a file"),
        ("convert all-reduce ring ring.txt", "try: ring.json"),
        ("convert all-reduce sharp sharp.xml", "GPUs alone"),
        ("convert all-reduce", "name a schedule and a file"),
    ):
        ended = collectives(line)
        assert (ended.status, why in ended.err) == (2, True), ended.err
