"""A lecture: a TOML file of passages, read, its numbers computed, made into a score."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from animations.course import parts, training_numbers
from animations.course.chart_pages import BarsPage, ValueBar
from animations.course.examples import recording_of, source_of, timed
from animations.course.machine_pages import COLORS, LaneSchedule, LanesPage, Lit, MachinePage, Trips
from animations.course.machine_run import MachineRun
from animations.course.messages_page import MOST_ROWS, MessagesPage, SentMessages
from animations.course.overlap_page import OverlapPage
from animations.course.parts import Quantity, filled, quantities, written
from animations.course.pipeline_page import PARTS, PipelinePage
from animations.course.plot_page import ROOM, PlotPage
from animations.course.promises_page import Promise, PromisesPage
from animations.course.queue_page import QueuePage
from animations.course.readings import LECTURE_READINGS
from animations.course.recalled import Recalled
from animations.course.rings_page import RingsPage
from animations.course.shards_page import ShardsPage
from animations.course.slices_page import SlicesPage
from animations.course.text_pages import Marked, QuestionPage, TablePage, WordsPage
from animations.drawing.axis import by_octaves, by_powers_of_ten, from_zero
from animations.drawing.drawing import Page, PageMoment
from animations.drawing.plot import Plot, Series
from animations.drawing.pointer import boxes_of_words
from animations.drawing.sheet import FILM
from animations.score.pacing import spoken_seconds
from animations.score.score import Passage, Score, Shot
from animations.story.usual import usual_board
from animations.whys.network_sums import NetworkSum, PortTraffic, traffic_of
from animations.whys.port_queue import MOST_SENDERS
from animations.whys.sends import WhyFacts
from collectives.collective import find_collective
from collectives.cost.machines import topology
from collectives.errors import BadInput
from collectives.evidence.claims import evaluate
from collectives.progress import counted
from collectives.training.overlap import Overlap
from collectives.units import size_text, time_text
from collectives.words import nearest, quoted

FOLDER = Path(__file__).with_name("lectures")
Text = Mapping[str, str]  # by language
Table = Mapping[str, Any]
SIZES = 25  # of a curve
UNRECALLED = "words", "question", "training", "compare"  # have no page to be seen again


@dataclass(frozen=True)
class Lecture:
    """A lecture: its place in the course, its name, its title, what it shows, its exercises.

    goal: what one can do after it; sources: of what it says, beside those of its algorithms. lab:
    the name of the notebook that goes with it.
    """

    number: int
    name: str
    title: Text
    numbers: Mapping[str, str]
    passages: Sequence[Table]
    exercises: Sequence[tuple[str, str]] = ()  # topic and kind of each
    goal: Text = field(default_factory=dict)
    sources: Sequence[str] = ()
    lab: str = ""


@cache
def lectures() -> Mapping[str, Lecture]:
    """All lectures by name, in the order of the course."""
    read = []
    for path in FOLDER.glob("*.toml"):
        read.append(of_table(tomllib.loads(path.read_text("utf-8")), path.stem))
    return {script.name: script for script in sorted(read, key=lambda lecture: lecture.number)}


def of_table(table: Table, name: str) -> Lecture:
    """A lecture of the table of its file."""
    exercises = tuple((topic, kind) for topic, kind in table.get("exercises", ()))
    fields = table["number"], name, table["title"], table.get("numbers", {}), table["passage"]
    sources = tuple(table.get("sources", ()))
    return Lecture(*fields, exercises, table.get("goal", {}), sources, table.get("lab", ""))


def find_lecture(name: str) -> Lecture:
    """The lecture of this name, or number; raises BadInput for one that is not there."""
    for lecture in lectures().values():
        if name.lower().replace("_", "-") in (lecture.name, str(lecture.number)):
            return lecture
    raise BadInput(f"unknown lecture {name!r}; {nearest(name, lectures())}")


def score_of_lecture(lecture: Lecture, language: str = "en") -> Score:
    """The score of a lecture."""
    writer = Writer(lecture, language, quantities(lecture.numbers))
    return Score(writer.title, tuple(writer.passages()), language)


@dataclass(frozen=True)
class Writer:
    """Makes the passages of a lecture in one language."""

    lecture: Lecture
    language: str
    numbers: Mapping[str, Quantity]

    @property
    def title(self) -> str:
        """The title of the film."""
        return self.lecture.title.get(self.language, self.lecture.title["en"])

    def passages(self) -> Iterator[Passage]:
        """All passages in order."""
        parts, name = self.lecture.passages, f"preparing lecture {self.lecture.name}"
        for table in counted(parts, name, len(parts), "passages"):
            yield from self.passages_of(table)

    def passages_of(self, table: Table) -> Iterator[Passage]:
        """What a table of the file makes: a page, or the passages of a film."""
        if table["show"] in PAGES:
            yield self.passage(table)
        else:
            yield from SHOWN[table["show"]](self._filled(table), self.language)

    def _filled(self, table: Table) -> Table:
        """A table of a film, whose sentences have their numbers."""
        say = [{**line, self.language: self.text(line)} for line in table.get("say", ())]
        return {**table, "say": say} if say else table

    def passage(self, table: Table) -> Passage:
        """A page with its sentences."""
        page = PAGES[table["show"]](self, table)
        return Passage(page, tuple(self._shots(table, page)))

    def text(self, text: Text) -> str:
        """A text in this language, with its numbers; raises BadInput for what is no such table."""
        if not isinstance(text, Mapping) or "en" not in text:
            raise BadInput(f"{quoted(str(text))}: must be a text by language; try: en = 'A text.'")
        return filled(text.get(self.language, text["en"]), self.numbers)

    def value(self, expression: str) -> float:
        """The value of an expression, or of a number's name; raises BadInput for what is none."""
        if isinstance(expression, str) and expression in self.numbers:
            return float(self.numbers[expression].value)
        if not isinstance(expression, str):
            raise BadInput(f"{quoted(str(expression))}: must be an expression; try: '2 * 7'")
        return float(evaluate(expression, LECTURE_READINGS))

    def headed(self, table: Table) -> dict[str, Any]:
        """The heading of a page, and the name of the lecture above it."""
        look = {"over": f"{self.lecture.number} · {self.title}", "noun": table.get("noun", "")}
        return {"heading": self.text(table["heading"]), "language": self.language, **look}

    def recalled(self, recall: Table) -> Recalled:
        """An item of the page of a heading, by default its last; of a film its why's."""
        tables = [table for table in self.lecture.passages if table["show"] not in UNRECALLED]
        headings = {table.get("heading", {"en": table["show"]})["en"]: table for table in tables}
        name = recall["page"]
        passages = self.passages_of(headings[name]) if name in headings else ()
        pages: list[Any] = [part.shown for part in passages if hasattr(part.shown, "at")]
        if not pages:
            raise BadInput(f"recall {quoted(str(name))}: no page; {nearest(str(name), headings)}")
        page = pages[-1]
        item = recall.get("item", page.items)
        page, item = (page.alone(item), 1) if recall.get("alone") else (page, item)
        return Recalled(page, item, recall.get("still", False))

    def items(self, table: Table, key: str) -> list[Any]:
        """What the sentences of a passage bring, in order."""
        return [line[key] for line in table["say"] if key in line]

    def pictures(self, table: Table, key: str) -> tuple[Recalled | None, ...]:
        """What each of those sentences of a passage recalls, if anything."""
        recalls = [line.get("recall") for line in table["say"] if key in line]
        return tuple(recall and self.recalled(recall) for recall in recalls)

    def _shots(self, table: Table, page: Page) -> Iterator[Shot]:
        """A shot for each sentence; one that brings or points at something shows that coming."""
        item, chapter = 0, self.text(table["heading"])
        for line in table["say"]:
            brings = item < page.items and any(key in line for key in BROUGHT)
            item += brings
            text = self.text(line)
            section = chapter if line is table["say"][0] else ""
            seconds = spoken_seconds(text) + line.get("wait", 0)
            moment = PageMoment(item, brings, tuple(self._pointed(line, page, item)))
            moves = moment.comes or bool(moment.pointed)
            yield Shot(moment, seconds, text, section, section, travels=moves)

    def _pointed(self, line: Table, page: Page, item: int) -> Iterator[str]:
        """The words that a sentence points at; raises BadInput for some that are not there."""
        pointed = line.get("point", ())
        for words in pointed if isinstance(pointed, list) else [pointed] if pointed else []:
            text = filled(words, self.numbers) if isinstance(words, str) else self.text(words)
            drawing = page.at(item, 1.0)
            if not boxes_of_words(drawing, text):
                texts = [row.text for row in drawing.lines]
                raise BadInput(f"point {quoted(text)}: not on the page; {nearest(text, texts)}")
            yield text


