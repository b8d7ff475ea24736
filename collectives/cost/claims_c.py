"""Claims of a gradient-synchronisation calculator."""

from collectives.cost.claims import Page
from collectives.cost.claims_c_first import FIRST
from collectives.cost.claims_c_second import SECOND

PAGE = Page("C", "a gradient-synchronisation calculator", 28, (*FIRST, *SECOND))
