"""Homework: one source with solution and key, the students' copy, and marks for what comes back."""

from collectives.grading.grade import grade
from collectives.grading.grades import Grades
from collectives.grading.homework import Homework, load_homework, scaffold

__all__ = ["Grades", "Homework", "grade", "load_homework", "scaffold"]
