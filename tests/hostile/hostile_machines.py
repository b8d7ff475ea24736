"""Hostile machines in TOML: name, content, exit status, words of the line on stderr."""

LINK = '[[link]]\nbetween = [[0, 1], [1, 2]]\nbandwidth = "10GB/s"\nlatency = "2us"\n'
GOOD = f'name = "three"\nranks = 3\n{LINK}'
STAR = '[[link]]\nbetween = [[0, "switch 0"], [1, "switch 0"], [2, "switch 0"]]\nkind = "nvlink4"\n'


def link(**keys):
    """A machine of three ranks in a row, with other keys of its links, as TOML writes them."""
    keys = {
        "between": "[[0, 1], [1, 2]]",
        "bandwidth": '"10GB/s"',
        "latency": '"2us"',
        **keys,
    }
    return "ranks = 3\n[[link]]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items() if v)


def chain(ranks):
    """A machine whose ranks stand in a row."""
    pairs = ", ".join(f"[{k}, {k + 1}]" for k in range(ranks - 1))
    return f'ranks = {ranks}\n[[link]]\nbetween = [{pairs}]\nkind = "nvlink4"\n'


def mesh(ranks):
    """A machine with a link between every two ranks."""
    pairs = ", ".join(f"[{one}, {other}]" for other in range(ranks) for one in range(other))
    return f'ranks = {ranks}\n[[link]]\nbetween = [{pairs}]\nkind = "nvlink4"\n'


