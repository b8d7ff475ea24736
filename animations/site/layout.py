"""The look that all pages of the site share: sheets that Sphinx makes pages of, tables, links."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from collectives.files import replacing

LANDING = Path(__file__).with_name("templates") / "landing.html"


@cache
def settings() -> dict[str, Any]:
    """What is written about the site as a whole: its doors, pictures, guides, Sphinx's options."""
    return tomllib.loads(Path(__file__).with_name("site.toml").read_text("utf-8"))


def workshop(folder: Path) -> Path:
    """What the site in a folder is made of, beside it: sheets, what Sphinx keeps, its files."""
    whole = folder.absolute()
    return whole.with_name(f"{whole.name}.work")


def write_sheet(
    folder: Path,
    path: str,
    title: str,
    body: str,
    wide: bool = False,
    above: str = "",
    order: int = 0,
) -> None:
    """Write a page of the site; `path` is relative to its folder. Raises BadInput as files do.

    It is a page when `animations.site.sheets` has run: Sphinx gives it head, navigation, search.
    above: the page, without its ending, below which the navigation has it; order: its place there,
    before the order of names.
    """
    sheet = (workshop(folder) / "drafts" / path).with_suffix(".sheet")
    sheet.parent.mkdir(parents=True, exist_ok=True)
    head = {"title": title, "wide": wide, "above": above, "order": order}
    with replacing(sheet) as file:
        file.write(f"{json.dumps(head)}\n{body}\n".encode())


def write_landing(folder: Path, first: str, pictures: str) -> None:
    """Write the first page, which is one screen: it has doors and a search of its own.

    first: the address of the player on it.
    """
    doors = "".join(f'<li><a href="{door}">{name}</a></li>' for door, name in settings()["doors"])
    text = LANDING.read_text("utf-8").format(doors=doors, first=first, pictures=pictures)
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
