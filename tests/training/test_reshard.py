"""Changes of sharding: played on real arrays, counted in executed recordings, refused in a line."""

from itertools import product
from math import prod

import numpy as np
import pytest

from collectives import BadInput, record, reshard
from collectives.cli.commands import cli
from collectives.training.network import ALGORITHMS
from collectives.training.sharding import ShardedTensor, read_change, sharding_text

MESH, SHAPE = (2, 3), (12, 6)
PLACEMENTS = (0, 1, "R", "P")
GOALS = (0, 1, "R")


def part(array, sharding, at, mesh):
    """What the rank at a place of the mesh has of an array, by slicing it axis after axis."""
    for placement, index, size in zip(sharding, at, mesh, strict=True):
        if isinstance(placement, int):
            array = np.split(array, size, axis=placement)[index]
    return array


def held(sharding, mesh, terms):
    """The arrays of all ranks: the sum of the terms, of which an axis with P has each its own."""
    partial = [axis for axis, placement in enumerate(sharding) if placement == "P"]
    return {
        at: part(
            sum(
                term
                for index, term in terms.items()
                if all(index[axis] == at[axis] for axis in partial)
            ),
            sharding,
            at,
            mesh,
        )
        for at in product(*map(range, mesh))
    }


def played(arrays, change, mesh):
    """The arrays after a change, by the collective's own definition."""
    axis, size = change.axis, mesh[change.axis]
    old, new = change.before[axis], change.after[axis]
    result = {}
    for at in arrays:
        group = [arrays[*at[:axis], index, *at[axis + 1 :]] for index in range(size)]
        mine = arrays[at]
        if change.collective == "all_gather":
            mine = np.concatenate(group, axis=old)
        elif change.collective in ("all_reduce", "reduce_scatter"):
            mine = sum(group)
        elif change.collective == "all_to_all":
            mine = np.concatenate([np.split(one, size, axis=new)[at[axis]] for one in group], old)
        if change.collective in ("", "reduce_scatter"):
            mine = np.split(mine, size, axis=new)[at[axis]]
        result[at] = mine
    return result


@pytest.mark.parametrize("before", [*product(PLACEMENTS, PLACEMENTS)], ids=sharding_text)
def test_every_change_gives_every_rank_its_part_of_the_sum(before):
    tensor, some = ShardedTensor(SHAPE, MESH), np.random.default_rng(7)
    indices = product(*(range(n if p == "P" else 1) for n, p in zip(MESH, before, strict=True)))
    terms = {index: some.integers(0, 99, SHAPE) for index in indices}
    for after in product(*(PLACEMENTS if p == "P" else GOALS for p in before)):
        arrays = held(before, MESH, terms)
        for change in tensor.changes(before, after):
            assert (change.before[change.axis], change.collective) != ("R", "all_gather")
            arrays = played(arrays, change, MESH)
        for at, goal in held(after, MESH, terms).items():
            assert np.array_equal(arrays[at], goal), (before, after, at)


