"""Films as parts of lectures: algorithms, wrong ones, training; numbers of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from animations.course.examples import recording_of
from animations.course.readings import LECTURE_READINGS
from animations.drawing.sheet import FILM
from animations.score.comparison import score_of_comparison
from animations.score.pacing import spoken_seconds
from animations.score.score import Keyframe, Passage, Play, Score, Shot, TextCard, gives_way
from animations.score.steps import score_of
from animations.score.training import training_score
from animations.story.comparison import drawn_comparison
from animations.story.lazy_value import LazyValue
from animations.story.storyboard import Storyboard
from animations.story.training import TrainingBeat, training_story
from animations.story.untold import untold
from animations.story.usual import usual_board
from animations.whys.cost_bars import PriceBars
from animations.whys.spread import Spread
from animations.whys.why import Why
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import resized
from collectives.errors import BadInput
from collectives.evidence.claims import evaluate
from collectives.training.pairs import training_pair
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import nearest, percent, quoted

Table = Mapping[str, Any]
STANDS = 1.5  # seconds that the end of a training step stands
KINDS = ("size", "decimal", "time", "rate", "percent", "about")


def algorithm(table: Table, language: str) -> Iterator[Passage]:
    """The film of an algorithm, of the catalog or a function of `examples`, without its cards.

    With sentences of the lecture in place of its own, where it has some; then the first `why` whys,
    by default none after sentences of the lecture, and else all; with `why_first` before the film.
    Without sentences and with whys there are only those.
    """
    stage = table.get("stage", "")
    board = usual_board(recording_of(table), stage=stage, sheet=FILM, language=language)
    whys = tuple(_in_lecture(board.whys))[: table.get("why", 0 if "say" in table else None)]
    board = replace(board, whys_when_asked=LazyValue(lambda: whys))
    passages = list(_without_cards(score_of(board, table.get("seconds"))))
    if "say" in table:
        heading = table["heading"].get(language, table["heading"]["en"])
        shots = tuple(_spoken(table["say"], language, heading, board))
        film = Passage(replace(untold(board), title=heading), shots)
        passages = [passage for passage in passages if isinstance(passage.shown, Why)]
        if shots:
            passages.insert(len(passages) if table.get("why_first") else 0, film)
    yield from passages


def _spoken(
    lines: Sequence[Table], language: str, heading: str, board: Storyboard
) -> Iterator[Shot]:
    """A shot for each sentence; one with a step, or from one to another, plays them.

    One after the last step marks what is wrong, if anything is. With `follow` all is pale but what
    is followed, and the two ranks between which it goes. In one without a step what is there glows,
    or with `ahead` dots run along the ways of those steps, with `follow` only of what is followed.
    """
    step, chapter, last = 0, heading, len(board.frames)
    for line in lines:
        text, ahead = line.get(language, line["en"]), line.get("ahead", [1, last])
        if last and not 1 <= ahead[0] <= ahead[1] <= last:
            raise BadInput(f"ahead {quoted(str(ahead))}: no steps; try: [1, {last}]")
        steps, plays, follow = line.get("step", step), "step" in line, line.get("follow", False)
        first, step = steps if isinstance(steps, list) else (steps, steps)
        seconds = spoken_seconds(text) / (step - first + 1)
        for number in range(first, step + 1):
            marks = int(number == last and not plays)
            rests = plays or (marks and board.wrong)
            play = Play.NOTHING if rests else Play.AHEAD if "ahead" in line else Play.WAVE
            look: Any = {"play": play, "ahead": (ahead[0] - 1, ahead[1])}
            look["alone"] = plays and follow
            keyframe = Keyframe(number, not plays, plays or follow, text, marks, **look)
            yield Shot(keyframe, seconds, text, chapter, chapter, travels=bool(plays or not rests))
            chapter = ""


def compare(table: Table, language: str) -> Iterator[Passage]:
    """The film of algorithms of a collective, on one clock."""
    setup = setup_on(table["machine"], table.get("clock", "dataflow"))
    size = round(evaluate(table["size"], LECTURE_READINGS))  # of the vector
    runs = [resized(recording_of({**table, "algorithm": row}), size) for row in table["algorithms"]]
    drawn = drawn_comparison(compare_recordings(runs, setup), language)
    yield from score_of_comparison(drawn).passages


def training(table: Table, language: str) -> Iterator[Passage]:
    """The film of a training scheme, then sentences of the lecture; bars are not seen from inside.

    From inside they would be small, and hide what stands there to be compared with.
    """
    story, lines = training_story(training_pair(table["scheme"]), language), table.get("say", ())
    beats = [replace(beat, bar=None) for beat in story.beats]
    end = beats[-1].until
    beats += (TrainingBeat(1, end, end, line.get(language, line["en"])) for line in lines)
    for passage in training_score(replace(story, beats=tuple(beats))).passages:
        *shots, rest = passage.shots  # short, and only where nothing more is said of it
        ending = () if lines else (replace(rest, seconds=STANDS),)
        yield replace(passage, shots=(*shots, *ending))


def _without_cards(score: Score) -> Iterator[Passage]:
    """All but the title, the end and what it takes: a lecture says that where it asks for it.

    A stage makes room for a why, not for the next page of the lecture.
    """
    kept = [
        passage
        for passage in score.passages
        if not isinstance(passage.shown, TextCard)
        and not (isinstance(passage.shown, Why) and isinstance(passage.shown.picture, PriceBars))
    ]
    for passage, after in zip_longest(kept, kept[1:]):
        stands = after is None or not isinstance(after.shown, Why)
        shots = tuple(shot for shot in passage.shots if not (stands and gives_way(shot)))
        yield replace(passage, shots=shots)


def _in_lecture(whys: Sequence[Why]) -> Iterator[Why]:
    """Whys without pages and rows of the obvious way, which a lecture tells in its own words."""
    for why in whys:
        if isinstance(why.picture, Spread):
            alone = replace(why.picture, obvious=None)
            why = replace(why, sentences=why.sentences[why.need :], picture=alone, need=0)
        if why.follows or why.idea:
            yield why


@dataclass(frozen=True)
class Quantity:
    """A computed number in a sentence: {name} or, with its kind, {name:time}.

    Kinds: size (bytes, in powers of two), decimal (bytes, in powers of ten), time (seconds), rate
    (bytes a second), percent (a share), about (two digits), or none for a plain
    number, or a text.
    """

    value: float | Fraction | str

    def __format__(self, kind: str) -> str:
        """The number as text; raises BadInput for an unknown kind."""
        if isinstance(self.value, str):
            return self.value
        value = float(self.value)
        match kind:
            case "":
                return number_text(value)
            case "size" | "decimal":
                return size_text(round(value), digits=3, binary=kind == "size")
            case "time":
                return time_text(value, digits=3)
            case "rate":
                return rate_text(value, digits=3)
            case "percent":
                return percent(value)
            case "about":
                return number_text(float(f"{value:.2g}"))
        raise BadInput(f"{kind}: no kind of number; {nearest(kind, KINDS)}")


def quantities(expressions: Mapping[str, str]) -> dict[str, Quantity]:
    """Named numbers from their expressions; raises BadInput naming one that means nothing."""
    return {name: Quantity(evaluate(text, LECTURE_READINGS)) for name, text in expressions.items()}


def filled(text: str, numbers: Mapping[str, Quantity]) -> str:
    """A sentence with its numbers; raises BadInput for one that is not named, or is no text."""
    if not isinstance(text, str):
        raise BadInput(f"{quoted(str(text))}: must be a text; try: '{{steps}} steps'")
    try:
        return text.format(**numbers)
    except KeyError as problem:
        name = problem.args[0]
        raise BadInput(f"{{{name}}}: not among the numbers; {nearest(name, numbers)}") from None


def written(kind: str) -> Callable[[float], str]:
    """How the numbers of an axis are written: with three digits, or fewer."""
    return lambda value: f"{Quantity(value):{kind}}"
