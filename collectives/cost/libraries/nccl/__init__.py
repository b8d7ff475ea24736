"""NCCL 2.30's tuner: what it expects of every algorithm and protocol, and what it picks."""

from collectives.cost.libraries.nccl.tuner import (
    Candidate,
    TunerChoice,
    candidates,
    choose,
    ranges,
    why_off,
)

__all__ = ["Candidate", "TunerChoice", "candidates", "choose", "ranges", "why_off"]
