"""A short lecture with a page, a question, a recording and two exercises."""

import tomllib

from animations.course.lecture import of_table

SHORT = """
number = 3
title = { en = "A short ring", es = "Un anillo" }
goal = { en = "Count the steps of a ring." }
sources = ["A book"]
exercises = [["ring all-reduce", "next"], ["ring all-reduce", "bytes"]]
[numbers]
steps = 'steps("ring", 3)'
[[passage]]
show = "bars"
heading = { en = "How many <steps>?", es = "¿Cuántos pasos?" }
unit = { en = "steps" }
[[passage.say]]
en = "How many steps has a ring of three?"
es = "¿Cuántos pasos?"
[[passage.say]]
en = "It has {steps}."
es = "Son {steps}."
bar = { label = { en = "ring & all" }, value = 'steps("ring", 3)' }
[[passage]]
show = "question"
heading = { en = "What does a rank send?" }
[[passage.say]]
en = "A: one vector."
line = { en = "A: one vector" }
[[passage.say]]
en = "B: less than two."
line = { en = "B: less than two" }
[[passage.say]]
en = "Choose."
wait = 2
[[passage]]
show = "algorithm"
collective = "all_reduce"
algorithm = "ring"
ranks = 3
"""
LECTURE = of_table(tomllib.loads(SHORT), "short")
