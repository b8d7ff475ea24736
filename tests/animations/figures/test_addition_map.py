"""The map of a vector: bars in the colors of orders, and a bar of what differs."""

from animations.figures.addition_map import draw, drawn_map
from collectives import bits


def spans(page, row):
    """Start, end and color of each rectangle of a row."""
    (bars,) = [
        one for axes in page.axes for one in axes.collections if one.get_gid() == f"row {row}"
    ]
    ends = [path.get_extents() for path in bars.get_paths()]
    colors = [tuple(color) for color in bars.get_facecolors()]
    return [(round(box.x0), round(box.x1)) for box in ends], colors


def test_bars_are_the_runs_of_both_maps_and_of_what_differs(theme, legible):
    found = bits("all_reduce", like="openmpi", ranks=3, size="4KiB", against={"size": "2KiB"})
    page = draw(drawn_map(found), theme)
    texts = " ".join(legible(page))
    assert "170 of 512 elements in another order" in texts and "(x1 + x2) + x0" in texts
    first, colors = spans(page, 0)
    assert first == [(0, 342), (342, 683), (683, 1024)] and len(set(colors)) == 3
    second, (color,) = spans(page, 1)
    assert second == [(0, 512)] and color == colors[0]
    assert spans(page, 2)[0] == [(342, 512)]


def test_many_orders_are_named_up_to_eight(theme, legible):
    found = bits("all_reduce", like="gloo", ranks=12, size="1MiB")
    texts = " ".join(legible(draw(drawn_map(found), theme)))
    assert "gloo adds in 12 orders" in texts and "4 orders more are not named" in texts


def test_an_unknown_order_is_a_quiet_bar(theme, legible):
    found = bits("all_reduce", like="nccl", size="64KiB", against={"size": "64MiB"})
    texts = " ".join(legible(draw(drawn_map(found), theme)))
    assert "order unknown" in texts and "cannot say" in texts and "not known" in texts
