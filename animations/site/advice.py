"""At work: symptoms with their causes, NCCL's variables with their effect, choosing a fabric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from math import isinf
from pathlib import Path

from animations.site.layout import link, listed_links, settings, table, write_sheet
from animations.site.report_markup import plain_markup, report_markup
from animations.site.site_times import RANKS, library_spans
from collectives.collective import COLLECTIVES
from collectives.comparison.slow_causes import TABLE, modeled_causes
from collectives.cost.busbw import factor
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.nccl.nccl_names import nccl_names
from collectives.cost.libraries.nccl.tables import ALGORITHMS, PROTOCOLS
from collectives.cost.machine_list import LibraryList, LinkList
from collectives.errors import BadInput
from collectives.evidence.measured_model import CARDS, LAUNCH
from collectives.formats.nccl_log.next_steps import NEXT
from collectives.hangs.finding import ADVICE
from collectives.units import rate_text, size_text, time_text

GPU, PER_NODE, RATE = "H100", 8, CARDS["NDR"]
COLLECTIVE = "all_reduce"
SIZES = (64 << 10, 16 << 20, 1 << 30)
SWITCHED = re.compile(r"unset (.*)")
VARIABLE = re.compile(r"NCCL_\w+(?:=\w+)?")
SCRIPT = '<script src="../site_tables.js"></script>'
READING = 9, 16, 28  # questions about what tools print


def write_advice(folder: Path, asked: Mapping[int, str]) -> list[tuple[str, str]]:
    """Write the pages; their addresses from the folder `work`, and their titles.

    asked: the questions that have pages, by number.
    """
    pages = (
        ("symptoms.html", "Symptom, cause, next step", _symptoms(asked)),
        ("variables.html", "NCCL's environment variables", _variables()),
        ("choosing.html", "Choosing a library and a fabric", _choosing()),
    )
    for file, title, body in pages:
        write_sheet(folder, f"work/{file}", title, f"<h1>{escape(title)}</h1>{body}", wide=True)
    return [(file, title) for file, title, _ in pages]


def machines() -> list[tuple[str, Machine]]:
    """A node and two nodes of GPUs, as the tuner is asked about them."""
    return [
        (f"{nodes} x {PER_NODE} {GPU}", hgx(GPU, nodes, PER_NODE, PER_NODE, RATE))
        for nodes in (1, 2)
    ]


def variables_of(cause: str) -> str:
    """The variables that make a cause: those that its next step unsets, or that it is named by.

    >>> variables_of("half of the channels")
    'NCCL_MAX_NCHANNELS, NCCL_MAX_CTAS'
    >>> variables_of("Tree is forced (NCCL_ALGO=Tree)")
    'NCCL_ALGO=Tree'
    """
    unset = SWITCHED.search(TABLE.get(cause, ""))
    return ", ".join(VARIABLE.findall(cause) or VARIABLE.findall(unset[1] if unset else ""))


def _symptoms(asked: Mapping[int, str]) -> str:
    """Slow measurements with their causes, then what logs and hangs are told to do about."""
    body = "<h2>A measurement is too slow</h2>"
    body += _paragraph(settings()["advice"]["causes"])
    body += "<pre><code>collectives diagnose FILE.txt --topology hgx-h100</code></pre>"
    for name, machine in machines():
        body += f"<h3>{name}</h3>" + table(_cause_head(), _cause_rows(machine))
    steps = [(plain_markup(name), f"<code>{escape(step)}</code>") for name, step in TABLE.items()]
    body += "<h3>What to run for each cause</h3>" + table(("cause", "run"), steps)
    logs = [(escape(begin), f"<code>{escape(step)}</code>") for begin, step in NEXT.items()]
    body += "<h2>NCCL's log says something</h2>" + _paragraph(settings()["advice"]["log"])
    body += table(("finding", "run or look at"), logs)
    body += "<h2>Ranks hang, or call different things</h2>" + _paragraph(
        settings()["advice"]["hangs"]
    )
    hangs = [(escape(kind), escape(advice)) for kind, advice in ADVICE.items()]
    body += table(("what differs", "what to do"), hangs)
    links = [(f"question-{number}.html", asked[number]) for number in READING if number in asked]
    body += "<h2>Reading what tools print</h2>" + listed_links(links)
    return body + SCRIPT


def _cause_head() -> Sequence[str]:
    return (
        "cause",
        "variable",
        *map(size_text, SIZES),
        f"busbw, {size_text(SIZES[-1])}",
        "slower, at most",
    )


def _cause_rows(machine: Machine) -> Iterator[Sequence[str]]:
    """Each cause with its times, one where nothing is wrong first; of sockets the fastest."""
    causes = dict(modeled_causes(machine, COLLECTIVE, PER_NODE, RATE))
    usual = [causes[""](size) for size in SIZES]
    for cause, times in causes.items():
        seconds = [times(size) for size in SIZES]
        if any(map(isinf, seconds)) or (cause and seconds == usual):
            continue
        busbw = factor(COLLECTIVE, machine.ranks) * SIZES[-1] / seconds[-1]
        cells = [plain_markup(cause or "nothing is wrong"), variables_of(cause)]
        cells += [*map(_time, seconds), _unbroken(rate_text(busbw, 3))]
        yield [*cells, _slower(seconds, usual)]


def _variables() -> str:
    """What forcing algorithms, protocols and others makes of the time; then all variables."""
    body = _paragraph(settings()["advice"]["modeled"])
    for name, machine in machines():
        head = ("variable", "what it does", *map(size_text, SIZES), "slower, at most")
        rows = [*_forced_rows(machine), *_switched_rows(machine)]
        body += f"<h2>Modeled: {name}</h2>" + table(head, rows)
    variables = [entry for entry in nccl_names().names if entry.kind == "variable"]
    rows = [
        [
            f"<code>{entry.name}</code>",
            *map(escape, (entry.what, entry.area, entry.default, entry.effect)),
        ]
        for entry in variables
    ]
    head = ("variable", "what it sets", "about", "default", "effect on the modeled time")
    body += f"<h2>All {len(variables)}</h2>" + _searched(rows, head, "variables")
    return body + f"<p>{link('../docs/nccl.html', 'All names of NCCL')}</p>" + SCRIPT


def _forced_rows(machine: Machine) -> Iterator[Sequence[str]]:
    """NCCL_ALGO and NCCL_PROTO with each value that leaves something to run."""
    usual = [_chosen(machine, size) for size in SIZES]
    yield _effect(("none", "NCCL chooses"), usual, usual)
    for variable, names in (("NCCL_ALGO", tuple(ALGORITHMS)), ("NCCL_PROTO", PROTOCOLS)):
        for wanted in names:
            others = tuple(name for name in names if name != wanted)
            forced = replace(machine, without=others)
            try:
                seconds = [_chosen(forced, size) for size in SIZES]
            except BadInput:  # every algorithm is off
                continue
            yield _effect((f"{variable}={wanted}", f"leaves only {wanted}"), seconds, usual)


def _switched_rows(machine: Machine) -> Iterator[Sequence[str]]:
    """Other variables, by the causes of slow measurements."""
    causes = dict(modeled_causes(machine, COLLECTIVE, PER_NODE, RATE))
    for cause, times in causes.items():
        names = variables_of(cause)
        seconds = [times(size) for size in SIZES]
        if names and "=" not in names and not any(map(isinf, seconds)):
            yield _effect((names, cause), seconds, [causes[""](size) for size in SIZES])


def _chosen(machine: Machine, size: int) -> float:
    """Seconds that the tuner's choice takes, with the start of the kernel."""
    return (tuner.choose(machine, COLLECTIVE, size).candidate.time + LAUNCH) * 1e-6


