"""A release: its version, its notes, and the lines that install it, which README shows.

release.py checks that pyproject.toml, CHANGELOG.md and CITATION.cff name one version and prints it;
release.py --notes prints what CHANGELOG.md says of it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
REPOSITORY = ""  # OWNER/NAME on GitHub; README has no badges as long as it is empty
IS_PUBLISHED = False  # whether `pip install NAME` finds it; README then says that instead
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAME, VERSION = str(PROJECT["name"]), str(PROJECT["version"])
WHEEL = f"dist/{NAME.replace('-', '_')}-{VERSION}-py3-none-any.whl"
PAGE = "page all-reduce ring -n 8"


def badges(repository: str = REPOSITORY) -> str:
    """Links to the lectures on Binder and a notebook on Colab; nothing without an address."""
    if not repository:
        return ""
    binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks"
    colab = f"https://colab.research.google.com/github/{repository}/blob/HEAD/docs/colab.ipynb"
    return f"\n\nWith nothing installed: [Binder]({binder}), [Colab]({colab})."


def install(is_published: bool = IS_PUBLISHED) -> str:
    """The two commands of README: install it, see something."""
    wanted = NAME if is_published else "."
    activated = "python3 -m venv .venv && . .venv/bin/activate"
    lines = (
        f"{activated} && pip install {wanted}",
        f"collectives {PAGE}   # writes a page: open it, step by button and key",
    )
    return "```sh\n" + "\n".join(lines) + "\n```" + badges()


def trial(is_published: bool = IS_PUBLISHED) -> str:
    """The lines that run it once, in an environment that goes again."""
    uvx = f"uvx --from {NAME if is_published else WHEEL}"
    pipx = f"pipx run --spec {NAME if is_published else WHEEL}"
    lines = [f"{uvx} collectives {PAGE}", f"{pipx} collectives {PAGE}"]
    if not is_published:
        lines.insert(0, f"pip wheel --no-deps -w dist .   # makes {WHEEL}")
    return "```sh\n" + "\n".join(lines) + "\n```"


def notes(version: str = VERSION) -> str:
    """What CHANGELOG.md says of a version; raises SystemExit where it says nothing."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    section = re.search(rf"^## \[{re.escape(version)}\] - .*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        raise SystemExit(f"CHANGELOG.md has no section [{version}] with a date")
    return section[1].strip()


def main() -> None:
    """Print the version or its notes, if all files agree on it."""
    said = notes()
    if f"\nversion: {VERSION}\n" not in (ROOT / "CITATION.cff").read_text("utf-8"):
        raise SystemExit(f"CITATION.cff names another version than {VERSION} of pyproject.toml")
    print(said if "--notes" in sys.argv else VERSION)


if __name__ == "__main__":
    main()
