"""Command lines, right and wrong: each ends with its exit status, one line on stderr, no debris."""

import re

import pytest
from each import each
from runner import HOSTILE, contents, judge, judged, sampled, swept, table, title

TABLE = table("command_lines")
LONG = TABLE.pop("long_requests")


@pytest.mark.parametrize("section", TABLE)
def test_a_command_line_ends_as_the_table_says(server, section):
    @each("case", sampled(TABLE[section]), title)
    def ends(case):
        status, line, *needles = case
        judged(server, [status], needles, line=line)

    ends()


ANNOUNCED = re.compile(r"\d ?(s|min|h|seconds|minutes|hours|[KMGT]i?B)\b")


@each("case", sampled(LONG, 10), title)
def test_what_takes_long_is_refused_or_announced_and_stops_cleanly(server, case):
    statuses, line = case
    before = contents(server.folder)
    ended = server.run(line, interrupt_after=8 if HOSTILE else 3)
    made = swept(server.folder, before)
    if ended.status == 130:
        said, *_, last = ["", *ended.err.splitlines()[:-1]][-1], ended.err.splitlines()[-1]
        assert ANNOUNCED.search(said), f"nothing says how long it takes: {ended.err!r}"
        assert last == "collectives: interrupted", ended.err
        assert not made
    else:
        judge(ended, statuses)
