"""The band of what is expected: the values of the table, and the file's own over it."""

from pathlib import Path

import pytest

from animations.figures.expected_range import draw, overlaid
from collectives.cost.where import Where
from collectives.formats.nccl_tests import read

P5 = Path(__file__).parents[2] / "data" / "nccl_tests" / "aws_p5_all_reduce.txt"
SIZES = 1 << 16, 8 << 30


def bands(page):
    return [
        [tuple(point) for path in band.get_paths() for point in path.vertices]
        for axes in page.axes
        for band in axes.collections
        if band.get_gid() == "range"
    ]


def test_line_and_band_are_the_values_of_the_table(theme, legible, lines):
    data = overlaid("all-reduce", Where("hgx-h100"), SIZES)
    page = draw(data, theme)
    texts = " ".join(legible(page))
    assert "8 ranks, hgx-h100" in texts and "GB/s at 8 GiB" in texts
    sizes = data.expectation.sizes
    ((at, rates),) = lines(page, "model")
    assert (at, rates) == ([one.size for one in sizes], [one.busbw for one in sizes])
    (band,) = bands(page)
    corners = {(one.size, one.busbw_of(seconds)) for one in sizes for seconds in one.bounds}
    assert corners <= set(band)
    assert not lines(page, "measured")


def test_a_measurement_lies_over_it(theme, legible, lines):
    where = Where("cluster:outside=efa-p5")
    page = draw(overlaid("all-reduce", where, SIZES, 16, measured=str(P5)), theme)
    assert "aws_p5_all_reduce.txt" in " ".join(legible(page))
    ((at, rates),) = lines(page, "measured")
    rows = [
        row for table in read(str(P5)) for row in table.rows if SIZES[0] <= row.size <= SIZES[1]
    ]
    assert at == [row.size for row in rows]
    assert rates == pytest.approx([row.timed.busbw for row in rows], rel=0.01)


def test_without_posted_rows_there_is_no_band(theme, legible):
    page = draw(overlaid("all-reduce", Where("cluster"), SIZES, 64), theme)
    assert "There is no band" in " ".join(legible(page)) and not bands(page)
