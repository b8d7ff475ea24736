"""The predictions of the lectures: what is asked before a picture, a table or a figure.

Every right answer is found by executing: a recording, a clock, a closed form or NCCL's tuner.
"""

from collectives.questions.misconceptions import KNOWN
from predictions import cost, ring, training, trees
from predictions.answers import answer_of
from predictions.misconceptions import PREDICTED

__all__ = ["answer_of", "cost", "ring", "training", "trees"]

KNOWN.update(PREDICTED)  # for what the player says about a wrong answer
