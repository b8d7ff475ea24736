"""A machine of one's own in TOML: read as it is meant, refused in one line."""

import os
import time

import pytest

from collectives import BadInput, record
from collectives.cost.clocks.clock import dataflow
from collectives.cost.machines.toml_file import EXAMPLE, parse_topology, read_topology

PAIR = 'ranks = 2\n[[link]]\nbetween = [[0, 1]]\nbandwidth = "1GB/s"\nlatency = "1us"\n'


def test_the_example_is_what_it_says():
    made = parse_topology(EXAMPLE)
    assert made.name == "two nodes of two" and made.ranks == 4 and made.nodes == 6
    across = made.paths([0], [3])
    assert across.minimum(made.bandwidth)[0] == 50e9
    assert across.total(made.latency)[0] == pytest.approx(4e-6)
    assert made.group[8] == made.group[9] and made.in_network.tolist() == [4]
    assert len(set(made.group.tolist())) == made.links - 1


def test_agents_is_another_name_of_in_network():
    older = EXAMPLE.replace("in_network =", "agents =")
    assert older != EXAMPLE and parse_topology(older).in_network.tolist() == [4]
    with pytest.raises(BadInput, match="given twice"):
        parse_topology(EXAMPLE.replace("in_network =", "agents = []\nin_network ="))


def test_a_link_of_one_direction_and_ports():
    text = 'ranks = 3\n[[link]]\nfrom_to = [[0, 1], [1, 2], [2, 0]]\nkind = "ib-ndr"\nports = 2\n'
    made = parse_topology(text)
    assert len(made.paths([0], [2]).link) == 2 and made.lanes.tolist() == [2, 2, 2]
    assert made.capacity.tolist() == [100e9] * 3


def test_servers_take_the_place_of_an_algorithms_own(tmp_path):
    file = tmp_path / "star.toml"
    file.write_text(
        'ranks = 2\nservers = 1\n[[link]]\nkind = "ethernet-25"\n'
        'between = [[0, "server 0"], [1, "server 0"]]\n'
    )
    made = read_topology(file)
    assert made.name == "star"
    assert dataflow(record("all_reduce", "parameter-server", ranks=2), made).total > 2 * 20e-6


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ranks = ", "not TOML"),
        ("ranks = 2\nranks = 3", "not TOML: Cannot overwrite a value (at"),
        ("rank = 2", "unknown key rank in a topology; did you mean ranks"),
        ('name = "x"', "ranks is missing"),
        ("ranks = 0", "ranks 0: must be at least 1"),
        ("ranks = true", "ranks True: must be a whole number"),
        ("ranks = 9223372036854775808", "at most 4096; try: 4096"),
        ("ranks = 99999999", "at most 4096"),
        ("ranks = 2.5", "ranks 2.5: must be a whole number; try: 2"),
        ('ranks = "4"', "ranks '4': must be a number, not a text; try: 4"),
        ("ranks = inf", "must be a whole number, neither infinite nor NaN; try: 1"),
        (f"{'x' * 2000} = [", "(at end of document)"),
        ("ranks = 2", "no way from rank 0 to rank 1"),
        (PAIR.replace("between", "betwen"), "unknown key betwen in link 1; did you mean between"),
        (PAIR.replace("[[0, 1]]", "[[0, 2]]"), "link 1: no node 2; there are rank 0 to 1"),
        (PAIR.replace("[[0, 1]]", "[[0, 0]]"), "[0, 0] are the same node"),
        (PAIR.replace("[[0, 1]]", '[[0, "rank 0"]]'), "are the same node; try: [0, 1]"),
        (
            PAIR.replace("[[0, 1]]", "[0, 1]"),
            "link 1: between [0, 1]: must be a list of pairs; try: [[0, 1]]",
        ),
        (PAIR.replace("[[0, 1]]", "[[0, 1, 1]]"), "[0, 1, 1] must be two different nodes"),
        (PAIR.replace("1GB/s", "1GB"), "unknown unit 'GB'; did you mean GB/s"),
        (PAIR.replace("1GB/s", "0GB/s"), "must be above 0"),
        (PAIR.replace("1GB/s", "-1GB/s"), "must be above 0; try: 1GB/s"),
        (PAIR.replace('"1GB/s"', "50"), "must be a text with a unit"),
        (PAIR.replace('"1us"', "nan"), "must be a text with a unit"),
        (PAIR.replace('latency = "1us"', ""), "latency is missing"),
        (PAIR + 'kind = "nvlnk4"', "link 1: kind: unknown link 'nvlnk4'; did you mean nvlink4"),
        (PAIR + "kind = 4", "kind 4: must be a text"),
        (PAIR + "half_duplex = 1", "must be true or false"),
        (PAIR + "ports = 0", "ports 0: must be at least 1"),
        (PAIR + "priority = 10", "link 1: priority 10: must be at most 9; try: 9"),
        (PAIR + "priority = -10", "link 1: priority -10: must be at least -9; try: -9"),
        (PAIR + 'priority = "-2"', "priority '-2': must be a number, not a text; try: -2"),
        (PAIR.replace("[[link]]", "in_network = [7]\n[[link]]"), "in_network: no node 7"),
        (PAIR.replace("[[link]]", "name = 7\n[[link]]"), "name 7: must be a text"),
        ("ranks = 2\nlink = 7", "link: must be tables; try: [[link]]"),
        ("ranks = 2\nlink = [7]", "link: must be tables"),
        (PAIR.replace("[[link]]", "[link]"), "link: must be tables; try: [[link]]"),
        (PAIR.replace("[[0, 1]]", "7"), "between 7: must be a list of pairs; try: [[0, 1]]"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text, says):
    with pytest.raises(BadInput) as told:
        parse_topology(text)
    assert says in str(told.value) and "\n" not in str(told.value)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(BadInput, match=r"absent\.toml: no such file"):
        read_topology(tmp_path / "absent.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="is not text"):
        read_topology(tmp_path / "bytes.toml")
    with pytest.raises(BadInput, match="directory"):
        read_topology(tmp_path)
    (tmp_path / "bad.toml").write_text("ranks = 0")
    with pytest.raises(BadInput, match=r"bad\.toml: ranks 0"):
        read_topology(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_text("ranks = 2")
    with pytest.raises(BadInput, match=r"bad\.toml: no way from rank 0"):
        read_topology(tmp_path / "bad.toml")


def test_a_file_that_never_ends_or_never_begins_is_not_read(tmp_path):
    (tmp_path / "zeros.toml").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.toml")
    for name in ("zeros.toml", "pipe.toml"):
        with pytest.raises(BadInput, match=rf"{name}: is not a regular file"):
            read_topology(tmp_path / name)
    with (tmp_path / "sparse.toml").open("wb") as file:
        file.truncate(3 << 30)
    with pytest.raises(BadInput, match=r"has 3 GiB; the limit is 16 MiB"):
        read_topology(tmp_path / "sparse.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ranks = " + "9" * 5000, "not TOML: a number has thousands of digits"),
        (".".join("a" * 20_000) + " = 1", "a key of over 20 parts, "),
        ("a" * 1_000_000 + " = 1", "unknown key "),
        ("[" + '. "b-c"' * 20_000 + "]", "a key of over 20 parts, "),
    ],
)
def test_texts_that_would_take_the_parser_far_are_refused(text, says):
    start = time.process_time()
    assert says in refusal(text)
    assert time.process_time() - start < 2


