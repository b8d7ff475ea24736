"""Makes pages of sheets by Sphinx: those that changed, and no more; what is gone is removed."""

from __future__ import annotations

import json
import re
import shutil
import sys
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from animations.site.layout import settings, workshop, write_sheet
from animations.site.takeaways import completed
from collectives.errors import imported
from collectives.words import plural

HERE = Path(__file__).parent
HOME = "index"  # a page that Sphinx wants to begin with; the landing page takes its place
NO_TEXT = r'<(script|style)\b.*?</\1>|<details class="take">.*?</details>|<[^>]+>'
MARKUP = re.compile(NO_TEXT, re.DOTALL)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?: [µnm]?s\b| [KMGT]i?B\b| %)?")
FILES = {
    "html_static_path": [
        str(HERE / name)
        for name in ("site.css", "landing.css", "site.js", "storage.js", "search.js")
    ],
    "templates_path": [str(HERE / "templates")],
}


@dataclass(frozen=True)
class Changes:
    """What differs from the build before: numbers by page, and pages that are gone."""

    numbers: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """How many there are, then each."""
        counts = plural(len(self.numbers), "number"), plural(len(self.gone), "page")
        head = f"since the last build {counts[0]} changed, {counts[1]} went"
        return [f"{head}{':' * bool(self.numbers or self.gone)}", *self.numbers, *self.gone]


def make_pages(folder: Path) -> Changes:
    """Make the pages of all sheets that were written since the last call.

    Raises NotInstalled without Sphinx and its theme.
    """
    imported("furo", "the site needs Sphinx and its theme", "site")
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    work = workshop(folder)
    drafts, sources = work / "drafts", work / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    write_sheet(folder, f"{HOME}.html", "collectives", "<h1>collectives</h1>")
    _complete(folder, drafts)
    changes, titles = _take(drafts, sources), _titles(sources)
    for path in changes.gone:
        (folder / path).unlink(missing_ok=True)
    known = work / "titles.json"
    before = json.loads(known.read_text("utf-8")) if known.is_file() else {}
    options = {**deepcopy(settings()["sphinx"]), **FILES, "root_doc": HOME, "site_titles": titles}
    with docutils_namespace():
        app = Sphinx(
            sources,
            None,
            folder,
            work / "doctrees",
            "html",
            options,
            status=None,
            warning=sys.stderr,
        )
        app.build(force_all=[*before.items()] != [*titles.items()])
    known.write_text(json.dumps(titles), "utf-8")
    return changes


def _complete(folder: Path, drafts: Path) -> None:
    """Add to each sheet what can be taken away from its players."""
    for draft in drafts.rglob("*.sheet"):
        text = draft.read_text("utf-8")
        page = draft.relative_to(drafts).as_posix()
        draft.write_text(completed(folder, page, text), "utf-8")


def _titles(folder: Path) -> dict[str, list[str]]:
    """By its path without an ending, in order: the title of each sheet, and the page above it."""
    heads = {
        path.relative_to(folder).with_suffix("").as_posix(): json.loads(
            path.read_text("utf-8").partition("\n")[0]
        )
        for path in folder.rglob("*.sheet")
    }
    pages = sorted(heads, key=lambda page: (heads[page]["order"], _natural(page)))
    return {page: [heads[page]["title"], heads[page]["above"]] for page in pages}


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts question-2 before question-10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def _take(drafts: Path, sources: Path) -> Changes:
    """Put drafts in the place of sources that differ; sources without a draft are removed."""
    numbers, gone = [], []
    for draft in sorted(drafts.rglob("*.sheet")):
        source = sources / draft.relative_to(drafts)
        text = draft.read_text("utf-8")
        before = source.read_text("utf-8") if source.is_file() else None
        if text == before:
            continue
        if before is not None:
            page = source.relative_to(sources).with_suffix(".html").as_posix()
            numbers += [f"{page}: {line}" for line in _changed(before, text)]
        source.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(draft, source)
    for source in sorted(sources.rglob("*.sheet")):
        if not (drafts / source.relative_to(sources)).is_file():
            gone.append(source.relative_to(sources).with_suffix(".html").as_posix())
            source.unlink()
    shutil.rmtree(drafts)
    return Changes(tuple(numbers), tuple(gone))


def _changed(before: str, after: str) -> list[str]:
    """The numbers that differ: of sheets with the same words, else how many there are."""
    bodies = (text.partition("\n")[2] for text in (before, after))
    old, new = (NUMBER.findall(unescape(MARKUP.sub(" ", body))) for body in bodies)
    if len(old) == len(new):
        pairs = ((was, now) for was, now in zip(old, new, strict=True) if was != now)
        return list(dict.fromkeys(f"{was} → {now}" for was, now in pairs))
    return [f"{len(old)} numbers → {len(new)}"]
