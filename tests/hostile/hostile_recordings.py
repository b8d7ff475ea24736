"""Hostile recordings: name, content, exit status, words of the line on stderr."""

import base64
import copy
import json
import zlib

from collectives import record, send
from collectives.recording.saved import to_json

LEFT_OUT = object()


def base():
    """A saved recipe of a catalog row, and saved steps of somebody's own."""
    own = [send(0, 1), send([1, 0], [2, 3])]
    return (
        to_json(record("broadcast", "ring", ranks=4, chunks=2)),
        to_json(record(own, "mine", collective="broadcast", ranks=4, slots=1)),
    )


RECIPE, OWN = base()


def but(content, path, value=LEFT_OUT):
    """A saved recording with another value at a place, such as columns.src; as JSON."""
    changed = copy.deepcopy(content)
    *names, last = path.split(".")
    place = changed
    for name in names:
        place = place[name]
    if value is LEFT_OUT:
        del place[last]
    else:
        place[last] = value
    return json.dumps(changed)


def recipe(path, value=LEFT_OUT):
    """The recipe with another value."""
    return but(RECIPE, path, value)


def own(path, value=LEFT_OUT):
    """The saved steps with another value."""
    return but(OWN, "packed." + path, value)


def column(data, length=3, dtype="uint16"):
    """A packed column that holds these bytes."""
    deflated = base64.b64encode(zlib.compress(data)).decode()
    return {"dtype": dtype, "length": length, "deflate": deflated}


def numbers(*values):
    """A packed column of these numbers."""
    return column(b"".join(value.to_bytes(2, "little") for value in values), len(values))


def bomb(length):
    """The saved steps with a column that unpacks to 256 MiB."""
    packed = base64.b64encode(zlib.compress(bytes(1 << 28))).decode()
    return own("columns.src", {**column(b"", length), "deflate": packed})


def later(make, *arguments):
    """Content that takes a while to make: made where its file is written."""
    return lambda path: make(*arguments)