BROUGHT = (
    *("line", "bar", "mark", "light", "way", "run", "turn", "slices", "shards", "pipeline"),
    *("promise", "before", "after", "lanes", "at", "trips", "waits", "ways"),
    *("queue", "plot", "wait", "sends", "overlap", "cards", "messages", "grow"),
)


def _words(writer: Writer, table: Table) -> Page:
    """Lines, or options and a pause: a sentence with `wait` shows it for so many seconds."""
    texts = tuple(writer.text(line) for line in writer.items(table, "line"))
    page = QuestionPage if table["show"] == "question" else WordsPage
    return page(**writer.headed(table), texts=texts, pictures=writer.pictures(table, "line"))


def _bars(writer: Writer, table: Table) -> Page:
    """Bars; one of several parts begins as the bar before, if this has several or is the first."""
    bars = list[ValueBar]()
    for number, item in enumerate(writer.items(table, "bar")):
        tone = item.get("tone", f"rank {number % 8}")
        texts = item["parts"] if "parts" in item else [(item["value"], tone)]
        parts = tuple((writer.value(text), tone) for text, tone in texts)
        before = bars[-1].parts if bars and len(parts) > 1 else ()
        grows = len(before) > 1 or before[:1] == parts[:1]
        past = [value for value, _ in before if grows]
        start = (*past, *(0.0,) * len(parts))[: len(parts)]
        more = item.get("more", False)
        value = parts[-1][0] if more else sum(value for value, _ in parts)
        text = f"{'+ ' * more}{Quantity(value):{item.get('kind', '')}}"
        text += f" {item['unit']}" if "unit" in item else ""
        bars.append(ValueBar(writer.text(item["label"]), text, parts, start))
    limit = table.get("limit")
    at = limit and (writer.value(limit["value"]), writer.text(limit["name"]))
    unit = writer.text(table["unit"])
    return BarsPage(**writer.headed(table), bars=tuple(bars), unit=unit, limit=at)


