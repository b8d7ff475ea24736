"""Marks on axes and numbers beside them: bytes in GB or GiB, seconds, bytes per second, ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log2, log10

DECIMAL = ("B", "KB", "MB", "GB", "TB", "PB", "EB")
BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
SECONDS = ((1e-12, "ps"), (1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
MOST_MARKS = 8
Marks = list[tuple[float, str]]


def digits(value: float) -> str:
    """A number in three digits, without an exponent.

    >>> digits(0.123456), digits(12.0), digits(1234.5), digits(99.96)
    ('0.123', '12', '1,234', '100')
    """
    text = f"{value:.3g}"
    return f"{value:,.0f}" if "e" in text else text


def bytes_text(size: float, binary: bool = True) -> str:
    """Bytes in three digits: KiB, MiB, … or KB, MB, ….

    >>> bytes_text(1 << 20), bytes_text(8e6, binary=False), bytes_text(1536), bytes_text(1023.9e3)
    ('1 MiB', '8 MB', '1.5 KiB', '1,000 KiB')
    """
    scale, unit = byte_unit(size, binary)
    return f"{digits(size / scale)} {unit}"


def byte_unit(size: float, binary: bool = True) -> tuple[float, str]:
    """The largest unit that fits into so many bytes."""
    base, units = (1024, BINARY) if binary else (1000, DECIMAL)
    power = 0
    while power + 1 < len(units) and size >= base ** (power + 1) * (1 - 1e-9):
        power += 1
    return float(base**power), units[power]


def time_text(value: float) -> str:
    """Seconds in three digits.

    >>> time_text(5e-6), time_text(0.0123456), time_text(0), time_text(200), time_text(9.9999e-7)
    ('5 µs', '12.3 ms', '0 s', '200 s', '1 µs')
    """
    scale, unit = time_unit(value)
    return f"{digits(value / scale)} {unit}"


def time_unit(value: float) -> tuple[float, str]:
    """The largest unit that fits into so many seconds."""
    fits = [one for one in SECONDS if value >= one[0] * 0.9995]
    return fits[-1] if fits else SECONDS[-1 if value == 0 else 0]


def rate_text(value: float) -> str:
    """Bytes per second in three digits, decimal as links are told.

    >>> rate_text(450e9), rate_text(12.5e9)
    ('450 GB/s', '12.5 GB/s')
    """
    return f"{bytes_text(value, binary=False)}/s"


def size_marks(low: float, high: float, binary: bool = True) -> Marks:
    """Marks of a logarithmic axis of bytes: powers of two, or of ten.

    >>> [text for _, text in size_marks(1 << 10, 1 << 30)]
    ['1 KiB', '16 KiB', '256 KiB', '4 MiB', '64 MiB', '1 GiB']
    >>> [text for _, text in size_marks(1e3, 1e6, binary=False)]
    ['1 KB', '10 KB', '100 KB', '1 MB']
    """
    log, base = (log2, 2) if binary else (log10, 10)
    return [
        (float(base) ** k, bytes_text(float(base) ** k, binary)) for k in _powers(low, high, log)
    ]


def time_marks(low: float, high: float) -> Marks:
    """Marks of a logarithmic axis of seconds: powers of ten; where these are few, others too.

    >>> [text for _, text in time_marks(5e-6, 2e-2)]
    ['10 µs', '100 µs', '1 ms', '10 ms']
    >>> [text for _, text in time_marks(3e-5, 6e-5)]
    ['30 µs', '40 µs', '50 µs', '60 µs']
    """
    found = [10.0**k for k in _powers(low, high, log10)]
    if len(found) < 3:
        found = fine_marks(low, high)
    if len(found) < 3:
        found = fine_marks(low, high, (1, 1.5, 2, 3, 4, 5, 6, 8))
    return [(value, time_text(value)) for value in found]


def fine_marks(low: float, high: float, leads: Sequence[float] = (1, 2, 5)) -> list[float]:
    """1, 2 and 5 times powers of ten, or other such leads, from low to high."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    every = [lead * 10.0**k for k in powers for lead in leads]
    return [value for value in every if low * 0.999 <= value <= high * 1.001]


def even_marks(high: float, most: int = 6) -> list[float]:
    """Evenly spaced marks from 0 up to at most `high`.

    >>> even_marks(490.0)
    [0.0, 100.0, 200.0, 300.0, 400.0]
    """
    if high <= 0:
        return [0.0]
    rough = high / most
    ten = 10.0 ** floor(log10(rough))
    step = next(lead * ten for lead in (1, 2, 2.5, 5, 10) if lead * ten >= rough * (1 - 1e-9))
    return [step * k for k in range(int(high / step * (1 + 1e-9)) + 1)]


def rank_marks(ranks: Sequence[int]) -> Marks:
    """Marks of a logarithmic axis of ranks: powers of two, or all where they are few.

    >>> [text for _, text in rank_marks(range(2, 65))]
    ['2', '4', '8', '16', '32', '64']
    >>> [text for _, text in rank_marks([3, 5, 6])]
    ['3', '5', '6']
    """
    low, high = min(ranks), max(ranks)
    powers = _powers(low, high, log2)
    found = [2**k for k in powers] if len(powers) >= 3 else sorted(set(ranks))
    return [(value, f"{value:,}") for value in found[:: ceil(len(found) / (MOST_MARKS + 2))]]


def _powers(low: float, high: float, log: Callable[[float], float]) -> list[int]:
    """Exponents between low and high, so many apart that there are few."""
    first, last = ceil(log(low) - 1e-9), floor(log(high) + 1e-9)
    fits = [apart for apart in range(1, 64) if (last - first) / apart < MOST_MARKS]
    whole = [apart for apart in fits[:4] if (last - first) % apart == 0]  # a mark at both ends
    return list(range(first, last + 1, (whole or fits)[0]))
