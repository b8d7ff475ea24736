"""Sizes, times and rates: exact, with their units, and one line for what is none."""

import math

import pytest

from collectives import BadInput
from collectives.units import parse_rate, parse_size, parse_time, rate_text, size_text, time_text
from collectives.values import rate, seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0B", 0),
        ("1B", 1),
        ("1KB", 10**3),
        ("1kB", 10**3),
        ("1KiB", 2**10),
        ("1MB", 10**6),
        ("1MiB", 2**20),
        ("1GB", 10**9),
        ("1GiB", 2**30),
        ("1TiB", 2**40),
        ("7PB", 7 * 10**15),
        ("7EiB", 7 * 2**60),
        ("0.5KiB", 512),
        ("9007199254740993B", 2**53 + 1),
        ("9.007199254740993PB", 2**53 + 1),
        ("9223372036854775807B", 2**63 - 1),
        ("1_000 KB", 10**6),
        ("1e3KB", 10**6),
    ],
)
def test_sizes_are_exact(text, size):
    assert parse_size(text) == size


def test_gigabytes_are_not_gibibytes_and_bits_are_not_bytes():
    assert parse_size("1GiB") - parse_size("1GB") == 73_741_824
    assert parse_rate("400Gb/s") == parse_rate("400Gbit/s") == parse_rate("400Gbps") == 50e9
    assert parse_rate("400GB/s") == 8 * parse_rate("400Gb/s")
    assert parse_rate("1GiB/s") == 2**30


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1024", "no unit; try: 1024B"),
        ("1gb", "unknown unit 'gb'; did you mean GB"),
        ("1GiBs", "did you mean GiB"),
        ("8Gb", "Gb are bits, a size is in bytes; try: 1GB"),
        ("-1GB", "must not be negative"),
        ("8EiB", "must be below 2^63 bytes"),
        ("9223372036854775808B", "must be below 2^63"),
        ("1e300GB", "must be below 2^63"),
        ("9" * 500 + "B", "must be below 2^63"),
        ("nan", "must be a number and a unit"),
        ("infGB", "must be a number and a unit"),
        ("", "must be a number and a unit"),
        ("0.3B", "not a whole number of bytes; try: 0B"),
        ("1 2GB", "unknown unit"),
        ("1,5GB", "a number has no comma; try: 1.5GB"),
        ("1,500", "a number has no comma; try: 1500B"),
        ("1,500 MB", "a number has no comma; try: 1500MB"),
        ("1,,000MB", "a number has no comma; try: 1000MB"),
        ("\uff14GB", "must be a number and a unit"),
        (7, "must be a text with a unit"),
    ],
)
def test_what_is_no_size_is_told_in_one_line(text, says):
    with pytest.raises(BadInput) as told:
        parse_size(text)
    assert says in str(told.value)
    assert "\n" not in str(told.value) and len(str(told.value)) < 160


@pytest.mark.parametrize("text", ["0GB/s", "-1GB/s", "50GB", "50", "50gb/s", "nanGB/s", "1e40GB/s"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(BadInput, match="bandwidth"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["5", "-5us", "5 parsecs", "us", "1e50s", "5US"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(BadInput, match="latency"):
        parse_time(text)


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *(
            (parse, text)
            for parse in (parse_size, parse_time, parse_rate)
            for text in ("5", "0", "-5", "-0.5 XX", "nan", "", "1e50", "1e400", "1.5", "1e-3", "-0")
        ),
        *(
            (parse, text)
            for parse in (parse_size, parse_time)
            for text in ("1,5", "-1,5", "1,,5XX")
        ),
        *((parse_size, text) for text in ("-1GB", "8EiB", "1e30B", "0.3B", "1b", "9Gb", "1e50Eb")),
        *((parse_size, text) for text in ("1.0004KB", "-1Gb", "1e18EB")),
        *((parse_rate, text) for text in ("-1GB/s", "0GB/s", "0", "-3 Tbps", "1e19B/s", "9e9EB/s")),
        *((parse_time, text) for text in ("-5us", "-1 µs", "1e19s", "1e50h")),
    ],
)
def test_the_hint_is_accepted_when_it_is_typed(parse, text):
    """Also where sizes have a lower limit of their own."""
    limits = {"maximum": 1 << 48} if parse is parse_size else {}
    for more in ({}, limits):
        with pytest.raises(BadInput) as told:
            parse(text, **more)
        near = str(told.value).rpartition("try: ")[2]
        assert parse(near, **more) >= 0, told.value


def test_sizes_may_have_a_lower_limit():
    assert parse_size("256TiB", maximum=1 << 48) == 1 << 48
    with pytest.raises(BadInput, match="size 300TiB: must be at most 256TiB; try: 256TiB"):
        parse_size("300TiB", maximum=1 << 48)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, 2.0**63, "x", None, 10**400])
def test_numbers_are_held_in_their_range(value):
    with pytest.raises(BadInput, match="gamma"):
        seconds("gamma", value)
    with pytest.raises(BadInput, match="bandwidth"):
        rate("bandwidth", value)
    with pytest.raises(BadInput):
        rate("bandwidth", 0.0)


def test_times_are_read_in_every_unit():
    assert parse_time("5us") == parse_time("5µs") == parse_time("5000ns") == parse_time("0.005 ms")
    assert parse_time("0s") == 0 and parse_time("1min") == 60


def test_what_is_written_can_be_read():
    for value in (1, 999, 1000, 1024, 1536, 10**9, 2**30, 3 * 2**40, 2**62):
        assert abs(parse_size(size_text(value)) - value) <= value / 1000
    for value in (1e-12, 5e-6, 0.25, 59.0):
        assert math.isclose(parse_time(time_text(value)), value, rel_tol=1e-3)
    for value in (1.0, 1.5e9, 4.5e11):
        assert math.isclose(parse_rate(rate_text(value)), value, rel_tol=1e-3)


def test_rounding_up_takes_the_next_unit():
    assert time_text(999.96e-9) == "1 µs" and size_text(999_960_001) == "1 GB"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (size_text(1023.9e3, 3, binary=True), "1,000 KiB"),
        (size_text(1 << 20, binary=False), "1.049 MB"),
        (size_text(0, binary=True), "0 B"),
        (time_text(9.9999e-7, 3), "1 µs"),
        (time_text(12345.0), "12,345 s"),
        (rate_text(999.96e9, 3), "1 TB/s"),
    ],
)
def test_digits_and_units_can_be_chosen_and_no_text_has_an_exponent(text, expected):
    assert text == expected
