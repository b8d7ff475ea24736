"""Claims of a gradient-synchronisation calculator."""

from collectives.cost.claims.calculator_networks import SECOND
from collectives.cost.claims.calculator_results import FIRST
from collectives.cost.claims.claim import Page

PAGE = Page("C", "a gradient-synchronisation calculator", 28, (*FIRST, *SECOND))
