import linecache
from pathlib import Path

import numpy as np
import pytest

from collectives import (
    WrongSchedule,
    backwards,
    pipelined,
    record,
    reduce,
    send,
    together,
    transposed,
    within,
)
from collectives.recording.phases import step_caption
from collectives.schedule import Source, merged
from collectives.schedule.provenance import caption, forward
from collectives.schedule.stamping import stamped


def line_of(text):
    """The number of the one line of this file that holds the text."""
    numbers = [
        number
        for number, line in enumerate(Path(__file__).read_text().splitlines(), 1)
        if text in line and "line_of" not in line
    ]
    assert len(numbers) == 1, text
    return numbers[0]


def frames(stamp):
    """Function and line of each level of a stack, outermost first."""
    return [(frame.source.function, frame.line) for frame in stamp]


def leaf(n, chunk=0):
    """A leaf passes one chunk along.

    And this is not its first line.
    """
    for hop in range(n - 1):
        # a rank passes it on
        yield send(hop, hop + 1, chunk)  # the leaf


def outer(n):
    """An outer function."""
    yield from leaf(n)  # the call


# The stack


def test_a_generator_is_stamped_with_its_line_and_integers():
    def function(n):
        rank, half = np.arange(n), np.int32(n // 2)
        other = [True, "x", 0.5, None]
        flag, name, real, nothing = other
        yield send(rank[0], rank[half])  # the only step
        assert other == [flag, name, real, nothing]

    ((stamp,),) = [step.stamps for step in stamped(function(6))]
    assert frames(stamp) == [("function", line_of("# the only step"))]
    assert stamp[0].locals == (("n", 6), ("half", 3))
    assert all(type(value) is int for _, value in stamp[0].locals)


def test_locals_are_those_of_each_step():
    hops = [dict(step.stamps[0][0].locals)["hop"] for step in stamped(leaf(4))]
    assert hops == [0, 1, 2]


def test_yield_from_puts_the_caller_outside():
    (step,) = stamped(outer(2))
    assert frames(step.stamps[0]) == [
        ("outer", line_of("# the call")),
        ("leaf", line_of("# the leaf")),
    ]


@pytest.mark.parametrize(
    "combine",
    [
        together,
        lambda schedule: together([], schedule),
        lambda schedule: pipelined(schedule, range(2)),
        lambda schedule: within([[0, 1, 2]], schedule, first=3, width=2),
        lambda schedule: within([[0, 1, 2], [5, 4, 3]], schedule),
        backwards,
        transposed,
        lambda schedule: transposed(backwards(within([1, 0, 2], schedule))),
        lambda schedule: together(pipelined(schedule, [3]), [reduce(7, 8)]),
    ],
)
def test_combinators_pass_the_stack_outward(combine):
    def author():
        yield from combine(outer(3))  # through a combinator

    expected = [
        ("author", line_of("# through a combinator")),
        ("outer", line_of("# the call")),
        ("leaf", line_of("# the leaf")),
    ]
    steps = list(stamped(author()))
    assert steps
    for step in steps:
        assert frames(step.stamps[step.origin[0]]) == expected


def test_a_schedule_that_is_handed_on_keeps_only_who_made_it():
    def maker():
        yield from outer(2)  # in the maker

    (step,) = stamped(pipelined(maker(), [0]))
    assert [name for name, _ in frames(step.stamps[0])] == ["maker", "outer", "leaf"]


@pytest.mark.parametrize("schedule", [[send(0, 1)], iter([send(0, 1)]), (send(0, 1),)])
def test_what_is_no_generator_adds_nothing(schedule):
    (step,) = stamped(schedule)
    assert step.stamps == ((),)
    assert step_caption(step) == ""


def test_a_generator_expression_is_a_frame():
    (step,) = stamped(send(hop, 1) for hop in [0])
    assert frames(step.stamps[0])[0][0] == "<genexpr>"


def test_each_row_of_a_merged_step_knows_its_line():
    def adding():
        yield reduce([0, 1], 2)  # adding

    def sending(hop):
        yield send(4, 5)  # sending

    (step,) = stamped(together(adding(), sending(1), [send(6, 7)], sending(2)))
    lines = [frames(step.stamps[origin]) for origin in step.origin]
    adds, sends = [("adding", line_of("# adding"))], [("sending", line_of("# sending"))]
    assert lines == [adds, adds, sends, [], sends]
    assert [step.stamps[origin][0].locals for origin in step.origin[[2, 4]]] == [
        (("hop", 1),),
        (("hop", 2),),
    ]


def test_a_pipeline_says_for_each_row_how_far_it_is():
    steps = list(stamped(pipelined(leaf(4), range(2))))
    rows = [
        [
            (int(src), dict(step.stamps[origin][0].locals)["hop"])
            for src, origin in zip(step.src, step.origin, strict=True)
        ]
        for step in steps
    ]
    assert rows == [[(0, 0)], [(1, 1), (0, 0)], [(2, 2), (1, 1)], [(2, 2)]]


def test_nested_combinators_map_rows_to_their_lines():
    def both():
        left = pipelined(leaf(3), range(2))
        right = within([[5, 6, 7], [8, 9, 10]], outer(3))
        yield from together(left, right)  # both of them

    first = next(iter(stamped(both())))
    assert str(first) == "0→1 =0   5→6 =0   8→9 =0"
    call, at = ("both", line_of("# both of them")), ("leaf", line_of("# the leaf"))
    assert [frames(first.stamps[origin]) for origin in first.origin] == [
        [call, at],
        [call, ("outer", line_of("# the call")), at],
        [call, ("outer", line_of("# the call")), at],
    ]


def test_steps_made_beforehand_are_stamped_where_they_are_yielded():
    step = send(0, 1)

    def twice():
        yield step  # once
        yield step  # again

    first, second = stamped(twice())
    assert frames(first.stamps[0]) == [("twice", line_of("# once"))]
    assert frames(second.stamps[0]) == [("twice", line_of("# again"))]
    assert step.stamps == ((),)


# Captions


def captions(schedule):
    return [step_caption(step) for step in stamped(schedule)]


def test_a_caption_is_the_comment_directly_above_the_yield():
    def function():
        # not this one

        yield send(0, 1)
        # this one
        yield send(
            0,
            [1],
        )
        #   with more room
        yield send(
            0,
            # and not this
            1,
        )
        peer = 1  # nor a trailing one
        yield send(0, peer)
        # the last of
        # several lines
        yield send(0, 1)

    assert captions(function()) == ["", "this one", "with more room", "", "several lines"]


def test_the_innermost_caption_wins():
    def silent():
        yield send(0, 1)

    def calling(inner):
        # from the caller
        yield from inner

    assert captions(calling(silent())) == ["from the caller"]
    assert captions(calling(leaf(2))) == ["a rank passes it on"]


@pytest.mark.parametrize(
    "combine", [together, lambda s: pipelined(s, [0]), lambda s: within([0, 1], s)]
)
def test_combinators_that_run_forward_keep_the_caption(combine):
    def calling():
        # from the caller
        yield from combine(leaf(2))

    assert captions(calling()) == ["a rank passes it on"]


@pytest.mark.parametrize("turn", [transposed, backwards])
def test_reversed_frames_say_nothing(turn):
    def calling():
        # what happens in reverse
        yield from turn(outer(2))

    assert captions(calling()) == ["what happens in reverse"]
    assert captions(turn(outer(2))) == [""]
    (step,) = stamped(calling())
    assert [frame.reversed for frame in step.stamps[0]] == [False, True, True]
    assert [frame.source.function for frame in forward(step.stamps[0])] == ["calling"]


def test_a_merged_step_has_the_captions_of_its_rows_once_each():
    def other():
        # something else
        yield send(2, 3)

    (step,) = stamped(together(leaf(2), other(), leaf(2)))
    assert step_caption(step) == "a rank passes it on; something else"
    assert [caption(stamp) for stamp in step.stamps] == [
        "a rank passes it on",
        "something else",
        "a rank passes it on",
    ]


# Where the text comes from

CELL = '''\
import numpy as np
from collectives import send

def from_a_cell(n):
    """The cell's promise."""
    for hop in range(n):
        # a cell's caption
        yield send(hop, hop + 1)

done = 1
'''


def run(text, file):
    """Run the text as Python does with code that came from a file of this name."""
    names = {}
    exec(compile(text, file, "exec"), names)  # what a notebook does with a cell
    return names


@pytest.fixture
def cell():
    """Runs a cell as ipykernel does: compiled under its own name, which linecache knows."""
    files = []

    def run_cell(text, known=None):
        file = f"/nowhere/ipykernel_7/{1000 + len(files)}.py"
        lines = (text if known is None else known).splitlines(keepends=True)
        linecache.cache[file] = (len(text), None, lines, file)
        files.append(file)
        return run(text, file)

    yield run_cell
    for file in files:
        del linecache.cache[file]


def test_a_function_of_a_notebook_cell_has_its_text(cell):
    (step,) = stamped(cell(CELL)["from_a_cell"](1))
    source = step.stamps[0][0].source
    assert (source.function, source.file, source.first) == ("from_a_cell", "your cell", 4)
    assert source.lines == CELL.splitlines()[3:8]
    assert (step.stamps[0][0].line, step_caption(step)) == (8, "a cell's caption")
    assert source.promise == "The cell's promise"


def test_a_cell_that_is_run_again_has_its_new_text(cell):
    old = cell(CELL)["from_a_cell"]
    new = cell("\n" + CELL.replace("a cell's", "the new"))["from_a_cell"]
    assert captions(new(1)) == ["the new caption"]
    assert captions(old(1)) == ["a cell's caption"]


@pytest.mark.parametrize("file", ["<string>", "<stdin>", "/nowhere/at/all.py"])
def test_a_function_without_text_has_line_numbers_only(file):
    (step,) = stamped(run(CELL, file)["from_a_cell"](1))
    (frame,) = step.stamps[0]
    assert (frame.line, frame.source.first) == (8, 4)
    assert (frame.source.text, frame.source.file) == ("", Path(file).name)
    assert step_caption(step) == frame.source.promise == ""


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "\n",
        CELL.replace('"""', '"', 1),
        CELL.replace("(n)", "((n"),
        CELL.replace("        yield", " yield"),
        CELL.replace('promise."""', "promise."),
        "(" * 300,
        "\0",
        "\\\n" * 3,
    ],
)
def test_a_file_that_was_changed_since_does_no_harm(cell, broken):
    (step,) = stamped(cell(CELL, known=broken)["from_a_cell"](1))
    assert step.stamps[0][0].line == 8
    step_caption(step)


