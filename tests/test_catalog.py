"""The catalog: names, arguments, slots and nodes of every row are those of its function."""

import inspect
import re

import pytest
from each import each, row_title
from interpreter import rows
from promises import algorithms, modules
from settings import recorded, settings

import collectives
from collectives import ROWS, BadInput
from collectives.algorithms.nested import TwoParts
from collectives.catalog import find_row
from collectives.catalog.parameters import NamedWay
from collectives.collective import COLLECTIVES
from collectives.recording.phases import step_caption

RANKS = range(1, 14)
ALGORITHMS = [function for module in modules() for function in algorithms(module)]
WAYS = ("inside", "outside")
ON_TREES = (
    "broadcast",
    "reduce",
    "scatter",
    "gather",
    "all_gather",
    "reduce_scatter",
    "all_reduce",
)

by_row = each("row", ROWS, row_title)


def test_names_are_unique():
    for names in (
        [(row.collective, name) for row in ROWS for name in (row.algorithm, *row.also)],
        [row.title for row in ROWS],
        [row.function for row in ROWS],
    ):
        assert sorted(names, key=str) == sorted(set(names), key=str)


def test_every_collective_has_algorithms_to_choose_from():
    kinds = {collective: set() for collective in COLLECTIVES}
    for row in ROWS:
        kinds[row.collective].add(row.algorithm)
    assert all(len(found) > 1 for found in kinds.values())
    assert all(kinds[collective] >= {"flat", "tree"} for collective in ON_TREES)


def used_in(function):
    """The algorithms that are called in another's code."""
    words = set(re.findall(r"\w+", inspect.getsource(function)))
    return [other for other in ALGORITHMS if other.__name__ in words and other is not function]


def test_every_algorithm_is_in_the_table_or_part_of_one():
    found = {made for row in ROWS for made in (row.function, row.in_channels, row.in_ways) if made}
    assert found <= set(ALGORITHMS)
    fresh = found
    while fresh:
        fresh = {part for function in fresh for part in used_in(function)} - found
        found |= fresh
    assert sorted(f.__name__ for f in set(ALGORITHMS) - found) == []


@by_row
def test_a_row_takes_what_its_function_takes(row):
    further = {parameter.name for parameter in row.takes}
    assert set(row.parameters) - {"root", "chunks"} == further
    assert ("root" in row.parameters) == row.promise.rooted
    for setting in settings(row, range(1, 7)):
        values = {"root": setting.root, "chunks": setting.chunks, **setting.parameters}
        if row.promise.routed:
            values["routing"] = setting.routing
        if row.in_channels and setting.channels > 1:
            values["gpus"] = setting.gpus
        wanted = (
            inspect.signature(row.function).parameters if row.promise.routed else row.parameters
        )
        given = {name: values[name] for name in wanted if name in values}
        function = row.in_channels if "channels" in given else row.function
        if any(isinstance(value, NamedWay) for value in setting.parameters.values()):
            function = row.in_ways
        given = {name: given[name] for name in given if name not in WAYS}
        if function is row.in_ways is not None:
            usual = {one.name: one.default(setting.ranks, {}) for one in row.takes if one.ways}
            chosen = {name: setting.parameters.get(name, usual[name]) for name in usual}
            ways = {one.name: one.ways for one in row.takes}
            given["parts"] = TwoParts(**{name: ways[name][way] for name, way in chosen.items()})
        steps = list(row.schedule(setting))
        expected = list(function(setting.ranks, **given))
        assert [rows(step) for step in steps] == [rows(step) for step in expected]


@by_row
def test_slots_and_nodes_are_those_the_function_uses_and_steps_have_captions(row):
    for setting in settings(row, RANKS, all_roots=False):
        used, nodes = {0}, {setting.ranks - 1}
        for step in recorded(row, setting).steps:
            slots = step.unrolled()
            used |= {*slots.chunk.tolist(), *slots.into.tolist()}
            nodes |= {*step.src.tolist(), *step.dst.tolist()}
            assert step_caption(step)
        unknown = setting.ranks == 1 or row.promise.routed  # the last token may stay where it is
        assert max(used) == row.slots(setting) - 1 or (unknown and max(used) < row.slots(setting))
        assert max(nodes) < row.nodes(setting), setting
        if setting.ranks > 1 and 1 not in setting.parameters.values():  # as in a node of one rank
            assert max(nodes) == row.nodes(setting) - 1, setting


@by_row
def test_a_row_says_where_it_comes_from_and_if_known_who_uses_it(row):
    assert len(row.source) > 10
    assert row.used_by == "" or len(row.used_by) > 3
    assert not row.source.endswith(".") and not row.used_by.endswith(".")
    assert row.form.optimal in ("", "R", "B", "T", "RB", "RT", "BT", "RBT")
    assert all(name == name.lower() and "_" not in name for name in (row.algorithm, *row.also))


@by_row
def test_sizes_say_which_numbers_of_ranks_are_accepted(row):
    """One rank is always accepted; for numbers that are not, the nearest that are are named."""
    assert row.accepts(1)
    refused = [n for n in range(1, 66) if not row.accepts(n)]
    assert row.sizes.text != "any" or not refused
    assert row.sizes.text == "any" or refused or row.takes
    for n in refused:
        with pytest.raises(BadInput) as refusal:
            row.setting(n)
        offered = re.search(r"try: (.*)$", str(refusal.value))[1].split(" or ")
        assert all(row.accepts(int(number)) for number in offered)


