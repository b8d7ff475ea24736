"""Hostile .npy and .npz files: name, content, exit status, words of the line on stderr."""

import io
import os
import warnings
import zipfile
import zlib

import numpy as np

STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


def npy(array=None, dtype=np.int64, **options):
    """An array as the bytes of a .npy file."""
    buffer = io.BytesIO()
    given = np.arange(12, dtype=dtype).reshape(3, 4) if array is None else np.asanyarray(array)
    with warnings.catch_warnings(action="ignore"):
        np.lib.format.write_array(buffer, given, **options)
    return buffer.getvalue()


def header(text, data=b"", version=1):
    """A .npy file whose header is this text."""
    line = text.encode("utf-8", "surrogateescape")
    size = len(line).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + line + data


def described(shape, dtype="'<i8'", data=bytes(96), order="False", version=1):
    """A .npy file that claims this shape and dtype."""
    text = f"{{'descr': {dtype}, 'fortran_order': {order}, 'shape': {shape}}}"
    return header(text, data, version)


def sides(dimensions):
    """A shape of 12 elements in so many dimensions."""
    return f"(3, 4{', 1' * (dimensions - 2)})"


def npz(method=STORED, **entries):
    """The bytes of a .npz file with these entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def named(*names):
    """A .npz file whose entries have these names, as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings(action="ignore"):
        for name in names:
            archive.writestr(name, npy())
    return buffer.getvalue()


def patched(content, at, by):
    """Bytes with some overwritten."""
    at %= len(content)
    return content[:at] + by + content[at + len(by) :]


def bomb(size):
    """A .npz of about a thousandth of the size that it unpacks to, which is below 4 GiB."""
    block, start = bytes(1 << 24), described(f"(4, {size // 32})", data=b"")
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packing.compress(start) + packing.flush(zlib.Z_FULL_FLUSH)
    again = packing.compress(block) + packing.flush(zlib.Z_FULL_FLUSH)
    repeats = size // len(block)
    packed = npz(a=first + again * repeats + packing.flush())
    unpacked = (len(start) + repeats * len(block)).to_bytes(4, "little")
    for signature, method, length in ((b"PK\x03\x04", 8, 22), (b"PK\x01\x02", 10, 24)):
        at = packed.rindex(signature)
        packed = patched(packed, at + method, b"\x08\x00")
        packed = patched(packed, at + length, unpacked)
    return packed


