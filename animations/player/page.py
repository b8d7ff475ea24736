"""A storyboard as one HTML file that needs nothing else: the player, its data and its style."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from string import Template

from animations.drawing.theme import DARK, THEMES, Theme
from animations.phrases import page_words
from animations.player.pack.data import pack, story
from animations.player.pack.editor import Editing, editor_blocks
from animations.player.pack.map_data import can_be_explored
from animations.player.pack.modules import joined, packed, with_short_names, without_spaces
from animations.player.pack.word_keys import with_words
from animations.stages.views import MOST_ON_PAGES, check_shown
from animations.story.folded_views import level_colors
from animations.story.storyboard import Storyboard
from collectives.files import replacing
from collectives.progress import under_way

WEB = Path(__file__).parent / "web"  # what a browser gets
EDITOR_POLICY = (" 'wasm-unsafe-eval'", "worker-src blob:; ")  # of scripts, and otherwise
NO_POLICY = ("", "")
INDENT = re.compile(r"^ +|(?<=\n)\n+", re.MULTILINE)
STYLES = {  # of entries
    "page": (),
    "explored_editor": ("explored", "editor"),
    "languages": ("languages", "programs"),
    "explored_languages": ("explored", "languages"),
    "choice": ("catalog",),
    "gallery": ("catalog", "gallery"),
    "comparison": ("catalog", "comparison"),
    "comparison_editor": ("catalog", "comparison", "editor"),
}
ASKING = ("views/question.js", "views/asked.js", "ask_keys.js", "kept_answers.js")
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?")
STYLE_SPACE = re.compile(r"\s*([{};])\s*|(?<=[:,])\s+")


def page(
    board: Storyboard,
    theme: str | None = None,
    editing: Editing | None = None,
    translated: Sequence[Storyboard] = (),
    explored: bool = False,
    opened: bool = False,
) -> str:
    """The storyboard as the text of an HTML file, in a theme of THEMES that can be changed there.

    Without a theme it follows the reader's system. With `editing` its code can be changed and run
    there; raises NotInstalled where the Python for it is not there. translated: the storyboard in
    further languages, one of which the reader can choose. explored: with a map of its machine,
    where that can be drawn; opened: it begins with that.

    What comes from the storyboard is data, never markup; a content security policy lets the
    blocks below run that are written here, and nothing be loaded. Raises BadInput for more
    ranks or chunks than a page shows.
    """
    check_shown(board.ranks, board.labels.chunk_count, MOST_ON_PAGES)
    boards = (board, *translated)
    languages = tuple(each.say.language for each in boards)
    ranks = board.say.plural(board.ranks, "rank")
    title = board.say("controls.title", title=board.title, ranks=ranks)
    explored = explored and can_be_explored(board)
    stories = [story(each, explored=explored, opened=opened) for each in boards]
    texts = {"story": pack(*stories), "editing": ""}
    entry, policy = "programs" if "programs" in stories[0] else "page", NO_POLICY
    if explored:
        entry = "explored"
    if translated:
        entry = "explored_languages" if explored else "languages"
    if editing is not None:
        texts["editing"] = editor_blocks(editing, board.say, worker())
        entry, policy = "explored_editor" if explored else "editor", EDITOR_POLICY
    asks = any(data["questions"] for data in stories)
    return document("page", theme, title, entry, policy, languages, asks, **texts)


def document(
    kind: str,
    theme: str | None,
    title: str,
    entry: str = "",
    more: tuple[str, str] = NO_POLICY,
    languages: tuple[str, ...] = ("en",),
    asks: bool = True,
    **texts: str,
) -> str:
    """An HTML file that `kind`.html, kind.css and entry/kind.js make, with these texts in it.

    entry: another module of the folder, which has a style of its own. more: what its policy allows
    besides, of scripts and otherwise. languages: of its words, the first at first. asks: with what
    asks and marks answers.
    Its style is packed with the code, but for the color that is seen until both are unpacked.
    """
    code, digest_of_code = _program(entry or kind, languages, asks)
    script, ground = joined(WEB, "unpack.js"), _ground()
    policy = (
        f"default-src 'none'; script-src '{digest(script)}' '{digest_of_code}'{more[0]}; {more[1]}"
        f"style-src '{digest(ground)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return Template(asset(f"{kind}.html")).substitute(
        policy=policy,
        title=_text(title),
        language=languages[0],
        no_script=_text(page_words(languages[0])["language.no_script"]),
        style=ground,
        theme=f' data-theme="{theme}"' if theme else "",
        code=code,
        script=script,
        **texts,
    )


@cache
def _program(entry: str, languages: tuple[str, ...], asks: bool) -> tuple[str, str]:
    """The code of entry/`entry`.js with its style, packed, and its digest: once per process."""
    style = player_style(asks) + asset("page.css")
    style += "".join(asset(f"{name}.css") for name in STYLES.get(entry, (entry,)))
    style = STYLE_SPACE.sub(r"\1", style)
    script = player_script(f"entry/{entry}.js", languages=languages, asks=asks)
    code = f"const STYLE = {json.dumps(style)};\n{script}"
    code = f'(async () => {{"use strict";\n{code}}})();\n'
    return packed(code.encode()), digest(code)


@cache
def worker() -> str:
    """The script of the worker, in braces: the names of MicroPython stay its own."""
    code = with_short_names(joined(WEB, "entry/python_worker.js"))
    return f"{{\n{without_spaces(INDENT.sub('', code))}}}\n"


def write_page(
    board: Storyboard,
    path: str | Path,
    theme: str | None = None,
    editing: Editing | None = None,
    translated: Sequence[Storyboard] = (),
    explored: bool = False,
    opened: bool = False,
) -> None:
    """Write the page to a file; raises BadInput where that cannot be done."""
    with under_way(f"packing {path}"):
        text = page(board, theme, editing, translated, explored, opened).encode()
    with replacing(path) as file:
        file.write(text)


def player_script(
    entry: str = "player.js",
    sheet: str = "player.html",
    languages: Sequence[str] = ("en",),
    asks: bool = True,
) -> str:
    """A module of the player with all that it needs: elements that it fills, words it says."""
    instead = {} if asks else dict.fromkeys(ASKING, "unasked.js")
    code = with_short_names(joined(WEB, entry, instead))
    code = without_spaces(INDENT.sub("", code))
    words = {language: page_words(language) for language in languages}
    return with_words(code, asset(sheet), words)


def player_style(asks: bool = True) -> str:
    """The style of players; all themes as custom properties, by data-theme, dark without one.

    `--hue` is the color of data-rank or data-ink, `--tint` that of data-phase. asks: with that of
    questions.
    """
    scopes = {"dark": ".collectives", "light": '.collectives[data-theme="light"]'}
    rules = (
        f"{scopes[name]}{{color-scheme:{name};{_rules(each)}}}\n" for name, each in THEMES.items()
    )
    return (
        "".join(rules)
        + _keys()
        + asset("player.css")
        + (asset("question.css") if asks else "")
        + asset("presenting.css")
    )


def _ground() -> str:
    """The color of the page: that of its theme, or the system's until it has chosen one."""
    colors = (
        f'.collectives[data-theme="{name}"]{{background:{theme.background}}}'
        for name, theme in THEMES.items()
    )
    until = "#player:not([data-theme]){color-scheme:light dark;background:Canvas}"
    return "body{margin:0}#player{min-height:100vh}" + until + "".join(colors)


