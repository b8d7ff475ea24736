"""The predictions of the lectures: what is asked before a picture, a table or a figure.

Every right answer is found by executing: a recording, a clock, a closed form or NCCL's tuner.
"""

from collectives.questions.lectures import cost, ring, training, trees

__all__ = ["cost", "ring", "training", "trees"]