class Trap:
    """Makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("unpickled",)


GOOD = npy()
BOTH = npz(a=GOOD, b=GOOD)
PACKED = npz(DEFLATED, a=npy(np.arange(4000).reshape(4, 1000)))
OBJECTS = npy(np.array([[Trap(), 1], [2, 3]], dtype=object), allow_pickle=True)
NO = "not a numpy array file"

ARRAYS = [
    ("fortran.npy", npy(np.asfortranarray(np.arange(12).reshape(3, 4))), 0),
    ("swapped.npy", npy(np.arange(12, dtype=">i4").reshape(3, 4)), 0),
    ("cube.npy", npy(np.zeros((3, 2, 2))), 0),
    ("widthless.npy", npy(np.zeros((3, 0))), 0),
    ("nan.npy", npy(np.full((3, 4), np.nan)), 0),
    ("inf.npy", npy(np.array([[np.inf, -np.inf], [-np.inf, np.inf]])), 0),
    ("half.npy", npy(np.ones((3, 4), np.float16)), 0),
    ("bfloat16.npy", npy(np.zeros((3, 4), "V2")), 2, "--dtype bfloat16"),
    ("bytes.npy", npy(np.zeros((3, 4), "V4")), 2, "cannot be reduced"),
    ("second.npy", npy(version=(2, 0)), 0),
    ("trailing.npy", GOOD + b"more", [0, 2]),
    ("magic.npy", b"\x93NUMPY", 2, NO),
    ("magicless.npy", GOOD[1:], 2, NO),
    ("text.npy", b"1 2 3 4\n5 6 7 8\n", 2, NO),
    ("bom.npy", b"\xef\xbb\xbf" + GOOD, 2, NO),
    ("nul.npy", bytes(4096), 2, NO),
    ("half-header.npy", GOOD[:40], 2, NO),
    ("short.npy", GOOD[:-1], 2, "truncated"),
    ("dataless.npy", GOOD[:128], 2, "truncated"),
    ("version.npy", patched(GOOD, 6, b"\x09"), 2, "version"),
    ("third.npy", described("(3, 4)", version=3), [0, 2]),
    ("header-length.npy", patched(GOOD, 8, b"\xff\xff"), 2, NO),
    ("header-4GB.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{", 2, NO),
    ("true.npy", described("(True, 12)"), 2, "True"),
    ("false.npy", described("(3, False)"), 2, "False"),
    ("floats-shape.npy", described("(3.0, 4.0)"), 2),
    ("shape-text.npy", described("'34'"), 2, NO),
    ("shape-list.npy", described("[3, 4]"), 2, NO),
    ("shape-number.npy", described("12"), 2, NO),
    ("shape-none.npy", described("None"), 2, NO),
    ("shapeless.npy", described("()"), 2, "()"),
    ("line.npy", npy(np.arange(4)), 2, "(4,)"),
    ("million.npy", npy(np.arange(1_000_000)), 2, "(1000000,)"),
    ("rows.npy", npy(np.zeros((2_000_000, 1), np.int8)), 2, "2000000"),
    ("rowless.npy", npy(np.zeros((0, 4))), 2, "(0, 4)"),
    ("negative.npy", described("(-3, 4)"), 2, "-3"),
    ("negative-both.npy", described("(-3, -4)"), 2, "-3"),
    ("huge.npy", described(f"(3, {10**18})"), 2, "truncated"),
    ("overflow.npy", described(f"(3, {2**64})"), 2),
    ("digits.npy", described(f"(3, {'9' * 5000})"), 2),
    ("zero-huge.npy", described(f"(0, {2**62})", data=b""), 2),
    ("huge-zero.npy", described(f"({2**62}, 0)", data=b""), 2),
    ("dimensions.npy", described(str((1,) * 100), data=bytes(8)), 2),
    ("nested.npy", header("(" * 60_000), 2, NO),
    ("nested-dict.npy", header("{'a':" * 9000), 2, NO),
    ("import.npy", header("{'descr': __import__('os').mkdir('unpickled')}"), 2, NO),
    ("extra.npy", header("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), 'x': 1}"), 2, NO),
    ("keys.npy", header("{'shape': (3, 4)}"), 2, NO),
    ("order.npy", described("(3, 4)", order="3"), 2, NO),
    ("latin.npy", header("{'descr': '\udce9'}"), 2, NO),
    ("dtype-unknown.npy", described("(3, 4)", "'<q9'"), 2, NO),
    ("dtype-object.npy", described("(3, 4)", "'|O'"), 2, "never unpickled"),
    ("dtype-list.npy", described("(3, 4)", "[('a', '<i4'), ('b', '<i4')]"), 2, "cannot be reduced"),
    ("dtype-nested.npy", described("(3, 4)", "[" * 3000 + "]" * 3000), 2),
    ("dtype-void.npy", described("(3, 4)", "'|V0'"), 2),
    ("dtype-wide.npy", described("(3, 4)", "'<U2000000000'"), 2),
    ("dtype-subarray.npy", described("(3, 4)", "('<i4', (2,))"), 2),
    ("dimensions-16.npy", described(sides(16)), 0),
    ("dimensions-17.npy", described(sides(17)), 2, "17 dimensions; at most 16"),
    ("dimensions-64.npy", described(sides(64)), 2, "64 dimensions; at most 16"),
    ("dimensions-65.npy", described(sides(65)), 2, "65 dimensions; at most 16"),
    ("dimensions-2000.npy", described(sides(2000)), 2, "2000 dimensions; at most 16"),
    ("dimensions-64.npz", npz(a=described(sides(64))), 2, "array a: has 64 dimensions"),
    ("empty-and-huge.npy", described(f"(3, 0, {10**30})", data=b""), 2, "empty-and-huge.npy"),
    ("empty-and-large.npy", described(f"(3, 0, {2**63 - 1})", data=b""), 2, "empty-and-large.npy"),
    ("empty-rows.npy", described(f"({10**9}, 0)", data=b""), 2, "at most 2^20"),
    ("huge-rows.npy", described(f"({2**63 - 1}, 0)", data=b""), 2, "huge-rows.npy"),
    ("fraction.npy", described("(3.0, 4)"), 2, NO),
    ("word-for-a-side.npy", described("('3', 4)"), 2, NO),
    ("dtype-size.npy", described("(3, 4)", "'<i3'"), 2, NO),
    ("dtype-no-size.npy", described("(3, 4)", "'<U0'"), 2, "is damaged"),
    ("dtype-struct.npy", described("(3, 4)", "[('a', '<i8', (1,))]"), 2, "cannot be reduced"),
    ("long-header.npy", header(" " * 20_000), 2, NO),
    ("longer-header.npy", header(" " * 70_000, version=2), 2, NO),
    ("objects.npy", OBJECTS, 2, "never unpickled"),
    ("pickle.npy", b"\x80\x04\x95" + bytes(200), 2, NO),
    ("bools.npy", npy(np.ones((3, 4), bool)), 2, "bool"),
    ("complex.npy", npy(np.ones((3, 4), complex)), 2, "complex128"),
    ("quad.npy", npy(np.ones((3, 4), np.longdouble)), 2, "cannot be reduced"),
    ("words.npy", npy(np.array([["a"], ["b"]])), 2, "<U1"),
    ("dates.npy", npy(np.zeros((3, 4), "M8[s]")), 2, "datetime64"),
    ("zip.npy", BOTH, 2, NO),
    ("npy.npz", GOOD, 2, "npy.npz"),
    ("both.npz", BOTH, 0),
    ("deflated.npz", PACKED, 0),
    ("file.npz", npz(file=GOOD), 0),
    ("lzma.npz", npz(zipfile.ZIP_LZMA, a=GOOD), 0),
    ("bzip.npz", npz(zipfile.ZIP_BZIP2, a=GOOD), 0),
    ("none.npz", npz(), 2, "no array"),
    ("cut.npz", BOTH[:-30], 2, "cut.npz"),
    ("half.npz", PACKED[: len(PACKED) // 2], 2, "half.npz"),
    ("front.npz", b"#!/bin/sh\n" + BOTH, [0, 2]),
    ("corrupt.npz", patched(PACKED, len(PACKED) // 2, b"\xff" * 8), 2, "corrupt.npz"),
    ("crc.npz", patched(BOTH, 160, b"\xff"), 2, "crc.npz"),
    ("directory.npz", patched(BOTH, -10, b"\xff\xff"), 2, "directory.npz"),
    ("method.npz", BOTH.replace(b"\x00\x00\x00\x00", b"\x63\x00\x00\x00", 1), [0, 2]),
    ("notes.npz", npz(a=GOOD, notes=b"remember the milk"), 2, "notes"),
    ("objects.npz", npz(a=OBJECTS), 2, "never unpickled"),
    ("mixed.npz", npz(a=GOOD, b=npy(dtype=float)), 2, "same dtype"),
    ("uneven.npz", npz(a=GOOD, b=npy(np.zeros((2, 4), int))), 2, "rows"),
    ("lines.npz", npz(a=npy(np.arange(4))), 2, "(4,)"),
    ("true.npz", npz(a=described("(True, 12)")), 2, "True"),
    ("claims.npz", npz(a=described(f"(3, {10**15})")), 2, "truncated"),
    ("twice.npz", named("a.npy", "a.npy"), 2, "twice.npz"),
    ("climbs.npz", named("../../climbs.npy"), [0, 2]),
    ("rooted.npz", named("/etc/rooted.npy"), [0, 2]),
    ("nameless.npz", named(".npy"), [0, 2]),
    ("control.npz", named("a\x1b[2J\n.npy"), [0, 2]),
    ("folder-inside.npz", named("a.npy/"), [0, 2]),
    ("suffixless.npz", named("a", "b.txt"), [0, 2]),
    ("thousands.npz", lambda path: npz(**{f"a{k}": npy(np.ones((3, 1))) for k in range(5000)}), [0, 2]),
    ("bomb.npz", lambda path: bomb(0xFF000000), 2, "bomb.npz"),
    ("nested-bomb.npz", npz(DEFLATED, a=npz(DEFLATED, a=bytes(1 << 20))), 2, NO),
]  # fmt: skip