def test_decorated_and_nested_functions_have_their_text(cell):
    text = """\
def plain(function):
    return function

class Algorithms:
    @staticmethod
    @plain
    def method(n):
        '''A method.'''
        # in a method
        yield send(0, n)

def make():
    def made(n):
        # in a closure
        yield send(0, n)
    return made
"""
    names = cell("from collectives import send\n" + text)
    assert captions(names["Algorithms"].method(1)) == ["in a method"]
    assert captions(names["make"]()(1)) == ["in a closure"]
    (step,) = stamped(names["Algorithms"].method(1))
    assert step.stamps[0][0].source.promise == "A method"


def test_a_folder_that_begins_like_the_package_is_not_the_package(cell):
    import collectives.schedule

    sibling = Path(collectives.schedule.__file__).parent
    names = run(CELL, f"{sibling}_of_mine/rings.py")
    (step,) = stamped(names["from_a_cell"](1))
    assert frames(step.stamps[0]) == [("from_a_cell", 8)]


# Source


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ('def f():\n    """It works."""\n', "It works"),
        ("def f():\n    'First line'\n", "First line"),
        ('    def f():\n        """Indented.\n\n        More.\n        """\n', "Indented"),
        ("def f():\n    pass\n", ""),
        ("x = 1\n", ""),
        ("class A:\n    'Not a function.'\n", ""),
        ("", ""),
        ("def f(:\n", ""),
        ("def f():\n    '\0'\n", r"\x00"),
        ("def f():\n    'all \\x1b[2J \\u202edata'\n", r"all \x1b[2J \u202edata"),
        ("def f(): " + "(" * 5000, ""),
        ("def f(): " + "-" * 100_000 + "1", ""),
    ],
)
def test_the_promise_is_the_first_line_of_the_docstring(text, promise):
    assert Source("f", "f.py", 1, text).promise == promise


