"""Launches on real processes of Open MPI: bits, times, ranks that die, stop or are interrupted."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from foreign import AS_ROOT, LAUNCHER, PATIENCE, PYTHON
from settings import THOROUGH
from struck import SIGNALS, gone, is_named
from test_programs import NUMPY, YIELD

from collectives import record
from collectives.launch import engines
from collectives.launch.orders import adds_like, orders_matter
from collectives.launch.run import launch

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
    "exscan on 5": ("exscan", "chain", 5, {"dtype": "float32"}),
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


@pytest.mark.parametrize(
    ("name", "value"),
    [("oob_tcp_if_include", "eth0"), ("oob_tcp_if_exclude", "lo"), ("btl", "tcp,self")],
)
def test_settings_of_a_network_card_do_not_stop_a_launch(open_mpi, monkeypatch, name, value):
    if engines._network() == "loopback":  # else ranks have the user's cards, perhaps none
        monkeypatch.setenv(f"OMPI_MCA_{name}", value)
    assert launch(record("all_reduce", "ring", ranks=2), "mpi").with_recording.equal


def test_the_order_in_which_the_library_adds_is_found(launched):
    found = launched("ring on 5")
    assert orders_matter(found)
    assert {one.algorithm for one in adds_like(found)} == {"textbook-ring"}
    if THOROUGH:
        assert not orders_matter(launched("reduce on 4"))  # of integers


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


@pytest.mark.parametrize("kind", SIGNALS)
def test_a_rank_that_dies_or_stops_is_named_and_none_is_left(open_mpi, busy, tmp_path, kind):
    is_named(kind, busy, tmp_path, "mpi")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), *[(signal.SIGTERM, 143)] * THOROUGH]
)
def test_an_interrupted_launch_leaves_nothing(open_mpi, busy, tmp_path, number, status):
    words = ["launch", "all-reduce", "ring", "-n", "4", "--count", "400000", "--backend", "mpi"]
    command = [sys.executable, "-m", "collectives", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as launched:
        pids = busy()
        launched.send_signal(number)
        said = launched.communicate(timeout=60)[1]
    assert launched.returncode == status
    said = [line for line in said.splitlines() if not line.endswith("so far")]
    assert said == ["collectives: interrupted"] * (status == 130)
    assert gone(pids)
    assert not list(tmp_path.glob("collectives-launch-*"))


INSIDE = """
import sys
import numpy as np
from mpi4py import MPI
from collectives import record
from collectives.launch import play
recording = record("all_reduce", "ring", ranks=MPI.COMM_WORLD.size - 1, dtype="float32", count=7)
comm = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank == 0, 0)
if MPI.COMM_WORLD.rank:
    own = np.full(7, 0.1 * MPI.COMM_WORLD.rank, np.float32)
    total = play(recording, comm, own)
    again = play(recording, comm)
    np.save(f"{sys.argv[1]}.{comm.rank}.npy", [total, again])
"""


def test_a_job_of_ones_own_plays_a_recording_on_its_communicator(open_mpi, tmp_path):
    program = tmp_path / "inside.py"
    program.write_text(INSIDE)
    has_numpy = not subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True).returncode
    path = os.pathsep.join([os.getcwd(), *[NUMPY] * (not has_numpy)])
    command = [LAUNCHER, "--oversubscribe", "-n", "3", *YIELD, PYTHON, str(program)]
    done = subprocess.run(
        [*command, str(tmp_path / "result")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | AS_ROOT | {"PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    recording = record("all_reduce", "ring", ranks=2, dtype="float32", count=7)
    given = np.array([np.full(7, 0.1), np.full(7, 0.2)], np.float32)
    expected = zip(recording.on(given).result(), recording.result(), strict=True)
    for rank, pair in enumerate(expected):
        assert np.load(tmp_path / f"result.{rank}.npy").tobytes() == np.array(pair).tobytes()
