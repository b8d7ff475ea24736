"""An extension of Sphinx that frames pages: `.. collective:: all-reduce ring` in a document.

In `conf.py`: `extensions = ["animations.sphinx"]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from animations.sphinx.directive import CollectiveDirective, PlayerNode, frame_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive `collective` to a project of Sphinx.

    Parameters
    ----------
    app : Sphinx
        The application that builds the project.

    Returns
    -------
    dict
        What Sphinx asks of an extension: documents may be read and written side by side.
    """
    app.add_node(PlayerNode)
    app.add_directive("collective", CollectiveDirective)
    app.connect("doctree-resolved", frame_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
