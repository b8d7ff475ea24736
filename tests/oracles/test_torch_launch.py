"""Launches on gloo by torchrun: the bits of the recording, and the library's own collective."""

import os

import pytest
from test_launch import LAUNCHES

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
