"""The JavaScript modules of the player joined into one, as a page and a widget need a single file.

Modules may only import names from one another, by a relative path; they come in the order of
their imports, without comments. What the first one exports is exported.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from string import ascii_letters

import numpy as np

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function\*?|const|let|class) )", re.MULTILINE)
NAME = re.compile(r"^(export )?(?:async function|function\*?|const|let|class) (\w+)", re.MULTILINE)
NAMES = re.compile(r"^(?:const|let) [\[{]([^=]*)[\]}] =", re.MULTILINE)
COMMENT = re.compile(
    r"^ *(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)\n|/\*\* @type [^\n]*? \*/ ?| +// [^\n\"'`]*$",
    re.MULTILINE | re.DOTALL,
)  # on lines of its own, a type within a line, or at the end of one where no string can be

LONG = re.compile(r"(?=\w*[A-Z])\w{5,}")  # two words at least, so that no text has it by chance
QUOTED = re.compile(r"""(["'])(?:(?!\1|\n).)*\1""")
PROPERTY = re.compile(r"\.(\w+)|(\w+):")
SPACED = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|`(?:\\.|\$\{(?:[^`{}]|`(?:\\.|[^`\\])*`)*\}|[^`\\])*`"""
    r"""|/(?![ /*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\[\\\n])+/[a-z]*)"""
    r"""| ?(=>|[!=]==|[-+*/]=|&&|\|\||\?\?|<=|>=|[=<>?:,;{}()]) ?(?:(?<=[;{,(])\n(?!export |\Z))?"""
    r"""|(?<=[\w)\]]) ([-+*]) (?=[\w(\[])|\bconst(?= )"""
)  # strings, templates and patterns, which stay as they are; a sign and the blanks around it; const
LETTERS = "".join(chr(code) for code in range(32, 127) if chr(code) not in '"&<\\')
BITS = 13  # of two letters: 91 * 91 are 8,281, 2 ** 13 are 8,192


def joined(folder: Path, entry: str, instead: Mapping[str, str] | None = None) -> str:
    """The module at a path in a folder and all that it needs; ValueError where they do not fit.

    instead: the paths of modules that stand in the place of others.
    """
    texts: dict[Path, str] = {}
    paths = {(folder / old).resolve(): folder / new for old, new in (instead or {}).items()}
    _collect(folder / entry, (), texts, paths)
    owners: dict[str, Path] = {}
    for path, text in texts.items():
        for name in _names(text):
            if name in owners:
                raise ValueError(f"{name}: in {owners[name].name} and in {path.name}")
            owners[name] = path
    *needed, last = (IMPORT.sub("", COMMENT.sub("", text)).strip() for text in texts.values())
    return "\n".join([*(EXPORT.sub("", text) for text in needed), last]) + "\n"


def with_short_names(code: str) -> str:
    """Joined modules with a letter and digits in place of the long names of their top level.

    A name stays that is exported, or also that of a property or within quotes.
    """
    words = Counter(re.findall(r"\w+", code))
    kept = {word for text in QUOTED.finditer(code) for word in re.findall(r"\w+", text[0])}
    kept |= {word for pair in PROPERTY.findall(code) for word in pair}
    kept |= {name for exported, name in NAME.findall(code) if exported}
    long = sorted(
        {name for name in _names(code) if LONG.fullmatch(name)} - kept,
        key=lambda name: (-words[name], name),
    )
    every = (f"{letter}{number}" for number in count() for letter in ascii_letters)
    free = (name for name in every if name not in words)
    short = dict(zip(long, free, strict=False))
    return re.sub(r"\w+", lambda word: short.get(word[0], word[0]), code)


def without_spaces(code: str) -> str:
    """Joined modules without the spaces that a browser does not need, and with let for const."""
    return SPACED.sub(lambda sign: sign[1] or sign[2] or sign[3] or "let", code)


def _collect(
    path: Path, users: tuple[Path, ...], texts: dict[Path, str], instead: Mapping[Path, Path]
) -> None:
    """Add the text of a module after those of the modules that it imports."""
    if path in users:
        raise ValueError(f"{path.name}: imports itself by {users[-1].name}")
    if path in texts:
        return
    text = path.read_text("utf-8")
    for names, source in IMPORT.findall(text):
        target = (path.parent / source).resolve()
        target = instead.get(target, target)
        if not target.is_file():
            raise ValueError(f"{path.name}: imports {source}, which is not there")
        _collect(target, (*users, path), texts, instead)
        offered = {name for exported, name in NAME.findall(texts[target]) if exported}
        if missing := {name.strip() for name in names.split(",") if name.strip()} - offered:
            raise ValueError(f"{path.name}: {source} does not export {', '.join(sorted(missing))}")
    if re.search(r"^import\b|^export (?:\*|\{)", IMPORT.sub("", text), re.MULTILINE):
        raise ValueError(f"{path.name}: has an import or export of another form")
    texts[path] = text


def _names(text: str) -> list[str]:
    """What a module names on its top level."""
    several = (part.split(":")[-1] for names in NAMES.findall(text) for part in names.split(","))
    return [*(name for _, name in NAME.findall(text)), *map(str.strip, several)]


def packed(data: bytes) -> str:
    """Bytes, deflated, as two letters for 13 bits, after how many bytes are too many at the end.

    Shorter than base64 and base85. None of the letters means anything in markup
    or is escaped in JSON.
    """
    deflated = zlib.compress(data, 9)
    bits = np.unpackbits(np.frombuffer(deflated, np.uint8))
    more = -len(bits) % BITS
    groups = np.append(bits, np.zeros(more, np.uint8)).reshape(-1, BITS)
    pairs = divmod(groups @ (1 << np.arange(BITS)[::-1]), len(LETTERS))
    letters = np.frombuffer(LETTERS.encode(), np.uint8)[np.stack(pairs, axis=1)]
    return f"{more // 8}{letters.tobytes().decode()}"
