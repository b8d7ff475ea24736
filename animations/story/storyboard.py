"""A recording as plain data to draw: scenery, cells, and frames with the transfers of each step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from animations.drawing.scenery import Scenery
from animations.drawing.sheet import LECTURE, Sheet
from animations.phrases import Phrases
from animations.story.cell_views import View
from animations.story.counters import CounterRow
from animations.story.facts import Textbook
from animations.story.frames import Frame as Frame
from animations.story.frames import hopping
from animations.story.labels import Labels
from animations.story.lazy_value import LazyValue, WhenAsked, made_later
from animations.story.message_times import MessageTimes
from animations.story.origins import Origins
from animations.story.setup_times import SetupTimes
from animations.story.stop import Stop
from animations.story.tally import Tally, unpacked
from animations.story.task import Task
from animations.story.trade import NO_TRADE, Trade
from animations.story.transfers import Cell, NodeSlot
from animations.story.transfers import Transfer as Transfer
from animations.story.wrong import Wrong
from collectives.cost.clocks.timing import Timing
from collectives.questions import Question
from collectives.questions.names import Content
from collectives.recording.phases import Phase
from collectives.units import size_text

if TYPE_CHECKING:
    from animations.whys.why import Why  # whose letters need cairo, which a page does not

BYTES = re.compile(r"\d ([KMGT]i)?B\b")  # in a sentence
NARROWEST = 5  # pixels of a cell below which a mark can be seen
MOST_LETTERS = 104  # of a sentence below the picture
LONGEST_INVARIANT = 106  # letters, unless one function promises more
LONGEST_CAPTION = 117  # letters with the number of the step, for sentences that say the result


@dataclass(frozen=True)
class Storyboard:
    """Everything a renderer needs, and nothing it would have to understand.

    sheet: the boxes of the page; scenery: what stands on its stage. view: how cells are drawn.
    start: the cells that hold something before the first step. promised: those of which something
    is promised at the end. counters: rows of numbers beside the picture, the last in seconds;
    heading: of their numbers. questions: what a page asks before it shows a step. asked_cells: by
    slot and content what their answers say of cells, where the view shows whose data is in them.
    size: bytes of the vector. need: why anybody wants this, a sentence, or nothing; reason: the
    same with ranks and bytes. tour: see `tour_of`. given: how many
    chunks each rank starts with. adds: whether data is summed up. timing: the one that was asked
    for, by which films show it in modeled time. counted: the one of the counters.
    setup_times: those of the counters, as numbers.
    What ends in when_asked is made when a page or a film asks for it; see the property without it.
    wrong: of a wrong schedule, drawn until that is seen, what every picture of it shows. untold:
    the same in a film that has not come to it yet.
    """

    title: str
    subtitle: str
    view: View
    promise: str
    ending: str
    ranks: int
    nodes: int
    slots: int
    labels: Labels
    scenery: Scenery
    phases: tuple[Phase, ...]
    start: dict[NodeSlot, Cell]
    frames: tuple[Frame, ...]
    counters: tuple[CounterRow, ...]
    heading: str
    promised: tuple[NodeSlot, ...]
    used: tuple[bytes, ...] = field(repr=False)
    origins_when_asked: LazyValue[Origins | None] = field(repr=False, compare=False)
    times_when_asked: LazyValue[tuple[MessageTimes, ...]] = field(repr=False, compare=False)
    timing: Timing | None = field(default=None, repr=False, compare=False)
    counted: Timing | None = field(default=None, repr=False, compare=False)
    task_when_asked: LazyValue[Task | None] = made_later(None)
    sheet: Sheet = LECTURE
    questions: tuple[Question, ...] = ()
    asked_cells: Mapping[tuple[int, Content], Cell] = field(default_factory=dict, repr=False)
    wrong: Wrong | None = None
    untold: Wrong | None = None
    trade_when_asked: LazyValue[Trade] = made_later(NO_TRADE)
    textbook_when_asked: LazyValue[Textbook] = made_later(Textbook())
    size: int = 0
    need: str = ""
    reason: str = ""
    given: tuple[int, ...] = ()
    tour: tuple[Stop, ...] = ()
    adds: bool = False
    machine: str = ""
    tallies_when_asked: LazyValue[Mapping[int, Tally]] = made_later({})
    setup_times_when_asked: LazyValue[SetupTimes | None] = made_later(None)
    whys_when_asked: LazyValue[tuple[Why, ...]] = made_later(())
    _last: list[tuple[int, dict[NodeSlot, Cell]]] = field(
        default_factory=list, init=False, repr=False
    )

    # where what a cell holds comes from; None where a page does not show so much
    origins = WhenAsked[Origins | None]()
    # by each clock when transfers begin and end, where they are not very many
    times = WhenAsked[tuple[MessageTimes, ...]]()
    # the closed forms that hold, and the idea
    textbook = WhenAsked[Textbook]()
    # what a page's workbench asks for; None where it does not show each rank
    task = WhenAsked[Task | None]()
    # the times of the counters on their machine, as numbers
    setup_times = WhenAsked[SetupTimes]()
    # why it works and what it costs, as pages of a film; none of a wrong one
    whys = WhenAsked["tuple[Why, ...]"]()
    # why it takes so many steps, and which algorithm takes fewer, or sends less
    trade = WhenAsked[Trade]()
    # what ranks hold in each state, in numbers; none of a wrong one
    tallies = WhenAsked[Mapping[int, Tally]]()

    def __getstate__(self) -> dict[str, object]:
        """What another process draws of it, which does not time anything."""
        return {**self.__dict__, "counted": None}

    @property
    def leaves_size_out(self) -> bool:
        """Whether it opens without its size: its price has another, and no why counts bytes."""
        texts = [text for why in self.whys if not why.borders for text in why.sentences]
        begins = None if self.wrong else self.trade.begins
        return begins is not None and not any(BYTES.search(text) for text in texts)

    @property
    def steps(self) -> int:
        """Steps in which a message travels; there may be frames of local moves beside them."""
        return self.frames[-1].counted if self.frames else 0

    @property
    def hops(self) -> dict[NodeSlot, int]:
        """How many messages brought each cell what it holds in the end, where cells are slots."""
        number = dict.fromkeys(self.start, 0)
        for transfers in (frame.transfers for frame in self.frames):
            number |= {(m.dst, m.into): number.get((m.src, m.chunk), 0) + 1 for m in transfers}
        return number

    @property
    def planned(self) -> int:
        """Steps of the whole schedule, of which a wrong one is drawn up to its mistake."""
        wrong = self.wrong or self.untold
        return max(len(self.frames), wrong.total if wrong else 0)

    @property
    def say(self) -> Phrases:
        """What is said in the language of the picture."""
        return self.labels.say

    def cells(self, step: int) -> dict[NodeSlot, Cell]:
        """All cells that hold something after so many steps, by node and well."""
        last, held = self._last.pop() if self._last else (0, self.start)
        if step < last:
            last, held = 0, self.start
        held = dict(held)
        for frame in self.frames[last:step]:
            held.update(frame.cells)
        self._last.append((step, held))
        return held

    @cached_property
    def goals(self) -> tuple[NodeSlot, ...]:
        """The promised cells, where it leaves some cells of ranks out and they are wide enough."""
        every = len(self.promised) == self.ranks * self.scenery.fold.wells
        wide = all(card.shape.widest.width >= NARROWEST for card in self.scenery.cards)
        return tuple(sorted(self.promised)) if wide and not every else ()

    def stale(self, step: int) -> set[NodeSlot]:
        """The cells that hold something no later step reads and the promise does not ask for.

        None in a matrix, where there is no room to mark them.
        """
        if not self.used:
            return set()
        used = unpacked(self.used[step], (self.nodes, self.slots))
        wells = {(int(n), self.scenery.fold.well[int(s)]) for n, s in np.argwhere(used)}
        return self.cells(step).keys() - wells

    @cached_property
    def traced(self) -> Cell | None:
        """What is marked from start to end: a block of two hops, or a chunk that all ranks get.

        None where data is added, or one rank has all of it.
        """
        hops = hopping(self.frames, self.labels)
        if hops:
            return next(self.frames[step].transfers[way].cell for step, way in hops.items())
        followed = (frame.example for frame in self.frames if not frame.example.is_local)
        if self.adds or not (self.view.shows_ranks and self.labels.moves_data and all(self.given)):
            return None
        ends, first = self.cells(len(self.frames)), next(followed, None)
        count = sum(ends.get(at) == first.cell for at in self.promised) if first else 0
        return first.cell if first and count == self.ranks > 1 else None

    @cached_property
    def quiet(self) -> frozenset[int]:
        """The steps, from 0, in which ranks only keep their own blocks: of no account in films."""
        if self.sheet.cues or self.untold or self.wrong or not self.labels.in_blocks:
            return frozenset()
        return frozenset(
            number
            for number, frame in enumerate(self.frames)
            if all(m.is_local and m.cell.held == (m.src,) for m in frame.transfers)
            if len({m.src for m in frame.transfers}) == len(frame.transfers)
        )

    def traces(self, step: int, landed: bool = True) -> list[NodeSlot]:
        """Where that is after so many steps, or while a step is under way."""
        if self.traced is None:
            return []
        gone = self.stale(step)
        cells = self.cells(step if landed else step - 1).items()
        return [at for at, cell in cells if cell == self.traced and at not in gone]

    def followed_well(self, step: int) -> int | None:
        """Where the followed chunk of a step is, of several that pass switches; else None."""
        switches = self.nodes > self.ranks and self.labels.helper == "switch"
        several = switches and self.labels.chunk_count > 1
        chunk = self.frames[step - 1].example.into if several and step else None
        return None if chunk is None else self.scenery.fold.well[chunk]

    def outlined(self, step: int, landed: bool = True) -> list[NodeSlot]:
        """What has a border after so many steps: what is traced, or what is left to follow.

        Where nothing is traced, of several chunks that go together the one that goes on.
        """
        well = self.followed_well(step)
        if well is None and step and self.traced is None and not self.labels.in_blocks:
            frame, wells = self.frames[step - 1], self.scenery.fold.well
            move = frame.example
            if len(frame.parcels[frame.hero].transfers) > 1:
                return [(move.dst, wells[move.into]) if landed else (move.src, wells[move.chunk])]
        if well is None:
            return self.traces(step, landed)
        cells = self.cells(step if landed else step - 1)
        return [at for at in cells.keys() - self.stale(step) if at[1] == well]

    def sent(self, step: int) -> tuple[int, ...]:
        """Sent by each node in so many steps."""
        return self.frames[step - 1].sent if step else (0,) * self.nodes

    @cached_property
    def complete(self) -> tuple[int, ...]:
        """How many promised cells are complete in each state; not for views that show ranks."""
        promised, complete, counts = set(self.promised), set[NodeSlot](), []
        for cells in (self.start, *(frame.cells for frame in self.frames)):
            for at in promised & cells.keys():
                (complete.add if cells[at].held[1] else complete.discard)(at)
            counts.append(len(complete))
        return tuple(counts)

    def enlarged(self, step: int, landed: bool) -> Cell | None:
        """The chunk that a step's caption speaks of: on its way, or at its end."""
        if not step:
            return None
        frame = self.frames[step - 1]
        hero = frame.example
        end = hero.dst, self.scenery.fold.well[hero.into]
        return frame.cells.get(end, hero.cell) if landed else hero.cell

    def invariant(self, step: int) -> str:
        """What holds while a step runs: its phase's promise, or that of its function in a group.

        Of several functions side by side as many as there is room for.
        """
        if not step or (self.wrong and step == len(self.frames)):
            return ""
        frame = self.frames[step - 1]
        _, group, promise = frame.parcels[frame.hero].remark
        if group and promise:
            goal, noun = _lower(promise), self.say.noun(group)
            return self.say("captions.group_promise", group=noun, promise=goal).replace("`", "")
        first, *others = self.phases[frame.phase].promise.split("; ")
        for further in others:
            if len(f"{first}; {further}") <= LONGEST_INVARIANT:
                first += f"; {further}"
        return first.replace("`", "")

    def amount(self, sent: int) -> str:
        """The data a node has sent, as text."""
        return size_text(sent) if self.labels.moves_data else self.say.plural(sent, "message")

    def caption(self, number: int, parcel: int) -> str:
        """The caption of a step with another parcel as its example."""
        return self._numbered(self.frames[number - 1], self.sentence(number, parcel))

    def sentence(self, number: int, parcel: int | None = None) -> str:
        """What a step does: its comment in the source, and its hero, or a parcel, as an example."""
        frame = self.frames[number - 1]
        hero = frame.parcels[frame.hero if parcel is None else parcel]
        transfers = [frame.transfers[i] for i in hero.transfers]
        example = self.labels.sentence(transfers, self.senders(frame) if parcel is None else ())
        comment = frame.comment
        texts = [
            self.say("sentences.with_example", text=text, example=example) if text else example
            for text in (comment, hero.remark.text)
        ]
        said = self._with_result(texts[0], frame, transfers)
        if len(self._numbered(frame, said)) <= LONGEST_CAPTION:
            return said
        texts += comment, hero.remark.text
        return next((text for text in texts if text and len(text) <= MOST_LETTERS), example)

    def senders(self, frame: Frame) -> tuple[int, ...]:
        """The nodes whose data meets in the cells of a step's example, where data is moved."""
        return frame.senders if self.labels.moves_data else ()

    def _with_result(self, text: str, frame: Frame, transfers: Sequence[Transfer]) -> str:
        """The text with what an addition achieves: whose data is then in the cells."""
        cells = {frame.cells.get((transfer.dst, transfer.into), Cell()) for transfer in transfers}
        held = {self.view.number(cell) for cell in cells}
        number = held.pop()
        if held or not (transfers[0].adds and self.labels.moves_data and number):
            return text
        if not self.view.shows_ranks:
            return self.say("sentences.with_complete", text=text)
        if number == self.ranks > 1:
            return self.say("sentences.with_all_data", text=text)
        return self.say("sentences.with_data", text=text, number=number) if number > 1 else text

    @cached_property
    def captions(self) -> tuple[str, ...]:
        """The line below the picture in each state."""
        goal, count = _lower(self.promise), len(self.frames)
        sentences = (self._numbered(frame, self.sentence(frame.number)) for frame in self.frames)
        if self.wrong:
            start = self.say("captions.start_of_wrong", goal=goal)
            return (*(start, *sentences)[:count], self.wrong.caption(count))
        if not self.frames:
            return (self.say("captions.nothing", ending=self.ending),)
        steps = self.say.steps(self.steps, count)
        if self.need:
            why = self.need.rstrip(".。")
            return (self.say("captions.start_why", why=why, steps=steps), *sentences)
        return (self.say("captions.start", goal=goal, steps=steps), *sentences)

    def _numbered(self, frame: Frame, text: str) -> str:
        local = all(transfer.is_local for transfer in frame.transfers)
        key = f"captions.step{'_of_wrong' if self.wrong else ''}{'_in_place' if local else ''}"
        return self.say(key, number=frame.number, total=len(self.frames), text=text)


def _lower(text: str) -> str:
    """A sentence as part of another."""
    return text[:1].lower() + text[1:]
