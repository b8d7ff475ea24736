"""The predictions of the lectures: what is asked before a picture, a table or a figure.

Every right answer is found by executing: a recording, a clock, a closed form or NCCL's tuner.
"""

from pathlib import Path

from animations.lab.predictions import cost, ring_questions, training, trees
from animations.lab.predictions.number_answers import answer_of
from collectives.questions.misconceptions import KNOWN, read_misconceptions

__all__ = ["answer_of", "cost", "ring_questions", "training", "trees"]

# what learners predict wrongly, beside the misconceptions that the core knows
PREDICTED = read_misconceptions(Path(__file__).with_name("misconceptions.toml"))
KNOWN.update(PREDICTED)  # for what the player says about a wrong answer
