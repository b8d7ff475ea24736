"""The predictions of the lectures: what is asked before a picture, a table or a figure.

Every right answer is found by executing: a recording, a clock, a closed form or NCCL's tuner.
"""

from animations.lab.predictions import cost, ring_questions, training, trees
from animations.lab.predictions.misconceptions import PREDICTED
from animations.lab.predictions.number_answers import answer_of
from collectives.questions.misconceptions import KNOWN

__all__ = ["answer_of", "cost", "ring_questions", "training", "trees"]

KNOWN.update(PREDICTED)  # for what the player says about a wrong answer
