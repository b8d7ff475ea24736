"""The recorded bits again, live: of each library that the environment names a folder of."""

import json
import os
from pathlib import Path

import pytest
from foreign import random_data
from record import DATA, MOST, RANKS, recorded

FOLDERS = {"mpich": "MPICH", "open_mpi": "OPEN_MPI", "gloo": "TORCH"}  # TORCH: a Python in it
NUMBERS = (5, 8)  # of ranks
NAMED = [(library, os.environ[name]) for library, name in FOLDERS.items() if name in os.environ]


@pytest.mark.parametrize(("library", "place"), NAMED)
def test_a_library_returns_the_recorded_bits(library, place):
    folder = Path(place).parents[1] if library == "gloo" else Path(place)
    known = json.loads((DATA / f"{library}_bits.json").read_text())["results"]
    expected = [line for line in known if line[2] in NUMBERS]
    data = random_data(max(RANKS), MOST, "float32")
    found = list(recorded(library, folder, data, NUMBERS))
    assert found == expected
