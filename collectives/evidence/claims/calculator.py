"""Claims of a gradient-synchronization calculator."""

from collectives.evidence.claims.calculator_networks import SECOND
from collectives.evidence.claims.calculator_results import FIRST
from collectives.evidence.claims.claim import Page

PAGE = Page("C", "a gradient-synchronization calculator", 28, (*FIRST, *SECOND))
