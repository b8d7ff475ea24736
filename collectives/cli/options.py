"""Options of the command line: click types whose messages are one line, and groups of options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from importlib import import_module
from typing import Any, TypeVar

import click

from collectives.choices import (
    CLOCKS,
    FILM_SHEETS,
    LANGUAGES,
    QUALITIES,
    RENDERERS,
    SHEETS,
    STAGES,
    THEMES,
)
from collectives.errors import BadInput, TooLarge
from collectives.values import whole
from collectives.words import nearest, quoted

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]
Read = Callable[[str, str], object]  # of a text and the name of its option
BEST = "best"  # as many chunks as are fastest
TRACE = ".trace.json"
OPTION_OF = {"n": "-n", "ranks": "-n", "root": "--root", "chunks": "--chunks"}  # not with -p
MOST_DIGITS, MOST_NUMBERS = 30, 100_000  # of a number; of numbers of ranks that are checked


class Typed(click.ParamType):  # type: ignore[type-arg]
    """The type of an option whose text a function reads; it raises BadInput."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self.name = getattr(read, "__name__", "text")

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> Any:
        """What the text means."""
        name = param.opts[0] if param is not None else self.name
        return self.read(value, name) if isinstance(value, str) else value


class SingleOption(click.Option):
    """An option that is given at most once: click would take the last one in silence."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Collect every value that is given."""
        parser.add_option(self, self.opts, self.name, action="append")

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """The value; raises BadInput for a second one."""
        given = opts.get(str(self.name)) or [None]
        if len(given) > 1:
            one, other = (quoted(str(value)) for value in given[:2])
            name = self.opts[0]
            raise BadInput(f"{name} {other}: {name} {one} is given too; try: {name} {one}")
        return super().consume_value(ctx, {self.name: given[0]} if given[0] is not None else {})


def option(
    name: str, read: Read | None, metavar: str, text: str, to: str = "", **more: Any
) -> Decorator[Any]:
    """An option with its help; `read` turns its text into a value, of the argument `to`."""
    names = (*name.split(), to) if to else (name,)
    kind: Any = cache(click.Option if more.get("multiple") else SingleOption)  # commands share it
    types = read and Typed(read)
    return click.option(*names, cls=kind, type=types, metavar=metavar, help=text, **more)


def choice(
    name: str, choices: Iterable[str], text: str, to: str = "", **more: Any
) -> Decorator[Any]:
    """An option that is one of these words."""
    return option(name, one_of(choices), "|".join(choices), text, to, **more)


