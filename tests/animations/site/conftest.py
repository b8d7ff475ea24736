"""The site cut to two collectives, built once for all of its tests; SITE=FOLDER is a built one."""

import os
from pathlib import Path

import pytest

from animations.site import build_site
from animations.site.asked import questions
from animations.site.build import Site
from animations.site.sheets import Changes

CUT = ("scatter", "exscan")


@pytest.fixture(scope="session")
def site(once):
    if built := os.environ.get("SITE"):
        return Site(Path(built), 0, tuple(questions()[1]), Changes())
    return once("site", lambda folder: build_site(folder, CUT))