def _table(writer: Writer, table: Table) -> Page:
    rows_of = table.get("rows", {})
    if not isinstance(rows_of, list):
        rows_of = rows_of.get(writer.language, rows_of.get("en", ()))
    rows = tuple(filled(row, writer.numbers) for row in rows_of)
    if "source" in table:
        rows = (*source_of(table["source"]), *rows)
    marks = tuple(tuple(Marked(*mark) for mark in item) for item in writer.items(table, "mark"))
    look = {**writer.headed(table), "appear": table.get("appear", False)}
    return TablePage(**look, rows=rows, marks=marks, pictures=writer.pictures(table, "mark"))


def _machine(writer: Writer, table: Table) -> Page:
    """A machine; a sentence lights a kind of links, or the way of ranks, or lets something run.

    `missing` are links, and of `waits`.
    """
    machine = topology(table["machine"], table["ranks"], **table.get("with", {}))
    lit, names, notes, missing, waits, stays = list[Lit](), {}, {}, {}, {}, {}
    for line in table["say"]:
        if "note" in line:
            notes[len(lit) + 1] = writer.text(line["note"])
        missing[len(lit) + 1] = line.get("missing", ())
        waits[len(lit) + 1] = line.get("waits", ())
        if "name" in line:
            names[line["light"]] = writer.text(line["name"])
        if "run" in line:
            lit.append(_run(writer, table, line["run"]))
        elif "light" in line or "way" in line:
            ways = line.get("way", ())
            ways = ways if all(isinstance(way, list) for way in ways) else [ways]
            ways = tuple(map(tuple, ways)) * line.get("each", 1)
            lit.append(line.get("light", ways))
            if "stays" in line:
                stays[ways] = line["stays"][0], writer.value(line["stays"][1])
    look = {**writer.headed(table), "names": names, "notes": notes, "missing": missing}
    look["waits"] = waits
    return MachinePage(**look, topology=machine, lit=tuple(lit), stays=stays)


