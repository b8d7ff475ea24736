"""The story of an algorithm: sentences in order, each with what is shown while it is spoken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from animations.drawing.nearby import SMALL, is_cut, near
from animations.score import run_sentences as of_run
from animations.score import sentences as say
from animations.score import state_sentences as of_state
from animations.score import step_sentences as of_step
from animations.score.pacing import spoken_seconds
from animations.score.repeats import LAPSED, QUICKLY, SHOWN, Run, runs
from animations.score.score import Keyframe, Nodes, Play, Shot
from animations.story.storyboard import Frame, Storyboard
from animations.story.untold import naming

FIRST, SECOND = (2.4, 0.7), (1.5, 0.5)  # seconds that a step travels, and glows where it landed
LAST = 3.6, 2.2  # the same of the last of steps that are alike
COPIES = 1.2, 0.3  # the same of a step in which nothing is sent
QUIET = 0.6  # seconds of a step in which each rank only keeps its own block
HALF_WAY, IN_TURN = 0.5, 0.33  # of a flight, at the last sentence of its step; of many at one rank
NEARER, BACK = 1.5, 1.4  # times nearer, at least, that a camera goes; seconds of its way back
MANY_MEET = 4  # messages, of which one takes its turn after the other
PAUSE = 0.6  # seconds at the end of a phase, after its sentence
SILENCE, WAIT = 2.0, 0.8  # seconds before a mistake is named, and of an arrow of a deadlock
STEP, LAPSE = 1.0, 11.0  # seconds of a step of a time-lapse, and of all of it, at most
ALONG, HELD = 0.7, 1.2  # seconds of a step with which a camera goes along; of its last picture
QUICK = 0.12  # seconds of a step below which a time-lapse leaves out others
LEGIBLE = 0.5  # seconds of such a step, from which on a name at what is followed can be read
FLIGHT, SEEN = 0.85, 0.6  # of a step of a time-lapse, in which data travels; before a camera does
NEEDED, TIMES, SECONDS, STATES, IDEA, LIMITS = range(6)  # what may be left out: the last first


@dataclass(frozen=True)
class Look:
    """A moment that is shown for some seconds; slack: its part of what a sentence takes longer."""

    moment: Keyframe | int | tuple[float, float] | None
    seconds: float = 0.0
    slack: float = 0.0
    travels: bool = False
    section: str = ""


@dataclass(frozen=True)
class Beat:
    """A sentence, and what is shown while it is spoken.

    optional: see NEEDED. spoken: false where the sentence is that of the beat before. less: what
    is said instead where its sentence is left out, as that of another step does not hold.
    """

    said: str
    looks: tuple[Look, ...]
    optional: int = NEEDED
    chapter: str = ""
    spoken: bool = True
    less: str = ""

    def shots(self, tempo: float = 1.0) -> Iterator[Shot]:
        """The shots, at a tempo at which what is shown takes so much longer, or less."""
        shown = tempo * sum(look.seconds for look in self.looks)
        missing = max(0.0, self._shortest - shown)
        slack = sum(look.slack for look in self.looks) or 1.0
        for number, look in enumerate(self.looks):
            lasts = tempo * look.seconds + missing * look.slack / slack
            chapter = "" if number else self.chapter
            yield Shot(look.moment, lasts, self.said, look.section, chapter, look.travels)

    def lasts(self, tempo: float = 1.0) -> float:
        """Seconds at a tempo."""
        return max(self._shortest, tempo * sum(look.seconds for look in self.looks))

    @property
    def _shortest(self) -> float:
        """Seconds that its sentence takes."""
        return spoken_seconds(self.said) if self.spoken else 0.0


@dataclass
class Narrated:
    """What was said of the steps so far: comments, how often data was named, of which chunk."""

    comments: set[str] = field(default_factory=set)
    named: int = 0
    chunk: int | None = None

    def example(self, board: Storyboard, index: int, follows: bool) -> str:
        """What is said of the followed data in a step; of what is wrong always by name."""
        if board.untold:
            onward = index and not board.untold.step and of_step.goes_on(board, index)
            return onward or of_step.transfer(board, board.frames[index], "then" * follows)
        before, self.chunk = self.chunk, board.frames[index].example.chunk
        text, names = of_step.example(board, index, self.named, before)
        self.named += names
        fresh = text if names or text not in self.comments else ""
        self.comments.add(text)
        return fresh


def story(board: Storyboard, first: int = 0, end: int | None = None, whole: int = 0) -> list[Beat]:
    """The beats between the cards, for the steps from `first` to before `end`, counted from 0.

    whole: up to how many steps that repeat are shown one by one, without a time-lapse.
    """
    last = len(board.frames) if end is None else end
    beats = list(_begin(board, first))
    narrated = Narrated()
    for number, phase in enumerate(board.phases):
        if phase.end <= first or phase.first >= last:
            continue
        inside = max(phase.first, first), min(phase.end, last)
        until = last if whole else _newest(board, last) if overlaps(board) else _silent(board, last)
        parts = runs(board, inside[0], min(inside[1], until), whole)
        steps = [beat for run in parts for beat in _run(board, run, narrated)]
        if until < inside[1]:
            rest = range(max(until, inside[0]), last - 1)
            follow = "behind" if overlaps(board) else "remaining"
            steps.append(lapse(board, rest, of_step.rest(board, follow, len(rest))))
            steps += _step(board, Run(last - 1, last, (), False), last - 1, narrated)
        if not steps[0].said and len(steps) > 1:  # which is seen before the next sentence
            quiet, then, *others = steps
            steps = [replace(then, looks=(*quiet.looks, *then.looks)), *others]
        beats += _with_intro(board, number, inside, steps)
        if until < inside[1]:
            break
        if inside[1] == phase.end:
            moment = Keyframe(phase.end, play=Play.WAVE)
            beats += still_beats(phase_end(board, number), moment, PAUSE, f"{phase.name} end")
    beats = list(_continued(beats))
    if board.untold and last == len(board.frames):
        return beats + list(_mistake(board, beats[-1].said))
    return [beat for beat in beats + list(_finish(board, last)) if beat.looks]


def _newest(board: Storyboard, last: int) -> int:
    """The step, counted from 0, from which on comments say nothing new, and no link is new.

    `last` where that is soon before it.
    """
    heard, used, new = set[str](), set[tuple[int, int]](), 0
    for step, frame in enumerate(board.frames[:last]):
        fresh = of_state.remarks(frame.comment, heard)
        links = {(m.src, m.dst) for m in frame.transfers}
        new = step + 1 if fresh or links - used else new
        heard.update(fresh)
        used |= links
    return new if last - new > SHOWN else last


def _silent(board: Storyboard, last: int) -> int:
    """From which step on, counted from 0, nothing can be said of the steps of somebody's file.

    `last` where there are comments or lines, or few steps.
    """
    lines = [m.source for frame in board.frames for m in frame.transfers]
    wordy = board.untold or any(line and not line.listing for line in lines)
    wordy = wordy or any(frame.comment for frame in board.frames)
    return last if wordy or last < SHOWN + LAPSED else SHOWN


def _continued(beats: Iterable[Beat]) -> Iterator[Beat]:
    """Beats of which those that say nothing stand below the sentence before."""
    said = ""
    for beat in beats:
        said = beat.said or said
        yield replace(beat, said=said)


def phase_end(board: Storyboard, number: int) -> tuple[str, ...]:
    """What is said at the end of a phase."""
    return () if overlaps(board) else tuple(filter(None, [say.phase_end(board, number)]))


def still_beats(
    texts: tuple[str, ...],
    moment: Keyframe,
    pause: float = 0.0,
    section: str = "",
    optional: int = NEEDED,
    chapter: str = "",
) -> list[Beat]:
    """Sentences over a moment, still or with what it plays; the first begins a section."""
    travels = moment.play is not Play.NOTHING
    begins = [(section, chapter), *[("", "")] * len(texts)]
    return [
        Beat(text, (Look(moment, pause, 1.0, travels, name),), optional, opens)
        for text, (name, opens) in zip(texts, begins, strict=False)
    ]


def _begin(board: Storyboard, first: int) -> Iterator[Beat]:
    """The problem and the idea; in the middle of a film, what holds there."""
    start = board.say("chapters.start")
    if first:
        done = (of_state.steps_done(board, first),)
        yield from still_beats(done, Keyframe(first), PAUSE, "start", chapter=start)
        if sentence := of_state.state(board, first):
            yield from still_beats((sentence,), Keyframe(first, play=Play.WAVE))
        return
    filled = Keyframe(0, play=Play.WAVE)
    yield from still_beats((say.problem(board),), filled, PAUSE, "start", chapter=start)
    if board.untold:
        promise = board.say("score.promise", promise=board.promise[:1].lower() + board.promise[1:])
        yield from still_beats(of_state.fitting(board, promise), filled, optional=IDEA)
    elif board.frames and not any(why.idea for why in board.whys):
        idea = of_state.fitting(board, board.textbook.idea)
        parts = [(phase.first, phase.end) for phase in board.phases]
        if len(parts) != len(idea):  # not a sentence for each phase
            parts = [(0, len(board.frames))] * len(idea)
        for text, part in zip(idea, parts, strict=True):
            yield from still_beats((text,), Keyframe(0, play=Play.AHEAD, ahead=part), optional=IDEA)


def overlaps(board: Storyboard) -> bool:
    """Whether parts run at once, so that a phase is only where one of them begins or ends."""
    return any(" + " in phase.name for phase in board.phases)


def _with_intro(
    board: Storyboard, number: int, inside: tuple[int, int], steps: list[Beat]
) -> list[Beat]:
    """The beats of a phase; where there are several, its name comes first, with a way ahead."""
    phase, alone = board.phases[number], len(board.phases) < 2
    key = f"chapters.{'run' if alone else 'phase'}"
    chapter = board.say(key, number=number + 1, name=phase.name)
    if alone or overlaps(board):
        return [replace(steps[0], chapter=chapter), *steps[1:]]
    ahead = Keyframe(inside[0], named=True, play=Play.AHEAD, ahead=inside)
    intro = Look(ahead, PAUSE, 1.0, True, phase.name)
    return [Beat(say.phase_name(board, number), (intro,), TIMES, chapter), *steps]


def _run(board: Storyboard, run: Run, narrated: Narrated) -> Iterator[Beat]:
    """The first step of a run slowly, the others as a time-lapse, or alike where they are few.

    The last of repeats, with which something is finished, is slow again; where all groups do the
    same, the time-lapse ends with it, and says what the followed data is then.
    """
    quick = range(run.lapse, run.end - 1)
    long = run.end - run.first > max(SHOWN, run.whole)
    if long and run.regular and of_state.group_of(board, run.first, run.end):
        quick = range(run.first + 1, run.end)
    if len(quick) < QUICKLY:
        quick = range(run.end, run.end)
    views = _along(board, quick)
    for index in range(run.first, run.end):
        if index in board.quiet:
            stays = Look(Keyframe(index + 1, play=Play.LANDED), QUIET, travels=True)
            yield Beat("", (stays,), spoken=False)
        elif index not in quick:
            ahead = views[0] if views and index + 1 == quick.start else ()
            yield from _step(board, run, index, narrated, ahead)
        elif index == quick.start:
            yield lapse(board, quick, of_run.repetition(board, run, quick), True, views)


def _step(
    board: Storyboard, run: Run, index: int, narrated: Narrated, ahead: Nodes = ()
) -> Iterator[Beat]:
    """A step: what happens in it where that is new, the followed data, and what then holds.

    ahead: what a camera looks at then.
    """
    frame, number, place = board.frames[index], index + 1, index - run.first
    new = _news(board, index, narrated)
    texts, enough = _opening(board, run, index, new)
    copies = all(transfer.is_local and not transfer.adds for transfer in frame.transfers)
    caption, follows = texts[-1] if copies and texts else "", bool(place and not run.scale)
    text = caption or ("" if enough else narrated.example(board, index, follows))
    if texts and not text:
        text = caption = texts[-1]
    ends = number == run.end and not (board.untold and not board.untold.step)
    pace = COPIES if copies else LAST if ends else SECOND if place else FIRST
    before, looks = _moves(board, index, texts[:-1] if caption else texts, pace, ahead)
    yield from before
    again = SECONDS if place and not new else NEEDED
    if not (text or enough):  # as what was said last holds no more when the data lands
        text = of_step.again(board, frame, narrated.named)
    lapsed = number == run.end and len(range(run.lapse, index)) >= QUICKLY  # which says as much
    yield Beat(text, looks, again, spoken=bool(text), less=board.say("score.same") * (not lapsed))
    yield from _holds(board, run, index, narrated, ahead)


def _news(board: Storyboard, index: int, narrated: Narrated) -> Sequence[str]:
    """Remarks on a step that were not made before, without what its example says anyway."""
    frame = board.frames[index]
    plain = len(frame.transfers) == 1 and of_state.own_key(board, "moves")
    new = () if board.untold or plain else of_state.remarks(frame.comment, narrated.comments)
    narrated.comments.update(new)
    example = frame.parcels[frame.hero].remark.text
    if new and example:  # which is said last, as its example follows
        new = [*(part for part in new if part != example), example]
    if of_step.both_ways(board, index) or of_step.is_alone(board, frame):  # which says as much
        new = [part for part in new if part != example]
    if of_step.added(board, frame):  # whose example says as much
        new = [part for part in new if part not in {p.remark.text for p in frame.parcels if p.adds}]
    return new


def _opening(
    board: Storyboard, run: Run, index: int, new: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """What is said first of a step, and whether that is enough, without an example."""
    frame, place = board.frames[index], index - run.first
    named, enough = "" if overlaps(board) else of_step.of_group(board, index), False
    texts = tuple(
        text for part in new for text in of_state.fitting(board, part.removeprefix(named))
    )
    if place and run.scale:
        text, enough = of_run.scaled(board, run, place)
        back = frame.phase and not enough and not any(m.adds for m in frame.transfers)
        texts += () if back else (text,)  # as on the way there; its example is said
    elif run.scale:
        texts = tuple(filter(None, (of_run.started(board, run), *texts)))
    elif (swing := of_run.swung(board, run, place)) is not None:
        texts, enough = tuple(filter(None, [swing])), place > 0 or frame.phase > 0
    return texts, enough and of_step.data_of(board, frame) < board.ranks


def _moves(
    board: Storyboard, index: int, texts: Sequence[str], pace: tuple[float, float], ahead: Nodes
) -> tuple[list[Beat], tuple[Look, Look]]:
    """What is said of a step before its example, as data goes half of its way, and the other half.

    pace: seconds that data travels, and glows. ahead: what a camera looks at then.
    """
    frame, number, nodes = board.frames[index], index + 1, looked_at(board, index)
    phase = board.phases[frame.phase]
    section = f"{phase.name} {number - phase.first}"
    half = IN_TURN if _meeting(frame) >= MANY_MEET else HALF_WAY
    way = Keyframe(number, part=(0.0, half), landed=False, named=True)
    before = list(_setting_off(texts, way, section, nodes))
    camera = (nodes if before else (), nodes)
    way = replace(way, part=(half if before else 0.0, 1.0), camera=camera)
    (travel, rest), landed = pace, Keyframe(number, play=Play.LANDED)
    if nodes or ahead:
        rest, landed = BACK, replace(landed, camera=(nodes, ahead), zooms=1.0)
    off = Look(way, travel, 1.0, True, section * (not before))
    return before, (off, Look(landed, rest, 0.15, travels=True))


def _holds(
    board: Storyboard, run: Run, index: int, narrated: Narrated, ahead: Nodes
) -> Iterator[Beat]:
    """What holds after a step, where that is new."""
    frame, number, first = board.frames[index], index + 1, index == run.first
    wave = Keyframe(number, play=Play.WAVE, camera=(ahead, ahead))
    stays = of_step.hopped(board, index, landed=True)
    goes = of_step.destined(board, index) if first else ""
    end = board.phases[frame.phase].end
    on = replace(wave, named=True, play=Play.AHEAD, ahead=(number, end))
    pulse = replace(wave, named=True)
    for text, moment in ((stays, pulse), (goes, on), (of_step.added(board, frame), wave)):
        if text and text not in narrated.comments:
            narrated.comments.add(text)
            yield from still_beats((text,), moment, optional=STATES)
    moves = board.labels.moves_data
    goes_on = number < (end if moves else len(board.frames))
    if run.lapse == run.end and goes_on and (first or run.scale or not moves):
        state = of_state.state(board, number, spread=False)
        counted = of_step.had_by(board, frame, "")
        if state and not counted and state != of_state.state(board, number - 1, spread=False):
            yield from still_beats((state,), wave, optional=STATES)


def _meeting(frame: Frame) -> int:
    """How many messages come to where the followed one goes, or leave from where it leaves."""
    hero = frame.transfers[frame.followed]
    here = [m for m in frame.transfers if not m.is_local]
    return max(sum(m.dst == hero.dst for m in here), sum(m.src == hero.src for m in here))


def looked_at(board: Storyboard, index: int) -> Nodes:
    """The nodes at which a camera looks during a step: those of the first addition.

    Of small chunks, of the first in each phase. None where each node has a switch, through which
    all of its ranks send at once, and where all swing: all of them are seen.
    """
    frame = board.frames[index]
    if board.nodes > board.ranks and board.scenery.grounds:
        return ()
    pair = followed(board, index)
    small, start = bool(pair) and is_small(board, index), board.phases[frame.phase].first
    earlier = board.frames[start * small : index]
    first = not (of_run.swing(board, index) or any(m.adds for at in earlier for m in at.transfers))
    adds = any(frame.transfers[i].adds for i in frame.parcels[frame.hero].transfers)
    return pair if adds and first else ()


def is_small(board: Storyboard, index: int) -> bool:
    """Whether the chunk that is followed in a step is hard to follow from afar."""
    frame = board.frames[index]
    hero = frame.transfers[frame.parcels[frame.hero].transfers[0]]
    return board.scenery.cell(hero.dst, hero.into).width < SMALL


def followed(board: Storyboard, index: int) -> Nodes:
    """The nodes between which the followed chunk goes in a step, if a camera can look at them.

    None where they fill most of the stage, where several small ones meet, or where a card would be
    cut.
    """
    frame, scenery, stage = board.frames[index], board.scenery, board.sheet.stage
    hero = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    ends = {(transfer.src, transfer.dst) for transfer in hero}
    aside = scenery.table or scenery.lens or scenery.stream_ways  # data passes far from its cards
    whole = aside or not board.labels.moves_data or board.sheet.cues or board.untold
    if len(ends) != 1 or whole:
        return ()
    nodes: Nodes = ends.pop()
    small, meet = is_small(board, index), sum(m.dst == nodes[1] for m in frame.transfers)
    if small and meet > len(hero):  # from all around
        return ()
    seen = near(scenery, stage, nodes)
    cut = NEARER * seen.width > stage.width or (not small and is_cut(scenery, seen))
    return () if cut else nodes


def _setting_off(
    texts: Sequence[str], under_way: Keyframe, section: str, nodes: Nodes
) -> Iterator[Beat]:
    """What is said of a step before its example: meanwhile its data goes half of its way.

    nodes: those to which a camera goes.
    """
    for place, text in enumerate(texts):
        half = under_way.part[1] / len(texts)
        part = half * place, half * (place + 1)
        moment = replace(under_way, part=part, camera=(nodes if place else (), nodes))
        yield Beat(text, (Look(moment, 0.0, 1.0, True, section * (not place)),))


def lapse(
    board: Storyboard, steps: range, text: str, named: bool = False, views: Sequence[Nodes] = ()
) -> Beat:
    """Steps, counted from 0, as a time-lapse with one sentence; the last of all is slower.

    named: see `Keyframe`; not where steps are too quick to read it. views: what a camera looks at
    in each; it goes on where data has landed.
    """
    count = len(steps)
    pace = max(min(STEP, LAPSE / count), min(1.6, spoken_seconds(text) / count))
    stride = ceil(QUICK / pace)
    pace, looks = pace * stride, list[Look]()
    for place, index in enumerate(steps):
        if (steps[-1] - index) % stride:
            continue
        phase = board.phases[board.frames[index].phase]
        section = f"{phase.name} {index + 1 - phase.first}"
        slower, flight = 1 + (index + 1 == len(board.frames)), FLIGHT
        landed = Keyframe(index + 1, line=text)
        under_way, rests = replace(landed, landed=False), (1 - FLIGHT) * pace
        under_way = replace(under_way, named=named and pace >= LEGIBLE)
        if views:
            nodes, *then = *views[place : place + 2], ()
            under_way = replace(under_way, camera=(nodes, nodes))
            stays = replace(landed, camera=(nodes, nodes), play=Play.LANDED)
            landed = replace(landed, camera=(nodes, then[0]), zooms=1.0)
            flight, rests = SEEN, (1 - SEEN) * pace if then[0] else BACK
        looks += [
            Look(under_way, slower * flight * pace, slower * flight, travels=True, section=section),
            *([Look(stays, HELD, 1.0, travels=True)] if views and index == steps[-1] else []),
            Look(landed, rests, 1 - flight, travels=bool(views)),
        ]
    return Beat(text, tuple(looks))


def _along(board: Storyboard, steps: range) -> list[Nodes]:
    """By step the nodes at which a camera looks that goes along with a small chunk; else none."""
    if len(steps) * ALONG > LAPSE or not all(is_small(board, index) for index in steps):
        return []
    views = [followed(board, index) for index in steps]
    return views if all(views) else []


def _finish(board: Storyboard, last: int) -> Iterator[Beat]:
    """The result; of some of the steps what holds then."""
    whole, chapter = last == len(board.frames), board.say("chapters.result")
    texts = (
        say.result(board)
        if whole
        else (of_state.state(board, last) or of_state.steps_done(board, last),)
    )
    end = Keyframe(last, play=Play.WAVE if whole else Play.NOTHING)
    yield from still_beats(texts, end, (1 + whole) * PAUSE, "result", chapter=chapter)


def _mistake(board: Storyboard, sentence: str) -> Iterator[Beat]:
    """Of a wrong schedule: everything stands still, then the mistake is named.

    sentence: the one before, which is not spoken again.
    """
    last = len(board.frames)
    yield Beat(sentence, (Look(Keyframe(last), SILENCE),), spoken=False)
    for text, counts in naming(board):
        for part in of_state.fitting(board, text) or (text,):
            stills = [Keyframe(last, line=part, revealed=revealed) for revealed in counts]
            yield Beat(part, tuple(Look(still, WAIT, 1.0) for still in stills))


def marked(board: Storyboard) -> Iterator[Beat]:
    """Of a wrong schedule whose mistake is named: which message it lacks, or that it is wrong.

    Dots run along all ways to where data comes from that is lacking.
    """
    assert board.wrong
    moment, texts = Keyframe(len(board.frames)), of_state.fitting(board, board.wrong.band)
    if mend := board.wrong.mend:
        moment = replace(moment, play=Play.AHEAD, ahead=(0, moment.step))
        texts = tuple(of_state.lacking(board, mend))
    chapter = board.say("chapters.result")
    yield from still_beats(texts, moment, 2 * PAUSE, "result", chapter=chapter)


def mended(board: Storyboard) -> Iterator[Beat]:
    """The step that a schedule lacks which does too little, what then holds, and the rule."""
    assert board.wrong
    comes = Keyframe(len(board.frames) + 1, landed=False, named=True)
    holds = replace(comes, landed=True, named=False, play=Play.WAVE)
    looks = Look(comes, FIRST[0], 1.0, True, "mended"), Look(holds, *LAST, travels=True)
    yield Beat(board.say("wrong.one_more"), looks)
    if hops := max(board.wrong.hops.values(), default=0):
        fields = {"hops": board.say.plural(hops, "hop"), "steps": board.say.plural(hops, "step")}
        yield Beat(board.say("wrong.rule", **fields), looks[1:], LIMITS)
