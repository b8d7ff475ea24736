"""Closed forms of algorithms and lower bounds of collectives, evaluated for a case."""

from collectives.theory.bounds import Bound, least_total, lower_bound
from collectives.theory.case import LETTERS, Case, Letter
from collectives.theory.form import SENT, Form

__all__ = ["LETTERS", "SENT", "Bound", "Case", "Form", "Letter", "least_total", "lower_bound"]
