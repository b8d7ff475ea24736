"""Problems to print, each made from a seed, whose one right answer is found by executing.

What a lecturer hands out: `exercise` makes one, `sheet` several, `gift` and `qti` write them for
Moodle, Canvas and others. Questions that a player asks beside its picture are in `questions`.
"""

from collectives.exercises.exercise import LETTERS, Exercise, Offered
from collectives.exercises.inventory import ConceptInventory, inventory
from collectives.exercises.kinds import KINDS, exercise
from collectives.exercises.sheet import ExerciseSheet, sheet

__all__ = [
    "KINDS",
    "LETTERS",
    "ConceptInventory",
    "Exercise",
    "ExerciseSheet",
    "Offered",
    "exercise",
    "inventory",
    "sheet",
]