def _rules(theme: Theme) -> str:
    """The colors of a theme as custom properties."""
    colors = {name: value for name, value in asdict(theme).items() if isinstance(value, str)}
    colors |= {"empty": theme.levels[0], "fade": f"{theme.fade:.0%}"}
    lists = {"rank": theme.ranks, "phase": theme.phases, "level": theme.levels}
    lists["shade"] = level_colors(theme)
    for name, values in lists.items():
        colors.update((f"{name}-{i}", value) for i, value in enumerate(values))
    return "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors.items())


def _keys() -> str:
    """`--hue` and `--tint` by the attributes of an element."""
    keyed = (
        ("rank", "hue", "rank", DARK.ranks),
        ("ink", "hue", "shade", level_colors(DARK)),
        ("phase", "tint", "phase", DARK.phases),
    )
    return "".join(
        f'.collectives [data-{key}="{i}"]{{--{name}:var(--{color}-{i})}}\n'
        for key, name, color, values in keyed
        for i in range(len(values))
    )


def asset(name: str) -> str:
    """The text of a file of the player, without comments of styles and without indentation."""
    return INDENT.sub("", STYLE_COMMENT.sub("", (WEB / name).read_text("utf-8")))


def digest(text: str) -> str:
    """The text as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(text: str) -> str:
    """Text for markup; what UTF-8 cannot express becomes a question mark."""
    return html.escape(text.encode("utf-8", "replace").decode())
