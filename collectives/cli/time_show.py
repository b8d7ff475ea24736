"""What `collectives time` prints for people: the time, its parts, and what limits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any

from collectives.cli.console import say, say_paragraph, say_table
from collectives.cli.time_report import Report, Views, late_report, ranking_report, time_report
from collectives.collective import CUSTOM
from collectives.cost.choose.ranking import Ranking
from collectives.theory.written import alpha_beta_text, readable
from collectives.units import rate_text, size_text, time_text
from collectives.words import capital, listed, plural, steps_text

if TYPE_CHECKING:
    from collectives.cli.like import Advice
    from collectives.cost.libraries.nccl.tuner import Candidate

LEAD = 13  # columns of what stands before
OTHER_CLOCK = {"lockstep": "dataflow", "dataflow": "lockstep"}
MOST_LISTED = 8  # ranks and links that are listed one by one
ROUNDED = 1e-6  # of a lower bound: a time less below it equals it


def show(views: Views) -> None:
    """One time with all there is to say of it."""
    report = time_report(views)
    recording = views.timing.recording
    parts = [recording.title, plural(recording.ranks, "rank")]
    parts += [size_text(report["size"])] if recording.collective.moves_data else []
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    parts += [f"root {recording.root}"] if recording.collective.rooted else []
    parts += [plural(recording.chunks, "chunk")] if recording.chunks is not None else []
    say(" · ".join(parts), bold=True)
    for line in views.timing.topology.describe().splitlines():
        say(line)
    say()
    if views.advised is not None:
        _show_advice(views.advised)
    switched = recording.nodes > recording.ranks and recording.helpers == "switch"
    steps = steps_text(recording.counters.steps, recording.counters.walked)
    for lead, text in _lines(report, steps, switched):
        say_paragraph(text, lead or " ", LEAD)
    say()
    for text in (report["limit"], report["ports_note"]):
        if text:
            say_paragraph(f"{capital(text)}.")


def _lines(report: Report, steps: str, switched: bool) -> Iterator[tuple[str, str]]:
    """What is said of a time, and about what."""
    yield "time", _time(report)
    if report["without_trouble"] is not None:
        yield "", _faults(report)
    if report["stall"]:
        yield "stalls", report["stall"]
    if report["late"]:
        yield "late", _late_text(report["late"])
    if report["dead_links"]:
        yield "broken", _dead(report["dead_links"])
    if report["algbw"] is not None:
        yield "bandwidth", f"algbw {rate_text(report['algbw'])}, busbw {rate_text(report['busbw'])}"
    if report["seconds"] is not None:
        latency = _seconds(report["latency_seconds"])
        yield "latency", f"{latency} in {steps}"
        yield from _phases(report)
        yield "busiest link", _links(report["busiest_link"])
        yield "idle", _idle(report)
    if report["closed_form"] is not None:
        yield "closed form", _closed(report, switched)
    yield "lower bound", _bound_text(report)
    if report["best_chunks"] is not None and report["best_chunks"]["seconds"] is not None:
        yield "chunks", _chunks(report)


def show_ranking(ranking: Ranking, size: int, other: Ranking | None) -> None:
    """Every algorithm with its time by both clocks, the fastest first, and why that is."""
    report = ranking_report(ranking, size, other)
    first = ranking.best.timing
    what = [first.recording.collective.title, plural(report["ranks"], "rank"), size_text(size)]
    say(" · ".join(what if size else what[:2]), bold=True)
    for line in first.topology.describe().splitlines():
        say(line)
    delays = late_report(ranking.best)
    if delays:  # what it adds differs between algorithms
        say(f"  {_late_text(delays | {'adds': None})}")
    say()
    best = report["algorithms"][0]
    rows = [_ranked(one, best, report["clock"]) for one in report["algorithms"]]
    cells = [list(row.values()) for row in rows]
    say_table(cells, list(rows[0]), right=(1, 2, 3, 4, 5, 6, 8), spare=(2, 6, 8, 5))
    say()
    by_clock = [("not shown", report["clock"], report)]
    if other:
        also = report["other_clock"]
        by_clock.append((f"not shown by {also['name']}", also["name"], also))
    for _, clock, found in by_clock:
        say_paragraph(f"Best by {clock}: {found['reason']}.")
    say()
    for lead, _, found in by_clock:
        for one in found["left_out"]:
            why = one["reason"].partition("; nearest:")[0]
            why = why.removeprefix(f"{one['algorithm']} {what[0]} ")
            say_paragraph(f"{lead}: {one['algorithm']}: {why}", indent=10)


def _ranked(one: Report, best: Report, clock: str) -> dict[str, str]:
    """The cells of an algorithm by the heads of their columns."""
    link = one["busiest_link"]
    named = "".join(f" {name}={value}" for name, value in one["parameters"].items())
    compared = one["seconds"] and best["seconds"]

    def shown(key: str, text: Callable[[Any], str]) -> str:
        return "" if one[key] is None else text(one[key])

    return {
        "algorithm": one["algorithm"] + named,
        clock: _seconds(one["seconds"]),
        "of best": f"{one['seconds'] / best['seconds']:.3g}x" if compared else "",
        OTHER_CLOCK[clock]: shown("other_clock_seconds", _seconds),
        "busbw": shown("busbw", rate_text),
        "steps": str(one["steps"]),
        "latency": shown("latency_seconds", _seconds),
        "busiest link": f"{link['vectors']:.4g} S, {_share(link['share'])}" if link else "",
        "chunks": shown("chunks", str),
    }


def _show_advice(advised: Advice) -> None:
    """The library's choice, and what NCCL weighs up."""
    say_paragraph(f"{advised.choice}.")
    considered = [one for one in advised.candidates if not one.off]
    if considered:
        chosen = advised.choice.library_name
        rows = [_candidate(one, chosen) for one in sorted(considered, key=lambda one: one.time)]
        say_table(rows, ("", "candidate", "time", "latency", "algbw"), (2, 3, 4), indent=2)
        for why in _off(advised):
            say(f"  off: {why}")
    ours = f"The times below are our clock's, for {advised.choice.find().title}"
    estimate = ", without NCCL's protocols; they differ from NCCL's own estimate above"
    say_paragraph(f"{ours}{estimate if advised.candidates else ''}.")
    say()


