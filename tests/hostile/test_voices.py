"""Hostile voices of films: each is refused in one line, before anything is drawn."""

import pytest
from each import each
from hostile_voices import NAMES, TIMES, VOICES, make_voices
from runner import FOR_FILMS, Server, judged, sampled, title

pytest.importorskip("manim")

LINE = "video broadcast flat -n 2 -q l -o film.mp4 --voice"


@pytest.fixture(scope="module")
def voiced(tmp_path_factory):
    """Runs commands in a folder of hostile voices, with all that films need imported."""
    folder = tmp_path_factory.mktemp("voices")
    make_voices(folder)
    running = Server(folder, FOR_FILMS)
    yield running
    running.close()


def refused(voiced, name, needles):
    """Run a film with this voice, and see that it is refused."""
    judged(voiced, [2], ["--voice", *needles], line=f"{LINE} '{name}'")


def test_a_file_that_is_no_voice_is_refused_in_one_line(voiced):
    @each("case", sampled(VOICES, 4), title, few=3)
    def no_voice(case):
        name, _, needles = case
        refused(voiced, name, needles)

    no_voice()


def test_what_is_no_regular_file_is_neither_waited_for_nor_asked_for_elsewhere(voiced):
    @each("case", sampled(NAMES, 3), title, few=3)
    def no_file(case):
        refused(voiced, *case)

    no_file()


def test_times_that_are_none_are_refused_in_one_line(voiced):
    @each("case", sampled(TIMES, 3), lambda case: f"{case[0]}: {case[1][:30]}", few=2)
    def no_times(case):
        suffix, content, needle = case
        beside = voiced.folder / f"voice{suffix}"
        beside.write_bytes(content)
        try:
            judged(voiced, [2], [needle], line=f"{LINE} voice.wav")
        finally:
            beside.unlink()

    no_times()
