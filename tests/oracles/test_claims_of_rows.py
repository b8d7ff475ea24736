"""What the catalog says of equal bits is what the tests of this folder hold."""

from each import each, row_title
from same import ROW

from collectives import ROWS

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