def together(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Options one after the other, as help lists them."""

    def add(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return add


def gather(name: str, kind: str, to: str = "") -> Decorator[Any]:
    """Give a verb the options that are fields of a class as one argument, `to`."""

    def add(verb: Callable[..., None]) -> Any:
        @wraps(verb)
        def call(**given: Any) -> Any:
            from dataclasses import fields

            cls = getattr(import_module(f"collectives.{name}"), kind)
            names = {field.name for field in fields(cls)} & set(given)
            own = {option: given.pop(option) for option in names}
            if own.get("chunks") == BEST:
                own |= {"chunks": None, "best": True}
            make = getattr(cls, "from_options", cls)
            return verb(**{to or name.rpartition(".")[2]: make(**own)}, **given)

        return call

    return add


def number(
    minimum: int = 0, usual: int | None = None, word: str = ""
) -> Callable[[str, str], int | str]:
    """Reads a whole number; `word` is accepted in its place and stays as it is.

    >>> number(1)("3", "-n")
    3
    """

    def read(text: str, name: str) -> int | str:
        if word and text == word:
            return text
        if not re.fullmatch(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}", text):
            near = minimum if usual is None else usual
            raise BadInput(f"{name} {text!r}: must be a whole number; try: {near}")
        return whole(name, int(text), minimum, 10**MOST_DIGITS)

    return read


def counts(text: str, name: str) -> tuple[int, ...]:
    """The whole numbers in a list.

    >>> counts("3,0,5", "--counts")
    (3, 0, 5)
    """
    return tuple(int(number()(part.strip(), name)) for part in text.split(","))


def numbers(text: str, name: str) -> tuple[int, ...]:
    """The numbers of ranks in `1-33`, `2,4,8` or `5`, each once.

    >>> numbers("1-3,8", "-n")
    (1, 2, 3, 8)
    """
    return tuple(dict.fromkeys(_in_ranges(text, name, 1, "1-33", "2,4,8", "numbers of ranks")))


def members(text: str, name: str) -> tuple[int, ...]:
    """The ranks in `3,5` or `0-3`.

    >>> members("0-2,5", "--without")
    (0, 1, 2, 5)
    """
    return tuple(_in_ranges(text, name, 0, "0-3", "3,5", "ranks"))


def _in_ranges(
    text: str, name: str, minimum: int, span_near: str, list_near: str, what: str
) -> Iterator[int]:
    """The whole numbers in lists and ranges."""
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", part)
        typed = f"{name} {text!r}"
        if not match:
            near = f"{span_near} or {list_near}"
            raise BadInput(f"{typed}: {part!r} is no number or range; try: {near}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first < minimum or last < first:
            rule = f"must start at {minimum} or more and go up"
            raise BadInput(f"{typed}: {part!r} {rule}; try: {span_near}")
        if last - first >= MOST_NUMBERS:
            raise BadInput(f"{typed}: {last - first + 1} {what}; at most {MOST_NUMBERS}")
        yield from range(first, last + 1)


def by(text: str, name: str) -> tuple[str, tuple[int, ...]]:
    """A parameter and the values it takes in turn."""
    from collectives.cost.rankings_by import parse_by

    return parse_by(text, name)


def span(text: str, name: str) -> tuple[int, int]:
    """The first and the last step of `2-4` or `3`.

    >>> span("2-4", "--steps"), span("3", "--steps")
    ((2, 4), (3, 3))
    """
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    if not match:
        rule = "must be A-B, the first and the last step; as in 1-4"
        raise BadInput(f"{name} {quoted(text)}: {rule}")
    return int(match[1]), int(match[2] or match[1])


def seconds(text: str, name: str) -> float:
    """How long a film should be: `60` or `90s`.

    >>> seconds("60", "--seconds")
    60.0
    """
    if not re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,6})? ?s?", text) or not float(text.rstrip("s ")):
        raise BadInput(f"{name} {quoted(text)}: must be a number of seconds; try: {name} 60")
    return float(text.rstrip("s "))


def pair(text: str, name: str) -> tuple[str, int]:
    """A parameter of an algorithm and its value.

    >>> pair("radix=4", "-p"), pair("inside=ring", "-p")
    (('radix', 4), ('inside', <Inside.RING: 0>))
    """
    from collectives.catalog.parameters import way_named, ways_named

    named = re.fullmatch(r"([a-z]+)=([a-z]+)", text)
    if named and (way := way_named(named[1], named[2])) is not None:
        return named[1], way
    match = re.fullmatch(r"([A-Za-z_]\w*)=(-?[0-9]{1,18})", text)
    if not match:
        ways = ways_named(named[1]) if named else ()
        if named and ways:
            raise BadInput(f"{name} {text}: unknown; {nearest(named[2], ways)}")
        raise BadInput(f"{name} {text!r}: must be NAME=INTEGER, as in -p radix=4")
    if match[1] in OPTION_OF:
        raise BadInput(
            f"{name} {text}: has an option of its own; try: {OPTION_OF[match[1]]} {match[2]}"
        )
    return match[1], int(match[2])


def setting(text: str, name: str) -> tuple[str, str]:
    """A setting of a library and its value, as texts.

    >>> setting("size=2MiB", "--against")
    ('size', '2MiB')
    """
    match = re.fullmatch(r"([A-Za-z_]{1,40})=(.{1,200})", text)
    if not match:
        raise BadInput(f"{name} {quoted(text)}: must be NAME=VALUE, as in {name} channels=8")
    return match[1], match[2]


def by_name(context: click.Context, option: click.Parameter, pairs: Any) -> dict[str, int]:
    """Parameters by name; raises BadInput for a name that is given twice."""
    found: dict[str, int] = {}
    for name, value in pairs:
        if name in found:
            raise BadInput(
                f"-p {name}={value}: {name} is given twice; try: -p {name}={found[name]}"
            )
        found[name] = value
    return found


def measured(parse: str, *limits: int) -> Read:
    """Reads an amount with its unit, by this function of `units`."""

    def read(text: str, name: str) -> object:
        from collectives import units

        return getattr(units, parse)(text, name, *limits)

    return read


def or_times(read: Read) -> Read:
    """Reads an amount with its unit, or how many times that of the machine: 2x."""

    def read_either(text: str, name: str) -> object:
        from collectives.cost.machines.scaled import is_times, times_of

        if not is_times(text):
            return read(text, name)
        times_of(name, text)
        return text.strip()

    return read_either


def sizes(text: str, name: str) -> tuple[int, int, bool]:
    """The ends of a range of sizes, and whether they are binary.

    >>> sizes("1KB-1GB", "--size")
    (1000, 1000000000, False)
    """
    from collectives.units import parse_size

    low, dash, high = text.partition("-")
    if not dash:
        raise BadInput(f"{name} {quoted(text)}: must be a range of sizes; try: 1KiB-1GiB")
    smallest, largest = parse_size(low.strip(), name), parse_size(high.strip(), name)
    if not 1 <= smallest * 4 <= largest:
        raise BadInput(
            f"{name} {quoted(text)}: must go up from at least 1B, by a factor of 4 or more; "
            "try: 1KiB-1GiB"
        )
    return smallest, largest, "i" in text


def one_of(choices: Iterable[str]) -> Read:
    """Reads one of these words."""

    def read(text: str, name: str) -> str:
        if text not in choices:
            raise BadInput(f"{name} {quoted(text)}: unknown; {nearest(text, choices)}")
        return text

    return read


def several_of(choices: Iterable[str]) -> Read:
    """Reads some of these words, apart by commas; one that comes twice counts once."""
    read_word = one_of(choices)

    def read(text: str, name: str) -> tuple[object, ...]:
        return tuple(dict.fromkeys(read_word(word.strip(), name) for word in text.split(",")))

    return read


def text(near: str) -> Read:
    """Reads any text but an empty one, for which `near` is named."""

    def read(given: str, name: str) -> str:
        if not given:
            raise BadInput(f"{name} '': is empty; try: {name} {near}")
        return given

    return read


def file(what: str, *endings: str) -> Read:
    """Reads the name of a file that `what` is written to."""

    def read(text: str, name: str) -> str:
        from collectives.files import check_suffix

        check_suffix(text, endings, what, name)
        return text

    return read


def trace(text: str, name: str) -> str:
    """Reads the name of a trace, which is no recording: FILE.trace.json."""
    if not text.endswith(TRACE):
        near = text.removesuffix(".json").removesuffix(".") + TRACE
        raise BadInput(f"{name} {quoted(text)}: a trace is written as {TRACE}; try: {quoted(near)}")
    return str(file("a trace", ".json")(text, name))


def ranks(text: str = "Number of ranks (default 4).", minimum: int = 1) -> Decorator[Any]:
    """The option -n."""
    return option("-n", number(minimum, 4), "N", text, to="ranks")


def chunks(word: str = "", text: str = "Chunks of a pipeline (default 4).") -> Decorator[Any]:
    """The option --chunks; `word` is accepted in place of a number."""
    return option("--chunks", number(1, word=word), "C", text)


MOST_BYTES = 1 << 48  # of a vector that is counted, not executed
TIME = measured("parse_time")
RANKS = ranks()
ROOT = option("--root", number(), "R", "Root rank (default 0).")
PARAMETERS = option(
    "-p",
    pair,
    "NAME=VALUE",
    "Parameters of the algorithm.",
    to="parameters",
    multiple=True,
    callback=by_name,
)
CHUNKS = chunks()
COUNT = option("--count", number(), "ELEMENTS", "Elements of the vector (default 4 per slot).")
COUNTS = option("--counts", counts, "A,B,…", "One size per rank, as in MPI_Allgatherv.")
OWN = (
    option("--slots", number(1), "S", "Slots per rank of your own schedule."),
    option("--scratch", number(), "S", "Scratch slots of your own schedule."),
    option("--nodes", number(1), "N", "Ranks and switches of your own schedule."),
    option("--helpers", text("server"), "KIND", "Kind of the other nodes: switch or server."),
    option("--collective", text("all-reduce"), "NAME", "Collective of your own schedule."),
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
THEME = choice("--theme", THEMES, "Default dark.", default="dark")
TRANSPARENT = click.option("--transparent", is_flag=True, help="Transparent background of a .png.")
PAGE_THEME = choice("--theme", THEMES, "Default: the setting of the reader's system.")
QUALITY = choice(
    "-q", QUALITIES, "Quality, from 480p15 (l) to 2160p60 (k).", to="quality", default="h"
)
RENDERER = choice(
    "--renderer", RENDERERS, "What draws the frames of a film; default cairo.", default=RENDERERS[0]
)
STAGE = choice("--stage", STAGES, "Draw on this stage instead of the one chosen for the algorithm.")
SHEET = option(
    "--sheet",
    one_of(SHEETS),
    "NAME",
    "lecture (default), slide (only the stage), 4:3 or tall (9:16).",
    default="lecture",
)
VOICE = option(
    "--voice",
    text("ring.wav"),
    "FILE.wav",
    "A recorded voice, with FILE.json or FILE.srt of its times beside it; a folder with a sound "
    "for each sentence; or auto: espeak-ng or piper speaks.",
)
FILM_SHEET = option(
    "--sheet",
    one_of(FILM_SHEETS),
    "NAME",
    "film (default), slide (only the stage), 4:3, tall (9:16), or lecture (with code, counters "
    "and room for subtitles).",
    default=FILM_SHEETS[0],
)
LANGUAGE = choice("--language", LANGUAGES, "Language of all words (default en).", default="en")
PAGE_LANGUAGES = option(
    "--language",
    several_of(LANGUAGES),
    "en,es",
    f"Languages of the page, the first one first: {', '.join(LANGUAGES)} (default en).",
    to="languages",
    default=("en",),
)
SIZE = option(
    "--size", measured("parse_size", MOST_BYTES), "1GiB", "Size of the full vector, with a unit."
)
CLOCK, FREE_CLOCK = (
    choice(
        "--clock",
        CLOCKS,
        f"lockstep{' (default)' * (usual == 'lockstep')}: all ranks wait after each step; "
        f"dataflow{' (default)' * (usual == 'dataflow')}: they do not.",
        default=usual,
    )
    for usual in CLOCKS
)
BITS = together(
    option("--like", text("openmpi"), "LIBRARY", "openmpi, mpich, gloo or nccl."),
    option("--size", measured("parse_size", 1 << 40), "1MiB", "Bytes of the full vector."),
    option("-n", number(1, 8), "N", "Number of ranks (default 8).", to="ranks"),
    option("--dtype", None, "T", "float32 (default), float64, float16 or bfloat16."),
    ROOT,
    option("--topology", text("hgx-h100"), "NAME", "Machine of NCCL (default nodes of 8 H100)."),
    option(
        "-p",
        setting,
        "NAME=VALUE",
        "Settings of the library, as algorithm=ring or channels=8.",
        to="settings",
        multiple=True,
    ),
    option(
        "--against",
        setting,
        "NAME=VALUE",
        "What is other in a second setup, as size=2MiB.",
        multiple=True,
    ),
)
SHOWN_CLOCK = choice(
    "--clock",
    ("steps", *CLOCKS),
    "steps (default), or modeled time: with a barrier after each step, or without barriers.",
    default="steps",
)
LINK = (
    option("--latency", or_times(TIME), "5us", "Latency of one link, or how many times it: 2x."),
    option(
        "--bandwidth",
        or_times(measured("parse_rate")),
        "50GB/s",
        "Bandwidth of one direction of a link, or how many times it: 2x.",
    ),
    option(
        "--place",
        text("3=8"),
        "3=8",
        "Put a rank on another GPU, here rank 3 on GPU 8; the rank there takes its place.",
        multiple=True,
    ),
)
WHERE = gather("cost.where", "Where")


def _trouble(name: str, example: str, help_text: str) -> Decorator[Any]:
    """An option that names a link or a rank, and may be given several times."""
    return option(name, text(example), example, help_text, multiple=True)


TROUBLE = (
    _trouble("--slow-link", "0-1=0.5", "Slow down a link, here on a ring to half its bandwidth."),
    _trouble("--slow-rank", "2=0.8", "Slow down a rank, here to 80 % of its speed."),
    _trouble("--late", "5=10us", "Delay the start of a rank, here by 10 us."),
    _trouble("--dead", "0-1", "Cut a link, named by its two ends, as on a ring."),
    option("--jitter", TIME, "1us", "Delay each message at random, by at most this."),
    option("--seed", number(), "S", "Seed of the random delays (default 0)."),
    click.option("--reroute", is_flag=True, help="Send messages round dead links."),
    gather("cost.fault_texts", "Faults", "faults"),
)


def subject(
    first: Decorator[Any] = RANKS, pipeline: Decorator[Any] | None = None, required: bool = True
) -> Decorator[Any]:
    """Give a verb the Subject of its words and options; `first` is its option -n."""
    return together(
        click.argument("words", nargs=-1, required=required, metavar="SUBJECT"),
        first,
        ROOT,
        COUNT,
        pipeline or CHUNKS,
        COUNTS,
        *OWN,
        PARAMETERS,
        gather("cli.subject", "Subject"),
        _said_of_files,
    )


def _said_of_files(verb: Callable[..., None]) -> Any:
    """Raise, of a file that is too large for the verb, what helps: its ranks are fixed."""

    @wraps(verb)
    def call(subject: Any, **given: Any) -> Any:
        try:
            return verb(subject=subject, **given)
        except TooLarge as problem:
            if not subject.is_fixed:
                raise
            raise problem.of_file() from None

    return call


def machine(*more: Decorator[Any], usual: str = "crossbar") -> Decorator[Any]:
    """Give a verb `where`, the machine it counts time on; `more` may hold the option --clock."""
    text = f"Machine (default {usual}), as in NAME:gpus=4,nics=1; see list machines."
    named = option("--topology", None, "NAME|FILE.toml", text, to="name")
    return together(named, *LINK, *more, WHERE)


def troubled(clock: Decorator[Any]) -> Decorator[Any]:
    """Give a verb a size, a machine and its faults, with this option --clock."""
    return together(SIZE, machine(clock, usual="hgx-h100"), *TROUBLE)