def _effect(head: Sequence[str], seconds: Sequence[float], usual: Sequence[float]) -> Sequence[str]:
    """Times beside those without the setting."""
    return [*map(plain_markup, head), *map(_time, seconds), _slower(seconds, usual)]


def _choosing() -> str:
    """What libraries run for which vectors, and what network cards make of an all-reduce."""
    rows = [
        [escape(library), COLLECTIVES[name].title, _unbroken(span), escape(called), row]
        for name in COLLECTIVES
        for row, library, called, span in library_spans(name)
    ]
    head = ("library", "collective", "vector", "what it runs", "algorithm here")
    body = _paragraph(f"What each library's own rules choose on {RANKS} ranks.")
    body += "<h2>Libraries</h2>" + _searched(rows, head, "choices")
    body += "<h2>What they decide by</h2>" + report_markup(LibraryList().lines())
    body += "<h2>Network cards</h2>" + _paragraph(
        f"An all-reduce of {size_text(SIZES[-1])} on two nodes of {PER_NODE} {GPU}: NCCL's tuner."
    )
    body += table(("cards of a node", "rate of each", "time", "busbw"), _fabric_rows())
    body += "<h2>Links</h2>" + report_markup(LinkList().lines())
    return body + SCRIPT


def _fabric_rows() -> Iterator[Sequence[str]]:
    """Kinds and numbers of network cards, each with time and bus bandwidth."""
    for kind, rate in CARDS.items():
        for count in (1, 2, 4, 8):
            machine = hgx(GPU, 2, PER_NODE, count, rate)
            seconds = _chosen(machine, SIZES[-1])
            busbw = factor(COLLECTIVE, machine.ranks) * SIZES[-1] / seconds
            cells = f"{count} {kind}", rate_text(rate * 1e9), time_text(seconds)
            yield [*cells, rate_text(busbw, 3)]


def _searched(rows: Iterable[Sequence[str]], head: Sequence[str], what: str) -> str:
    """A table whose rows a field filters, where scripts run."""
    return f'<div data-filter="Search {what} for words:">{table(head, rows)}</div>'


def _slower(seconds: Sequence[float], usual: Sequence[float]) -> str:
    """How many times the usual time, at the size where that is the most."""
    return _unbroken(f"{max(x / y for x, y in zip(seconds, usual, strict=True)):.2f} times")


def _unbroken(text: str) -> str:
    """A number with its unit, on one line."""
    return escape(text).replace(" ", "&nbsp;")


def _time(seconds: float) -> str:
    return _unbroken(time_text(seconds))


def _paragraph(text: str) -> str:
    return f"<p>{plain_markup(text)}</p>"