def test_a_long_chain_is_found_connected_without_a_search_for_each_rank():
    links = ", ".join(f"[{k}, {k + 1}]" for k in range(4095))
    text = f'ranks = 4096\n[[link]]\nkind = "nvlink4"\nbetween = [{links}]'
    start = time.process_time()
    assert parse_topology(text).ranks == 4096
    assert time.process_time() - start < 5


def refusal(text):
    """Why a text is refused; nothing where it is read."""
    try:
        parse_topology(text)
    except BadInput as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("key", ["ranks", "switches", "servers", "ports"])
@pytest.mark.parametrize("told", ["2.5", '"4"', "-1", "0.2", "true", "1e30", "nan", f"{2**63}"])
def test_the_nearest_number_is_accepted(key, told):
    """A link does not join as many ranks as there are then: that is said, not that they are."""

    def text(number):
        own = PAIR.replace("ranks = 2\n", "") if key == "ranks" else PAIR
        return f"{PAIR}ports = {number}" if key == "ports" else f"{key} = {number}\n{own}"

    first = refusal(text(told))
    assert key in first
    again = refusal(text(first.rpartition("try: ")[2]))
    assert not again or (key == "ranks" and not again.startswith(key)), again


@pytest.mark.parametrize(
    "told", ["[0, 1]", '["rank 0", "rank 1"]', "7", "[0]", "[[0, 0]]", "[0, 0]"]
)
def test_the_nearest_pairs_are_accepted(told):
    with pytest.raises(BadInput) as refused:
        parse_topology(PAIR.replace("[[0, 1]]", told))
    near = str(refused.value).rpartition("try: ")[2]
    near = near if near.startswith("[[") else f"[{near}]"
    assert parse_topology(PAIR.replace("[[0, 1]]", near)).links == 2


def test_a_name_is_one_line_that_can_be_shown():
    text = EXAMPLE.replace("two nodes of two", r"my\nown \u001b[2J\u202e" + "x" * 5000)
    name = parse_topology(text).name
    assert name.startswith(r"my own \x1b[2J\u202exx") and name.endswith("x…")
    assert len(name) == 120
