"""Reference: commands from their help, functions from their texts, file formats, the glossary."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from html import escape
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from animations.site.layout import listed_links, settings, table, write_sheet
from animations.site.report_markup import plain_markup
from collectives import formats, glossary
from collectives.__main__ import cli, main
from collectives.cost.machines.toml_file import EXAMPLE
from collectives.errors import NotInstalled

PLACE = re.compile(r"<function (\S+) at 0x\w+>")  # in memory, another one each time
PACKAGES = ("collectives.", "animations.")
LONGEST = 60  # letters of a default
QUOTED = re.compile(r"(: |-> )'([^']*)'")  # an annotation
SCRIPT = '<script src="../site_tables.js"></script>'


def write_reference(folder: Path) -> None:
    """Write the pages of the reference, and the page that leads to them."""
    pages = [("commands.html", "The command line", _commands())]
    for name in settings()["modules"]:
        with suppress(NotInstalled):  # of Manim
            body = _names(import_module(name))
            pages.append((f"{name.rpartition('.')[2]}.html", f"Python: {name}", body))
    pages.append(("formats.html", "File formats", _formats()))
    pages.append(("glossary.html", "Glossary", _glossary()))
    for file, title, body in pages:
        write_sheet(folder, f"reference/{file}", title, f"<h1>{title}</h1>{body}")
    body = "<h1>Reference</h1>" + listed_links((file, title) for file, title, _ in pages)
    body += "<h2>How to</h2>" + listed_links(
        (f"../docs/{file}", text) for text, file in settings()["how_to"]
    )
    write_sheet(folder, "reference/index.html", "Reference", body)


def helps(command: Any = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Each command with the help that it prints, those of a group after it.

    >>> [name for name, text in helps() if "--exact" in text]
    ['collectives run']
    """
    printed = StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        main([*path, "--help"])
    yield " ".join(("collectives", *path)), printed.getvalue().rstrip()
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield from helps(inner, (*path, name))


def _commands() -> str:
    """The help of each command."""
    return "".join(
        f"<h2><code>{escape(name)}</code></h2><pre><code>{escape(text)}</code></pre>"
        for name, text in helps()
    )


def public_names(module: object) -> Sequence[str]:
    """The names that a module offers: those of `__all__`, else its own functions and classes."""
    named = getattr(module, "__all__", None)
    if named is not None:
        return list(named)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__  # type: ignore[attr-defined]
    ]


def _names(module: object) -> str:
    """Each public name with its signature and its text."""
    body = f"<p>{plain_markup((inspect.getdoc(module) or '').partition(chr(10))[0])}</p>"
    for name in public_names(module):
        value = getattr(module, name)
        body += f"<h2><code>{escape(name)}</code></h2>"
        if callable(value):
            with suppress(ValueError):  # exceptions have no signature
                signature = PLACE.sub(r"\1", _signature(value))
                body += f"<pre class=printed>{escape(f'{name}{signature}')}</pre>"
            first, _, more = (inspect.getdoc(value) or "").partition("\n\n")
            body += f"<p>{plain_markup(first)}</p>"
            body += f"<pre class=printed>{escape(more)}</pre>" if more else ""
            body += _members(value) if inspect.isclass(value) else ""
        else:
            body += f"<p>{escape(type(value).__name__)} of {len(value)}.</p>"
    return body


def _signature(value: Any) -> str:
    """The signature of what can be called; a long value of a default is left out."""
    whole = inspect.signature(value)
    parts = [
        each.replace(default=...) if len(repr(each.default)) > LONGEST else each
        for each in whole.parameters.values()
    ]
    text = str(whole.replace(parameters=parts)).replace("= Ellipsis", "= …")
    return QUOTED.sub(r"\1\2", text)


def _members(owner: type) -> str:
    """What objects of a class have and can do, as those it inherits here: their first sentences."""
    own = [kind for kind in owner.__mro__ if kind.__module__.startswith(PACKAGES)]
    members = {name: value for kind in reversed(own) for name, value in vars(kind).items()}
    rows = [
        (f"<code>{name}</code>", plain_markup(text.partition("\n\n")[0]))
        for name, value in members.items()
        if not name.startswith("_") and hasattr(value, "__get__")
        if (text := inspect.getdoc(value) or "")
    ]
    return table(("of an object", "what it is or does"), rows) if rows else ""


def _formats() -> str:
    """Files of schedules by their suffix, what else is read, and a machine's file."""
    rows = [
        (f"<code>{suffix}</code>", _text_of(known.module), "yes" if known.is_written else "no")
        for suffix, known in formats.FORMATS.items()
    ]
    body = "<h2>Schedules</h2>" + table(("suffix", "what it is", "written, too"), rows)
    every = [
        (f"<code>{part.name}</code>", _text_of(f"{formats.__name__}.{part.name}"))
        for part in iter_modules(formats.__path__)
    ]
    body += "<h2>What reads and writes them, and other files</h2>"
    body += table(("module of collectives.formats", "what it does"), every)
    body += f"<h2>A machine</h2><pre><code>{escape(EXAMPLE.strip())}</code></pre>"
    return (
        body
        + "<h2>A lecture</h2>"
        + listed_links([("../docs/lecture-format.html", "The file of a lecture")])
    )


def _text_of(name: str) -> str:
    """The first sentence of a module's text."""
    return plain_markup((inspect.getdoc(import_module(name)) or "").partition("\n\n")[0])


def _glossary() -> str:
    """Each term with its sentence."""
    rows = [(escape(term), escape(text)) for term, text in sorted(glossary.definitions().items())]
    label = "Search terms for words:"
    return f'<div data-filter="{label}">{table(("term", "what it means"), rows)}</div>{SCRIPT}'