MACHINES = [
    ("good.toml", GOOD, 0),
    ("star.toml", f"ranks = 3\nswitches = 1\n{STAR}", 0),
    ("crlf.toml", GOOD.replace("\n", "\r\n"), 0),
    ("one-way.toml", link(between="", from_to="[[0, 1], [1, 2], [2, 0]]"), 0),
    ("ports.toml", link(ports="4", half_duplex="true"), 0),
    ("bom.toml", b"\xef\xbb\xbf" + GOOD.encode(), [0, 2]),
    ("utf16.toml", GOOD.encode("utf-16"), 2, "utf16.toml"),
    ("latin.toml", GOOD.replace("three", "dr\xe9i").encode("latin-1"), 2, "is not text"),
    ("nul.toml", GOOD.replace("three", "a\0b"), 2, "not TOML"),
    ("zeros.toml", bytes(5000), 2, "zeros.toml"),
    ("binary.toml", bytes(range(256)) * 100, 2, "is not text"),
    ("json.toml", '{"ranks": 3}', 2, "not TOML"),
    ("half.toml", GOOD[:40], 2),
    ("unclosed.toml", 'name = "three\nranks = 3\n', 2, "not TOML"),
    ("comment.toml", "# nothing\n" * 100_000, 2, "ranks"),
    ("name-number.toml", "name = 3\nranks = 3\n", 2, "name 3"),
    ("name-empty.toml", f'name = ""\nranks = 3\n{LINK}', 0),
    ("name-control.toml", f'name = "\\u001b[2J\\n\\u202e"\nranks = 3\n{LINK}', [0, 2]),
    ("name-long.toml", f'name = "{"x" * 100_000}"\nranks = 3\n{LINK}', [0, 2]),
    ("no-ranks.toml", LINK, 2, "ranks is missing"),
    ("ranks-0.toml", "ranks = 0\n" + LINK, 2, "ranks 0"),
    ("ranks-1.toml", "ranks = 1\n", [0, 2]),
    ("ranks-negative.toml", "ranks = -3\n", 2, "ranks -3"),
    ("ranks-float.toml", "ranks = 3.5\n" + LINK, 2, "3.5"),
    ("ranks-nan.toml", "ranks = nan\n", 2, "ranks nan"),
    ("ranks-inf.toml", "ranks = inf\n", 2, "ranks inf"),
    ("ranks-bool.toml", "ranks = true\n", 2, "True"),
    ("ranks-text.toml", 'ranks = "3"\n', 2, "'3'"),
    ("ranks-list.toml", "ranks = [3]\n", 2, "[3]"),
    ("ranks-table.toml", "[ranks]\nn = 3\n", 2, "ranks"),
    ("ranks-date.toml", "ranks = 2020-01-01\n", 2, "ranks"),
    ("ranks-digits.toml", f"ranks = {'9' * 5000}\n", 2),
    ("ranks-hex.toml", f"ranks = 0x{'f' * 5000}\n", 2, "ranks"),
    ("ranks-huge.toml", "ranks = 1000000\n", 2, "1000000"),
    ("ranks-twice.toml", "ranks = 3\nranks = 4\n", 2, "not TOML"),
    ("ranks-apart.toml", "ranks = 3\n", 2),
    ("rank.toml", "rank = 3\n", 2, "key rank", "did you mean ranks?"),
    ("key-empty.toml", '"" = 3\n', 2, "''"),
    ("key-control.toml", '"\\u001b[2J" = 3\n', 2, "\\x1b[2J"),
    ("key-long.toml", f"{'k' * 40_000} = 3\n", 2),
    ("key-dotted.toml", ".".join("k" * 20_000) + " = 1\n", 2, "key-dotted.toml"),
    ("table-dotted.toml", "[" + ".".join("k" * 20_000) + "]\n", 2, "table-dotted.toml"),
    ("keys.toml", "".join(f"k{k} = {k}\n" for k in range(20_000)), 2, "k0"),
    ("tables.toml", "ranks = 3\n" + "[[link]]\n" * 50_000, 2, "bandwidth is missing"),
    ("deep-list.toml", "ranks = " + "[" * 100_000, 2, "deep-list.toml"),
    ("deep-table.toml", "ranks = " + "{a = " * 20_000, 2, "deep-table.toml"),
    ("switches-negative.toml", f"ranks = 3\nswitches = -1\n{LINK}", 2, "switches -1"),
    ("switches-huge.toml", f"ranks = 3\nswitches = 99999999\n{LINK}", 2, "99999999"),
    ("switches-text.toml", f'ranks = 3\nswitches = "one"\n{STAR}', 2, "one"),
    ("switch-missing.toml", f"ranks = 3\n{STAR}", 2, "switch 0"),
    ("switch-apart.toml", f"ranks = 3\nswitches = 1\n{LINK}", [0, 2]),
    ("servers.toml", f"ranks = 3\nservers = 65536\n{LINK}", [0, 2]),
    ("network-number.toml", f"ranks = 3\nswitches = 1\nin_network = 3\n{STAR}", 2, "in_network"),
    ("network-far.toml", f'ranks = 3\nswitches = 1\nin_network = ["switch 9"]\n{STAR}', 2, "switch 9"),
    ("network-list.toml", f"ranks = 3\nswitches = 1\nin_network = [[0]]\n{STAR}", 2, "[0]"),
    ("network-twice.toml", f'ranks = 3\nswitches = 1\nin_network = ["switch 0", "switch 0"]\n{STAR}', [0, 2]),
    ("link-table.toml", 'ranks = 3\n[link]\nkind = "nvlink4"\n', 2, "[[link]]"),
    ("link-number.toml", "ranks = 3\nlink = 3\n", 2, "link"),
    ("link-mixed.toml", "ranks = 3\nlink = [1, {}]\n", 2, "link"),
    ("link-key.toml", link(bandwith='"1GB/s"'), 2, "key bandwith", "did you mean bandwidth?"),
    ("link-empty.toml", "ranks = 3\n[[link]]\n", 2, "bandwidth is missing"),
    ("link-no-latency.toml", link(latency=""), 2, "latency is missing"),
    ("between-number.toml", link(between="3"), 2, "between 3"),
    ("between-flat.toml", link(between="[0, 1]"), 2, "[[0, 1]]"),
    ("between-three.toml", link(between="[[0, 1, 2]]"), 2, "[0, 1, 2]"),
    ("between-empty.toml", link(between="[[]]"), 2, "[]"),
    ("between-self.toml", link(between="[[1, 1]]"), 2, "[1, 1]"),
    ("between-far.toml", link(between="[[0, 3]]"), 2, "no node 3"),
    ("between-negative.toml", link(between="[[0, -1]]"), 2, "-1"),
    ("between-bool.toml", link(between="[[false, true]]"), 2, "False"),
    ("between-float.toml", link(between="[[0, 1.0]]"), 2, "1.0"),
    ("between-text.toml", link(between='[["0", "1"]]'), 2, "'0'"),
    ("between-digits.toml", link(between=f"[[0, {'9' * 5000}]]"), 2),
    ("between-deep.toml", link(between="[" * 500 + "]" * 500), 2),
    ("between-many.toml", link(between="[" + "[0, 1], " * 200_000 + "[1, 2]]"), [0, 2]),
    ("kind.toml", link(kind='"nvlink9"'), 2, "nvlink9"),
    ("kind-number.toml", link(kind="3"), 2, "kind 3"),
    ("bandwidth-number.toml", link(bandwidth="10"), 2, "10"),
    ("bandwidth-0.toml", link(bandwidth='"0GB/s"'), 2, "0GB/s"),
    ("bandwidth-nan.toml", link(bandwidth="nan"), 2, "nan"),
    ("bandwidth-unit.toml", link(bandwidth='"10GB"'), 2, "10GB"),
    ("bandwidth-comma.toml", link(bandwidth='"1,5GB/s"'), 2, "1,5GB/s"),
    ("bandwidth-digits.toml", link(bandwidth=f'"{"9" * 5000}GB/s"'), 2, "bandwidth"),
    ("latency-negative.toml", link(latency='"-2us"'), 2, "-2us"),
    ("latency-unit.toml", link(latency='"2"'), 2, "no unit"),
    ("latency-inf.toml", link(latency='"inf s"'), 2, "inf"),
    ("latency-year.toml", link(latency='"9e18s"'), [0, 2]),
    ("ports-0.toml", link(ports="0"), 2, "ports 0"),
    ("ports-huge.toml", link(ports="99999999"), 2, "99999999"),
    ("half-text.toml", link(half_duplex='"yes"'), 2, "yes"),
    ("half-number.toml", link(half_duplex="1"), 2, "1"),
    ("chain.toml", chain(20_000), 2, "chain.toml"),
    ("chain-2000.toml", chain(2000), [0, 2]),
    ("mesh-700.toml", mesh(700), [0, 2]),
]  # fmt: skip
