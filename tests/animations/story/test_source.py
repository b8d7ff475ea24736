"""The function beside the stage: shown where its text is known to have the line, else left out."""

import pytest

from animations.story.source import source_line
from collectives import reduce
from collectives.schedule import Source, SourceFrame
from collectives.schedule.stamping import stamped

TEXT = 'def f(n):\n    """Promise.\n\n    More.\n    """\n    yield 1\n'


def line(text, number=6, first=1):
    frame = SourceFrame(Source("f", "f.py", first, text), number)
    return source_line((frame,))


def test_the_statement_at_work_in_a_condensed_function():
    shown = line(TEXT)
    assert shown.text == ("def f(n):", '    """Promise."""', "    yield 1")
    assert (shown.first, shown.last) == (2, 2)


def test_a_decorator_stays_above_its_function():
    shown = line("@cached\ndef f(n): yield 1\n", 2)
    assert shown.text == ("@cached", "def f(n): yield 1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "x = 1\n",
        "f = lambda n: 1\n",
        "class C: pass\n",
        "async def f():\n    pass\n",
        "    return (x for x in y)\n",
        "(" * 10_000,
        "+".join("a" * 100_000),
        "\0",
        "\ud800",
    ],
)
def test_a_text_that_is_no_function_is_not_shown(text):
    assert line(text, 1) is None


@pytest.mark.parametrize("number", [-(10**18), 0, 7, 10**18])
def test_a_line_that_the_text_does_not_have_is_not_shown(number):
    assert line(TEXT, number) is None
    assert line(TEXT, 6, first=number) is None


def test_the_function_around_a_generator_expression_is_shown():
    def schedule(n):
        yield from (reduce(r, 0) for r in range(1, n))

    step, _ = stamped(schedule(3))
    assert source_line(step.stamps[0]).function == "schedule"
