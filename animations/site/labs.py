"""The labs as pages: notebooks that were run when the site was built, with pictures that move."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape, unescape
from itertools import count
from pathlib import Path
from typing import Any

import collectives
from animations.site.documents import colored, markdown, title_of
from animations.site.kept_files import KeptFiles
from animations.site.layout import link, write_sheet
from collectives.errors import imported
from collectives.files import replacing
from collectives.progress import counted

PACKAGED = Path(collectives.__file__).parent / "notebooks"  # where pyproject.toml puts them
LABS = PACKAGED if PACKAGED.is_dir() else Path(__file__).parents[2] / "notebooks"
SAVED = re.compile(r'style="[^"]*800px; border: 0" srcdoc="([^"]*)"')  # a player: a file here
NAME = re.compile(r"\b[0-9a-f]{32}\b")  # of a widget, another one each time
AFTER_LECTURES = 100  # in the navigation
SECONDS = 300  # that a cell may take
LIVE = "application/vnd.jupyter.widget-view+json"  # of what needs a kernel; a saved output follows


def write_labs(kept: KeptFiles, limit: int | None = None) -> list[tuple[str, str]]:
    """Run the labs, or the first few, and write a page of each; their addresses and titles.

    Raises NotInstalled without nbclient and what labs need.
    """
    links = []
    for path in counted(sorted(LABS.glob("*.ipynb"))[:limit], "running labs"):
        text, name = path.read_text("utf-8"), f"learn/lab-{path.name}"
        kept.make([name], text, partial(_run, text, kept.folder / name))
        links.append(_write_lab(kept.folder, Path(name)))
    return links


def _run(text: str, target: Path) -> None:
    """Run a notebook in a kernel of its own, and save it with its outputs."""
    nbformat = imported("nbformat", "labs need nbformat", "site")
    nbclient = imported("nbclient", "labs need nbclient", "site")
    notebook = nbformat.reads(text, 4)
    place = {"metadata": {"path": str(LABS)}}
    quiet = ["--log-level=ERROR"]  # of warnings about the way to its own kernel
    client = nbclient.NotebookClient(
        notebook, timeout=SECONDS, resources=place, extra_arguments=quiet
    )
    client.store_widget_state = False  # as JupyterLab saves it
    client.execute()
    target.parent.mkdir(exist_ok=True)
    with replacing(target) as file:
        file.write(nbformat.writes(notebook).encode())


def _write_lab(folder: Path, path: Path) -> tuple[str, str]:
    """The page of a notebook that was run."""
    cells = json.loads((folder / path).read_text("utf-8"))["cells"]
    for player in (folder / "players").glob(f"{path.stem}-*.html"):
        player.unlink()
    body = NAME.sub("widget", "".join(piece for cell in cells for piece in _pieces(cell)))
    players = count()
    body = SAVED.sub(lambda match: _as_file(match[1], folder, f"{path.stem}-{next(players)}"), body)
    number = path.stem.removeprefix("lab-")[:2].lstrip("0")
    title = f"Lab {number}: {title_of(body)}"
    opened = link(path.name, "this notebook, as it was run")
    top = f"</h1><p>To work on it: <code>collectives lab</code>, or open {opened} in Jupyter.</p>"
    body = re.sub("<h1>.*?</h1>", lambda _: f"<h1>{escape(title)}{top}", body, count=1)
    page = path.with_suffix(".html").as_posix()
    write_sheet(folder, page, title, body, wide=True, order=AFTER_LECTURES)
    return path.with_suffix(".html").name, title


def _pieces(cell: Mapping[str, Any]) -> Iterator[str]:
    """Markup of a cell: its text, or its code and what came out."""
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield markdown(text)
        return
    yield colored(text, "python")
    for output in cell["outputs"]:
        data = output.get("data", {})
        if output["output_type"] == "stream":
            yield f"<pre class=printed>{escape(''.join(output['text']))}</pre>"
        elif LIVE not in data:
            plain = f"<pre class=printed>{escape(''.join(data.get('text/plain', '')))}</pre>"
            yield f"<div>{''.join(data.get('text/html', plain))}</div>"


def _as_file(html: str, folder: Path, name: str) -> str:
    """The address of a page within the page, which is written as a file."""
    with replacing(folder / "players" / f"{name}.html") as file:
        file.write(unescape(html).encode())
    return f'src="../players/{name}.html"'
