"""The site cut to two collectives, built once for all of its tests."""

import pytest

from animations.site import build_site

CUT = ("scatter", "exscan")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    return build_site(tmp_path_factory.mktemp("site"), CUT)