def _candidate(one: Candidate, chosen: str) -> list[str]:
    times = time_text(one.seconds), time_text(one.latency * 1e-6)
    return ["→" if one.name == chosen else "", one.name, *times, rate_text(one.bandwidth * 1e9)]


def _off(advised: Advice) -> list[str]:
    """Why candidates are off: of an algorithm without any protocol once."""
    lines: list[str] = []
    for _, group in groupby(advised.candidates, lambda one: one.algorithm):
        reasons = [one.off for one in group]
        lines += reasons[-1:] if all(reasons) else filter(None, reasons)
    return list(dict.fromkeys(lines))


def _phases(report: Report) -> Iterator[tuple[str, str]]:
    """Each phase with its time, where there are several."""
    lead = "phases"
    for phase in report["phases"] if len(report["phases"]) > 1 else ():
        first, last = phase["first_step"], phase["last_step"]
        steps = f"step {first}" if first == last else f"steps {first}-{last}"
        span = f"{_seconds(phase['seconds'])}, {steps}"
        if phase["start"] and (report["clock"] == "dataflow" or lead):  # others follow
            span += f", from {_seconds(phase['start'])} on"
        yield lead, f"{phase['name']}: {span}"
        lead = ""


def _time(report: Report) -> str:
    text = f"{_seconds(report['seconds'])} by the {report['clock']} clock"
    other = report["other_clock"]
    return text if other is None else f"{text}, {_seconds(other['seconds'])} by {other['name']}"


def _faults(report: Report) -> str:
    clean, now = report["without_trouble"], report["seconds"]
    times = f", {now / clean:.3g} times that" if clean and now is not None else ""
    return f"{time_text(clean)} without the faults{times}"


