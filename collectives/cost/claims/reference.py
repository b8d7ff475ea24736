"""Claims of a reference page on GPU interconnects with an animated ring."""

from collectives.cost.claims.claim import Page
from collectives.cost.claims.reference_links import FIRST
from collectives.cost.claims.reference_networks import SECOND

PAGE = Page(
    "E", "a reference page on GPU interconnects with an animated ring", 31, (*FIRST, *SECOND)
)
