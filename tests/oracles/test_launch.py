"""Launches on real processes of Open MPI: the bits of the recording and of the library."""

import numpy as np
import pytest
from settings import THOROUGH

from collectives import record
from collectives.launch.result import launch

LAUNCHES = {
    "ring on 5": ("all_reduce", "textbook-ring", 5, {"dtype": "float32", "count": 23}),
    "tree on 4": ("broadcast", "tree", 4, {"root": 2}),
    "blocks on 2": ("all_to_all", "bruck", 2, {"count": 6}),
    "dissemination on 4": ("barrier", "dissemination", 4, {}),
    "parts on 5": ("reduce_scatter", "ring", 5, {"count": 23}),
    "gather on 4": ("gather", "tree", 4, {"count": 10, "root": 1}),
    "all-gather on 5": ("all_gather", "bruck", 5, {"count": 11}),
    "scatter on 5": ("scatter", "tree", 5, {"count": 11, "root": 3}),
    "scan on 5": ("scan", "recursive-doubling", 5, {"op": "max"}),
    "average on 4": ("all_reduce", "tree", 4, {"dtype": "float64", "op": "avg"}),
    "reduce on 4": ("reduce", "rabenseifner", 4, {"op": "prod", "root": 3}),
    "switches": ("all_reduce", "sharp", 4, {"op": "min"}),
    "half floats": ("all_reduce", "ring", 2, {"dtype": "float16"}),
}
SOME = LAUNCHES if THOROUGH else list(LAUNCHES)[:3]


@pytest.fixture(scope="module")
def launched(open_mpi):
    """A launch of this name, once."""
    done = {}

    def make(name):
        if name not in done:
            collective, algorithm, ranks, options = LAUNCHES[name]
            recording = record(collective, algorithm, ranks=ranks, **options)
            with pytest.MonkeyPatch.context() as patch:  # the library's own is the ring, too
                patch.setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1")
                patch.setenv("OMPI_MCA_coll_tuned_allreduce_algorithm", "4")
                done[name] = launch(recording, "mpi")
        return done[name]

    return make


@pytest.mark.parametrize("name", SOME)
def test_a_launch_ends_with_the_bits_of_recording_and_library(launched, name):
    found = launched(name)
    assert found.with_recording.equal
    assert found.with_recording.elements == sum(map(len, found.recording.result()))
    if name == "half floats":
        assert found.no_collective == "mpi4py has no float16"
    elif name == "dissemination on 4":
        assert found.with_library is None and not found.no_collective
    elif found.recording.algorithm == "tree" and found.recording.collective.reduces:
        assert found.with_library.units <= 4  # it adds in another order
    else:
        assert found.with_library.equal


@pytest.mark.parametrize("name", SOME)
def test_every_step_is_timed(launched, name):
    found = launched(name)
    assert found.times[0].shape[0] == 20
    assert found.step_seconds.shape == (len(found.recording.steps),)
    assert (found.step_seconds >= 0).all() and found.total > 0
    spans = found.spans
    assert (spans[:, :, 0] < spans[:, :, 1]).all() and (spans[:, :, 0] >= 0).all()
    assert np.isclose(found.totals, spans[:, -1, 1]).any()
    assert found.library.startswith("Open MPI ")
    latency, bandwidth = found.latency_and_bandwidth
    assert 1e-8 < latency < 1 and 1e6 < bandwidth < 1e13
    assert found.clock_error == 0  # all on one machine