@pytest.mark.parametrize("line", [-5, 0, 9, 10, 13, 99])
def test_a_line_outside_the_text_has_no_caption(line):
    source = Source("f", "f.py", 10, "def f():\n    # above\n    yield 1\n")
    assert source.caption(line) == ""
    assert source.caption(12) == "above"


def test_merged_steps_of_one_source_share_it():
    steps = list(stamped(leaf(4)))
    assert len({id(step.stamps[0][0].source) for step in steps}) == 1
    assert len(merged(steps).stamps) == 3


def test_a_form_feed_does_not_shift_captions():
    source = Source("f", "f.py", 1, "def f():\n\f\n    # here\n    yield 1\n")
    assert source.caption(4) == "here"


def test_a_source_has_no_characters_that_control_a_terminal():
    text = "def f():\n\tif 1:\n\t\t# \x1b[2J \u202eabc\xa0d\n\t\tyield 1\n"
    source = Source("f\x07", "f\x9b.py", 1, text)
    assert (source.function, source.file) == (r"f\x07", r"f\x9b.py")
    assert source.caption(4) == r"\x1b[2J \u202eabc d"
    assert all(line.isprintable() for line in source.lines)
    assert source.lines[3] == "        yield 1"


def test_locals_that_python_would_not_write_out_are_left_out():
    def schedule():
        huge, small = 10**5000, 7
        yield send(0, 1)
        assert huge > small

    (step,) = stamped(schedule())
    assert step.stamps[0][0].locals == (("small", 7),)


def test_empty_steps_without_end_are_refused(monkeypatch):
    monkeypatch.setattr("collectives.schedule.stamping.MAX_EMPTY_STEPS", 10)
    few = [send([], []), send([], []), send(0, 1)]
    assert len(list(stamped(few * 20))) == 60
    with pytest.raises(WrongSchedule, match="11 empty steps"):
        list(pipelined(iter(lambda: send([], []), None), [0]))


def test_the_text_of_a_function_is_read_once_for_all_recordings():
    one, other = (record("broadcast", "ring", ranks=3).steps[0].stamps[0][-1] for _ in range(2))
    assert one.source is other.source and one.source.text
