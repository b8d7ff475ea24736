"""The library's own files as MicroPython can read them: rewritten by rules, never by hand.

Kept are all algorithms and what makes steps, and of other modules what these use.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from animations.player.pack.plainer import Plainer, is_generator
from collectives import schedule

HOME = "animations.player.micropython"  # of what stands in for what MicroPython lacks
STAND_INS = (
    *("arrays", "choosing", "yields", "indexing", "making"),
    *("numpy", "operators", "runner", "standard"),
)
IN_STANDARD = (
    *("contextlib", "dataclasses", "difflib", "functools", "itertools", "numbers"),
    *("operator", "reprlib", "collectives.memory_limit"),
)
REPLACED = {
    **{f"{HOME}.{name}": name for name in STAND_INS},
    **dict.fromkeys(IN_STANDARD, "standard"),
    **dict.fromkeys(("inspect", "collectives.schedule.provenance"), "yields"),
}
STAMPING = "collectives.schedule.stamping"
# which stamping.py has otherwise
OF_YIELDS = "from yields import iterable, meant as _meant, stack_of as _stack"
WORDS = "collectives.words"
# texts of it without their patterns: MicroPython makes no text of a class of our own
OF_WORDS = """
def Worded(pattern, **fields):
    return pattern.format(**fields)

Quoted = str
"""
HELPERS = {  # of rewritten code
    **dict.fromkeys(("at_line", "from_line"), "yields"),
    "bits": "runner",
    **dict.fromkeys(("sliced", "take_over"), "standard"),
}
ALGORITHMS = "collectives.algorithms"
SCHEDULE = "collectives.schedule"
WANTED = {
    STAMPING: ("stamped",),
    f"{SCHEDULE}.columns": ("Integers",),
    f"{SCHEDULE}.unique": (),
    "collectives.routing": ("Routing",),
    SCHEDULE: tuple(set(schedule.__all__) - {"Source", "SourceFrame", "Stamp"}),
}


@cache
def library() -> dict[str, str]:
    """The text of each file by its path: stand-ins, algorithms, and what these need."""
    modules: dict[str, Module] = {}
    wanted: dict[str, set[str]] = defaultdict(set)
    for name in (*(f"{HOME}.{home}" for home in STAND_INS), *_algorithm_names()):
        modules[name] = Module(name)
        wanted[name] |= set(modules[name].definitions)
    for name, roots in WANTED.items():
        wanted[name] |= set(roots)
    waiting = [(name, part) for name, names in wanted.items() for part in names]
    while waiting:
        name, wanted_name = waiting.pop()
        if name not in modules:
            modules[name] = Module(name)
        for module, needed in modules[name].needs(wanted_name):
            if needed not in wanted[module]:
                wanted[module].add(needed)
                waiting.append((module, needed))
    offered = ", ".join(sorted(WANTED[SCHEDULE]))
    texts = {"collectives/__init__.py": f"from collectives.schedule import {offered}\n"}
    return texts | {each.path: each.text(wanted[name]) for name, each in modules.items()}


def _algorithm_names() -> Iterator[str]:
    yield ALGORITHMS
    for path in sorted(_file(ALGORITHMS).parent.glob("[a-z]*.py")):
        yield f"{ALGORITHMS}.{path.stem}"


def _file(module: str) -> Path:
    spec = find_spec(module)
    return Path(str(spec and spec.origin))


class Module:
    """A module of ours, rewritten: what its top level defines, and what that needs."""

    def __init__(self, name: str) -> None:
        file = _file(name)
        self.tracks = name.startswith(ALGORITHMS)
        self.path = REPLACED.get(name, name).replace(".", "/")
        self.path += "/__init__.py" if file.stem == "__init__" else ".py"
        tree = Plainer(REPLACED, self.tracks).visit(ast.parse(file.read_text("utf-8")))
        self.body: list[ast.stmt] = tree.body
        if name == STAMPING:
            self.body = [
                *ast.parse(OF_YIELDS).body,
                *_without(self.body, ("_meant", "_stack", "iterable")),
            ]
        if name == WORDS:
            self.body = [*ast.parse(OF_WORDS).body, *_without(self.body, ("Worded", "Quoted"))]
        self.name, self.file = name, file.name
        self.imports: dict[str, tuple[str, str]] = {}  # a name: its module, and its name there
        self.definitions: dict[str, ast.stmt] = {}
        for statement in self.body:
            self.definitions |= dict.fromkeys(_defined(statement), statement)
            source = str(getattr(statement, "module", ""))
            if isinstance(statement, ast.ImportFrom) and source.startswith("collectives"):
                self.imports |= {a.asname or a.name: (source, a.name) for a in statement.names}

    def needs(self, name: str) -> Iterator[tuple[str, str]]:
        """Modules, and their names, that a name of this one needs."""
        if name in self.imports:
            yield self.imports[name]
        if name not in self.definitions:
            return
        statement = self.definitions[name]
        for used in _names_in([statement]):
            if used in self.imports:
                yield self.imports[used]
            elif used in self.definitions and used != name:
                yield self.name, used
        for node in ast.walk(statement):  # imports of a function
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(SCHEDULE):
                yield from ((str(node.module), alias.name) for alias in node.names)

    def text(self, wanted: set[str]) -> str:
        """The module with these names alone; generators of algorithms are tracked."""
        kept = [
            statement
            for statement in self.body
            if not isinstance(statement, ast.Import | ast.ImportFrom)
            and (not (names := set(_defined(statement))) or names & wanted)
        ]
        used = set(_names_in(kept)) | wanted
        if self.name.startswith(HOME):  # which offers others what it imports
            used |= {n.asname or n.name for of in self.body for n in getattr(of, "names", ())}
        imports = [line for of in self.body if (line := _import(of, used)) is not None]
        if self.tracks:
            imports += ast.parse("from yields import tracked as _tracked_").body
        for helper, source in HELPERS.items():
            if f"_{helper}_" in used:
                imports += ast.parse(f"from {source} import {helper} as _{helper}_").body
        marks = [
            f"{name} = _tracked_({name}, {self.file!r})"
            for name, statement in self.definitions.items()
            if self.tracks and is_generator(statement)
        ]
        statements = [ast.unparse(ast.fix_missing_locations(line)) for line in [*imports, *kept]]
        return "\n".join([*statements, *marks, ""])


def _defined(statement: ast.stmt) -> list[str]:
    """The names that a statement of the top level defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if not isinstance(statement, ast.Assign):
        return []
    targets = [part for target in statement.targets for part in getattr(target, "elts", [target])]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _without(statements: Iterable[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    return [statement for statement in statements if not set(_defined(statement)) & set(names)]


def _names_in(statements: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id


def _import(statement: ast.stmt, used: set[str]) -> ast.stmt | None:
    """The import, of the names that are used; None where none is."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return None
    names = [alias for alias in statement.names if (alias.asname or alias.name) in used]
    if isinstance(statement, ast.ImportFrom):
        return ast.ImportFrom(statement.module, names, 0) if names else None
    return ast.Import(names) if names else None
