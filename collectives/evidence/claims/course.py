"""Claims of a course page on collectives and their cost."""

from collectives.evidence.claims.claim import Page
from collectives.evidence.claims.course_basics import FIRST
from collectives.evidence.claims.course_times import SECOND

PAGE = Page("D", "a course page on collectives and their cost", 28, (*FIRST, *SECOND))
