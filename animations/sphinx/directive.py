"""The directive `collective`: makes the page of an algorithm at build time, and frames it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from animations.player.element import SCRIPT, element_line, write_script
from animations.player.page import write_page
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.cost.machines import topology_for
from collectives.errors import BadInput, CollectivesError
from collectives.files import name_on_ranks
from collectives.recording.recorder import record
from collectives.recording.recording import Recording

FOLDER = "_collectives"  # of the pages, in the folder that is built
NUMBERS = ("ranks", "root", "chunks", "step", "height")
RECORDED = ("ranks", "root", "chunks")  # of which a recording is made
IN_ADDRESS = (
    *("step", "time", "select", "theme", "panel"),
    *("clock", "size", "latency", "bandwidth", "hide"),
)


class PlayerNode(nodes.General, nodes.Element):
    """Where a page is framed: with the words and options of its directive."""


class CollectiveDirective(SphinxDirective):
    """`.. collective:: all-reduce ring`, with the options that `docs/embed.md` lists."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = {
        "topology": directives.unchanged_required,
        **dict.fromkeys(IN_ADDRESS, directives.unchanged_required),
        **dict.fromkeys(NUMBERS, directives.nonnegative_int),
    }

    def run(self) -> list[nodes.Node]:
        """A place for the page; what is wrong with its words is an error at their line."""
        node = PlayerNode(words=self.arguments[0].split(), options=self.options)
        self.set_source_info(node)
        try:
            board, _ = shown(node)
            step, last = self.options.get("step", 0), len(board.frames)
            if step > last:
                raise BadInput(f"step {step}: {board.title} has {last} steps; try: {last}")
        except CollectivesError as problem:
            raise self.error(f"collective: {problem}") from None
        return [node]


def frame_pages(app: Sphinx, document: nodes.document, name: str) -> None:
    """Write the pages that a document frames, and put elements, or sentences, in their places."""
    builder = app.builder
    for number, node in enumerate(list(document.findall(PlayerNode))):
        board, file_name = shown(node)
        if builder.format != "html":
            caption = board.captions[node["options"].get("step", 0)]
            node.replace_self(nodes.paragraph("", f"{board.title}: {caption}"))
            continue
        folder = Path(builder.outdir) / FOLDER
        folder.mkdir(exist_ok=True)
        write_page(board, folder / file_name)
        write_script(folder)
        here = builder.get_target_uri(name)
        line = _line(node, board, relative_uri(here, f"{FOLDER}/{file_name}"))
        if not number:
            line = f'<script src="{relative_uri(here, f"{FOLDER}/{SCRIPT}")}"></script>\n{line}'
        node.replace_self(nodes.raw("", line, format="html"))


def shown(node: PlayerNode) -> tuple[Storyboard, str]:
    """The storyboard that a directive asks for, and the name of its page.

    Raises BadInput for words and options that no algorithm has.
    """
    words, options = node["words"], node["options"]
    if len(words) != 2:
        near = "try: .. collective:: all-reduce ring"
        raise BadInput(f"{' '.join(words)}: must be a collective and an algorithm; {near}")
    asked = {name: options[name] for name in RECORDED if name in options}
    recording: Recording = record(*words, **{"ranks": 4, **asked})
    place = options.get("topology")
    board = usual_board(recording, topology_for(recording, place) if place else None)
    more = [f"{name} {value}" for name, value in asked.items() if name != "ranks"]
    title = " ".join([recording.title, *more, place or ""])
    return board, name_on_ranks(title, recording.ranks, ".html")


def _line(node: PlayerNode, board: Storyboard, source: str) -> str:
    """The element that frames a page."""
    options = node["options"]
    named = [
        f"{name}={quote(str(options[name]), safe=',:=')}" for name in IN_ADDRESS if name in options
    ]
    high = f' height="{options["height"]}"' if "height" in options else ""
    return element_line(source, f"{board.title}, {board.ranks} ranks", "&".join(named), high)