TEXT = json.dumps(RECIPE)
HALF = TEXT[: len(TEXT) // 2]
DAMAGED = "damaged"

RECORDINGS = [
    ("recipe.json", TEXT, 0),
    ("steps.json", json.dumps(OWN), 0),
    ("unknown-key.json", recipe("note", "mine"), [0, 2]),
    ("crlf.json", json.dumps(RECIPE, indent=1).replace("\n", "\r\n"), 0),
    ("utf16.json", TEXT.encode("utf-16"), [0, 2]),
    ("space.json", " " * 5_000_000 + TEXT, 0),
    ("bom.json", b"\xef\xbb\xbf" + TEXT.encode(), [0, 2]),
    ("latin.json", TEXT.replace("ring", "ri\xe9g").encode("latin-1"), 2, "not a recording"),
    ("nul.json", bytes(5000), 2, "not a recording"),
    ("nul-inside.json", TEXT.replace("ring", "ri\\u0000ng"), 2, "\\x00"),
    ("half.json", HALF, 2, "not a recording"),
    ("twice.json", TEXT + TEXT, 2, "not a recording"),
    ("list.json", f"[{TEXT}]", 2, "not a recording"),
    ("number.json", "3", 2, "not a recording"),
    ("nan.json", "NaN", 2, "not a recording"),
    ("null.json", "null", 2, "not a recording"),
    ("digits.json", "9" * 5000, 2, "not a recording"),
    ("digits-inside.json", TEXT.replace('"ranks": 4', '"ranks": ' + "9" * 5000), 2),
    ("deep-list.json", "[" * 200_000, 2, "not a recording"),
    ("deep-object.json", '{"a":' * 200_000 + "1" + "}" * 200_000, 2, "not a recording"),
    ("deep-inside.json", TEXT[:-1] + ', "x": ' + "[" * 50_000 + "]" * 50_000 + "}", [0, 2]),
    ("keys.json", later(json.dumps, dict.fromkeys(map(str, range(300_000)))), 2, "not a recording"),
    ("same-key.json", TEXT[:-1] + ', "ranks": 5}', 2),
    ("long-key.json", json.dumps({"k" * 40_000: 1, **RECIPE}), [0, 2]),
    ("npy.json", b"\x93NUMPY\x01\x00", 2, "not a recording"),
    ("format.json", recipe("format", "other"), 2, "format"),
    ("format-null.json", recipe("format", None), 2, "format"),
    ("format-list.json", recipe("format", ["collectives recording"]), 2, "format"),
    ("version-1.json", recipe("version", 1), 2, "version 1"),
    ("version-text.json", recipe("version", "2"), 2, "'2'"),
    ("version-float.json", recipe("version", 2.0), 2, "2.0"),
    ("version-huge.json", recipe("version", 10**400), 2, "version"),
    ("no-collective.json", recipe("collective"), 2, '"collective" is missing'),
    ("no-algorithm.json", recipe("algorithm"), 2, '"algorithm" is missing'),
    ("no-ranks.json", recipe("ranks"), 2, '"ranks" is missing'),
    ("no-digest.json", recipe("digest"), 2, "digest"),
    ("no-dtype.json", recipe("dtype"), 2, '"dtype" is missing'),
    ("collective.json", recipe("collective", "all_redcue"), 2, "all_redcue"),
    ("collective-other.json", recipe("collective", "scan"), 2),
    ("collective-list.json", recipe("collective", ["broadcast"]), 2, '"collective"'),
    ("collective-long.json", recipe("collective", "b" * 100_000), 2, "1000 letters"),
    ("collective-control.json", recipe("collective", "\x1b[2J\n"), 2, "\\x1b[2J"),
    ("collective-bidi.json", recipe("collective", "\u202ebroadcast"), 2, "u202e"),
    ("algorithm.json", recipe("algorithm", "rnig"), 2, "did you mean ring?"),
    ("algorithm-empty.json", recipe("algorithm", ""), 2, "''"),
    ("algorithm-surrogate.json", recipe("algorithm", "\ud800"), 2, "surrogate"),
    ("algorithm-number.json", recipe("algorithm", 3), 2, '"algorithm" is 3'),
    ("dtype.json", recipe("dtype", "int65"), 2, "int65"),
    ("dtype-object.json", recipe("dtype", "object"), 2, "object"),
    ("dtype-fields.json", recipe("dtype", "i4,i4"), 2, "i4,i4"),
    ("dtype-wide.json", recipe("dtype", "V2000000000"), 2, "V2000000000"),
    ("dtype-list.json", recipe("dtype", [["a", "i4"]]), 2, '"dtype"'),
    ("op.json", recipe("op", "summ"), 2, "summ"),
    ("op-avg.json", recipe("op", "avg"), 2, "avg"),
    ("ranks-0.json", recipe("ranks", 0), 2, "ranks 0"),
    ("ranks-negative.json", recipe("ranks", -4), 2, "ranks -4"),
    ("ranks-other.json", recipe("ranks", 5), 2),
    ("ranks-huge.json", recipe("ranks", 10**9), 2, "1000000000"),
    ("ranks-million.json", recipe("ranks", 1 << 20), [2, 130]),
    ("ranks-bool.json", recipe("ranks", True), 2, "True"),
    ("ranks-null.json", recipe("ranks", None), 2, "None"),
    ("ranks-nan.json", recipe("ranks", float("nan")), 2, "nan"),
    ("ranks-float.json", recipe("ranks", 4.0), 2, "4.0"),
    ("ranks-list.json", recipe("ranks", [4]), 2, "[4]"),
    ("root.json", recipe("root", 4), 2, "root 4"),
    ("root-negative.json", recipe("root", -1), 2, "-1"),
    ("nodes.json", recipe("nodes", 5), 2, "5 nodes"),
    ("nodes-negative.json", recipe("nodes", -1), 2, "-1"),
    ("slots.json", recipe("slots", 3), 2, "3 slots"),
    ("slots-huge.json", recipe("slots", 10**18), 2),
    ("pieces.json", recipe("pieces", 10**6), [0, 2]),
    ("count-negative.json", recipe("count", -1), 2, "-1"),
    ("count-huge.json", recipe("count", 1 << 61), 2, "count"),
    ("count-billion.json", recipe("count", 10**12), 2, "would take"),
    ("chunks.json", recipe("chunks", 1000004), [2, 130]),
    ("chunks-1000000.json", recipe("chunks", 1000000), [2, 130]),
    ("chunks-huge.json", recipe("chunks", 10**15), 2),
    ("chunks-0.json", recipe("chunks", 0), 2, "0"),
    ("chunks-null.json", recipe("chunks", None), 2, "None"),
    ("counts.json", recipe("counts", [1, 2]), [0, 2]),
    ("counts-text.json", recipe("counts", "12"), 2, "counts"),
    ("counts-inside.json", recipe("counts", [1, "x"]), 2, "'x'"),
    ("counts-negative.json", recipe("counts", [4, -4]), 2, "-4"),
    ("counts-huge.json", later(recipe, "counts", [1] * 1_000_000), 2, "1000000"),
    ("parameters.json", recipe("parameters", {"radix": 2}), 2, "radix"),
    ("parameters-list.json", recipe("parameters", [1]), 2, "parameters"),
    (
        "parameters-many.json",
        later(recipe, "parameters", dict.fromkeys(map(str, range(100_000)), 1)),
        2,
    ),
    ("digest.json", recipe("digest", "sha256:00"), 2, "digest"),
    ("digest-null.json", recipe("digest", None), 2, "digest"),
    ("digest-number.json", recipe("digest", 3), 2, "digest"),
    ("pairs.json", recipe("pairs", [[0, 0, 1, 0]]), [0, 2]),
    ("packed-null.json", but(OWN, "packed", None), 2, "packed"),
    ("packed-list.json", but(OWN, "packed", []), 2, "packed"),
    ("packed-empty.json", but(OWN, "packed", {}), 2, "lengths"),
    ("own-ranks.json", but(OWN, "ranks", 3), 0),
    ("own-nodes.json", but(OWN, "nodes", 10**12), 2),
    ("own-slots.json", but(OWN, "slots", 0), 2, "0 slots"),
    ("own-pieces.json", but(OWN, "pieces", 10**12), 2),
    ("own-helpers.json", but(OWN, "helpers", "router"), 2, "router"),
    ("own-name.json", but(OWN, "algorithm", "\x1b[2J\u202e\n"), [0, 2]),
    ("own-collective.json", but(OWN, "collective", "all_reduce"), [1, 2]),
    ("own-pairs.json", but(OWN, "pairs", [[0, 0, 1]]), 2),
    ("own-pairs-far.json", but(OWN, "pairs", [[0, 0, 10**9, 0]]), 2),
    ("lengths-null.json", own("lengths", None), 2, "lengths"),
    ("lengths-length.json", own("lengths.length", 10**9), 2, "steps"),
    ("lengths-negative.json", own("lengths.length", -1), 2, "-1"),
    ("lengths-0.json", own("lengths", numbers(0, 3)), 2, "empty steps"),
    ("lengths-more.json", own("lengths", numbers(1, 3)), 2),
    ("lengths-most.json", own("lengths", numbers(*[65535] * 300)), 2, "transfers"),
    ("columns-null.json", own("columns", None), 2, "columns"),
    ("no-src.json", own("columns.src"), 2, "src"),
    ("src-null.json", own("columns.src", None), 2, "src"),
    ("src-rank.json", own("columns.src", numbers(0, 1, 9)), 1, "node 9"),
    ("src-same.json", own("columns.src", numbers(1, 1, 0)), 2),
    ("src-early.json", own("columns.src", numbers(3, 1, 0)), 2),
    ("src-short.json", own("columns.src", column(b"\0\0")), 2, DAMAGED),
    ("src-odd.json", own("columns.src", column(b"\0\0\0\0\0")), 2, DAMAGED),
    ("src-long.json", own("columns.src", column(bytes(1000))), 2, DAMAGED),
    ("src-bomb.json", later(bomb, 3), 2, DAMAGED),
    ("src-bomb-length.json", later(bomb, 1 << 27), 2),
    ("src-length.json", own("columns.src.length", 4), 2, "4"),
    ("src-length-text.json", own("columns.src.length", "3"), 2, "'3'"),
    ("src-dtype.json", own("columns.src.dtype", "float64"), 2, "float64"),
    ("src-dtype-object.json", own("columns.src.dtype", "O"), 2, "'O'"),
    ("src-dtype-null.json", own("columns.src.dtype", None), 2, "dtype"),
    ("src-base64.json", own("columns.src.deflate", "äöü"), 2, DAMAGED),
    ("src-padding.json", own("columns.src.deflate", "eJx"), 2, DAMAGED),
    ("src-zlib.json", own("columns.src.deflate", "AAAA"), 2, DAMAGED),
    ("src-number.json", own("columns.src.deflate", 3), 2, "deflate"),
    ("chunk-far.json", own("columns.chunk", numbers(0, 0, 65535)), 1, "slot 65535"),
    ("count-0.json", own("columns.count", numbers(1, 1, 0)), 1, "count 0"),
    ("count-far.json", own("columns.count", numbers(1, 1, 65535)), 1, "slot 65534"),
    ("reduces-2.json", own("columns.reduces", numbers(0, 0, 2)), 2, "reduces 2"),
    ("origin-far.json", own("columns.origin", numbers(0, 0, 7)), 2, "origin 7"),
    ("needs-far.json", own("columns.needs", numbers(0, 0, 9)), 1, "slot 9"),
    ("stamps-null.json", own("stamps", None), 2, "stamps"),
    ("stamps-text.json", own("stamps", ["x"]), 2, DAMAGED),
    ("stamps-frame.json", own("stamps", [[[0, 1]]]), 2, DAMAGED),
    ("stamps-source.json", own("stamps", [[[9, 1, {}, False]]]), 2, "source 9"),
    ("stamps-line.json", own("stamps", [[[0, 10**400, {}, False]]]), 2),
    ("stamps-locals.json", own("stamps", [[[0, 1, {"n": "x"}, False]]]), 2),
    ("sources-null.json", own("sources", None), 2, "sources"),
    ("sources-short.json", own("sources", [["f"]]), 2, DAMAGED),
    ("sources-surrogate.json", own("sources", [["\udc80", "f", 1, "x"]]), 2, "surrogate"),
    ("sources-many.json", later(own, "sources", [["f", "f", 1, "x"]] * 200_000), [0, 2]),
]
