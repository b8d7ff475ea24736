"""Formats by the suffix of a file: in any case, and with the options that each takes."""

import inspect
import shutil

import pytest

from collectives import BadInput, load, record, save
from collectives.formats import FORMATS
from collectives.formats.msccl import save as save_program

RING = record("all_reduce", "ring", ranks=4)


@pytest.mark.parametrize(("suffix", "write"), [("json", save), ("xml", save_program)])
def test_a_suffix_may_be_in_capitals(tmp_path, suffix, write):
    write(RING, tmp_path / f"ring.{suffix}")
    shutil.copy(tmp_path / f"ring.{suffix}", tmp_path / f"RING.{suffix.upper()}")
    loaded = load(tmp_path / f"RING.{suffix.upper()}")
    assert loaded.check().ok and len(loaded.steps) == len(RING.steps)


@pytest.mark.parametrize("suffix", FORMATS)
def test_options_are_those_that_the_format_takes(suffix):
    known = FORMATS[suffix]
    path, *own = inspect.signature(known.load).parameters.values()
    taken = {one.name for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD}
    assert path.name == "path" and taken <= set(known.takes)
    beside = set(known.takes) - taken
    assert beside <= set(inspect.signature(record).parameters)
    assert bool(beside) == any(one.kind is inspect.Parameter.VAR_KEYWORD for one in own)
    with pytest.raises(BadInput, match=f"^unknown: no option for reading a {suffix} file; "):
        load(f"ring{suffix}", unknown=1)
