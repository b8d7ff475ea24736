"""Claims of a reference page on GPU interconnects with an animated ring."""

from collectives.cost.claims import Page
from collectives.cost.claims_e_first import FIRST
from collectives.cost.claims_e_second import SECOND

PAGE = Page(
    "E", "a reference page on GPU interconnects with an animated ring", 31, (*FIRST, *SECOND)
)
