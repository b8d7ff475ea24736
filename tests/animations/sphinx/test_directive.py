"""The directive of Sphinx: a small project is built, in reStructuredText and in MyST."""

import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from animations.story.usual import usual_board
from collectives import record

application = pytest.importorskip("sphinx.application")
docutils = pytest.importorskip("sphinx.util.docutils")
RST = """Rings
=====

.. collective:: all-reduce ring
   :ranks: 8
   :step: 3
   :hide: code,"><script>
   :height: 400

.. collective:: broadcast tree
   :root: 2
   :topology: ring

.. toctree::

   deep/page
"""
MYST = "# Bruck\n\n```{collective} all-to-all bruck\n:step: 1\n```\n"
WRONG = {
    "all-reduce rong": "unknown all-reduce algorithm 'rong'; did you mean ring?",
    "all-reduce": "must be a collective and an algorithm; try: .. collective:: all-reduce ring",
    "all-reduce ring\n   :step: 7": "step 7: Ring all-reduce has 6 steps; try: 6",
    "all-reduce ring\n   :ranks: 0": "ranks 0",
    "all-reduce ring\n   :topology: </script>": "</script>",
    "all-reduce ring\n   :ranks: many": "many",
}


def built(folder: Path, texts: dict[str, str], kind: str = "html") -> tuple[Path, str]:
    """The folder that Sphinx has built of these documents, and its warnings."""
    (folder / "deep").mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    warnings = io.StringIO()
    with docutils.patch_docutils(folder), docutils.docutils_namespace():
        asked = {"extensions": ["animations.sphinx", "myst_parser"]}
        folders = (folder, None, folder / "out", folder / "trees")
        app = application.Sphinx(*folders, kind, asked, status=None, warning=warnings)
        app.build()
    return folder / "out", warnings.getvalue()


def test_a_document_frames_pages_that_are_made_when_it_is_built(tmp_path, window: Page):
    folder, warnings = built(tmp_path / "project", {"index.rst": RST, "deep/page.md": MYST})
    assert warnings == ""
    assert {path.name for path in (folder / "_collectives").iterdir()} == {
        "collective-player.js",
        "ring-all-reduce-8.html",
        "tree-broadcast-root-2-ring-4.html",
        "bruck-all-to-all-4.html",
    }
    index, deep = [(folder / name).read_text() for name in ("index.html", "deep/page.html")]
    assert index.count("collective-player.js") == deep.count("collective-player.js") == 1
    assert 'src="../_collectives/bruck-all-to-all-4.html#step=1"' in deep
    assert '"><script>' not in index.replace('.js"></script>', "")
    page = window
    page.emulate_media(reduced_motion="reduce")
    page.goto((folder / "index.html").as_uri())
    first = page.frame_locator("collective-player >> nth=0 >> iframe")
    expect(first.locator("[data-part=scrub]")).to_have_value("3")
    assert not first.locator("[data-part=source]").is_visible()
    assert page.locator("collective-player").first.evaluate("e => e.offsetHeight") == 400


def test_a_document_that_is_no_html_has_the_sentence_of_the_step(tmp_path):
    folder, warnings = built(
        tmp_path / "project", {"index.rst": RST.split(".. toctree")[0]}, "text"
    )
    assert warnings == ""
    caption = usual_board(record("all_reduce", "ring", ranks=8)).captions[3]
    text = " ".join((folder / "index.txt").read_text().split())
    assert f"Ring all-reduce: {caption}" in text


def test_what_is_wrong_is_an_error_at_its_line(tmp_path):
    lines = "\n\n".join(f".. collective:: {words}" for words in WRONG)
    _, warnings = built(tmp_path / "project", {"index.rst": f"Wrong\n=====\n\n{lines}\n"}, "text")
    assert warnings.count("ERROR") == len(WRONG)
    for told in WRONG.values():
        assert told in warnings
    assert "index.rst:4: ERROR: collective: unknown" in warnings
