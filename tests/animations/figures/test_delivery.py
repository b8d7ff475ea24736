"""A message by each way to deliver it: its bands last as long as the model says."""

from each import each

from animations.figures.delivery import delivery, draw
from collectives.cost.machines import topology
from collectives.units import time_text


@each(("size", "name", "ranks"), [(1 << 20, "hgx-h100", 8), (4096, "cluster", 16), (0, "ring", 4)])
def test_each_way_ends_when_the_model_says(size, name, ranks, theme, legible):
    data = delivery(size, topology(name, ranks))
    page = draw(data, theme)
    texts = legible(page)
    names = {text.partition(" · ")[0] for text in texts}
    assert {"handshake", "put with signal", "LL", "LL128"} <= names
    assert {time_text(seconds) for seconds in data.seconds.values()} <= set(texts)
    ends = [patch.get_path().vertices[:, 0].max() for patch in page.axes[0].patches[:5]]
    fence = list(data.seconds).index("data, fence, flag")
    for row, (end, seconds) in enumerate(zip(ends, data.seconds.values(), strict=True)):
        if row != fence:  # where the flag ends, not the data
            assert abs(end - seconds) < 1e-12


@each("size", [1 << 16, 1 << 20, 1 << 40])
def test_words_that_have_no_room_beside_their_message_stand_with_the_name(size, theme, legible):
    """No two texts of the axes overlap, however long the data takes."""
    page = draw(delivery(size, topology("cluster", 16)), theme)
    texts = set(legible(page))
    there = {"handshake", "asks", "told where", "arrived", "flag"} <= texts
    named = "handshake · asks, told where: 4 µs before" in texts
    assert (there, named) == ((True, False) if size == 1 << 16 else (False, True))
    page.canvas.draw()
    boxes = [text.get_window_extent() for text in page.axes[0].texts if text.get_text()]
    assert not any(box.overlaps(other) for at, box in enumerate(boxes) for other in boxes[at + 1 :])
