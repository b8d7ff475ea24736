"""Does what `collectives bits` is asked for: a map, two maps compared, or two dumps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collectives.bitwise.addition_map import AdditionMap
from collectives.bitwise.bits import bits
from collectives.bitwise.dumps import DumpComparison
from collectives.bitwise.map_comparison import DIFFERENT, UNKNOWN, MapComparison
from collectives.cli.console import say_report
from collectives.cli.data import read_calls
from collectives.errors import BadInput
from collectives.words import plural, quoted

STATUS = {DIFFERENT: 1, "other bits": 1}


def print_bits(collective: str, dumps: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Print what is found, and return the status; raises BadInput, also where it cannot say."""
    answer = _asked(collective, dumps, **options)
    say_report(answer, as_json)
    if why := _unknown(answer):
        raise BadInput(f"cannot say: {why}")
    return 0 if isinstance(answer, AdditionMap) else STATUS.get(answer.verdict, 0)


def _unknown(answer: AdditionMap | MapComparison | DumpComparison) -> str:
    """Why nothing can be said; empty where something is."""
    if isinstance(answer, AdditionMap):
        return answer.unknown
    if isinstance(answer, MapComparison) and answer.verdict == UNKNOWN:
        return answer.first.unknown or answer.second.unknown
    return ""


def asked_map(collective: str, **options: Any) -> AdditionMap | MapComparison:
    """The map of the options, or two; raises BadInput."""
    answer = _asked(collective, (), **options)
    assert not isinstance(answer, DumpComparison)
    return answer


def _asked(
    collective: str,
    dumps: tuple[str, ...],
    *,
    settings: Iterable[tuple[str, str]],
    against: Iterable[tuple[str, str]],
    **options: Any,
) -> AdditionMap | MapComparison | DumpComparison:
    if dumps and len(dumps) != 2:
        raise BadInput(
            f"--dumps {quoted(dumps[0])}: must be given twice, not {plural(len(dumps), 'time')}; "
            "try: --dumps a.npy --dumps b.npy"
        )
    pair = [read_calls(path, options["dtype"]) for path in dumps]
    chosen = {name: value for name, value in options.items() if value is not None}
    return bits(
        collective,
        settings=_by_name("-p", settings),
        against=_by_name("--against", against) or None,
        dumps=pair or None,
        **chosen,
    )


def _by_name(option: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The settings by name; raises BadInput for one that is given twice."""
    values: dict[str, str] = {}
    for name, value in pairs:
        if name in values:
            near = f"{option} {name}={values[name]}"
            raise BadInput(f"{option} {name}={value}: {name} is given twice; try: {near}")
        values[name] = value
    return values
