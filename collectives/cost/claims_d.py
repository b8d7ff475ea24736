"""Claims of a course page on collectives and their cost."""

from collectives.cost.claims import Page
from collectives.cost.claims_d_first import FIRST
from collectives.cost.claims_d_second import SECOND

PAGE = Page("D", "a course page on collectives and their cost", 28, (*FIRST, *SECOND))
