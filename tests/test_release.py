"""What a release says of itself: one version, one name, files for other services that agree."""

import re
import runpy
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from collectives.__main__ import main
from collectives.errors import DISTRIBUTION

ROOT = Path(__file__).parents[1]
release, checkout_setup, walk = (
    SimpleNamespace(**runpy.run_path(str(ROOT / "scripts" / f"{name}.py")))
    for name in ("release", "setup", "walk")
)

# Of the Citation File Format 1.2.0: https://doi.org/10.5281/zenodo.5171937
REQUIRED = {"authors", "cff-version", "message", "title"}
OPTIONAL = {"abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords",
            "license", "license-url", "preferred-citation", "references", "repository",
            "repository-artifact", "repository-code", "type", "url", "version"}  # fmt: skip
README = (ROOT / "README.md").read_text("utf-8")
DOORS = walk.commands(README.partition("\n## Four doors\n")[2].partition("\n## ")[0])


@pytest.fixture
def citation():
    """CITATION.cff as values."""
    return yaml.load((ROOT / "CITATION.cff").read_text("utf-8"), yaml.BaseLoader)


def test_all_files_agree_on_version_name_and_date(citation):
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.findall(r"^## \[(\d.*?)\] - (.*)$", changes, re.MULTILINE)[0]
    assert newest == (citation["version"], citation["date-released"])
    assert (citation["version"], DISTRIBUTION) == (release.VERSION, release.NAME)
    assert changes.index("## [Unreleased]") < changes.index(f"## [{newest[0]}]")
    assert release.notes().startswith("### ")
    with pytest.raises(SystemExit, match=r"has no section \[9\.9\.9\] with a date"):
        release.notes("9.9.9")


def test_the_citation_has_the_fields_of_its_format_and_the_projects_words(citation):
    assert citation.keys() >= REQUIRED
    assert citation.keys() <= REQUIRED | OPTIONAL
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation["keywords"] == project["keywords"]
    assert citation["authors"] == project["authors"] == [{"name": "The collectives developers"}]
    assert citation["license"] == project["license"]
    assert citation["title"].lower().endswith(project["description"].lower())


def test_readme_shows_lines_that_work_now_and_no_address_that_nobody_has():
    assert "pip install ." in release.install(False)
    assert f"pip install {DISTRIBUTION}" in release.install(True)
    assert f"--from {DISTRIBUTION} " in release.trial(True)
    assert release.WHEEL in release.trial(False)
    assert ("mybinder.org" in README) == bool(release.REPOSITORY)
    assert "/gh/owner/name/HEAD" in release.badges("owner/name")
    assert "/github/owner/name/blob" in release.badges("owner/name")


def test_the_image_has_what_films_need():
    text = (ROOT / "Dockerfile").read_text("utf-8")
    (installed,) = re.findall(r"--no-install-recommends \\\n +(.*?) \\\n", text)
    assert installed.split() == checkout_setup.FILMS
    (python,) = set(re.findall(r"FROM python:(3\.\d+)-slim", text))
    assert (ROOT / "constraints" / f"python{python}.txt").is_file()
    copied = re.findall(r"^COPY (?!--)(\S+) ", text, re.MULTILINE)
    assert all((ROOT / path).exists() for path in copied)


def test_binder_takes_extras_and_a_python_that_there_are():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (extras,) = re.findall(r"^\.\[(.*)\]$", (ROOT / ".binder/requirements.txt").read_text("utf-8"))
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    version = (ROOT / ".binder/runtime.txt").read_text("utf-8").strip().replace("python-", "python")
    assert (ROOT / "constraints" / f"{version}.txt").is_file()


def test_workflows_run_scripts_that_there_are_on_three_systems():
    text = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github/workflows").iterdir()}
    jobs = yaml.safe_load(text["test"])["jobs"]
    systems = {system.partition("-")[0] for system in jobs["wheel"]["strategy"]["matrix"]["system"]}
    assert systems == {"ubuntu", "macos", "windows"}
    for path in re.findall(r"(?:python |run: )((?:scripts|\.ci)/[\w.]+)", "".join(text.values())):
        assert (ROOT / path).is_file(), path
    steps = yaml.safe_load(text["release"])["jobs"]["publish"]["steps"]
    lines = [step.get("run", "") for step in steps]
    published, tagged = (
        next(number for number, line in enumerate(lines) if words in line)
        for words in ("publish", "gh release create")
    )
    assert published < tagged, "a tag says that there is a release"


def test_a_walk_types_the_commands_of_readme():
    text = "```sh\ncollectives list   # all\npip install .\n```\n```python\ncollectives x\n```"
    assert walk.commands(f"| a | `collectives claims` | b |\n{text}") == [
        "collectives list",
        "collectives claims",
    ]


def test_readme_has_four_doors():
    assert len(DOORS) == 4


FILMS = "collectives video"  # rendered in tests of their own


@pytest.mark.parametrize("door", [line for line in DOORS if not line.startswith(FILMS)])
def test_what_a_door_of_readme_says_can_be_typed(door, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    Path("mine.py").write_text(walk.OWN)
    with pytest.raises(SystemExit) as ended:
        main(door.split()[1:])
    assert ended.value.code == 0, capsys.readouterr().err


def test_the_notebook_for_colab_runs_here_but_for_its_first_cell(tmp_path, monkeypatch, capsys):
    import nbformat

    book = nbformat.read(ROOT / "docs/colab.ipynb", 4)
    nbformat.validate(book)
    monkeypatch.chdir(tmp_path)
    first, *cells = [cell.source for cell in book.cells if cell.cell_type == "code"]
    assert "google.colab" in first and "pip install" in first
    names = {}
    for cell in cells:
        exec(compile(cell, "colab", "exec"), names)
    assert "mine_all_gather: right in all 8 cases" in capsys.readouterr().out
