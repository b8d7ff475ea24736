"""An extension of Sphinx that reads sheets of the site, whose body is HTML, and leads round it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from html.parser import HTMLParser
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.parsers import Parser

from animations.site.layout import settings

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HEADING = re.compile(r"<h([1-3])([^>]*)>(.*?)</h\1>", re.DOTALL)
VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the reader of sheets, and the navigation; `site_titles`: titles of pages, in order."""
    app.add_source_suffix(".sheet", "sheet")
    app.add_source_parser(SheetParser)
    app.add_config_value("site_titles", {}, "")
    app.connect("html-page-context", _lead, priority=400)
    app.connect("html-page-context", _show, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class SheetParser(Parser):
    """Makes sections of the headings that stand in no other element; the rest stays as it is."""

    supported = ("sheet",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill the document with the sections of a sheet."""
        head, _, body = inputstring.partition("\n")
        options, sections = json.loads(head), {0: document}
        metadata = document.settings.env.metadata[document.settings.env.docname]
        metadata["orphan"] = True  # it stands in no tree of contents
        if document.settings.env.docname == document.settings.env.config.root_doc:
            metadata["nosearch"] = True
        if options["wide"]:
            metadata["hide-toc"] = True
            body += '<span class="wide"></span>'
        anchors: set[str] = set()
        for level, anchor, heading, text in _parts(body):
            if level:
                section = nodes.section(ids=[_free(anchor or _slug(heading), anchors)])
                section += nodes.title("", "", *_inline(heading))
                sections = {at: node for at, node in sections.items() if at < level}
                sections[max(sections)] += section
                sections[level] = section
            if text.strip():
                sections[max(sections)] += nodes.raw("", text, format="html")


class _Depths(HTMLParser):
    """Where the headings are that stand in no other element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.depth, self.starts = 0, set[int]()
        self.lines = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """One level down; a heading is noted."""
        line, column = self.getpos()
        if not self.depth:
            self.starts.add(self.lines[line - 1] + column)
        self.depth += tag not in VOID

    def handle_endtag(self, tag: str) -> None:
        """One level up."""
        self.depth -= tag not in VOID


def _parts(body: str) -> Iterator[tuple[int, str, str, str]]:
    """Level, anchor and content of each heading, and what follows it; first what precedes all."""
    starts = _Depths(body).starts
    headings = [match for match in HEADING.finditer(body) if match.start() in starts]
    ends = [match.start() for match in headings[1:]] + [len(body)]
    yield 0, "", "", body[: headings[0].start()] if headings else body
    for match, end in zip(headings, ends, strict=True) if headings else ():
        anchor = re.search(r'\bid="([^"]*)"', match[2])
        yield int(match[1]), anchor[1] if anchor else "", match[3], body[match.end() : end]


def _plain(markup: str) -> str:
    """Its text."""
    return unescape(re.sub(r"<[^>]+>", "", markup))


def _slug(heading: str) -> str:
    """The anchor that a heading has on GitHub."""
    return NOT_IN_ANCHORS.sub("", _plain(heading).lower()).strip().replace(" ", "-")


def _free(anchor: str, taken: set[str]) -> str:
    """The anchor, with a number where another heading has it."""
    name = next(
        name
        for name in (anchor, *(f"{anchor}-{k}" for k in range(1, 1 + len(taken))))
        if name not in taken
    )
    taken.add(name)
    return name


def _inline(heading: str) -> Iterator[nodes.Node]:
    """The text of a heading, in which code stays code."""
    for number, part in enumerate(re.split(r"<code>(.*?)</code>", heading)):
        if text := _plain(part):
            yield nodes.literal(text, text) if number % 2 else nodes.Text(text)


def _lead(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Furo asks for a tree of all pages, which would be most of each page: it gets none."""
    context.pop("toctree", None)


def _show(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> str:
    """The doors, the pages behind the open one, and below their family; the template of a page."""
    titles: dict[str, list[str]] = app.config.site_titles
    up = "../" * page.count("/")
    above = titles.get(page, ["", ""])[1]  # of an algorithm its collective
    folder, family = (above or page).partition("/")[0], above or page

    def listed(level: int, names: Iterable[str]) -> str:
        items = "".join(
            _entry(
                level,
                f"{up}{name}.html",
                titles[name][0],
                name == page,
                listed(3, (path for path in titles if titles[path][1] == family))
                if name == family
                else "",
            )
            for name in names
        )
        return f"<ul>{items}</ul>" if items else ""

    entries = []
    for door, name in settings()["doors"]:
        home = door.removesuffix(".html")
        behind = [path for path in titles if path.startswith(f"{folder}/") and path != home]
        below = listed(2, behind) if home == f"{folder}/index" else ""
        entries.append(_entry(1, up + door, name, home == page, below))
    guard = f'<link rel="icon" href="data:,"><script src="{up}_static/storage.js"></script>'
    context["metatags"] = context.get("metatags", "") + guard
    context["furo_navigation_tree"] = f"<ul>{''.join(entries)}</ul>"
    return "sheet.html" if template == "page.html" else template


def _entry(level: int, address: str, name: str, is_current: bool, behind: str = "") -> str:
    """An entry of the navigation."""
    mark = " current current-page" if is_current else " current" if behind else ""
    return (
        f'<li class="toctree-l{level}{mark}"><a class="reference internal" '
        f'href="{address}"{" aria-current=page" * is_current}>{escape(name)}</a>{behind}</li>'
    )
