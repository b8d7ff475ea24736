"""Every broken algorithm is caught where it goes wrong; all messages stand in messages.md.

After a change of wording, `PYTHONPATH=tests python tests/gallery/test_gallery.py` writes
messages.md anew: read it as the student would who made the mistakes.
"""

import inspect
import re
from pathlib import Path

import pytest
from mistakes import FUNCTIONS, SETTINGS, SMALLEST

from collectives import check
from collectives.__main__ import main

HERE = Path(__file__).parent
PAGE = HERE / "messages.md"


def verdict_on(name):
    return check(FUNCTIONS[name], **SETTINGS.get(name, {}))


@pytest.fixture
def soon_endless(monkeypatch):
    """An endless schedule is given up sooner."""
    monkeypatch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)


def wrong_line(name):
    """The number of the line that is marked."""
    lines, first = inspect.getsourcelines(FUNCTIONS[name])
    (marked,) = [number for number, line in enumerate(lines, first) if "# WRONG" in line]
    return marked


def page():
    """messages.md: what the student says, and what the student is told."""
    parts = [
        "What the broken algorithms of `broken.py` are told. Compared with what is said by",
        "`test_gallery.py`, which also writes this file.",
    ]
    text = "\n".join(parts) + "\n"
    for name, function in FUNCTIONS.items():
        text += f"\n## {name}\n\n“{inspect.getdoc(function)}”\n\n> {verdict_on(name)}\n"
    return text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_mistake_is_caught_at_its_line_with_the_fewest_ranks(name, soon_endless):
    verdict = verdict_on(name)
    assert not verdict
    assert "\n" not in str(verdict)
    ranks = SMALLEST.get(name, 2)
    assert str(verdict).startswith(f"{name} on {ranks} rank{'s' if ranks > 1 else ''}")
    if ranks > 1:
        settings = SETTINGS.get(name, {})
        assert check(FUNCTIONS[name], **settings, ranks=range(1, ranks))
    assert re.search(r"(step \d+|no step)", str(verdict), re.IGNORECASE)
    places = re.findall(r"broken\.py line (\d+)", str(verdict))
    if name not in NO_LINE:
        assert int(places[0]) == wrong_line(name)


NO_LINE = ("lost_tail_broadcast", "one_step_short_all_gather")  # what is wrong is what is not done


@pytest.mark.parametrize("name", NO_LINE)
def test_where_nothing_is_done_nothing_is_blamed(name):
    assert "No step moves it out of slot" in str(verdict_on(name))


def test_the_messages_are_those_on_the_page():
    assert page() == PAGE.read_text(encoding="utf-8")


def test_there_are_mistakes_enough():
    assert len(FUNCTIONS) >= 20
    assert set(SETTINGS) | set(SMALLEST) <= set(FUNCTIONS)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not name.endswith("send_recv")])
def test_the_command_line_says_the_same_in_one_line(name, capsys, soon_endless):
    words = ["check", f"{HERE / 'broken.py'}:{name}"]
    for option, value in SETTINGS.get(name, {}).items():
        words += [f"--{option}", str(value)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert said.out == ""
    assert said.err == f"collectives: {verdict_on(name)}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