@by_row
def test_parameters_are_refused_with_the_nearest_that_fits(row):
    for parameter in row.takes:
        for n in (1, 2, 6, 16, 25):
            assert parameter.accepts(n, parameter.default(n, {})) or not row.accepts(n)
            with pytest.raises(BadInput) as refusal:
                row.setting(n, parameters={parameter.name: -1})
            many = "1 rank" if n == 1 else f"{n} ranks"
            if parameter.ways:
                names = ", ".join(map(str, parameter.ways))
                problem = f"{parameter.name} -1: must be {parameter.rule}; choose from {names}"
                assert str(refusal.value) == problem
                continue
            problem = f"{parameter.name} -1: must be {parameter.rule} ({many}); try: "
            assert str(refusal.value).startswith(problem)
            nearest = int(str(refusal.value).removeprefix(problem))
            assert parameter.accepts(n, nearest) or not row.accepts(n)
    with pytest.raises(BadInput, match="has no parameter 'color'"):
        row.setting(4, parameters={"color": 3})


@pytest.mark.parametrize(
    ("algorithm", "n", "given", "sides"),
    [
        ("torus-3d", 12, {}, {"rows": 2, "columns": 3}),
        ("torus-3d", 12, {"rows": 3}, {"rows": 3, "columns": 2}),
        ("torus-3d", 12, {"columns": 4}, {"rows": 3, "columns": 4}),
        ("torus-3d", 64, {"columns": 16}, {"rows": 2, "columns": 16}),
        ("three-level", 16, {}, {"gpus": 4, "nodes": 2}),
        ("three-level", 16, {"nodes": 4}, {"gpus": 2, "nodes": 4}),
        ("three-level", 12, {"gpus": 6}, {"gpus": 6, "nodes": 2}),
        ("bcube", 9, {}, {"base": 3}),
        ("bcube", 16, {}, {"base": 2}),
        ("bcube", 16, {"base": 4}, {"base": 4}),
    ],
)
def test_defaults_fit_the_ranks_and_what_is_given(algorithm, n, given, sides):
    assert find_row("all_reduce", algorithm).setting(n, parameters=given).parameters == sides


@pytest.mark.parametrize("algorithm", ["torus-2d", "torus-3d", "hierarchical", "three-level"])
def test_each_divisor_of_the_ranks_can_be_a_side(algorithm):
    row = find_row("all_reduce", algorithm)
    for n in range(1, 65):
        for parameter in (one for one in row.takes if not one.ways):
            for side in (side for side in range(1, n + 1) if n % side == 0):
                assert row.setting(n, parameters={parameter.name: side})[parameter.name] == side


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"rows": 5}, "rows 5: must be a divisor of the number of ranks (12 ranks); try: 4"),
        ({"columns": 0}, "columns 0: must be a divisor of the number of ranks (12 ranks); "),
        ({"rows": 3, "columns": 3}, "12 ranks: torus-3d all-reduce takes multiples of rows x col"),
    ],
)
def test_sides_that_do_not_fit_are_refused(given, problem):
    with pytest.raises(BadInput) as refusal:
        find_row("all_reduce", "torus-3d").setting(12, parameters=given)
    assert str(refusal.value).startswith(problem)


@pytest.mark.parametrize(
    ("collective", "algorithm", "title"),
    [
        ("all_reduce", "ring", "ring all-reduce"),
        ("all-reduce", "ring", "ring all-reduce"),
        ("All-Reduce", "RING", "ring all-reduce"),
        ("ALL_REDUCE", "Ring", "ring all-reduce"),
        ("all_to_all", "linear_shift", "pairwise all-to-all"),
        ("All-to-all", "NCCL", "triangular all-to-all"),
    ],
)
def test_names_are_found_in_any_spelling(collective, algorithm, title):
    assert find_row(collective, algorithm).title == title


@by_row
def test_a_row_is_found_by_each_of_its_names(row):
    for name in (row.algorithm, *row.also):
        assert find_row(row.collective, name) is row


@pytest.mark.parametrize(
    ("collective", "algorithm", "problem"),
    [
        ("all_redcue", "ring", "unknown collective 'all_redcue'; did you mean all-reduce?"),
        ("", "ring", "unknown collective ''; choose from broadcast, reduce, all-gather"),
        ("all_reduce", "rnig", "unknown all-reduce algorithm 'rnig'; did you mean ring?"),
        ("gather", "", "unknown gather algorithm ''; choose from flat, tree"),
        ("all_to_all", "pairwize", "unknown all-to-all algorithm 'pairwize'; did you mean pair"),
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


def test_headings_are_as_people_write_them():
    headings = {row.title: row.heading for row in ROWS}
    assert headings["sharp all-reduce"] == "SHARP all-reduce"
    assert headings["two-shot all-reduce"] == "Two-shot all-reduce"
    assert headings["ring all-reduce"] == "Ring all-reduce"
    assert headings["van-de-geijn broadcast"] == "Van de Geijn broadcast"
    assert len(set(headings.values())) == len(ROWS)
