"""What a score's film is measured by: its letters, how much of it moves, its cards, its words."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

from animations.drawing import glyphs
from animations.drawing.render import outlines
from animations.drawing.theme import DARK
from animations.pictures import scene, step_flights, tag
from animations.pictures.card_rooms import card_page
from animations.score.pacing import words
from animations.score.score import Score, TextCard
from animations.whys.cost_bars import TURN, PriceBars

SETTERS = (outlines, step_flights, tag)  # the modules that set letters
TIMES = 8  # of a shot, between which something moves or does not
PART = 45  # of the height of a film that letters are high at least


@dataclass(frozen=True)
class Measured:
    """letters: (size as a part of the height, text). motion, cards: parts of the film's time.

    Cards are the title and the price.
    """

    letters: frozenset[tuple[float, str]]
    motion: float
    cards: float
    words_a_minute: float
    seconds: float

    @property
    def small(self):
        """The texts that are smaller than 1/45 of the height."""
        return sorted(text for size, text in self.letters if size * PART < 0.999)

    def __str__(self):
        share = len(self.small) / max(1, len(self.letters))
        return (
            f"{self.motion:.0%} moves, {share:.0%} of letters small, cards {self.cards:.0%}, "
            f"{self.words_a_minute:.0f} words a minute, {self.seconds:.0f} s"
        )


@contextmanager
def setting(found: list[tuple[float, str]]) -> Iterator[None]:
    """Notes the size and the text of each line that is set, as it is on the page."""
    real = glyphs.text_points

    def text_points(text, x, baseline, size, face="sans", align="left"):
        if text.strip():
            found.append((size, text))
        return real(text, x, baseline, size, face, align)

    patches = [mock.patch.object(module, "text_points", text_points) for module in SETTERS]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


def measured(score: Score, times: int = TIMES, every: int = 1) -> Measured:
    """A film, from its scenes; of long ones the letters of every so many shots, and no motion."""
    found, moved = list[tuple[float, str]](), 0.0
    for passage in score.passages:
        with setting(raw := []):
            drawn = scene.scene_of(passage, DARK)
            layered = scene.Layered(drawn)
            high = page_height(passage.shown, drawn.sheet)
            for shot in (
                (*passage.shots[::every], passage.shots[-1]) if every > 1 else passage.shots
            ):
                travels = shot.travels and drawn.travels(shot.moment)
                at = [k / times for k in range(times + 1)] if travels else [0.0]
                before = None
                for layers in layered.at(shot, at):
                    now = [outline for layer in layers for outline in layer]
                    if before is not None:
                        same = len(now) == len(before) and all(
                            map(lambda a, b: a.same(b), now, before)
                        )
                        moved += 0 if same else shot.seconds / times
                    before = now
        found += [(size / high, text) for size, text in raw]
    spoken = sum(words(said) for said in said_in(score))
    whole = score.seconds
    return Measured(
        frozenset(found), moved / whole, share_of_cards(score), 60 * spoken / whole, whole
    )


def share_of_cards(score: Score) -> float:
    """The part of a film's time that its title and its price take, but for what runs there."""
    cards = [
        shot.seconds
        for passage in score.passages
        for shot in passage.shots
        if isinstance(passage.shown, TextCard) or _is_price(passage.shown, shot.moment)
    ]
    return sum(cards) / score.seconds


def _is_price(shown, moment) -> bool:
    """Whether bars are shown, and no data on its way over trees of switches."""
    picture = getattr(shown, "picture", None)
    if not isinstance(picture, PriceBars):
        return False
    turns = picture.items[moment[0] - 1] == TURN
    return not (turns and picture.elsewhere and picture.elsewhere.trees)


def said_in(score):
    """The sentences of a film, each once where it goes on."""
    last = ""
    for _, shot in score:
        if shot.said != last:
            yield shot.said
        last = shot.said


def page_height(shown, sheet):
    """The height of what a film shows of a page, of a tall one its width; a card has a page."""
    page = card_page(sheet) if isinstance(shown, TextCard) else sheet
    return min(page.in_film.width, page.in_film.height)


# The films by which all are judged, as (collective, algorithm, ranks, parameters).
STANDING = (
    *(("all_reduce", "ring", ranks, {}) for ranks in (4, 8, 16, 32, 64)),
    *(("all_reduce", name, ranks, {}) for name in ("tree", "sharp") for ranks in (8, 16)),
    *(("all_reduce", "double_binary_tree", ranks, {}) for ranks in (8, 16)),
    *(("all_reduce", "recursive_doubling", ranks, {}) for ranks in (8, 16)),
    ("all_reduce", "rabenseifner", 8, {}),
    *(("all_reduce", "hierarchical", 16, {"gpus": gpus}) for gpus in (4, 8)),
    ("all_reduce", "torus_2d", 16, {}),
    ("all_reduce", "torus_3d", 8, {}),
    ("all_reduce", "nvls", 8, {}),
    ("all_reduce", "nvls_tree", 16, {}),
    ("all_reduce", "parameter_server", 6, {}),
    ("all_reduce", "swing", 8, {}),
    ("all_reduce", "bcube", 16, {}),
    ("all_reduce", "two_shot", 8, {}),
    ("broadcast", "tree", 8, {}),
    ("broadcast", "ring", 6, {}),
    ("broadcast", "van_de_geijn", 8, {}),
    ("broadcast", "split_binary", 8, {}),
    ("reduce_scatter", "ring", 5, {}),
    ("all_gather", "ring", 5, {}),
    ("all_gather", "bruck", 7, {}),
    ("all_gather", "pat", 8, {}),
    ("all_to_all", "pairwise", 6, {}),
    ("all_to_all", "bruck", 8, {}),
    ("scatter", "tree", 8, {}),
    ("gather", "tree", 8, {}),
    ("scan", "chain", 6, {}),
    ("scan", "recursive_doubling", 8, {}),
    ("barrier", "dissemination", 8, {}),
    ("send_recv", "ping_pong", 2, {}),
    ("send_recv", "halo_exchange", 6, {}),
    ("send_recv", "pipeline_activations", 4, {}),
    ("all_reduce", "ring", 1, {}),
    ("all_reduce", "ring", 2, {}),
)