def _closed(report: Report, switched: bool) -> str:
    closed = report["closed_form"]
    texts = [alpha_beta_text(str(closed["steps"]), f"{closed['vectors']:.4g} S")]
    if closed["formula"] is not None:
        texts.append(alpha_beta_text(*map(readable, closed["formula"])))
    simple = " = ".join(dict.fromkeys(texts))
    where = f"α = {time_text(closed['latency'])}, 1/β = {rate_text(closed['bandwidth'])}"
    ports = ", and a port of a switch for each" if switched else ""
    total = _seconds(closed["seconds"])
    return f"{total} = {simple} on a crossbar, {where} (as neighbors have){ports}"


def _bound_text(report: Report) -> str:
    bound = report["lower_bound"]
    if bound is None:
        if report["collective"] == CUSTOM.name:
            return "a custom collective promises nothing, so that it has none"
        return "no bound is known where switches or servers take part"
    steps = f"{plural(bound['steps'], 'step')} of {time_text(bound['latency'])}"
    moved = f", and {size_text(bound['bytes'])} at {rate_text(bound['bandwidth'])}"
    text = f"{_seconds(bound['seconds'])} (at least {steps}{moved if bound['bytes'] else ''})"
    if report["correct"] is False:
        return f"{text}; not compared: the algorithm is wrong"
    if report["seconds"] and bound["seconds"]:
        times = report["seconds"] / bound["seconds"]
        near = 1 - ROUNDED <= times < 1.01
        said = "this is within 1 % of it" if near else f"this takes {times:.3g} times that"
        return f"{text}; {said}"
    return text


def _chunks(report: Report) -> str:
    best, now = report["best_chunks"], report["seconds"]
    text = f"best {best['chunks']}: {_seconds(best['seconds'])}"
    if now and best["seconds"] and report["chunks"] != best["chunks"]:
        text += f", {now / best['seconds']:.3g} times faster than {report['chunks']}"
    closed = best["closed_form"]
    return text if closed is None else f"{text}; the closed form says {closed:.4g}"


def _seconds(value: float | None) -> str:
    return "never ends" if value is None or not isfinite(value) else time_text(value)


def _late_text(report: dict[str, Any]) -> str:
    """Who comes late, and what of the time that is."""
    every = [f"rank {rank} starts {time_text(by)} late" for rank, by in report["ranks"].items()]
    adds = report["adds"]
    effect = "" if adds is None else f"; that adds {time_text(adds) if adds else 'nothing'}"
    return listed(every, MOST_LISTED) + effect


def _dead(links: list[dict[str, Any]]) -> str:
    """What cannot arrive over dead links."""
    every = [f"{size_text(one['bytes'])} over {one['from']} → {one['to']}" for one in links]
    return f"cannot pass: {listed(every, MOST_LISTED)}"


def _links(link: dict[str, Any] | None) -> str:
    """The busiest link, what it carries and how long that takes it."""
    if link is None:
        return "none: no link carries any bytes"
    alike = link["links_alike"] - 1
    more = f" (as {plural(alike, 'other')})" if alike else ""
    if alike and alike == link["links"] - 1:
        others = "other carries" if alike == 1 else f"other {alike} carry"
        more = f" (the {others} the same)"
    amount = f"{size_text(link['bytes'])} = {link['vectors']:.4g} S"
    busy = f"busy {_share(link['share'])} of the time"
    way = "→" if link["shared_by"] == 1 else "↔"
    return f"{link['from']} {way} {link['to']}{more}: {amount}, {busy}"


def _idle(report: dict[str, Any]) -> str:
    """Which rank waits most, and how long all do."""
    idle, total = report["idle"], report["seconds"]
    if idle["most"] <= 1e-9 * total:
        return "no rank is"
    share = f"{_share(idle['most'] / total)} of the time"
    text = f"at most {time_text(idle['most'])}, {share} (rank {idle['rank']}); "
    text += f"mean {time_text(idle['mean'])}, {_share(idle['mean'] / total)}"
    return f"{text}; a late rank counts from its start" if report["late"] else text


def _share(share: float) -> str:
    """A part of a whole, in percent."""
    return f"{100 * share:.3g} %"
