"""Imports go one way: collectives, then animations, then notebooks; and what they cost."""

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from each import each
from settings import sampled

import collectives

ROOT = Path(collectives.__file__).parent.parent
LAYERS = ("collectives", "animations", "notebooks")
FILES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
MAY_LOOK_UP = ("collectives/__main__.py", "collectives/cli/")
SHOWN = "collectives/notebook_display.py"  # the one file of the core that draws


def relative(path):
    return path.relative_to(ROOT).as_posix()


def module_of(path):
    """The package a file is in, as a list of names."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1]


@cache
def imported(path):
    """The dotted names a file imports, anywhere in it."""
    return list(_imported(path))


def _imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module_of(path)[: len(module_of(path)) + 1 - node.level]
            start = ".".join(package) + "." if node.level else ""
            yield start + (node.module or "")
            yield from (f"{start}{node.module or ''}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant))


def tops(path):
    return {name.partition(".")[0] for name in imported(path)}


@each("path", FILES, relative)
def test_imports_go_one_way(path):
    allowed = {relative(path).partition("/")[0]} | {"collectives"}
    if relative(path).startswith(("animations/", "notebooks/", SHOWN, *MAY_LOOK_UP)):
        allowed.add("animations")
    assert tops(path) & {*LAYERS} <= allowed


# Each folder imports from those before it only, for types and inside functions, too. The files
# beside the folders of collectives (errors, units, words …) are for all of them.
CORE_FOLDERS = """
    schedule structure theory algorithms algorithms/per_rank catalog recording
    proof/diagnosis proof cost/machines cost/clocks cost/bounds cost/choose cost/libraries/nccl
    cost/libraries cost training evidence formats/msccl formats/chakra formats/nccl_log
    formats/nccl_tests formats hangs bitwise launch comparison questions exercises
    own_code grading"""
DRAWING_FOLDERS = """
    phrases drawing drawing/render stages whys story score pictures player/micropython
    player/pack player figures course
    notebook lab/predictions lab manim film sphinx site/samples site"""
FOLDERS = [
    *(f"collectives/{folder}" for folder in CORE_FOLDERS.split()),
    *(f"animations/{folder}" for folder in DRAWING_FOLDERS.split()),
    "collectives/cli",
]
UPWARD = {  # what an object is asked by a method of its own
    ("collectives/recording", "collectives/proof"): "is it proved?",
    ("collectives/recording", "collectives/cost/machines"): "how does it look on this machine?",
    ("collectives/cost/machines", "collectives/cost/clocks"): "does it stand still?",
}
IN_FOLDERS = [path for path in FILES if relative(path.parent) in FOLDERS]


def folder_of(name):
    """The folder of what is imported by its dotted name; nothing for a name in a module."""
    place = ROOT / name.replace(".", "/")
    found = place if place.is_dir() else place.parent
    return relative(found) if found == place or place.with_suffix(".py").exists() else ""


def upward(path):
    """The folders above its own that a file imports from."""
    own = relative(path.parent)
    others = {folder_of(name) for name in imported(path)} & {*FOLDERS}
    return {other for other in others if FOLDERS.index(other) > FOLDERS.index(own)}


@each("path", IN_FOLDERS, relative)
def test_folders_import_downward(path):
    named = {above for below, above in UPWARD if below == relative(path.parent)}
    assert upward(path) <= named


def test_every_folder_has_its_place_and_every_exception_a_use():
    folders = {relative(path.parent) for path in FILES if path.parent.parent != ROOT}
    assert {f for f in folders if not f.startswith("notebooks")} == {*FOLDERS}
    used = {(relative(path.parent), above) for path in IN_FOLDERS for above in upward(path)}
    assert used == {*UPWARD}


@each("path", [f for f in FILES if relative(f).startswith("animations/drawing/")], relative)
def test_what_is_drawn_knows_no_recording(path):
    known = {name for name in map(folder_of, imported(path)) if name.startswith("collectives/")}
    assert not known


def test_what_is_shown_is_imported_when_it_is_shown():
    """Importing collectives/notebook_display.py imports nothing of the drawing layer."""
    tree = ast.parse((ROOT / SHOWN).read_text())
    inside = {n for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    inside |= {n for f in ast.walk(tree) if isinstance(f, ast.If) for n in ast.walk(f)}
    outside = [node for node in ast.walk(tree) if node not in inside]
    modules = {n.module for n in outside if isinstance(n, ast.ImportFrom)}
    assert modules and not {m for m in modules if m.startswith(("animations", "matplotlib"))}
    assert not loaded("import collectives.notebook_display") & {"animations", "matplotlib", "manim"}


def test_there_are_files_to_look_at():
    assert {relative(path) for path in FILES} >= {
        "collectives/__init__.py",
        "collectives/schedule/step.py",
        "collectives/recording/saved.py",
        "animations/__init__.py",
    }


@each("path", FILES, relative)
def test_nothing_imports_the_tests_or_the_command_line(path):
    names = set(imported(path))
    assert "tests" not in tops(path)
    if not relative(path).startswith(MAY_LOOK_UP):
        assert not {name for name in names if name.startswith("collectives.cli")}
        assert not tops(path) & {"click", "rich"}


CORE = [
    path
    for path in FILES
    if relative(path).startswith("collectives/") and not relative(path).startswith(MAY_LOOK_UP)
]
PLAYED = [f"collectives/launch/{name}.py" for name in ("player", "transports")]  # by real ranks


@each("path", CORE, relative)
def test_the_core_needs_numpy_and_nothing_else(path):
    more = {"pytest"} if relative(path) == "collectives/testing.py" else set()
    more |= {"animations", "matplotlib"} if relative(path) == SHOWN else set()
    more |= {"ml_dtypes"} if relative(path) == "collectives/recording/payload.py" else set()
    more |= {"defusedxml"} if relative(path).startswith("collectives/formats/msccl/") else set()
    more |= {"mpi4py", "torch", "transports"} if relative(path) in PLAYED else set()
    assert tops(path) - set(sys.stdlib_module_names) <= {"collectives", "numpy"} | more


def test_schedules_know_nothing_of_what_is_made_of_them():
    """The language stands below recordings, proofs and counts; algorithms know it only."""
    above = ("recording", "proof", "catalog", "theory", "collective", "cost")
    for folder in ("schedule", "algorithms"):
        for path in (ROOT / "collectives" / folder).glob("*.py"):
            names = {name for name in imported(path) if name.startswith("collectives.")}
            assert not {name for name in names if name.split(".")[1] in above}, path


@each("path", sorted((ROOT / "collectives" / "algorithms").glob("*.py")), relative)
def test_algorithms_use_numpy_the_language_and_one_another_only(path):
    assert tops(path) - set(sys.stdlib_module_names) <= {"numpy", "collectives"}
    mine = {name for name in imported(path) if name.startswith("collectives")}
    known = ("collectives.schedule", "collectives.algorithms", "collectives.routing")
    assert all(name.startswith(known) for name in mine)


def test_no_module_is_named_like_a_public_name():
    """A file collectives/check.py would shadow the function collectives.check."""
    public = set(collectives.__all__)
    modules = {path.stem for path in (ROOT / "collectives").glob("*.py")}
    modules |= {path.parent.name for path in (ROOT / "collectives").glob("*/__init__.py")}
    assert not modules & public


def loaded(*code):
    """The modules that are loaded after this code, in a Python of its own."""
    lines = [*code, "import sys", "print(*sys.modules)"]
    command = [sys.executable, "-W", "error", "-c", "; ".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import collectives", "import collectives; dir(collectives)"])
def test_importing_the_package_is_cheap(code):
    assert not loaded(code) & {"numpy", "rich", "click", "collectives.recording.recording"}


@pytest.mark.parametrize("code", ["import animations", "import animations.player.page"])
def test_importing_the_drawing_layer_loads_no_widget(code):
    assert not loaded(code) & {"anywidget", "ipywidgets", "IPython", "manim"}


def test_a_stepper_without_anywidget_says_what_to_install():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "from collectives.errors import NotInstalled\n"
        "try:\n    from animations import Stepper\n"
        "except NotInstalled as problem:\n    print(problem)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    assert f"needs anywidget; type: make -C {ROOT} setup" in done.stdout


def test_importing_the_command_line_is_cheap():
    names = loaded("import collectives.__main__")
    assert "click" in names
    assert not names & {"numpy", "rich", "manim", "animations"}


def test_recording_needs_no_command_line_and_no_drawing():
    names = loaded("import collectives", "collectives.record('gather', 'tree', ranks=3).check()")
    assert not names & {
        "rich",
        "click",
        "manim",
        "matplotlib",
        "animations",
        "collectives.cli",
        "ml_dtypes",
    }
    assert not [name for name in names if name == "collectives.recording.saved"]


def test_every_module_can_be_imported_first():
    """No cycle depends on which module is imported before.

    Whatever is imported of a package, its `__init__` comes first: where that imports modules of
    its own, the package is imported first once, and then the rest of it.
    """
    firsts = defaultdict(list)
    for path in CORE:
        inner = path.parent / "__init__.py"
        joined = path.parent.parent != ROOT and any(
            name.startswith("collectives.") for name in imported(inner)
        )
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        firsts[inner if joined else path].insert(0 if path == inner else 999, name)
    tried = sampled([*firsts.values()], 9)
    code = (
        "import importlib, sys\n"
        f"for names in {tried!r}:\n"
        "    for known in [m for m in sys.modules if m.startswith('collectives')]:\n"
        "        del sys.modules[known]\n"
        "    for name in names:\n"
        "        importlib.import_module(name)\n"
    )
    assert sum(map(len, firsts.values())) == len(CORE) > 100
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
