"""docs/*.md as pages: links between them kept, code in colors."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING

from animations.site.asked import printed
from animations.site.layout import listed_links, write_sheet
from animations.site.sample_files import sample
from collectives.errors import imported

if TYPE_CHECKING:
    from markdown_it.token import Token

PACKAGED = Path(__file__).parents[1] / "docs"  # where pyproject.toml puts them in a wheel
DOCS = PACKAGED if PACKAGED.is_dir() else Path(__file__).parents[2] / "docs"


def write_documents(folder: Path, docs: Path = DOCS) -> None:
    """Write each document as a page, copy what it shows, and write the list of them.

    Raises NotInstalled without markdown-it-py.
    """
    files, links = sorted(docs.glob("*.md")), []
    (folder / "docs").mkdir(exist_ok=True)
    for path in docs.iterdir():
        if path.suffix in (".svg", ".png", ".gif", ".html"):
            shutil.copy(path, folder / "docs")
    for path in files:
        text = markdown(path.read_text("utf-8"), docs, {file.name for file in files})
        title = title_of(text)
        write_sheet(folder, f"docs/{path.stem}.html", title, text)
        links.append((f"{path.stem}.html", title))
    write_sheet(folder, "docs/index.html", "Docs", "<h1>Docs</h1>" + listed_links(links))


def markdown(text: str, docs: Path | None = None, names: Collection[str] = ()) -> str:
    """The markup of a text in Markdown; a block of `run` shows what its command prints.

    docs: where links lead to files, of which those of `names` become pages. Raises NotInstalled
    without markdown-it-py.
    """
    module = imported("markdown_it", "the site needs markdown-it-py", "site")
    parser = module.MarkdownIt("commonmark", {"highlight": colored}).enable("table")
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("class", "document")
            token.attrSet("tabindex", "0")  # scrolls by keys
    if docs is not None:
        _relink(tokens, names, docs)
    return str(parser.renderer.render(tokens, parser.options, {}))


def title_of(markup: str) -> str:
    """The text of the heading of a page."""
    return unescape(re.sub("<.*?>", "", markup[markup.index("<h1>") : markup.index("</h1>")]))


def colored(code: str, language: str, options: str = "") -> str:
    """Code in the colors of the theme; nothing for a language that Pygments does not know."""
    if language in ("run", "file"):
        block = f"$ {code}{printed(code.strip())}" if language == "run" else sample(code.strip())
        return f"<pre class=printed><code>{escape(block)}</code></pre>"
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return ""
    return f'<pre class="highlight">{highlight(code, lexer, HtmlFormatter(nowrap=True))}</pre>'


def _relink(tokens: list[Token], names: Collection[str], docs: Path) -> None:
    """Links to documents lead to their pages; those to files that are not here are text."""
    for token in tokens:
        children, stays = token.children or [], True
        for child in children:
            if child.type == "link_open":
                file, mark, anchor = str(child.attrGet("href")).partition("#")
                stays = "://" in file or not file or ((docs / file).is_file() and "/" not in file)
                if file in names:
                    child.attrSet("href", f"{file.removesuffix('.md')}.html{mark}{anchor}")
            if child.type in ("link_open", "link_close") and not stays:
                child.type, child.content, child.nesting = "text", "", 0
        if token.type == "html_block" and "<script" in token.content:
            token.content = escape(token.content)
