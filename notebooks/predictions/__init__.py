"""The predictions of the lectures: what is asked before a picture, a table or a figure.

Every right answer is found by executing: a recording, a clock, a closed form or NCCL's tuner.
"""

from collectives.questions.misconceptions import KNOWN
from predictions import cost, ring, training, trees
from predictions.misconceptions import PREDICTED

__all__ = ["cost", "ring", "training", "trees"]

KNOWN.update(PREDICTED)  # for what the player says about a wrong answer
