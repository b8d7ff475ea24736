"""Curves are the clock's times, crossovers are where they cross, and titles say what is seen."""

import pytest

from animations.figures.algorithm_times import over_ranks, over_sizes
from animations.figures.sweep import Sweep
from animations.figures.time_curves import draw_ranks, draw_sizes
from collectives import record
from collectives.catalog import find_row
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology, topology_for
from collectives.errors import BadInput

ALPHA, BETA = 5e-6, 1 / 50e9  # of the crossbar


def setup(name="crossbar", clock=lockstep, **parameters):
    return Setup(lambda recording: topology_for(recording, name, **parameters), clock)


def curve(lines, page, algorithm):
    ((x, y),) = lines(page, f"curve-{algorithm}")
    return x, y


@pytest.mark.parametrize("clock", [lockstep, dataflow])
def test_curves_over_sizes_are_the_clocks(clock, theme, legible, lines):
    names = ("ring", "recursive-doubling")
    data = over_sizes("all-reduce", names, 8, Sweep(setup(clock=clock)), 1 << 10, 1 << 30)
    page = draw_sizes(data, theme)
    texts = legible(page)
    assert {"ring", "recursive-doubling", "time", "size of the vector", "1 GiB"} <= set(texts)
    for name in names:
        sizes, seconds = curve(lines, page, name)
        assert (sizes[0], sizes[-1]) == (1 << 10, 1 << 30)
        for size, time in list(zip(sizes, seconds, strict=True))[::7]:
            made = record("all_reduce", name, ranks=8, count=size, dtype="uint8")
            assert time == clock(made, topology("crossbar", 8)).total


def test_a_crossover_is_where_the_closed_forms_cross(theme, legible, lines):
    """Ring: 14 α + 7/4 S β. Recursive doubling: 3 α + 3 S β. Equal at S = 11 α / (5/4 β)."""
    names = ("recursive-doubling", "ring")
    data = over_sizes("all_reduce", names, 8, Sweep(setup()), 1 << 10, 1 << 30)
    page = draw_sizes(data, theme)
    (change,) = data.changes
    exact = 11 * ALPHA / (1.25 * BETA)
    assert change.size == pytest.approx(exact, rel=2e-3)
    (([x], [y]),) = lines(page, "crossover")
    assert (x, y) == (change.size, change.seconds)
    assert y == pytest.approx(3 * ALPHA + 3 * exact * BETA, rel=2e-3)
    texts = " ".join(legible(page)).replace("\n", " ")
    assert "All-reduce on 8 ranks, crossbar: recursive-doubling up to 2.1 MiB, then ring" in texts
    assert "2.1 MiB: ring from here" in texts
    decimal = " ".join(legible(draw_sizes(data, theme, binary=False)))
    assert "2.2 MB" in decimal and "MiB" not in decimal


def test_a_pipeline_has_its_best_chunks_or_those_given(lines):
    row = find_row("broadcast", "ring")
    best = over_sizes("broadcast", ["ring"], 4, Sweep(setup()), 1 << 10, 1 << 20)
    sizes, seconds = curve(lines, draw_sizes(best), "ring")
    for size, time in zip(sizes, seconds, strict=True):
        assert time == best_chunks(row, 4, size, setup()).seconds
    given = over_sizes("broadcast", ["ring"], 4, Sweep(setup(), chunks=2), 1 << 10, 1 << 20)
    sizes, seconds = curve(lines, draw_sizes(given), "ring")
    made = record("broadcast", "ring", ranks=4, chunks=2, count=sizes[0], dtype="uint8")
    assert seconds[0] == lockstep(made, topology("crossbar", 4)).total


def test_without_names_the_fastest_are_shown():
    data = over_sizes("all-gather", [], 8, Sweep(setup()), 1 << 10, 1 << 30)
    shown = {curve.row.algorithm for curve in data.curves}
    from collectives.cost.choose.ranking import rank_algorithms

    for size in (1 << 10, 1 << 30):
        ranking = rank_algorithms("all_gather", 8, size, setup())
        plain = [one for one in ranking.timed if one.timing.recording.nodes == 8]
        assert plain[0].name in shown


