"""Launches on gloo by torchrun: bits, ranks that die or stop, and jobs that play a recording."""

import os
import subprocess

import numpy as np
import pytest
from foreign import PATIENCE
from struck import SIGNALS, is_named
from test_launch import LAUNCHES
from test_programs import NUMPY

from collectives import record
from collectives.launch.run import launch


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_on_gloo_ends_with_the_bits_of_the_recording(name):
    collective, algorithm, ranks, options = LAUNCHES[name]
    recording = record(collective, algorithm, ranks=ranks, **options)
    found = launch(recording, "gloo", timeout=60, python=os.environ["TORCH"])
    assert found.with_recording.equal
    assert found.library.startswith("torch ") and found.library.endswith(", gloo")
    if found.own is not None:
        assert found.with_library.equal or options.get("dtype", "").startswith("float")


@pytest.mark.parametrize("time", range(30))
def test_five_ranks_on_gloo_end_well_every_time(time):
    found = launch(record("all_reduce", "ring", ranks=5), "gloo", python=os.environ["TORCH"])
    assert found.with_recording.equal and found.with_library.equal


@pytest.mark.parametrize("kind", SIGNALS)
def test_a_rank_of_gloo_that_dies_or_stops_is_named_and_none_is_left(busy, tmp_path, kind):
    is_named(kind, busy, tmp_path, "gloo", 5, os.environ["TORCH"])


INSIDE = """
import sys
import numpy as np
import torch.distributed
from collectives import record
from collectives.launch import play
if sys.argv[2] == "begun":
    torch.distributed.init_process_group("gloo")
recording = record("all_reduce", "ring", ranks=3, dtype="float32", count=7)
total, again = play(recording), play(recording)
np.save(f"{sys.argv[1]}.{torch.distributed.get_rank()}.npy", [total, again])
if sys.argv[2] == "begun":
    torch.distributed.destroy_process_group()
"""


@pytest.mark.parametrize("group", ["begun", "none"])
def test_a_job_of_torch_plays_a_recording(tmp_path, group):
    program, result = tmp_path / "inside.py", str(tmp_path / "result")
    program.write_text(INSIDE)
    start = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "3"]
    done = subprocess.run(
        [os.environ["TORCH"], *start, str(program), result, group],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([os.getcwd(), NUMPY])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    recording = record("all_reduce", "ring", ranks=3, dtype="float32", count=7)
    for rank, ended in enumerate(recording.result()):
        assert np.load(f"{result}.{rank}.npy").tobytes() == np.array([ended] * 2).tobytes()
