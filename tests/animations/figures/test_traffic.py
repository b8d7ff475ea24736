"""The traffic matrix shows the bytes a recording counts."""

import numpy as np
import pytest

from animations.figures.traffic import draw, traffic
from collectives import record
from collectives.errors import BadInput


def image(page):
    return np.asarray(page.axes[0].images[0].get_array())


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [
        ("all_reduce", "ring", 8),
        ("all_reduce", "swing", 16),
        ("all_reduce", "sharp", 8),
        ("all_to_all", "pairwise", 12),
        ("broadcast", "tree", 5),
        ("all_gather", "ring", 100),
        ("broadcast", "flat", 1),
    ],
)
def test_the_matrix_is_what_is_counted(collective, algorithm, ranks, theme, legible):
    recording = record(collective, algorithm, ranks=ranks, count=12_345, dtype="uint8")
    page = draw(traffic(recording), theme)
    texts = legible(page)
    shown = image(page)
    assert shown.shape == (recording.nodes, recording.nodes)
    links = recording.counters.link_bytes
    for (src, dst), sent in np.ndenumerate(shown):
        assert sent == links.get((src, dst), 0)
    assert shown.sum(axis=1).tolist() == recording.bytes_sent
    assert any(text.startswith("Counted, not modeled: vector of 12.3") for text in texts)


def test_the_numbers_in_cells_are_those_of_the_matrix(theme, legible):
    recording = record("all_reduce", "ring", ranks=4, count=1 << 20, dtype="uint8")
    page = draw(traffic(recording), theme)
    assert legible(page).count("1.5") >= 4  # 2 x 3/4 MiB from each rank to the next
    written = {text.get_position() for text in page.axes[0].texts}
    assert written == {(1, 0), (2, 1), (3, 2), (0, 3)}


def test_the_title_says_to_how_many_others(legible):
    flat = draw(traffic(record("broadcast", "flat", ranks=5)))
    assert "Flat broadcast on 5 ranks: each rank sends to 0 to 4 others" in legible(flat)
    barrier = draw(traffic(record("barrier", "tree", ranks=4)))
    assert "Tree barrier on 4 ranks: no bytes are sent" in legible(barrier)


def test_what_cannot_be_seen_is_refused():
    with pytest.raises(BadInput, match=r"^300 nodes: .*; try: -n 256$"):
        traffic(record("all_gather", "ring", ranks=300))


def luminance(color):
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_least_traffic_differs_from_none(theme):
    recording = record("all_reduce", "swing", ranks=64, count=1 << 20, dtype="uint8")
    page = draw(traffic(recording), theme)
    shown, (picture,) = image(page), page.axes[0].images
    least = shown[shown > 0].min()
    assert least < shown.max() / 30
    low, high = sorted(luminance(picture.to_rgba(np.array([[v]]))[0, 0]) for v in (0, least))
    assert (high + 0.05) / (low + 0.05) > 1.3
    (bar,) = page.axes[1].images
    assert np.allclose(bar.cmap(bar.norm(1e-9)), picture.cmap(picture.norm(0)))
