"""The numbers of NCCL's tuner: every table is whole."""

from itertools import pairwise

import pytest

from collectives.catalog import ROWS
from collectives.cost.libraries.nccl import tables

GENERATIONS = [name for _, name in reversed(tables.GENERATIONS)]


def test_every_algorithm_is_a_row_of_the_catalog():
    for algorithm in tables.ALGORITHMS.values():
        assert set(algorithm.protocols) <= set(tables.PROTOCOLS) and algorithm.kinds
        assert set(algorithm.kinds) <= set(tables.KINDS)
        assert any(
            (row.collective, row.algorithm) == (kind, algorithm.row)
            for row in ROWS
            for kind in algorithm.kinds
        )


def test_every_limit_has_all_generations():
    for name, rows in tables.LIMITS.items():
        assert list(rows) == GENERATIONS[2 if name == "nvls_tree" else 0 :]


def test_speeds_descend_and_factors_are_parts():
    for speeds in (*tables.INSIDE.values(), *tables.BETWEEN.values()):
        assert all(before > after > 0 for before, after in pairwise(speeds))
    assert list(tables.TREE_FACTORS) == list(tables.PROTOCOLS)
    for factors in tables.TREE_FACTORS.values():
        assert len(factors) == 24 and all(0 < factor <= 1 for factor in factors)


@pytest.mark.parametrize("row", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0]])
def test_a_row_of_a_limit_has_three_numbers(row):
    with pytest.raises(ValueError, match="values to unpack"):
        tables._triple(row)


def test_an_algorithm_has_all_fields_and_no_others():
    given = {"graph": "ring", "row": "ring", "kinds": [], "protocols": []}
    given |= {name: [1.0, 2.0, 3.0] for name in ("base", "nvlink", "pci", "net")}
    assert tables._algorithm(given).net == (1.0, 2.0, 3.0)
    with pytest.raises(TypeError, match="speed"):
        tables._algorithm(given | {"speed": 1})
    del given["row"]
    with pytest.raises(TypeError, match="row"):
        tables._algorithm(given)