def test_curves_over_ranks_are_the_clocks_and_leave_out_what_does_not_fit(theme, legible, lines):
    sweep = Sweep(setup("cluster", gpus=4))
    data = over_ranks("all-reduce", ["ring", "recursive-doubling"], range(2, 33), sweep, 1 << 20)
    page = draw_ranks(data, theme)
    texts = " ".join(legible(page))
    assert "do not fit this machine: 2, 3, 5, 6, 7, 9 and 17 more." in texts.replace("\n", " ")
    assert "Ring: 4 channels, as NCCL." in texts.replace("\n", " ")
    ranks, seconds = curve(lines, page, "ring")
    assert ranks == list(range(4, 33, 4))
    for number, time in zip(ranks, seconds, strict=True):
        given = {"channels": 4 if number > 4 else 1}  # as many as network cards of a node
        asked = {"ranks": number, "count": 1 << 20, "dtype": "uint8"}
        made = record("all_reduce", "ring", parameters=given, **asked)
        assert time == lockstep(made, topology("cluster", number, gpus=4)).total


def test_a_curve_has_gaps_where_an_algorithm_takes_no_such_number(lines, legible):
    data = over_ranks("all-gather", ["ring", "recursive-doubling"], range(2, 9), Sweep(setup()), 9)
    page = draw_ranks(data)
    assert curve(lines, page, "recursive-doubling")[0] == [2, 4, 8]
    assert curve(lines, page, "ring")[0] == list(range(2, 9))
    assert "9 B" in " ".join(legible(page))


def test_many_lines_can_be_told_apart(theme, legible):
    names = ["ring", "tree", "recursive-doubling", "rabenseifner", "bruck", "swing", "circulant"]
    data = over_sizes("all-reduce", [*names, "hierarchical"], 8, Sweep(setup()), 1024, 1 << 24)
    page = draw_sizes(data, theme)
    legible(page)
    drawn = [line for line in page.axes[0].lines if (line.get_gid() or "").startswith("curve")]
    looks = {(line.get_color(), line.get_marker()) for line in drawn}
    assert len(drawn) == len(looks) == 8
    with pytest.raises(BadInput, match="try: name 8 of them"):
        draw_sizes(over_sizes("all-reduce", [*names, "hierarchical", "leader"], 8,
                              Sweep(setup()), 1024, 4096))  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("barrier", [], 8), "barrier moves no data"),
        (("all-reduce", ["rnig"], 8), "ring"),
        (("all-gather", ["recursive-doubling"], 6), "try: 4 or 8"),
    ],
)
def test_what_cannot_be_timed_is_refused(words, message):
    with pytest.raises(BadInput, match=message):
        over_sizes(*words, Sweep(setup()), 1024, 4096)


def test_options_that_nobody_takes_are_refused():
    for sweep, message in (
        (Sweep(setup(), chunks=3), "--chunks 3: none of these is pipelined"),
        (Sweep(setup(), parameters={"radix": 2}), "-p radix=2: none"),
    ):
        with pytest.raises(BadInput, match=message):
            over_sizes("all-reduce", ["ring"], 8, sweep, 1024, 4096)


@pytest.mark.parametrize(
    ("size", "title"),
    [
        (1 << 20, "1 MiB: recursive-doubling is the fastest of these on every number of ranks"),
        (1 << 26, "64 MiB: recursive-doubling is the fastest of these on 2 ranks, ring on 64"),
    ],
)
def test_the_title_over_ranks_says_who_is_fastest_where(size, title, legible):
    """Ring: 2 (N-1) α + 2 (N-1)/N S β. Recursive doubling: log2 N (α + S β)."""
    names = ["recursive-doubling", "ring"]
    data = over_ranks("all-reduce", names, [2, 4, 64], Sweep(setup()), size)
    texts = [text.replace("\n", " ") for text in legible(draw_ranks(data))]
    assert f"All-reduce of {title}" in texts


