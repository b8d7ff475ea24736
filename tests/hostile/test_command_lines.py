"""Command lines, right and wrong: each ends with its exit status, one line on stderr, no debris."""

import pytest
from each import each
from runner import judged, sampled, table, title

TABLE = table("command_lines")
LONG = TABLE.pop("long_requests")


@pytest.mark.parametrize("section", TABLE)
def test_a_command_line_ends_as_the_table_says(server, section):
    @each("case", sampled(TABLE[section]), title, few=4)
    def ends(case):
        status, line, *needles = case
        judged(server, [status], needles, line=line)

    ends()


@each("case", sampled(LONG, 100), title)
def test_what_takes_long_is_refused_or_announced_and_stops_cleanly(server, case):
    """Up to 10 s and 1 GiB need no announcement."""
    statuses, line = case
    judged(server, statuses, line=line)
