"""Dumps, RAS outputs and watchdog lines with random changes of their structure and bytes."""

import json
import pickle
from pathlib import Path

from hostile_dumps import ENTRY, GROUP, content
from hypothesis import given
from hypothesis import strategies as st
from test_fuzz import VALUES, damaged, fuzzed, place, tried

import collectives

__all__ = ["place"]  # a fixture

SAMPLES = [
    path.read_bytes() for path in sorted((Path(__file__).parents[1] / "data" / "hangs").iterdir())
]
DUMPS = [pickle.dumps(content(), 2), json.dumps(content()).encode()]
ENTRIES = st.lists(
    st.builds(
        lambda name, value, number: ENTRY | {"record_id": number, name: value},
        st.sampled_from(sorted(ENTRY)),
        VALUES,
        st.integers(0, 5),
    ),
    max_size=4,
)
OTHER = st.fixed_dictionaries(
    {"entries": ENTRIES},
    optional={
        "pg_config": st.just(GROUP) | VALUES,
        "pg_status": VALUES,
        "version": st.sampled_from(["2.4", "2.10", "1.0"]),
    },
)


def judge(path):
    """Read and judge a file, and make all of the report."""
    report = collectives.log(path)
    assert repr(report)
    assert list(report.lines())
    json.dumps(report.as_json())


@fuzzed
@given(damaged(*SAMPLES, *DUMPS))
def test_files_of_calls_with_other_bytes(place, data):
    tried(judge, place, "_0.log", data)


@fuzzed
@given(OTHER, st.booleans())
def test_dumps_with_another_structure(place, other, is_json):
    value = content(**other)
    data = json.dumps(value).encode() if is_json else pickle.dumps(value, 2)
    tried(judge, place, "_0.log", data)
