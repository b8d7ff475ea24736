"""The language of schedules: two verbs that make a step, and combinators of schedules."""

from collectives.schedule.combinators import (
    Schedule,
    backwards,
    pipelined,
    together,
    transposed,
    within,
)
from collectives.schedule.provenance import Source, SourceFrame, Stamp
from collectives.schedule.step import Step, merged, reduce, send, table

__all__ = [
    "Schedule",
    "Source",
    "SourceFrame",
    "Stamp",
    "Step",
    "backwards",
    "merged",
    "pipelined",
    "reduce",
    "send",
    "table",
    "together",
    "transposed",
    "within",
]