def _rings(writer: Writer, table: Table) -> Page:
    """Rings, one each sentence, of which one chunk goes round; with `cards`, then all rings."""
    runs = tuple(_run(writer, table, run) for run in writer.items(table, "run"))
    look = {**writer.headed(table), "unit": writer.text(table["unit"])}
    return RingsPage(**look, runs=runs, cards=bool(writer.items(table, "cards")))


def _run(writer: Writer, table: Table, run: Table) -> MachineRun:
    """What a sentence lets run; what it does not say of itself the passage says."""
    size = round(writer.value({**table, **run}["size"]))
    keys = "limits", "counts", "idle", "pauses", "follow"
    look: Any = {"binary": "i" in size_text(size), **{key: run[key] for key in keys if key in run}}
    look["pace"] = tuple((part, writer.value(moment)) for part, moment in run.get("pace", ()))
    return MachineRun(writer.text(run["name"]), timed({**table, **run}, size), **look)


def _promises(writer: Writer, table: Table) -> Page:
    """Before and after of collectives, of one each sentence, with a line of code below it.

    A sentence with `mark` lights cells of the state that the sentence before showed.
    """
    ranks = table.get("ranks", 4)
    promises, comes = list[Promise](), list[tuple[int, bool]]()
    marks = list[tuple[tuple[int, ...], ...]]()
    for line in table["say"]:
        if "promise" in line or "before" in line:
            collective = find_collective(line.get("promise") or line["before"])
            details = line.get("note", ""), line.get("of_sums", False)
            promises.append(Promise(collective, ranks, *details))
        if any(key in line for key in ("promise", "before", "after")):
            comes.append((len(promises) - 1, "before" not in line))
        elif "mark" in line and not comes:
            raise BadInput("mark: lights what the sentence before shows; try: before first")
        elif "mark" in line:
            comes.append(comes[-1])
        if len(comes) > len(marks):
            marks.append(tuple(map(tuple, line.get("mark", ()))))
    head = writer.headed(table)
    return PromisesPage(**head, promises=tuple(promises), comes=tuple(comes), marks=tuple(marks))


def _lanes(writer: Writer, table: Table) -> Page:
    """Schedules on clocks, one each sentence; what it does not say of itself the passage says.

    A sentence with `at` marks that moment of the schedule before, one with `waits` says of one that
    never ends whom each rank waits for, a second one where that began, one with `ways` counts slots
    through switches, one with `trips` outlines those of a chunk.
    """
    schedules = []
    moments: Mapping[str, Callable[[Any], Any]] = {
        **{"lanes": lambda _: None, "at": writer.value, "waits": lambda _: inf},
        **{"trips": Trips, "ways": abs},
    }
    comes = [moments[key](line[key]) for line in table["say"] for key in moments if key in line]
    if comes[:1] != [None]:
        raise BadInput("at: marks a moment of the schedule before it; try: lanes first")
    for item in writer.items(table, "lanes"):
        schedule = {**table, **item}
        timing = timed(schedule, round(writer.value(schedule["size"])))
        schedules.append(LaneSchedule(writer.text(schedule["name"]), timing))
    for place, moment in enumerate(comes):
        before = schedules[comes[:place].count(None) - 1]
        last = inf if moment == inf and not before.ends else before.seconds
        if isinstance(moment, float) and not 0 <= moment <= last:
            end = time_text(last, 3)
            raise BadInput(f"at {time_text(moment, 3)}: no moment of the lanes; try: 0 to {end}")
    look = {**writer.headed(table), "colors": table.get("colors", "")}
    look["rows"] = {int(node): writer.text(name) for node, name in table.get("rows", {}).items()}
    if look["colors"] not in COLORS:
        raise BadInput(f"colors {look['colors']!r}: {nearest(look['colors'], COLORS)}")
    return LanesPage(**look, schedules=tuple(schedules), comes=tuple(comes))


