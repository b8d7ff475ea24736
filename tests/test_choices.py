"""What can be chosen is what there is: every list of names beside what is kept under them."""

from animations.drawing.sheet import FILMS, PAGES, SHEETS, film_sheet
from animations.drawing.theme import THEMES
from animations.stages.choose import STAGES
from collectives import choices
from collectives.cost.by_name import CLOCKS
from collectives.formats.printed import NEEDS
from collectives.launch.engines import MODULES


def test_each_name_is_one_of_what_there_is():
    assert set(choices.CLOCKS) == set(CLOCKS)
    assert set(choices.THEMES) == set(THEMES)
    assert set(choices.STAGES) == set(STAGES)
    assert set(choices.SHEETS) == {sheet.name for sheet in PAGES} - {"two"}, "two stages: a page"
    assert {film_sheet(name) for name in choices.FILM_SHEETS} == {*FILMS, SHEETS["lecture"]}
    assert set(choices.PROGRAMS) == set(NEEDS)
    assert set(choices.BACKENDS) == set(MODULES)
    assert {name for names in choices.BACKENDS.values() for name in names} == set(choices.LAUNCHERS)
    assert choices.LANGUAGES == ("en", "es", "zh"), "each folder of words"