@pytest.mark.parametrize(
    ("change", "collective"),  # the list of DTensor.redistribute
    [
        ("S0 -> R", "all-gather"),
        ("S0 -> S1", "all-to-all"),
        ("R -> S0", ""),
        ("P -> R", "all-reduce"),
        ("P -> S1", "reduce-scatter"),
    ],
)
@pytest.mark.parametrize("mesh", [[4], [2, 4], [4, 2]])
def test_bytes_are_those_of_the_collective_recorded_alone(change, collective, mesh):
    """Of 4 ranks of an axis, beside which the other axis splits nothing."""
    axis, shape = mesh.index(4), (64, 32)
    both = [
        ", ".join("R" if at != axis else side for at in range(len(mesh)))
        for side in change.split(" -> ")
    ]
    report = reshard(" -> ".join(both), shape=shape, mesh=mesh, dtype="fp32")
    (step,) = report.steps
    assert (step.collective, step.axis, step.ranks) == (collective, axis, 4)
    size = 4 * prod(shape)
    assert report.bytes == size
    if not collective:
        assert (step.sent, step.held) == (0, size // 4)
        return
    name = collective.replace("-", "_")
    vector = size // 4 if change == "S0 -> S1" else size
    alone = record(name, ALGORITHMS[name], ranks=4, count=vector, dtype="uint8")
    assert alone.check().ok and step.vector == vector
    assert step.sent == max(alone.bytes_sent) == report.sent
    assert step.held == (size if change.endswith("R") else size // 4)


def test_fewest_collectives_come_first_then_bytes_then_near_ranks():
    shape = {"shape": (4096, 4096), "mesh": (2, 8)}
    ways = {
        "S0,S0 -> R,R": [("all-gather", 1), ("all-gather", 0)],
        "S0,S1 -> R,R": [("all-gather", 0), ("all-gather", 1)],
        "P,P -> S0,S1": [("reduce-scatter", 1), ("reduce-scatter", 0)],
        "S0,R -> R,S0": [("all-gather", 0), ("", 1)],
        "S0,S0 -> R,S0": [("all-gather", 1), ("all-gather", 0), ("", 1)],
        "R,R -> S0,S0": [("", 0), ("", 1)],
        "R,P -> S0,R": [("", 0), ("all-reduce", 1)],
    }
    for change, way in ways.items():
        report = reshard(change, **shape)
        assert [(each.collective, each.axis) for each in report.steps] == way, change


def test_a_machine_gives_seconds_and_near_ranks_are_faster():
    report = reshard("S0,R -> R,R", shape=(8192, 4096), mesh=(8, 8), topology="cluster")
    far = report.seconds
    near = reshard("R,S0 -> R,R", shape=(8192, 4096), mesh=(8, 8), topology="cluster").seconds
    assert near == pytest.approx(8192 * 4096 * 2 * 7 / 8 / 450e9, rel=0.1)
    assert far == pytest.approx(8192 * 4096 * 2 * 7 / 8 / 50e9, rel=0.1)
    assert reshard("S0 -> R", shape=[8], mesh=[2]).seconds is None


def test_the_report_is_a_line_a_table_and_values():
    report = reshard("P -> S0", shape=(1024,), mesh=[8], dtype="bf16", topology="hgx-h100")
    assert repr(report) == "<ReshardReport: P → S0: reduce-scatter, 1.79 KB sent>"
    text = "\n".join(map(str, report.lines()))
    assert "reduce-scatter of 8 ranks: each rank sends 1.79 KB in" in text and "hgx-h100" in text
    values = report.as_json()
    assert values["sent"] == 1792 and values["steps"][0]["collective"] == "reduce-scatter"
    nothing = reshard("R -> R", shape=(8,), mesh=[2])
    assert not nothing.steps and "no collective" in repr(nothing)
    assert reshard("S0,R -> R,R", shape=(8,), mesh=(1, 2)).sent == 0
    assert read_change("Shard(-1) → Replicate()", 1, 3) == ((2,), ("R",))


@pytest.mark.parametrize(
    ("change", "shape", "mesh", "words"),
    [
        ("S0", (8,), [2], "'S0': must be BEFORE -> AFTER; try: S0,R -> R,R"),
        ("S0 -> R,R", (8,), [2], "'R,R': 2 placements for a mesh of 1; try: R"),
        ("S1 -> R", (8,), [2], "'S1': the tensor has 1 dimension; try: S0"),
        ("X -> R", (8,), [2], "'X': a placement is S0"),
        ("R -> P", (8,), [2], "axis 0 has no sums to come"),
        ("S0 -> R", (9,), [2], "dimension 0 does not split into 2 equal parts; try: 8 for 9"),
        ("S0 -> R", (8,), [2000], "mesh 2000: must be at most 1024"),
        ("S0 -> R", (8,), [64, 64], "mesh .*: at most 1024 ranks"),
        ("S0 -> R", (), [2], "shape .*: must be 1 to 6 numbers"),
        ("S0 -> R", (1 << 40, 1 << 40), [2], "at most 2.48 bytes"),
        (5, (8,), [2], "change 5: must be"),
        ("S0 -> R", 8, [2], "shape 8: must be a list"),
    ],
)
def test_what_is_no_change_is_refused_in_a_line(change, shape, mesh, words):
    with pytest.raises(BadInput, match=words) as problem:
        reshard(change, shape=shape, mesh=mesh)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--shard S0->R --mesh 2", "--shape is missing"),
        ("--shard S0->R --shape 8", "--mesh is missing"),
        ("--shape 8", "--shape: only beside --shard"),
        ("--shard S0->R --shape 8 --mesh 2 --parameters 7B", "--parameters: --shard is about one"),
        ("--parameters 7B", "--ranks is missing"),
        ("-n 8", "--parameters is missing"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, text):
    with pytest.raises(BadInput, match=text):
        cli(["train", *words.split()], standalone_mode=False)