def _messages(writer: Writer, table: Table) -> Page:
    """What rank 0 sends, rows of a sentence's algorithms; with `grow` the vector grows to that."""
    size, rows, comes = writer.value(table["size"]), list[Table](), list[tuple[int, float]]()
    largest = max(writer.value(text) for text in (table["size"], *writer.items(table, "grow")))
    for line in table["say"]:
        rows += line.get("messages", ())
        if "messages" in line or "grow" in line:
            comes.append((len(rows), writer.value(line["grow"]) if "grow" in line else size))
            size = comes[-1][1]
    if not 0 < len(rows) <= MOST_ROWS:
        raise BadInput(f"messages: {len(rows)} rows; try: 1 to {MOST_ROWS}")
    sent = []
    for row in rows:
        bare, full = (timed({**table, **row}, bytes_of) for bytes_of in (0, round(largest)))
        sent.append(SentMessages(writer.text(row["name"]), bare, full))
    size = writer.value(table["size"])
    return MessagesPage(**writer.headed(table), rows=tuple(sent), size=size, comes=tuple(comes))


def _queue(writer: Writer, table: Table) -> Page:
    """Messages before the port of one rank; a sentence says how much of their time has passed."""
    timing = timed(table, round(writer.value(table["size"])))
    shares = writer.items(table, "queue")
    numbers = all(isinstance(share, int | float) and 0 <= share <= 1 for share in shares)
    if not numbers or shares[:1] != [0] or shares != sorted(shares):
        listed = quoted(", ".join(map(str, shares)))
        raise BadInput(f"queue {listed}: shares of the time, ascending, from 0; try: 0, 0.5, 1")
    if not len(timing.messages):
        raise BadInput(f"ranks {table['ranks']}: nothing is sent, so nothing waits; try: 8")
    if table["ranks"] - 1 > MOST_SENDERS:
        rule = f"at most {MOST_SENDERS + 1} can be told apart; try: {MOST_SENDERS + 1}"
        raise BadInput(f"ranks {table['ranks']}: {rule}")
    return QueuePage(**writer.headed(table), timing=timing, until=tuple(map(float, shares)))


def _plot(writer: Writer, table: Table) -> Page:
    """Lines of an expression in x, or points; numbers on the axes are written as their kinds.

    Lines pass through x of points. A sentence with `turn` draws a line at that x, and all such
    lines come last.
    """
    across, up = table["x"], table["y"]
    first, last = (writer.value(across[key]) for key in ("from", "to"))
    intervals = across.get("values", SIZES) - 1
    grid = [first * (last / first) ** (i / intervals) for i in range(intervals + 1)]
    if across.get("whole"):
        grid = [float(round(x)) for x in grid]
    points = [point for item in writer.items(table, "plot") for point in item.get("points", ())]
    grid = sorted({*grid, *(writer.value(x) for x, _ in points)})
    curves = []
    for number, item in enumerate(writer.items(table, "plot")):
        name, points = writer.text(item["name"]), item.get("points", ())
        xs = [writer.value(point[0]) for point in points] or grid
        texts = [point[1] for point in points] or [item["value"].format(x=x) for x in xs]
        ys = tuple(writer.value(text) for text in texts)
        curves.append(Series(name, tuple(xs), ys, f"rank {item.get('tone', number)}", bool(points)))
    upward = by_powers_of_ten if up.get("logarithmic", False) else from_zero
    x_axis = by_octaves(*_axis(writer, across), (x for curve in curves for x in curve.xs))
    y_axis = upward(*_axis(writer, up), (y for curve in curves for y in curve.ys))
    plot = Plot(ROOM, x_axis, y_axis)
    marks = tuple(map(writer.value, writer.items(table, "turn")))
    return PlotPage(**writer.headed(table), plot=plot, curves=tuple(curves), marks=marks)


def _overlap(writer: Writer, table: Table) -> Page:
    """A step of two lanes, whose work as many GPUs share as a sentence with `overlap` says."""
    names = "size", "layers", "forward", "backward", "bucket"
    size, layers, forward, backward, bucket = (writer.value(f"{table[name]}") for name in names)

    def step(gpus: int) -> tuple[float, Overlap]:
        part = size, round(layers), backward / gpus, bucket, gpus
        return forward / gpus, training_numbers.overlapped(*part)

    counts = tuple(map(writer.value, writer.items(table, "overlap")))
    return OverlapPage(**writer.headed(table), step=step, counts=counts)


