"""The look that all pages of the site share: head, navigation, tables, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from collectives.files import replacing

STYLE = Path(__file__).with_name("site.css")
DOORS = {
    "learn/index.html": "Learn",
    "lookup/index.html": "Look up",
    "work/index.html": "At work",
    "docs/index.html": "Docs",
}


def write_sheet(folder: Path, path: str, title: str, body: str, wide: bool = False) -> None:
    """Write a page of the site; `path` is relative to its folder. Raises BadInput as files do."""
    up = "../" * path.count("/")
    doors = "".join(f'<li><a href="{up}{door}">{name}</a></li>' for door, name in DOORS.items())
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)} · collectives</title>"
        f'<link rel="icon" href="data:,"><link rel="stylesheet" href="{up}site.css"></head><body>'
        f'<header><a href="{up}index.html">collectives</a><nav aria-label="Site"><ul>{doors}</ul>'
        f"</nav></header><main{' class=wide' if wide else ''}>{body}</main></body></html>\n"
    )
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    with replacing(folder / path) as file:
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
