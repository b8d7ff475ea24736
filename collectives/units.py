"""Reads and writes sizes, times and rates with their units; GB is 10^9 bytes, GiB is 2^30."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor, log10

from collectives.errors import BadInput
from collectives.values import whole
from collectives.words import brief, nearest, quoted

SIZE_LIMIT = 1 << 63  # sizes stay below this
MOST_PARAMETERS = 10**15  # of a model
_DECIMAL = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_SIZES = {f"{prefix}B": 1000**power for prefix, power in _DECIMAL.items()} | {
    f"{prefix}iB": 1024**power for prefix, power in _DECIMAL.items() if prefix not in ("", "k")
}
_DECIMAL_UNITS = {u: float(s) for u, s in _SIZES.items() if "i" not in u and u[0] != "k"}
_BINARY_UNITS = {u: float(s) for u, s in _SIZES.items() if "i" in u or u == "B"}
_BITS = {f"{prefix}b": 1000**power for prefix, power in _DECIMAL.items()} | {
    f"{prefix}bit": 1000**power for prefix, power in _DECIMAL.items()
}
_PARAMETERS = {"T": 10**12, "B": 10**9, "M": 10**6, "K": 10**3, "": 1}
_TIMES = {unit: Fraction(1, 10**power) for unit, power in (("ps", 12), ("ns", 9), ("ms", 3))} | {
    **{unit: Fraction(1, 10**6) for unit in ("us", "µs", "μs")},
    **{"s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)},
}
_TIME_UNITS = {unit: float(_TIMES[unit]) for unit in ("ps", "ns", "µs", "ms", "s")}
_RATES = (
    {f"{unit}/s": Fraction(size) for unit, size in _SIZES.items()}
    | {f"{unit}/s": Fraction(size, 8) for unit, size in _BITS.items()}
    | {f"{unit}ps": Fraction(size, 8) for unit, size in _BITS.items() if not unit.endswith("t")}
)
_NUMBER = re.compile(
    r"([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?)\s*(.*)", re.DOTALL | re.ASCII
)
_COMMA = re.compile(r"[-+]?\d+(?:,\d*)+(?:\.\d+)?", re.ASCII)  # 1,5 or 1,500.5
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,(?!\d{3}$)\d+", re.ASCII)


def parse_size(text: str, what: str = "size", maximum: int = SIZE_LIMIT - 1) -> int:
    """Bytes of a text such as 1GiB, 64KB or 1.5MB, at most `maximum`; raises BadInput otherwise.

    >>> parse_size("1GiB"), parse_size("64KB"), parse_size("1.5 MiB")
    (1073741824, 64000, 1572864)
    """
    number, unit = _split(text, what, _SIZES, "B", lambda hint: parse_size(hint, what, maximum))
    if unit in _BITS:
        near = _typed(min(round(number * _BITS[unit] / 8), maximum))
        raise BadInput(f"{what} {_named(text)}: {unit} are bits, a size is in bytes; try: {near}")
    size = number * _known(unit, _SIZES, text, what)
    if size > maximum:
        limit = _typed(maximum)
        rule = f"at most {limit}" if maximum < SIZE_LIMIT - 1 else "below 2^63 bytes = 8EiB"
        raise BadInput(f"{what} {_named(text)}: must be {rule}; try: {limit}")
    if size.denominator != 1:
        raise BadInput(f"{what} {_named(text)}: not a whole number of bytes; try: {round(size)}B")
    return int(size)


def size_in_bytes(value: object, what: str = "size") -> int:
    """Bytes: a whole number, or a text with a unit; raises BadInput for anything else.

    >>> size_in_bytes("1KiB"), size_in_bytes(1024)
    (1024, 1024)
    """
    return parse_size(value, what) if isinstance(value, str) else whole(what, value)


def parse_time(text: str, what: str = "latency") -> float:
    """Seconds of a text such as 5us, 5 µs or 0.6 ms; raises BadInput for anything else.

    >>> parse_time("5us"), parse_time("1.5 ms")
    (5e-06, 0.0015)
    """
    return _parse(text, what, _TIMES, "us", "9e18s", "2^63 seconds")


def parse_rate(text: str, what: str = "bandwidth") -> float:
    """Bytes per second of a text such as 50GB/s, 400Gb/s or 400Gbps; raises BadInput otherwise.

    >>> parse_rate("50GB/s") == parse_rate("400Gb/s") == parse_rate("400Gbps") == 50e9
    True
    """
    return _parse(text, what, _RATES, "GB/s", "9EB/s", "2^63 bytes per second", positive=True)


def _parse(
    text: str,
    what: str,
    units: Mapping[str, Fraction],
    usual: str,
    largest: str,
    limit: str,
    positive: bool = False,
) -> float:
    """The value of a text, below 2^63: `limit` in words, `largest` as it is typed."""

    def parse(hint: str) -> float:
        return _parse(hint, what, units, usual, largest, limit, positive)

    number, unit = _split(text, what, units, usual, parse, positive)
    value = number * _known(unit, units, text, what)
    if value >= SIZE_LIMIT:
        raise BadInput(f"{what} {_named(text)}: must be below {limit}; try: {largest}")
    return float(value)


def size_text(size: float | Fraction, digits: int = 4, binary: bool | None = None) -> str:
    """Bytes with the unit that says them shortest and exactly, else to four digits.

    As all that is shown, with a blank before the unit. binary: in KiB, MiB … or in KB, MB ….

    >>> size_text(1 << 30), size_text(64_000), size_text(1_234_567), size_text(999)
    ('1 GiB', '64 KB', '1.235 MB', '999 B')
    >>> size_text(1 << 20, binary=False), size_text(2_200_000, digits=3, binary=True)
    ('1.049 MB', '2.1 MiB')
    """
    if binary is not None:
        return _scaled(float(size), _BINARY_UNITS if binary else _DECIMAL_UNITS, digits)
    if size < 1000 and size == int(size):
        return f"{int(size)} B"
    exact = []
    for unit, scale in _SIZES.items():
        number = f"{float(size / scale):.6g}"
        if unit[0] != "k" and size >= scale and Fraction(number) * scale == size:
            exact.append((len(number), -scale, f"{number} {unit}"))
    if exact and min(exact)[0] <= 4:
        return min(exact)[2]
    return _scaled(float(size), _DECIMAL_UNITS, digits)


def rough_size(size: float, digits: int) -> int:
    """Bytes, so many that of them in MiB, KiB … only so many digits are not 0.

    >>> rough_size(300_160, 1) / 1024, rough_size(6_836_224, 2) / 1024**2
    (300.0, 6.5)
    >>> size_text(rough_size(1_023_000, 2), binary=True)
    '1 MiB'
    """
    unit = _BINARY_UNITS[size_text(size, binary=True).rpartition(" ")[2]]
    number = float(f"{size / unit:.{digits}g}")
    return round((1024 if number == 1000 else number) * unit)


def size_beside(size: float, whole: float) -> str:
    """Bytes in MiB, KiB … where others beside them are, else as `size_text` says them.

    >>> size_beside(115_343_364, 64 << 20), size_beside(115_343_364, 64_000_000)
    ('110 MiB', '115.3 MB')
    """
    return size_text(size, binary=True if "iB" in size_text(whole) else None)


def time_text(value: float, digits: int = 4) -> str:
    """Seconds to four digits with a unit.

    >>> time_text(5e-6), time_text(0.0123456), time_text(0.0), time_text(float("inf"))
    ('5 µs', '12.35 ms', '0 s', 'never')
    >>> time_text(0.0123456, digits=3)
    '12.3 ms'
    """
    if value == float("inf"):
        return "never"
    return _scaled(value, _TIME_UNITS, digits)


def time_beside(value: float, total: float, digits: int = 4) -> str:
    """A time in the unit of a longer one, with so many decimals that this has four digits.

    >>> time_beside(3.2e-6, 220.34e-6), time_beside(0.0, 0.0021), time_beside(0.5, 12.0)
    ('3.2 µs', '0.000 ms', '0.50 s')
    """
    unit = time_text(total).rpartition(" ")[2]
    longest = total / _TIME_UNITS[unit]
    decimals = max(0, digits - 1 - floor(log10(longest))) if longest else 0
    return f"{value / _TIME_UNITS[unit]:.{decimals}f} {unit}"


def rate_text(value: float, digits: int = 4) -> str:
    """Bytes per second to four digits with a unit.

    >>> rate_text(50e9), rate_text(1.25e9)
    ('50 GB/s', '1.25 GB/s')
    """
    return f"{size_text(value, digits, binary=False)}/s"


def number_text(value: float, digits: int = 4) -> str:
    """A number to four digits, without an exponent where it is large.

    >>> number_text(0.123456), number_text(12.0), number_text(123456, digits=3)
    ('0.1235', '12', '123,456')
    """
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e+" in text else text


def parameters_text(number: int) -> str:
    """A number of parameters as people say it; without a space, as 7 B are bytes.

    >>> parameters_text(7_000_000_000), parameters_text(950)
    ('7B', '950')
    """
    letter, scale = next(pair for pair in _PARAMETERS.items() if number >= pair[1] or not pair[0])
    return f"{number_text(number / scale, 3)}{letter}"


def parse_parameters(text: str, what: str = "parameters") -> int:
    """A number of parameters as people say it; raises BadInput for anything else.

    >>> parse_parameters("7B"), parse_parameters("7e9"), parse_parameters("1.5b")
    (7000000000, 7000000000, 1500000000)
    """
    parts = _NUMBER.fullmatch(text.strip())
    letter = parts[2].strip().upper() if parts else ""
    digits, _, exponent = (parts[1] if parts else "").replace("_", "").lower().partition("e")
    if parts is None or letter not in _PARAMETERS:
        raise BadInput(f"{what} {_named(text)}: must be a number such as 7B or 7e9; try: 7B")
    if len(digits) > 40 or abs(int(exponent or 0)) > 40:
        raise BadInput(f"{what} {_named(text)}: must be 1 to {MOST_PARAMETERS}; try: 7B")
    number = Fraction(f"{digits}e{exponent or 0}") * _PARAMETERS[letter]
    if number > MOST_PARAMETERS or number < 1:
        near = parameters_text(MOST_PARAMETERS if number > 1 else 1).replace(",", "")
        raise BadInput(f"{what} {_named(text)}: must be 1 to {MOST_PARAMETERS}; try: {near}")
    if number.denominator != 1:
        near = str(round(number))
        raise BadInput(f"{what} {_named(text)}: must be a whole number; try: {near}")
    return int(number)


def _scaled(value: float, units: Mapping[str, float], digits: int) -> str:
    if value == 0:
        return f"0 {next(unit for unit, scale in units.items() if scale == 1)}"
    best = min(units, key=lambda unit: (abs(value) < units[unit] * 0.9995, -units[unit]))
    if abs(value) < min(units.values()):
        best = min(units, key=lambda unit: units[unit])
    return f"{number_text(value / units[best], digits)} {best}"


def _typed(size: int) -> str:
    """Bytes as they are typed in a command: without a blank."""
    return size_text(size).replace(" ", "")


def _split(
    text: str,
    what: str,
    units: Mapping[str, int | Fraction],
    usual: str,
    parse: Callable[[str], object],
    positive: bool = False,
) -> tuple[Fraction, str]:
    """The number of a text, exactly, and the unit behind it.

    usual: the unit that a hint has where there is none. parse: what a hint has to pass.
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} {brief(text)}: must be a text with a unit; try: '1{usual}'")
    parts = _NUMBER.fullmatch(text.strip())
    if comma := _COMMA.match(text.strip()):
        meant = comma[0].replace(",", "." if _DECIMAL_COMMA.fullmatch(comma[0]) else "")
        behind = text.strip()[comma.end() :].strip()
        near = _accepted(f"{meant}{behind if behind in units else usual}", parse)
        raise BadInput(f"{what} {_named(text)}: a number has no comma; try: {near}")
    if parts is None:
        raise BadInput(f"{what} {_named(text)}: must be a number and a unit; try: 1{usual}")
    digits, unit = parts[1].replace("_", ""), parts[2].strip()
    behind = unit if unit in units else usual
    exponent = re.search(r"[eE]([-+]?\d+)$", digits)
    if len(digits) > 60 or (exponent and abs(int(exponent[1])) > 60):
        raise BadInput(f"{what} {_named(text)}: must be below 2^63; try: 1{behind}")
    number = Fraction(digits)
    if number < 0 or (positive and not number):
        rule = "must be above 0" if positive else "must not be negative"
        near = f"{1 if positive else 0}{behind}"
        raise BadInput(f"{what} {_named(text)}: {rule}; try: {near}")
    if not unit:
        near = _accepted(f"{digits}{usual}", parse)
        raise BadInput(f"{what} {_named(text)} has no unit; try: {near}")
    return number, unit


def _accepted(near: str, parse: Callable[[str], object]) -> str:
    """The hint, or the one that it gets itself when it is typed."""
    try:
        parse(near)
    except BadInput as problem:
        return str(problem).rpartition("try: ")[2]
    return near


def _known(unit: str, units: Mapping[str, int | Fraction], text: str, what: str) -> int | Fraction:
    if unit in units:
        return units[unit]
    alike = [known for known in units if known.lower() == unit.lower()]
    hint = f"did you mean {' or '.join(alike)}?" if alike else nearest(unit, units)
    raise BadInput(f"{what} {_named(text)}: unknown unit {brief(unit)}; {hint}")


def _named(text: str) -> str:
    """A text as a message names it, however long it is."""
    return quoted(text) if len(text) <= 60 else brief(text)
