"""Plain pickles: what Python's own pickle module writes is read; nothing else is made or called."""

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectives.errors import BadInput
from collectives.hangs.plain_pickle import PlainUnpickler, is_pickle

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 300), 1 << 300),
    st.floats(allow_nan=False),
    st.text(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(max_size=5), inner, max_size=5)
        | st.tuples(inner, inner)
        | st.tuples(inner, inner, inner, inner)
    ),
    max_leaves=20,
)


def read(content):
    assert is_pickle(content)
    return PlainUnpickler(content).value()


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(VALUES, st.sampled_from([2, 3, 4, 5]))
def test_what_python_writes_is_read(value, protocol):
    assert read(pickle.dumps(value, protocol)) == value


def test_shared_and_long_values_are_read():
    shared = ["a" * 300]
    value = {"first": shared, "second": shared, "long": "b" * 70_000, "many": list(range(3000))}
    assert read(pickle.dumps(value, 2)) == value
    assert math.isnan(read(pickle.dumps(math.nan, 2)))


def test_nothing_is_called(monkeypatch, capsys):
    class Calls:
        def __reduce__(self):
            return print, ("called",)

    for protocol in (2, 3, 4, 5):
        with pytest.raises(BadInput, match="only plain data"):
            read(pickle.dumps({"entries": [Calls()]}, protocol))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("code", sorted({*range(256)} - set(b".N\x88\x89)(]}")))
def test_an_opcode_alone_is_refused_or_has_no_value(code):
    """Each other opcode with nothing before it: an error in one line, and no object of a class."""
    plain = (type(None), bool, int, float, str, list, dict, tuple)
    try:
        value = PlainUnpickler(b"\x80\x02" + bytes([code]) + b"os\nsystem\n.").value()
    except BadInput:
        return
    assert type(value) in plain
