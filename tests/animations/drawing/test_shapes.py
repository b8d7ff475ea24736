"""How data travels in a step: when it leaves its cell, and when it rests in the other one."""

import pytest

from animations.drawing.shapes import IN_TIME, MOTION


def test_a_chunk_rests_in_its_cell_before_its_step_ends():
    assert MOTION.parts(0.92) == (1.0, 1.0, 1.0), "the sum is seen before the next step begins"
    assert MOTION.parts(0.8)[:2] == (1.0, 1.0) and 0 < MOTION.parts(0.8)[2] < 1


def test_by_a_clock_a_chunk_lands_when_its_message_ends():
    assert IN_TIME.parts(0.97)[2] < 1 == IN_TIME.parts(1.0)[2]


@pytest.mark.parametrize("motion", [MOTION, IN_TIME])
def test_a_chunk_starts_and_ends_at_rest(motion):
    assert motion.parts(0.0) == (0.0, 0.0, 0.0) and motion.parts(1.0) == (1.0, 1.0, 1.0)
    assert all(0 < part < 0.01 for part in (motion.eased(0.05), 1 - motion.eased(0.95)))
