"""What a learner can be asked of a recording before a step is shown, and the answer.

Every question has one right answer, found by executing; every wrong answer comes from a named
misconception and is wrong for this recording.
"""

from collectives.questions.choose import questions
from collectives.questions.question import Option, Question, Reason

__all__ = ["Option", "Question", "Reason", "questions"]