def test_those_that_take_the_same_time_are_all_named_and_seen(theme, legible):
    """Swing and Rabenseifner: 2 log2 N steps and 2 (N - 1)/N vectors, both."""
    names = ["recursive-doubling", "swing", "rabenseifner"]
    data = over_sizes("all-reduce", names, 64, Sweep(setup()), 1 << 10, 1 << 30)
    page = draw_sizes(data, theme)
    texts = [text.replace("\n", " ") for text in legible(page)]
    (change,) = data.changes
    assert [row.algorithm for row in change.after] == ["swing", "rabenseifner"]
    assert any(text.endswith(", then Swing and Rabenseifner") for text in texts)
    assert any(text.endswith(": Swing and Rabenseifner from here") for text in texts)
    drawn = {line.get_gid(): line for line in page.axes[0].lines}
    swing, rabenseifner = (drawn[f"curve-{name}"] for name in names[1:])
    assert swing.get_linestyle() != rabenseifner.get_linestyle() or (
        swing._dash_pattern != rabenseifner._dash_pattern
    )
    assert not set(marked(swing)) & set(marked(rabenseifner))
    best = over_sizes("all-reduce", names[1:], 8, Sweep(setup()), 1 << 10, 1 << 12)
    title = "All-reduce on 8 ranks, crossbar: Swing and Rabenseifner are the fastest of these"
    title += " at every size"
    assert title in [text.replace("\n", " ") for text in legible(draw_sizes(best, theme))]


def marked(line):
    """The sizes at which a line has a marker."""
    first, apart = line.get_markevery()
    return list(line.get_xdata())[first::apart]


def test_dashes_lie_on_full_lines(lines):
    names = ["ring", "recursive-doubling", "tree", "bruck", "circulant", "swing"]
    data = over_sizes("all-reduce", names, 8, Sweep(setup()), 1024, 4096)
    drawn = [a for a in draw_sizes(data).axes[0].lines if (a.get_gid() or "").startswith("curve")]
    full = [line.get_zorder() for line in drawn if line.get_linestyle() == "-"]
    dashed = [line.get_zorder() for line in drawn if line.get_linestyle() != "-"]
    assert len(full) == 2
    assert max(full) < min(dashed)


def test_the_words_of_a_crossover_are_not_across_the_line_of_another(theme, legible):
    names = ["ring", "recursive-doubling", "swing", "flat", "rabenseifner"]
    data = over_sizes("all-reduce", names, 64, Sweep(setup()), 1 << 10, 1 << 30)
    page = draw_sizes(data, theme)
    legible(page)
    made = page.axes[0]
    assert len(data.changes) == 2
    for text in (text for text in made.texts if "from here" in text.get_text()):
        box = text.get_window_extent()
        for change in data.changes:
            x, y = made.transData.transform((change.size, change.seconds))
            assert not box.x0 < x < box.x1 or box.y0 > y, text.get_text()


def test_each_name_has_a_sample_of_its_line_before_it(theme, legible):
    names = ["ring", "recursive-doubling", "swing", "flat", "rabenseifner", "tree"]
    data = over_sizes("all-reduce", names, 16, Sweep(setup()), 1 << 10, 1 << 30)
    page = draw_sizes(data, theme)
    legible(page)
    made = page.axes[0]

    def looks(line):
        return line.get_color(), line.get_marker(), line._dash_pattern

    drawn = {line.get_gid(): line for line in made.lines}
    samples = [line for line in page.artists if line.get_gid() == "sample"]
    assert len(samples) == len(names)
    for curve in data.curves:
        (text,) = (t for t in made.texts if t.get_text() == curve.row.label)
        own = drawn[f"curve-{curve.row.algorithm}"]
        (sample,) = (line for line in samples if looks(line) == looks(own))
        box, line = text.get_window_extent(), sample.get_transform().transform(sample.get_xydata())
        assert box.y0 < line[-1, 1] < box.y1
        assert 0 < box.x0 - line[-1, 0] < 20
