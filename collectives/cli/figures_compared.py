"""Makes the figures that compare algorithms, show measurements, or draw a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from collectives.cli.figures_made import SIZE, Output, Timed, plain
from collectives.cli.subject import numbers, parameters, whole
from collectives.cli.where import CLOCKS, Where
from collectives.collective import find_collective
from collectives.cost.choose.setup import Setup
from collectives.cost.machines import topology
from collectives.errors import BadInput
from collectives.units import parse_size
from collectives.words import plural, quoted

RANKS, CLIFF_RANKS = 8, 128
Options = dict[str, Any]


def time_size(options: Options) -> None:
    """`collectives figure time-size`."""
    from animations.figures.curves import over_sizes
    from animations.figures.time_curves import draw_sizes

    output, timed = Output.of("time-size", options), Timed.of(options)
    collective, algorithms = _compared(options, "all-reduce ring recursive-doubling")
    least, most, binary = size_range(timed.size or "")
    ranks = timed.where.ranks(_whole("-n", options["ranks"], 2)) or RANKS
    timed.where.check_ranks(ranks)
    question = _question(timed.where.setup(), collective, options)
    data = over_sizes(collective, algorithms, ranks, question, least, most)
    output.write(draw_sizes, data, binary, name=f"{plain(collective)}-{ranks}")


def time_ranks(options: Options) -> None:
    """`collectives figure time-ranks`."""
    from animations.figures.curves import over_ranks
    from animations.figures.time_curves import draw_ranks

    output, timed = Output.of("time-ranks", options), Timed.of(options)
    collective, algorithms = _compared(options, "all-reduce ring bruck")
    size, binary = _size(timed.size, SIZE)
    ranks = [number for number in numbers(options["ranks"]) if number > 1]
    if not ranks:
        raise BadInput(f"-n {options['ranks']}: one rank has nobody to talk to; nearest: 2-32")
    question = _question(timed.where.setup(), collective, options)
    data = over_ranks(collective, algorithms, sorted(ranks), question, size)
    output.write(draw_ranks, data, binary, name=plain(collective))


def bounds(options: Options) -> None:
    """`collectives figure bounds`."""
    from animations.figures.bounds import bounds
    from animations.figures.bounds_drawn import draw

    output = Output.of("bounds", options)
    collective = _one_collective(options, "bounds")
    ranks = _whole("-n", options["ranks"], 1) or RANKS
    chunks = _whole("--chunks", options["chunks"], 1) or 4
    root = _root(options["root"], ranks)
    data = bounds(collective, ranks, chunks, root)
    output.write(draw, data, name=f"{plain(collective)}-{ranks}")


def busbw(options: Options) -> None:
    """`collectives figure busbw`."""
    from animations.figures.busbw import bus_bandwidth, draw

    output = Output.of("busbw", options)
    collective = _one_collective(options, "busbw")
    ranks = _whole("-n", options["ranks"], 1)
    output.write(draw, bus_bandwidth(collective, options["gpu"], ranks), name=plain(collective))


def bandwidth_cliff(options: Options) -> None:
    """`collectives figure bandwidth-cliff`."""
    from animations.figures.bandwidth_cliff import cliff, draw

    output, timed = Output.of("bandwidth-cliff", options), Timed.of(options)
    collective, *algorithms = options["words"] or ("all-reduce", "ring", "hierarchical")
    find_collective(collective)
    if not algorithms:
        raise BadInput(f"{collective}: name algorithms too, as in {collective} ring hierarchical")
    where = timed.where
    if where.name is None:
        where = Where("cluster", clock=where.clock)
    if where.is_file or where.machine != "cluster":
        raise BadInput(
            f"--topology {quoted(where.name or '')}: the cliff is that of a cluster; "
            "nearest: cluster:nics=1"
        )
    where.setup()
    size, _ = _size(timed.size, "1GiB")
    most = _whole("-n", options["ranks"], 2) or CLIFF_RANKS
    settings: Mapping[str, Any] = where.parameters
    data = cliff(collective, algorithms, most, size, CLOCKS[where.clock], settings)
    output.write(draw, data, name=plain(collective))


def machine(options: Options) -> None:
    """`collectives figure topology`."""
    from animations.figures.machine import draw

    output = Output.of("topology", options)
    words = options["words"]
    if len(words) != 1:
        raise BadInput("name one machine, as in: collectives figure topology hgx-h100")
    where = Where(words[0], options["latency"], options["bandwidth"])
    if where.is_file:
        ranks = where.ranks(_whole("-n", options["ranks"], 1))
        if ranks != where.own.ranks:
            raise BadInput(
                f"-n {ranks}: {words[0]} has {plural(where.own.ranks, 'rank')}; "
                f"nearest: {where.own.ranks}"
            )
        built = where.own
    else:
        ranks = where.ranks(_whole("-n", options["ranks"], 1)) or RANKS
        built = topology(where.machine, ranks, **where.parameters)
    output.write(draw, built, name=f"{plain(words[0].partition(':')[0])}-{built.ranks}")


def size_range(text: str) -> tuple[int, int, bool]:
    """The sizes in 1KiB-1GiB, and whether they are binary; raises BadInput.

    >>> size_range("1KB-1GB")
    (1000, 1000000000, False)
    """
    low, dash, high = text.partition("-")
    if not dash:
        raise BadInput(f"--size {quoted(text)}: a range of sizes; nearest: 1KiB-1GiB")
    least, most = (parse_size(part.strip(), "--size") for part in (low, high))
    if not 1 <= least * 4 <= most:
        raise BadInput(
            f"--size {quoted(text)}: must go up from at least 1B, by a factor of 4 or more; "
            "nearest: 1KiB-1GiB"
        )
    return least, most, "i" in text


def _size(text: str | None, usual: str) -> tuple[int, bool]:
    """Bytes, and whether their unit is binary."""
    told = text or usual
    return parse_size(told, "--size"), "i" in told


def _compared(options: Options, example: str) -> tuple[str, Sequence[str]]:
    """The collective and the algorithms that the words name."""
    words = options["words"]
    if not words:
        raise BadInput(f"name a collective, and algorithms to compare, as in: {example}")
    find_collective(words[0])
    return words[0], words[1:]


def _one_collective(options: Options, kind: str) -> str:
    words = options["words"]
    if len(words) != 1:
        raise BadInput(f"name one collective, as in: collectives figure {kind} all-reduce")
    collective: str = words[0]
    return collective


def _question(setup: Setup, collective: str, options: Options) -> Any:
    """What is timed where, from the options of the algorithms."""
    from animations.figures.sweep import Question

    chunks = options["chunks"]
    number = None if chunks in (None, "best") else _whole("--chunks", chunks, 1)
    root = 0 if options["root"] is None else whole("--root", options["root"])
    promise = find_collective(collective)
    if root and not promise.rooted:
        raise BadInput(f"--root {root}: {promise.title} has no root; leave it out")
    return Question(setup, number, root, parameters(options["pairs"]))


def _whole(option: str, text: str | None, least: int) -> int | None:
    return None if text is None else whole(option, text, least)


def _root(text: str | None, ranks: int) -> int:
    root = 0 if text is None else whole("--root", text)
    if root >= ranks:
        raise BadInput(f"--root {root}: of {plural(ranks, 'rank')}; nearest: {ranks - 1}")
    return root
