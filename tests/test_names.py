"""Names say what a thing is: one class for a name, and no word that stands for anything."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

import collectives

ROOT = Path(collectives.__file__).parent.parent
LAYERS = ("collectives", "animations", "notebooks")
SOURCES = [path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")]
MODULES = sorted((ROOT / "animations" / "player" / "web").rglob("*.js"))
WORDS = "told made many most least far apart often once places spots inks due late fast"
VAGUE = frozenset(WORDS.split())
VALUES = frozenset(["found", "one", "given", "each", "other", "shown", "said"])  # of anything
MOST_OF_THEM = 145  # a tenth of the 1,454 at the commit from which on they were counted
ALLOWED = {("collectives/cost/fault_texts.py", "late"): "a field with the name of its option"}
PARALLEL = (  # folders whose files of one name tell one subject in several ways
    ("collectives/algorithms", "collectives/algorithms/per_rank", "collectives/catalog"),
    tuple(f"animations/player/web/{kind}" for kind in ("core", "views", "entry")),
    tuple(f"animations/phrases/{language}" for language in ("en", "es", "zh")),
)
COMMANDS = "collectives/cli"  # a file of which has the name of its command
SPLIT = frozenset(["comparison.py", "training.py", "transcript.py"])  # kinds of film, in stages
COMMENTS = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
BINDS = re.compile(
    r"\b(?:const|let|var)\s+(\w+|\{[^=;]*\}|\[[^=;]*\])|\bfunction\*?\s*(\w*)\(([^)]*)"
)


def relative(path):
    return path.relative_to(ROOT).as_posix()


def bound(tree):
    """Every name that a module gives to something, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            stored = isinstance(node.ctx, ast.Store)
            names = [node.id if isinstance(node, ast.Name) else node.attr] * stored
        elif isinstance(node, ast.arg):
            names = [node.arg]
        elif isinstance(node, ast.alias):
            names = [node.asname]
        elif isinstance(node, ast.MatchMapping):
            names = [node.rest]
        else:
            names = [getattr(node, "name", None)]
        yield from ((name, node) for name in names if name)


@cache
def names_in(path):
    """Every name that a file binds, with the kind of node that does and its line."""
    names = bound(ast.parse(path.read_text("utf-8")))
    return [(name, type(node), getattr(node, "lineno", 0)) for name, node in names]


def vague_names(text):
    """The words that stand for anything among the names of a module, each with its line."""
    names = ((name.strip("_").lower(), node) for name, node in bound(ast.parse(text)))
    return [(name, getattr(node, "lineno", 0)) for name, node in names if name in VAGUE]


def vague_bindings(text):
    """The same of the variables, functions and parameters of a module in JavaScript."""
    found = []
    text = COMMENTS.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    for match in BINDS.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        for name in re.findall(r"[\w$]+(?!\w*\s*:)", " ".join(filter(None, match.groups()))):
            found += [(name, line)] * (name.lower() in VAGUE)
    return found


def test_no_two_classes_share_a_name():
    homes = defaultdict(list)
    for path in SOURCES:
        for name, kind, line in names_in(path):
            if kind is ast.ClassDef:
                homes[name].append(f"{relative(path)}:{line}")
    assert len(homes) > 200
    assert {name: lines for name, lines in homes.items() if len(lines) > 1} == {}


def files_of_one_name(paths):
    """Names that files of one package share, with their folders, but for parallel ones."""
    folders = defaultdict(set)
    for path in map(PurePosixPath, paths):
        if path.parent != PurePosixPath(COMMANDS):
            folders[path.parts[0], path.name].add(path.parent.as_posix())
    return {
        name: sorted(homes)
        for (_, name), homes in folders.items()
        if len(homes) > 1 and not any(homes <= set(parallel) for parallel in PARALLEL)
    }


def test_no_two_files_share_a_name_unless_their_folders_are_parallel():
    kinds = {".py", ".js", ".toml", ".css", ".html"}
    paths = [p for layer in LAYERS for p in (ROOT / layer).rglob("*") if p.suffix in kinds]
    shared = files_of_one_name(relative(path) for path in paths if path.name != "__init__.py")
    assert set(shared) == SPLIT, shared


def test_parallel_folders_are_there():
    assert all((ROOT / folder).is_dir() for folders in PARALLEL for folder in folders)


def test_files_of_one_name_are_seen():
    assert files_of_one_name(["a/b/x.py", "a/c/x.py"]) == {"x.py": ["a/b", "a/c"]}
    assert files_of_one_name(["a/b/x.py", "b/b/x.py", f"{COMMANDS}/x.py", "collectives/x.py"]) == {}
    both = [f"{folder}/ring.py" for folder in PARALLEL[0]]
    assert files_of_one_name(both) == {}
    assert files_of_one_name([*both, "collectives/cost/ring.py"])


def test_names_say_what_a_thing_is():
    found = [
        f"{relative(path)}:{line}: {name}"
        for path in SOURCES
        for name, _, line in names_in(path)
        if name.strip("_").lower() in VAGUE
        and (relative(path), name.strip("_").lower()) not in ALLOWED
    ]
    assert found == []


def test_words_that_stood_for_any_value_are_a_tenth_of_what_they_were():
    names = [
        f"{relative(path)}:{line}: {name}"
        for path in SOURCES
        for name, kind, line in names_in(path)
        if name.strip("_") in VALUES and kind is not ast.alias
    ]
    assert 0 < len(names) <= MOST_OF_THEM, names


def test_names_that_are_allowed_are_in_use():
    in_use = {
        (path, name) for path, _ in ALLOWED for name, _ in vague_names((ROOT / path).read_text())
    }
    assert set(ALLOWED) <= in_use


def test_names_of_the_player_say_what_a_thing_is():
    assert len(MODULES) > 40
    found = [
        f"{relative(path)}:{line}: {name}"
        for path in MODULES
        for name, line in vague_bindings(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "far = 1",
        "MOST: int = 1",
        "a, *many = b",
        "self._late = 1",
        "def once(): pass",
        "def f(*, due=1): pass",
        "lambda least: 1",
        "class Told: pass",
        "import numpy as fast",
        "with a as made: pass",
        "[inks for inks in a]",
        "if (spots := a): pass",
        "try: pass\nexcept E as apart: pass",
        "match a:\n case [often, *places]: pass",
        "match a:\n case {**far}: pass",
    ],
)
def test_each_kind_of_name_is_looked_at(text):
    assert vague_names(text)


def test_what_is_only_used_is_not_looked_at():
    assert not vague_names("f(most=1).far['late'].many()")
    assert not vague_bindings("const total = due.far; // const\nasked(most, {told: 1});")


@pytest.mark.parametrize(
    "text",
    [
        "const far = 1",
        "let [found, least] = a;",
        "const { a_b: most, c } = d;",
        "function told() {}",
        "export function f(page, made) {}",
        "function f(page, inks = new Set()) {}",
    ],
)
def test_each_kind_of_binding_is_looked_at(text):
    assert vague_bindings(text)