def _slices(writer: Writer, table: Table) -> Page:
    """The product of `training_numbers`; the first five sentences with `slices` bring its steps."""
    product = training_numbers.X, training_numbers.A, training_numbers.B
    return SlicesPage(**writer.headed(table), of=product, result=training_numbers.slices_sum())


def _pipeline(writer: Writer, table: Table) -> Page:
    """Steps of `training_numbers`; `pipeline` of a sentence: how many micro-batches, what comes."""
    comes = tuple((count, part) for count, part in writer.items(table, "pipeline"))
    for part in {part for _, part in comes}.difference(PARTS):
        raise BadInput(f"pipeline {quoted(f'{part}')}: {nearest(f'{part}', PARTS)}")
    return PipelinePage(**writer.headed(table), run=training_numbers.pipelined, comes=comes)


def _shards(writer: Writer, table: Table) -> Page:
    """What each GPU keeps; `shards` of a sentence: how many kinds, how many of them cut."""
    kinds = tuple((writer.text(kind), writer.value(of), tone) for kind, of, tone in table["kinds"])
    look = {**writer.headed(table), "kinds": kinds, "ranks": table["ranks"]}
    comes = tuple((there, cut) for there, cut in writer.items(table, "shards"))
    limit = writer.value(table["limit"]["value"]), writer.text(table["limit"]["name"])
    return ShardsPage(**look, comes=comes, limit=limit)


def _why(writer: Writer, table: Table) -> Page:
    """What passes a port where switches forward, and where they add, in the lecture's sentences.

    `sends` of a sentence: of which of the two, or of a `third` algorithm, from which step to which.
    `figure`: a text in place
    of the count of what passed; `as_if`: whether as much as where switches forward is drawn.
    """
    recording = recording_of(table)
    board = usual_board(recording, sheet=FILM, language=writer.language)
    whys = [why for why in board.whys if isinstance(why.picture, NetworkSum)]
    if not whys:
        raise BadInput(f"{table['algorithm']}: no switch saves its ports bytes; try: 'nvls'")
    picture: Any = whys[0].picture
    own = traffic_of(WhyFacts(recording))  # a film may show more chunks
    traffic: tuple[PortTraffic, ...] = picture.traffic[0], own
    rows = tuple((name, traffic[of], of) for name, _, of in picture.rows)
    rows = (rows[0], (writer.text(table["own"]), own, 1)) if "own" in table else rows
    if third := table.get("third"):
        traffic += (traffic_of(WhyFacts(recording_of({**table, **third}))),)
        rows += ((writer.text(third["name"]), traffic[2], 2),)
    picture = replace(picture, traffic=traffic, rows=rows)
    parts = writer.items(table, "sends")
    if not all(0 <= first <= end <= len(traffic[of].steps) for of, first, end in parts):
        raise BadInput("sends: beyond the steps; try: sends = [0, 0, 1]")
    sentences = tuple(writer.text(line) for line in table["say"])
    figures = {
        number: (writer.text(line["figure"]), line.get("as_if", False))
        for number, line in enumerate(table["say"], 1)
        if "figure" in line
    }
    seen = [(0, *(of for of, *_ in parts[:number])) for number in range(1, len(parts) + 1)]
    beside = tuple(tuple(dict.fromkeys(rows)) for rows in seen)
    picture = replace(picture, parts=parts, figures=figures, beside=beside)
    heading = writer.text(table["heading"])
    return replace(whys[0], heading=heading, sentences=sentences, picture=picture)


def _axis(writer: Writer, axis: Table) -> tuple[str, Callable[[float], str]]:
    """What an axis is of, and how its figures are written."""
    return writer.text(axis["name"]), written(axis["kind"])


PAGES: Mapping[str, Callable[[Writer, Table], Page]] = {
    "words": _words,
    "question": _words,
    "bars": _bars,
    "table": _table,
    "machine": _machine,
    "rings": _rings,
    "promises": _promises,
    "lanes": _lanes,
    "messages": _messages,
    "queue": _queue,
    "slices": _slices,
    "shards": _shards,
    "pipeline": _pipeline,
    "overlap": _overlap,
    "plot": _plot,
    "why": _why,
}
SHOWN: Mapping[str, Callable[[Table, str], Iterator[Passage]]] = {
    "algorithm": parts.algorithm,
    "compare": parts.compare,
    "training": parts.training,
}
