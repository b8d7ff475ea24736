"""The language of schedules: two verbs that make a step, and combinators of schedules."""

from collectives.schedule.compose import (
    Schedule,
    backwards,
    pipelined,
    together,
    transposed,
    within,
)
from collectives.schedule.step import Step, merged, reduce, send, table
from collectives.schedule.where import Frame, Source, Stamp, stamped

__all__ = [
    "Frame",
    "Schedule",
    "Source",
    "Stamp",
    "Step",
    "backwards",
    "merged",
    "pipelined",
    "reduce",
    "send",
    "stamped",
    "table",
    "together",
    "transposed",
    "within",
]
