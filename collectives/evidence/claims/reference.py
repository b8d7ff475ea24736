"""Claims of a reference page on GPU interconnects with an animated ring."""

from collectives.evidence.claims.claim import Page
from collectives.evidence.claims.reference_links import FIRST
from collectives.evidence.claims.reference_networks import SECOND

PAGE = Page(
    "E", "a reference page on GPU interconnects with an animated ring", 31, (*FIRST, *SECOND)
)
