"""Command lines, right and wrong: each ends with its exit status, one line on stderr, no debris."""

import pytest
from each import each
from runner import (
    HOSTILE,
    INTERRUPTED,
    MEMORY,
    SECONDS,
    contents,
    judge,
    judged,
    progress,
    sampled,
    swept,
    table,
    title,
)

TABLE = table("command_lines")
LONG = TABLE.pop("long_requests")


@pytest.mark.parametrize("section", TABLE)
def test_a_command_line_ends_as_the_table_says(server, section):
    @each("case", sampled(TABLE[section]), title)
    def ends(case):
        status, line, *needles = case
        judged(server, [status], needles, line=line)

    ends()


@each("case", sampled(LONG, 10), title)
def test_what_takes_long_is_refused_or_announced_and_stops_cleanly(server, case):
    """Up to 10 s and 1 GiB need no announcement."""
    statuses, line = case
    before = contents(server.folder)
    ended = server.run(line, interrupt_after=8 if HOSTILE else 4, seconds=2 * SECONDS)
    made = swept(server.folder, before)
    assert ended.memory <= MEMORY or "B of memory" in " ".join(progress(ended)), ended.memory >> 20
    if ended.status == INTERRUPTED:
        assert progress(ended), f"nothing says how long it takes: {ended.err!r}"
        assert ended.err.endswith("\ncollectives: interrupted\n"), ended.err
        assert not made
    else:
        judge(ended, statuses)
