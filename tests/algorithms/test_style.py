"""How the textbook is written: fit for a slide, with captions, and a tested sentence each."""

import ast
import inspect
from functools import cache
from pathlib import Path

import pytest
from each import each
from promises import algorithms, modules, name, sentence

WIDTH, LINES = 49, 12  # of an algorithm on a slide
USUAL = {"root": 0, "chunks": 4}  # parameters that are the same everywhere, and their defaults
VERBS = ("send", "reduce", "merged")  # the last where one step does both


def functions():
    """Every public function of the textbook, with the lines of its file."""
    for module in modules():
        text = Path(module.__file__).read_text()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                yield node, text.splitlines()


def yields(function):
    return [n for n in ast.walk(function) if isinstance(n, ast.Yield | ast.YieldFrom)]


def is_algorithm(function):
    return function.returns is not None and ast.unparse(function.returns) == "Schedule"


def is_leaf(function):
    """Whether it makes steps of its own; others put algorithms together."""
    return any(isinstance(node, ast.Yield) for node in yields(function))


def body(function, lines):
    """The lines below the docstring."""
    return lines[function.body[1].lineno - 1 : function.end_lineno]


def caption(node, lines):
    """The comment lines directly above a yield, as one."""
    found = []
    for line in reversed(lines[: node.lineno - 1]):
        if not line.strip().startswith("#"):
            break
        found.insert(0, line.strip())
    return found


EVERY = list(functions())
ALGORITHMS = [case for case in EVERY if is_algorithm(case[0])]
HELPERS = [case for case in EVERY if not is_algorithm(case[0])]


def name_of(case):
    return case[0].name


@each(("function", "lines"), ALGORITHMS, name_of)
def test_an_algorithm_fits_on_a_slide(function, lines):
    found = body(function, lines)
    assert max(len(line) for line in found if not line.strip().startswith("#")) <= WIDTH
    assert len(found) <= LINES
    plain = ast.unparse(strip_types(function)).splitlines()[0]
    assert len(plain) <= WIDTH


def strip_types(function):
    copy = ast.parse(ast.unparse(function)).body[0]
    copy.returns = None
    for argument in copy.args.args:
        argument.annotation = None
    return copy


@each(("function", "lines"), ALGORITHMS, name_of)
def test_captions_are_short_and_in_lower_case(function, lines):
    for node in yields(function):
        comment = caption(node, lines)
        assert len(comment) <= 1
        for text in comment:
            assert text.startswith("# ")
            assert len(text) - 2 < 60
            assert text[2].islower()
            assert not text.endswith(".")


@each(("function", "lines"), ALGORITHMS, name_of)
def test_every_yield_of_a_leaf_has_a_caption(function, lines):
    """A leaf makes steps; others put algorithms together, which have captions of their own."""
    assert yields(function), "an algorithm is a generator function: it yields"
    for node in yields(function):
        if isinstance(node, ast.Yield):
            assert caption(node, lines)
            assert isinstance(node.value, ast.Call) and node.value.func.id in VERBS


@each(("function", "lines"), ALGORITHMS, name_of)
def test_an_algorithm_has_one_sentence_and_an_example(function, lines):
    text = ast.get_docstring(function)
    sentence, _, rest = text.partition("\n\n")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert ">>> from collectives.schedule import table\n" in rest
    assert ">>> print(table(" in rest


@each(("function", "lines"), ALGORITHMS, name_of)
def test_an_algorithm_takes_ranks_or_a_tree_root_chunks_and_sizes(function, lines):
    """Sizes are plain integers without default; a leaf has one at most."""
    names = [argument.arg for argument in function.args.args]
    types = {a.arg: ast.unparse(a.annotation) for a in function.args.args}
    given = [ast.literal_eval(default) for default in function.args.defaults]
    defaults = dict(zip(names[len(names) - len(given) :], given, strict=True))
    assert names[0] in ("n", "parent")
    assert not function.args.kwonlyargs and not function.args.vararg and not function.args.kwarg
    assert types.pop(names[0]) == ("int" if names[0] == "n" else "Integers")
    assert types.pop("routing", "Routing") == "Routing"
    assert types.pop("parts", "TwoParts") == "TwoParts"
    assert set(types.values()) <= {"int"}
    sizes = [other for other in names[1:] if other not in {*USUAL, "routing", "parts"}]
    assert not (set(sizes) | {names[0]}) & set(defaults)
    assert all(defaults.get(name, value) == value for name, value in USUAL.items())
    assert len(sizes) <= 1 or not is_leaf(function)


@each(("function", "lines"), HELPERS, name_of)
def test_a_helper_is_small_and_has_one_sentence_and_an_example(function, lines):
    """It makes no steps, and is no longer than what it helps."""
    assert not yields(function), "what yields steps returns a Schedule"
    assert len(body(function, lines)) <= LINES
    text = ast.get_docstring(function)
    sentence, _, rest = text.partition("\n\n")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert ">>> " in rest and f"{function.name}(" in rest


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_a_file_says_in_one_sentence_what_it_is_for_and_can_be_read_in_one_sitting(module):
    first = inspect.getdoc(module).partition("\n")[0]
    assert first.endswith(".")
    assert len(Path(module.__file__).read_text().splitlines()) <= 250


@cache
def known_sentences():
    """The sentences that the tests of the textbook know, each with a predicate."""
    found = set()
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        tree = ast.parse(path.read_text())
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PROMISES":
                assert uses_promises(tree), f"{path.name} has PROMISES, but no test that uses them"
                found |= {ast.literal_eval(key) for key in node.value.keys}
    return found


def uses_promises(tree):
    tests = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    names = [n for test in tests for n in ast.walk(test) if isinstance(n, ast.Name)]
    return any(n.id == "PROMISES" for n in names)


@pytest.mark.parametrize("function", [f for m in modules() for f in algorithms(m)], ids=name)
def test_every_sentence_is_tested(function):
    assert sentence(function) in known_sentences()
