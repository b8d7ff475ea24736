"""What is said of what an algorithm takes: its latencies, bytes, rivals, and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from animations.score.pacing import words
from animations.story.counters import DIGITS
from animations.story.machine_words import nodes_of
from animations.story.storyboard import Storyboard
from animations.story.trade import Alternative, ComparedElsewhere, First, partners_of
from animations.whys.cost_bars import (
    ABOUT,
    BYTES,
    RIVAL,
    SAME,
    STARTS,
    TURN,
    VERDICT,
    Cost,
    figure,
)
from animations.whys.teller import Teller
from collectives.units import size_text, time_text

OBVIOUS, BRIEF, SHORTEST, SHORTER, USUAL, AT_LENGTH = range(-2, 4)  # what is said: see `price_of`
SIZED = {"wins_links", "beats_vectors", "wins_vectors", "beats", "wins"}  # also said with a size
Rows = Sequence[Alternative]
Item = tuple[int, str]  # the kind of a sentence, and the sentence


def is_shared(pair: Sequence[Cost]) -> bool:
    """Whether messages share a link in the slower of two, and less in the other."""
    first, then = sorted(pair, key=lambda cost: cost.seconds)
    return then.place == "link" and then.vectors > (1 + SAME) * first.vectors


def full_name(board: Storyboard, row: Alternative) -> str:
    """What a row is called, with how it runs, or in how many chunks beside a whole vector."""
    cut = row.pieces > 1 == board.labels.chunk_count and board.labels.moves_data
    how = row.how or (board.say.plural(row.pieces, "chunk") if cut else "")
    return board.say("cards.cut", name=row.name, chunks=how) if how else row.name


@dataclass(frozen=True)
class Account:
    """What is said of the algorithm, of each rival, and of where both are compared once more.

    row: the algorithm as it runs. length: see `price_of`. first: see `Trade`, if that is told.
    """

    board: Storyboard
    tell: Teller
    row: Alternative
    own: Cost
    length: int
    first: First | None = None

    def labels(self) -> tuple[str, ...]:
        """What the parts of its bar are, whose bytes are two where links are of two kinds."""
        own, say, speed = self.own, self.board.say, self.board.setup_times.speed
        facts = self._facts(own)
        starts = self._lengths(facts["starts"], own.starts)
        first = self._part(starts, own.latency, "α", own.latency / own.steps)
        if self._two_kinds:
            names = [say(f"why.price_{key}") for key in ("inside", "between")]
            return (first, *map(self._part, names, own.moved_by_links(own)))
        name = facts["vectors"] if own.source else say("why.price_bytes_label")
        sums = "_sum" * bool(own.source)
        name = say(f"why.price_filled{sums}", what=name, idle=facts["idle"]) if self._cut else name
        name = name if own.source or self._cut else self._lengths(name, own.bytes)
        return first, self._part(name, own.moved, "S/B", self.row.size / speed if speed else 0)

    def labels_beside(self, cost: Cost) -> tuple[str, ...]:
        """What the parts of another bar are; nothing of bytes that pass no link of a kind."""
        say, facts = self.board.say, self._facts(cost)
        (paid, _), noun = self._counted(cost, self.own)
        names = [facts["vectors"] if cost.source else say("why.price_bytes_label")]
        if cost.source and round(cost.idle, 2):
            names = [say("why.price_filled_sum", what=names[0], idle=_rough(cost.idle))]
        moved: tuple[float, ...] = (cost.moved,)
        if self._two_kinds:
            names = [say(f"why.price_{key}") for key in ("inside", "between")]
            moved = cost.moved_by_links(self.own)
        parts = zip((say.plural(paid, noun), *names), (cost.latency, *moved), strict=True)
        return tuple(self._part(name, seconds) if seconds else "" for name, seconds in parts)

    def _lengths(self, what: str, parts: Sequence[float]) -> str:
        """What parts are, and where these have two lengths how many have each."""
        counts = Counter(map(self._time, parts))
        sums = " + ".join(f"{number} × {length}" for length, number in counts.items())
        return f"{what}, {sums}" if len(counts) == 2 else what

    def items(
        self, rivals: Rows, costs: Sequence[Cost], others: Rows, there: tuple[Cost, ...]
    ) -> Iterator[Item]:
        """The sentences, each with its kind.

        others: the rivals without ways of the film. there: both where they are compared once more.
        """
        same = self._same(rivals[0], costs[0]) if len(rivals) == 1 else ""
        if same:
            yield from ((kind, same) for kind in (STARTS, BYTES, RIVAL))
            rivals = ()
        else:
            yield from self._of_its_own()
        bare = others[: bool(there) and not self.first and self.length == SHORTEST]
        few = self.first and there and self.length == SHORTEST  # where the others are left out
        for row, cost in zip(rivals[: 1 if few else None], costs, strict=False):
            yield RIVAL, self._beside(cost, row, row in bare)
        for row in others[:1]:
            if row.only and not there:
                yield VERDICT, row.only
            if there and row.there:
                text = self.first.sentence if self.first else ""
                yield TURN, text or self._turn(row.there, there, row in rivals[-1:])

    @property
    def _channels(self) -> int:
        """In how many channels it runs."""
        return self.board.counted.recording.setting.channels if self.board.counted else 1

    def _more_waves(self, row: Alternative) -> bool:
        """Whether it is a pipeline, and a rival one in more waves."""
        return 1 < len(self.spans) < len(row.spans.value)

    def _of_its_own(self) -> Iterator[Item]:
        """Its latencies, and its bytes; of a pipeline how many steps these are."""
        own, facts = self.own, self._facts(self.own)
        longer, short, long = own.long_starts.count(True), min(own.starts), max(own.starts)
        facts |= {"few": f"{own.steps - longer}", "many": f"{longer}", "short": self._time(short)}
        facts |= {"long": self._time(long), "where": self.first.place if self.first else ""}
        sums = (own.steps - longer) * short + longer * long
        two_kinds = longer > 1 and abs(sums - own.latency) <= SAME * own.latency
        plain = not self.board.setup_times.crowd if self.first else not self._cut
        kind = ("_mixed", "_apart")[two_kinds] * (longer > 0)
        spans = self.spans if not self.first else ()
        if spans and self.length == AT_LENGTH:
            yield STARTS, self.tell("price_cut_starts", **self._cuts())
            key = "_vectors" if own.source else "_nodes" * any(self.crossings)
            yield BYTES, self.tell(f"price_cut_bytes{key}", **facts)
            return
        if self.length == AT_LENGTH and own.moved and own.latency and plain:
            decide = bool(self.first and not kind and own.latency > own.moved)
            yield STARTS, self.tell(f"price_{'at_' * decide}starts{kind}", **facts)
            facts["inside"], facts["between"] = map(self._time, own.moved_by_links(own))
            at, kinds = "at_" * bool(self.first and not decide), ["_apart"] * self._two_kinds
            texts = [self.tell(f"price_{at}bytes{key}", **facts) for key in (*kinds, "")]
            yield BYTES, self._fitting(texts) if at else texts[0]
            return
        kind = "_short" * (self.length < USUAL)
        filled = f"all_filled{'_sum' * bool(own.source)}"
        key = (filled if self._cut else f"all{kind}") if own.moved else "starts"
        if not own.latency:
            key = "no_starts"
        elif self.board.setup_times.crowd and key == "all":
            key = "all_at_once"
        facts["crowd"] = _at_once(self.board)
        if self.first:
            short = self.length == SHORTEST
            key = "at_once_first" if self.board.setup_times.crowd else f"at{'_short' * short}"
            key = f"at_{filled}" if self._cut and own.source else key
        elif self._whole:
            key, facts["times"] = "whole", figure(own.vectors)
        text = self._fitting([*self._for_short(own), self.tell(f"price_{key}", **facts)])
        if spans:
            kind = "_shortest" if self.length == SHORTEST else kind
            text = self.tell(f"price_cut{kind}", **self._cuts(), **facts)
        yield from ((kind, text) for kind in (STARTS, *[BYTES] * (own.moved > 0)))

    def _for_short(self, own: Cost) -> list[str]:
        """That it is for short vectors, where it is beaten at the size that was asked for."""
        first, crowd = self.first, self.board.setup_times.crowd
        if not first or not first.back or first.sentence or crowd:
            return []
        asked, shorter = first.back.own, first.bars[0].size < first.back.own.size
        beaten = asked.seconds > (1 + ABOUT) * first.back.rival.seconds
        text = self.tell("price_for_short", where=_inside(first.place), **self._facts(own))
        return [text] * (shorter and beaten)

    def _cuts(self) -> dict[str, str | int]:
        """Its chunks, the steps of the first, and how many more the others take."""
        first, waves = 1 + self.spans[0][1], len(self.spans)
        together = self.board.say.plural(self.row.chunks // waves, "chunk")
        chunks = self.tell("price_waves", waves=waves, chunks=together)
        chunks = chunks if self.row.chunks > waves else self._cut
        return {"chunks": chunks, "first": first, "more": self.own.steps - first}

    def _beside(self, rival: Cost, row: Alternative, bare: bool) -> str:
        """How long a rival takes, and unless bare why that is more, or less."""
        own, slower = self.own, 1 if rival.seconds > self.own.seconds else -1
        if own.place != rival.place:  # counted alike
            rival = replace(rival, place="link" if own.place == "link" else "turn")
        (paid, here), noun = self._counted(rival, own)
        facts = {**self._facts(rival), "own": here, "less": figure(own.vectors), "plain": row.name}
        facts |= {"number": f"{row.chunks}", "starts": self.board.say.plural(paid, noun)}
        facts["waves"] = f"{len(row.spans.value)}"
        more = slower * (rival.vectors - own.vectors)
        known = "more" if slower > 0 or self.length < USUAL else "fewer"
        starts = slower * (rival.latency - own.latency) > slower * (rival.moved - own.moved)
        counted = more > SAME * own.vectors and not self._nodes
        both = ["both"] * (counted and noun == "hop" and slower * (paid - here) > 0)
        pipe = row.chunks and slower < 0 and not self._cut
        if pipe and self.board.labels.chunk_count == 1:
            keys = ["cut"]
        elif bare:
            keys = ["with"] if counted else []
        elif row.close or abs(rival.seconds - own.seconds) <= SAME * own.seconds:
            near = ["neighbors"] * self.only_neighbors(row)
            keys = [*near, *["close_bytes"] * (abs(more) <= SAME * own.vectors), "close"]
        elif starts:
            returns = ["back"] * rival.returns
            facts["half"] = f"{rival.steps // 2}"
            fewest = ["starts"] * (self.length == SHORTEST and self.first is not None)
            crosses = self._nodes and any(own.long_starts) > any(rival.long_starts)
            alone = slower > 0 and rival.moved < own.moved  # its bytes take less
            kind = [*["decide"] * alone, "far"] * crosses
            facts |= {"far": self._time(min(rival.starts)), "own_latency": self._time(own.latency)}
            evened = self._channels > 1 and row.bytes <= (1 + SAME) * self.row.bytes
            facts["channels"] = f"{self._channels}"
            waves = [*["evened"] * evened, "waves"] * self._more_waves(row)
            keys = [*fewest, *returns, *both, *kind, *waves, "steps", "starts"] * (
                slower * (paid - here) > 0
            )
        elif counted:  # of links of two kinds no port sets the time
            few = self.length < USUAL or row.chunks > 0
            keys = both + [known, f"{known}_short", "more_short"][few:]
        elif slower < 0 and self._crosses_always(self.own, rival):
            keys = ["links"]
        elif self._time(rival.moved) != rival.time:
            keys = ["pipe" if pipe else "bytes"]
        else:
            keys = []
        if slower < 0 and row.there and (border := self.board.trade.border.value):
            keys, facts["size"] = ["above", *keys], border
        names, groups = (rival.name, row.name), (keys, ["plain"])
        pairs = [(key, name) for group in groups for name in names for key in group]
        return self._fitting([self.tell(f"price_rival_{k}", name=n, **facts) for k, n in pairs])

    def _turn(self, there: ComparedElsewhere, pair: tuple[Cost, ...], named: bool) -> str:
        """Who is faster where both are compared once more, and why; named: the rival just was."""
        first, then = sorted(pair, key=lambda cost: cost.seconds)
        base = (1 + SAME) * min(*first.starts, *then.starts)
        crossed = [sum(start > base for start in cost.starts) for cost in (first, then)]
        starts = then.latency - first.latency > then.moved - first.moved
        facts = {**self._facts(first), "more": figure(then.vectors)}
        more = then.vectors / (first.vectors or 1)  # most of a factor, if its square is above that
        (winners, losers), noun = self._counted(first, then)
        facts |= {"few": self.board.say.plural(winners, noun), "many": f"{losers}"}
        if self._two_kinds:  # whose starts are of two kinds, too
            facts["few"] = self.tell("price_of_starts", **facts)
            facts["many"] = self._time(then.latency)
        back = self.first is not None and there is self.first.back
        if back and abs(first.seconds - then.seconds) < ABOUT * then.seconds:
            return self.tell("price_back_close", where=there.place)
        reason = "steps" if starts and losers > winners else ""
        nodes = nodes_of(there.own.times.value.machine, self.board.ranks)
        if not reason and starts and nodes and 0 < crossed[0] < crossed[1]:
            reason, (facts["few"], facts["many"]) = "cross", map(str, crossed)
        elif not reason and not starts and more**2 * first.moved > (1 + SAME) * then.moved:
            reason = "vectors"
        cut = there.own.chunks or there.rival.chunks  # its numbers are those of this size
        facts |= {"where": there.place if cut and reason and not back else there.where}
        facts |= {"name": there.winner, "loser": there.loser, "number": f"{there.rival.chunks}"}
        wins = there.own.seconds < there.rival.seconds
        nowhere_slower = self.board.trade.others[0].close and there.where == there.place
        verbs = [*["clear"] * (wins and nowhere_slower), *["it"] * (wins and named), "beats"]
        waits = reason == "vectors" and "turn" in (first.place, then.place)  # no port passes them
        reasons = (f"{verb}_{reason}" for verb in (*verbs, "wins") if reason and not waits)
        again = there.rival.chunks not in {0, self.board.trade.others[0].chunks}
        in_turn = waits or (reason == "vectors" and is_shared(pair))
        links = ["beats_links", "wins_links", "wins_few"] * in_turn
        always = bool(nodes) and self._crosses_always(then, first)
        links += ["both_links"] * (always and (back or not self.first))
        anew = ["it_cut"] * (named and wins and again and reason == "steps")
        keys = [*links, *anew, *reasons, *verbs, "wins"]
        if self.first and self.first.sooner:  # who is faster still
            keys = [key for key in keys if key.startswith("beats")]
        if self.first and there.own.size != self.row.size and not back:  # at another size, too
            fields = {"size": size_text(there.own.size), "place": _inside(there.place)}
            facts["where"] = self.tell("price_sized", **fields)
            keys = [f"sized_{key}" for key in keys if key in SIZED]
        known = self.length == USUAL and self.own.moved  # that a port sends several at once
        if self.board.trade.others[0].only and not known:
            facts["place"] = _inside(there.where)
            facts["number"] = _at_once(self.board)
            keys = ["at_once_wins", *keys]
        return self._fitting([self.tell(f"price_{key}", **facts) for key in keys])

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The steps of each wave of a pipeline, of several, where all take as many."""
        spans = self.row.spans.value if self._cut else ()
        alike = len({last - first for first, last in spans}) == 1
        return spans if alike and len(spans) > 1 else ()

    @property
    def ends(self) -> tuple[str, ...]:
        """The names of the first and the last of them, and of links of two kinds."""
        key = "stage.wave" if self.row.chunks > len(self.spans) else "labels.chunk"
        names = [self.board.say(key, number=k) for k in (0, len(self.spans) - 1)]
        links = ["cables_inside", "cables_network"] if any(self.crossings) else []
        return (*names, *map(self.tell, links))

    @property
    def _cut(self) -> str:
        """Into how many chunks, where that is not as it is drawn."""
        return self.row.how if self.board.trade.best else ""

    def _same(self, rival: Alternative, cost: Cost) -> str:
        """That a rival takes as many latencies, and as many bytes, if so; nothing else."""
        own, facts = self._facts(self.own), self._facts(cost)
        text = self.tell("price_same", name=rival.name, **own)
        alike = all(own[key] == facts[key] for key in ("starts", "vectors", "time"))
        return text if alike and self.own.moved and words(text) <= self.board.say.most_words else ""

    def both(self, rival: Alternative, cost: Cost) -> str:
        """Its time and that of a rival, at which size if that is another one."""
        place = self.first.place if self.first else ""
        fields = {"name": full_name(self.board, rival), "other": cost.time}
        key = f"price_{'at_' * bool(place)}brief"
        return self.tell(key, time=self.own.time, where=place, **fields)

    def only_neighbors(self, rival: Alternative) -> bool:
        """Whether ranks send to one other, where those of a rival that is as fast need several."""
        steps = [{(move.src, move.dst) for move in frame.transfers} for frame in self.board.frames]
        return rival.close and partners_of(steps) == 1 < rival.partners.value

    @property
    def _whole(self) -> bool:
        """Whether several whole vectors one after another are nearly all of its time."""
        own, waits = self.own, self.own.latency > ABOUT * self.own.moved
        several = own.vectors > 1 and figure(own.vectors).isdigit() and own.place != "link"
        return self.board.labels.uncut and several and not waits

    @property
    def _two_kinds(self) -> bool:
        """Whether some of its bytes pass between nodes, and none are under way inside meanwhile."""
        return self._nodes and not self._cut and any(self.own.long_starts)

    @property
    def crossings(self) -> tuple[bool, ...]:
        """Of each step of a wave whether it passes links between nodes, else those inside.

        Nothing where no two waves do both at once.
        """
        board, waves = self.board, self.spans[:2]
        nodes = nodes_of(board.setup_times.machine, board.ranks)
        if nodes is None or not waves[1:]:
            return ()
        frames, first = board.frames[: waves[0][1] + 1], board.frames[0].transfers
        chunks, later = {move.chunk for move in first}, waves[1][0] - waves[0][0]
        moves = [[m for m in frame.transfers if m.chunk in chunks] for frame in frames]
        kinds = [{_crosses(m.src, m.dst, board.ranks, nodes[1]) for m in step} for step in moves]
        at_once = any(kind != after for kind, after in zip(kinds, kinds[later:], strict=False))
        alone = at_once and all(len(kind) == 1 for kind in kinds)
        return tuple(True in kind for kind in kinds) if alone else ()

    def _crosses_always(self, own: Cost, rival: Cost) -> bool:
        """Whether a rival sends no less between nodes, but in every step, beside the rest."""
        no_less = own.moved_by_links(own)[1] <= rival.moved
        return self._two_kinds and no_less and rival.crosses_always(own)

    @property
    def _nodes(self) -> bool:
        """Whether its machine has nodes, between which links are of another kind."""
        return bool(nodes_of(self.board.setup_times.machine, self.board.ranks))

    def _counted(self, *costs: Cost) -> tuple[list[int], str]:
        """How often each pays a latency: its steps, or the hops where some step takes several."""
        steps, hops = [cost.steps for cost in costs], [cost.hops for cost in costs]
        return (steps, "start") if hops == steps else (hops, "hop")

    def _time(self, seconds: float) -> str:
        return self.tell.decimal(time_text(seconds, DIGITS))

    def _facts(self, cost: Cost) -> dict[str, str]:
        """The figures of a cost, as text."""
        say, number = self.board.say, float(figure(cost.vectors).replace(",", ""))
        taken = cost.moved * self.board.setup_times.speed / max(self.row.size, 1)
        (count,), noun = self._counted(cost)
        return {
            "idle": _rough(taken - number),
            "starts": say.plural(count, noun),
            "steps": say.plural(cost.steps, "step"),
            "latency": self._time(cost.latency),
            "alpha": self._time(cost.latency / cost.steps),
            "moved": self._time(cost.moved),
            "time": cost.time,
            "vectors": say.plural(int(number) if number.is_integer() else number, "vector"),
            "place": say(f"why.price_{cost.place}{'_one' * (number == 1)}"),
        }

    def _part(self, what: str, seconds: float, symbol: str = "", unit: float = 0.0) -> str:
        """A part of the bar, and what one of it takes, by the symbol of the formula."""
        key = f"why.price_part{'_each' * bool(self.own.source and unit)}"
        fields = {"what": what, "time": self._time(seconds), "symbol": symbol}
        return self.tell.decimal(self.board.say(key, each=self._time(unit), **fields))

    def _fitting(self, texts: list[str]) -> str:
        """The first of some sentences that is short enough, else the last."""
        limit = self.board.say.most_words
        return next((text for text in texts if words(text) <= limit), texts[-1])


def _crosses(src: int, dst: int, ranks: int, gpus: int) -> bool:
    """Whether a message goes from a rank of one node to one of another."""
    return max(src, dst) < ranks and src // gpus != dst // gpus


def _rough(number: float) -> str:
    """A number with two digits."""
    return f"{float(f'{abs(number):.2g}'):g}"


def _inside(place: str) -> str:
    """Where something holds, inside a sentence."""
    return f"{place[:1].lower()}{place[1:]}"


def _at_once(board: Storyboard) -> str:
    """How many others a rank sends to, or hears from, in a step, at most."""
    ends = [{(move.src, move.dst) for move in frame.transfers} for frame in board.frames]
    away = [[pair for pair in pairs if pair[0] != pair[1]] for pairs in ends]
    sides = (Counter(pair[side] for pair in pairs) for pairs in away for side in (0, 1))
    counts = [count for side in sides for node, count in side.items() if node < board.ranks]
    return f"{max(counts)}"
