"""What the catalog says of equal bits is what the tests of this folder hold."""

import re

from each import each, row_title
from same import ROW
from test_open_mpi import MOVES, SUMS

from collectives import ROWS
from collectives.cost.libraries.openmpi import NAMES, UNFOLDED

LIBRARIES = {"mpich": "MPICH", "open_mpi": "Open MPI", "gloo": "gloo"}


@each("row", ROWS, row_title)
def test_a_row_names_the_libraries_it_was_compared_with(row):
    tested = {}
    for (library, collective, algorithm), name in ROW.items():
        if (collective, name) == (row.collective, row.algorithm):
            number, _, rest = algorithm.partition(" ")
            tested.setdefault(LIBRARIES[library], []).append(
                rest if number.isdigit() else algorithm
            )
    listed = tuple(f"{library} ({', '.join(names)})" for library, names in tested.items())
    assert row.same_bits_as == listed


def open_mpis(row):
    """The names of Open MPI's algorithms that are this row, if only where they are forced."""
    forced = {
        case.number
        for case in SUMS + MOVES
        if (case.collective, case.row) == (row.collective, row.algorithm)
    }
    return {
        name
        for number, (name, ours, _) in NAMES.get(row.collective, {}).items()
        if row.algorithm in (ours, UNFOLDED.get(ours)) or number in forced
    }


@each("row", ROWS, row_title)
def test_a_row_names_the_algorithm_of_open_mpi_that_it_is(row):
    """In parentheses, where a comma may follow with what is different."""
    said = re.findall(r"Open MPI(?: \(([^)]*)\))?", row.used_by)
    for text in said:
        assert any(re.match(rf"{re.escape(name)}(,|$)", text) for name in open_mpis(row)), text


def test_every_algorithm_of_open_mpi_was_compared_live_or_says_how_it_differs():
    """Compared: by the traffic between each pair, unless its monitor cannot count it."""
    operations = {(case.collective, case.number): case for case in SUMS + MOVES}
    for collective, names in NAMES.items():
        for number, (name, row, note) in names.items():
            compared = [
                case
                for case in SUMS + MOVES
                if (case.collective, case.number, case.row) == (collective, number, row)
                and case.pairs != "powers of two"
            ]
            assert compared or note, (collective, name)
    assert {key for key, case in operations.items() if case.pairs == "none"} == {("all_to_all", 1)}
