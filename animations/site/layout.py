"""The look that all pages of the site share: sheets that Sphinx makes pages of, tables, links."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from collectives.files import replacing

DOORS = {
    "learn/index.html": "Learn",
    "lookup/index.html": "Look up",
    "work/index.html": "At work",
    "docs/index.html": "Docs",
    "reference/index.html": "Reference",
}


def workshop(folder: Path) -> Path:
    """What the site in a folder is made of, beside it: sheets, what Sphinx keeps, its files."""
    whole = folder.absolute()
    return whole.with_name(f"{whole.name}.work")


def write_sheet(
    folder: Path, path: str, title: str, body: str, wide: bool = False, above: str = ""
) -> None:
    """Write a page of the site; `path` is relative to its folder. Raises BadInput as files do.

    It is a page when `animations.site.sheets` has run: Sphinx gives it head, navigation, search.
    above: the page, without its ending, below which the navigation has it.
    """
    sheet = (workshop(folder) / "drafts" / path).with_suffix(".sheet")
    sheet.parent.mkdir(parents=True, exist_ok=True)
    with replacing(sheet) as file:
        file.write(
            f"{json.dumps({'title': title, 'wide': wide, 'above': above})}\n{body}\n".encode()
        )


def write_landing(folder: Path, body: str) -> None:
    """Write the first page, which is one screen: it has doors and a search of its own."""
    doors = "".join(f'<li><a href="{door}">{name}</a></li>' for door, name in DOORS.items())
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>collectives</title>'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="_static/site.css">'
        '<link rel="stylesheet" href="_static/landing.css">'
        '<script src="_static/site.js" defer></script></head><body><script>'
        'document.body.dataset.theme = localStorage.getItem("theme") || "auto"</script>'
        f'<header><a href="index.html">collectives</a><nav aria-label="Site"><ul>{doors}</ul></nav>'
        '<form action="search.html" role="search"><input type="search" name="q" '
        'placeholder="Search" aria-label="Search"></form></header>'
        f"<main>{body}</main></body></html>\n"
    )
    with replacing(folder / "index.html") as file:
        file.write(text.encode())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls alone on narrow screens; its cells are markup."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    inner = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="group" aria-label="Table">{inner}</div>'


def link(address: str, text: str) -> str:
    """A link, of which the text is no markup."""
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def listed_links(links: Iterable[tuple[str, str]]) -> str:
    """A list of links: addresses and texts."""
    return f"<ul>{''.join(f'<li>{link(*pair)}</li>' for pair in links)}</ul>"


def frame(address: str, title: str) -> str:
    """A player in a frame, and the line that opens it alone."""
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" loading="lazy" '
        f'allow="fullscreen"></iframe><p class="small">{link(address, "Open it alone")}</p>'
    )
