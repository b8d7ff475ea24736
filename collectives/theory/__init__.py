"""Closed forms of algorithms and lower bounds of collectives, evaluated for a case.

`theory.bounds` is imported by itself: it asks collectives, which state their bounds.
"""

from collectives.theory.case import LETTERS, Case, Letter
from collectives.theory.form import SENT, Form

__all__ = ["LETTERS", "SENT", "Case", "Form", "Letter"]
