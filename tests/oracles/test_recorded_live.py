"""Recorded bits, and maps of a library's own choices, live: where a variable names its folder."""

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest
from foreign import Job, random_data
from map_arithmetic import computed
from record import DATA, MOST, RANKS, recorded, run

from collectives import bits

FOLDERS = {"mpich": "MPICH", "open_mpi": "OPEN_MPI", "gloo": "TORCH"}  # TORCH: a Python in it
NUMBERS = (5, 8)  # of ranks
OWN_CHOICE = {"mpich": "auto", "open_mpi": "0", "gloo": "ring"}
NAMED = [(library, os.environ[name]) for library, name in FOLDERS.items() if name in os.environ]


@pytest.mark.parametrize(("library", "place"), NAMED)
def test_a_library_returns_the_recorded_bits(library, place):
    folder = folder_of(library, place)
    known = json.loads((DATA / f"{library}_bits.json").read_text())["results"]
    expected = [line for line in known if line[2] in NUMBERS]
    data = random_data(max(RANKS), MOST, "float32")
    found = list(recorded(library, folder, data, NUMBERS))
    assert found == expected


def folder_of(library, place):
    return Path(place).parents[1] if library == "gloo" else Path(place)


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
@pytest.mark.parametrize("collective", ["all_reduce", "reduce", "reduce_scatter"])
@pytest.mark.parametrize(("library", "place"), NAMED)
def test_every_element_is_added_as_its_map_says(library, place, collective, ranks, tmp_path):
    """Of every size to 256 KiB that the library's rules tell apart, by its own choice."""
    if (library, collective) == ("gloo", "reduce_scatter"):
        return
    rng, jobs = random.Random(ranks), []
    for power in range(17):
        count = max(ranks, rng.randrange(1 << power, 2 << power))
        root = rng.randrange(ranks) if collective == "reduce" else 0
        jobs.append(Job(collective, random_data(ranks, count, "float32"), root))
    answer = run(library, folder_of(library, place), OWN_CHOICE[library], jobs, tmp_path)
    for job, held in zip(jobs, answer, strict=True):
        found = bits(
            collective,
            like=library.replace("open_mpi", "openmpi"),
            size=job.data[0].nbytes,
            ranks=ranks,
            root=job.root,
        )
        vector = np.concatenate(held) if collective == "reduce_scatter" else held[job.root]
        assert vector.tobytes() == computed(found, job.data).tobytes(), found
