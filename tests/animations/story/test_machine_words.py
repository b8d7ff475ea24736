"""Machines in spoken sentences: words in every language, never the name of an option."""

import re

import pytest
from each import each

pytest.importorskip("cairo")  # measures words

from animations.course.lecture_file import lecture_score
from animations.phrases import phrases
from animations.score.price import price_of
from animations.story.machine_words import spoken_machine
from animations.story.usual import usual_board
from collectives import record
from collectives.cost.machines import MACHINES

LANGUAGES = ("en", "es")  # whose letters all fonts have


@each("language", LANGUAGES)
def test_every_machine_has_words(language):
    say = phrases(language)
    for name in MACHINES:
        assert " " in spoken_machine(name, 8, say), name
    assert spoken_machine("cluster:gpus=4", 12, say).startswith("3 nod")


def test_a_film_on_several_nodes_names_them_in_words():
    page = price_of(usual_board(record("all_reduce", "ring", ranks=16))).page
    assert page.aside == "On 2 nodes of 8 GPUs with 64 MiB"


def test_a_wrong_film_says_its_slot_in_words():
    said = [shot.said for _, shot in lecture_score("your-own")]
    assert "Wrong: slot 4 of rank 0 stays empty, and one slot of every other." in said
    assert not any(re.search(r"rank \d+, slot|\w:\w+=|ceil\(", text, re.I) for text in said)
