"""Films of a given length, asked for on the command line."""

import re

import pytest


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("--seconds 5", r"--seconds 5: the sentences of this film take \d+ s; try: \d+"),
        ("--seconds 900", r"--seconds 900: this film takes \d+ s at most; try: \d+"),
        ("--seconds soon", r"--seconds soon: must be a number of seconds; try: --seconds 60"),
        ("--seconds 0", r"--seconds 0: must be a number of seconds"),
        (
            "--clock dataflow --seconds 60",
            "--seconds: a film in modeled time has a length of its own",
        ),
        ("--format slides --seconds 60", r"--seconds: is for films, not for slides; leave it out"),
        ("--format slides --sections", r"--sections: is for films, not for slides; leave it out"),
        ("--format slides -o f.mp4", r"-o f\.mp4: slides go to a folder; try: -o f"),
        ("--format slide", r"--format slide: unknown; did you mean slides\?"),
        ("--transparent", r"--transparent: a film has a background; try: -o FILE\.png, or"),
        (
            "--steps 3-9",
            r"--steps 3-9: must be within the steps 1 to 6, in ascending order; try: 3-6",
        ),
    ],
)
def test_what_a_film_cannot_be_is_refused_in_one_line(collectives, words, problem):
    pytest.importorskip("manim")
    ended = collectives(*f"video all-reduce ring -n 4 -q l {words}".split())
    assert ended.status == 2
    assert re.fullmatch(rf"(collectives: )?{problem}.*\n", ended.err)
