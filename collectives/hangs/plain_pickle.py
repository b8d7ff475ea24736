"""Reads pickles of plain data: dicts, lists, tuples, text, numbers, truth values and None.

It knows the opcodes that make these and no other: there is nothing in it that imports a name, calls
a function or makes an object of a class, so that no content of a file can. The opcodes are those of
Lib/pickletools.py of CPython 3.13 (protocols 0 to 5); PyTorch's Pickler (torch/csrc/jit/
serialization/pickler.cpp) writes protocol 2.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from collectives.errors import BadInput

MOST_OPCODES = 4_000_000
BYTE, SHORT, SIGNED = struct.Struct("<B"), struct.Struct("<H"), struct.Struct("<i")
WORD, LONG, DOUBLE = struct.Struct("<I"), struct.Struct("<Q"), struct.Struct(">d")
MARK = object()  # on the stack, where a group of values begins
NAMES = {
    b"c": "GLOBAL",
    b"\x93": "STACK_GLOBAL",
    b"R": "REDUCE",
    b"i": "INST",
    b"o": "OBJ",
    b"\x81": "NEWOBJ",
    b"\x92": "NEWOBJ_EX",
    b"b": "BUILD",
    b"P": "PERSID",
    b"Q": "BINPERSID",
    b"\x82": "EXT1",
    b"\x83": "EXT2",
    b"\x84": "EXT4",
}


def is_pickle(content: bytes) -> bool:
    """Whether bytes begin and end as a pickle of protocol 2 or later does."""
    return content[:1] == b"\x80" and content[1:2] in b"\2\3\4\5" and content[-1:] == b"."


class PlainUnpickler:
    """A machine with a stack that makes plain values."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def value(self) -> Any:
        """The value of the pickle; raises BadInput for anything that is no plain data."""
        content = self._content
        for _ in range(MOST_OPCODES):
            start = self._at
            code = content[start : start + 1]
            self._at = start + 1
            make = OPCODES.get(code)
            if make is None:
                return self._ended(code)
            try:
                make(self)
            except BadInput:
                raise
            except (IndexError, KeyError, TypeError, ValueError, AttributeError):
                raise BadInput(f"a pickle that is broken at byte {start}") from None
        raise BadInput(f"a pickle of more than {MOST_OPCODES:,} opcodes, the limit")

    def _ended(self, code: bytes) -> Any:
        """The value, if the opcode is that of the end; raises BadInput for others."""
        if not code:
            raise self._short()
        if code != b".":
            name = NAMES.get(code, f"0x{code.hex()}")
            raise BadInput(
                f"a pickle with the opcode {name} at byte {self._at - 1}: only plain data is read, "
                "nothing is imported or called; try: the dump as JSON"
            )
        if len(self._stack) != 1:
            raise BadInput(f"a pickle that ends with {len(self._stack)} values, not one")
        return self._stack[0]

    def _short(self) -> BadInput:
        return BadInput(f"a pickle that ends at byte {len(self._content)}, in the middle")

    def _take(self, size: int) -> bytes:
        """The next bytes."""
        part = self._content[self._at : self._at + max(size, 0)]
        if len(part) != size:
            raise self._short()
        self._at += size
        return part

    def number(self, form: struct.Struct) -> Any:
        """The next number, in a form with its order of bytes."""
        try:
            (value,) = form.unpack_from(self._content, self._at)
        except struct.error:
            raise self._short() from None
        self._at += form.size
        return value

    def push(self, value: Any) -> None:
        """Put a value on the stack."""
        self._stack.append(value)

    def text(self, form: struct.Struct) -> None:
        """Push a text, after its length."""
        self.push(self._take(self.number(form)).decode("utf-8", "surrogatepass"))

    def octets(self, form: struct.Struct) -> None:
        """Push bytes of an old string as text, after their length."""
        self.push(self._take(self.number(form)).decode("latin-1"))

    def long(self, form: struct.Struct) -> None:
        """Push an integer of any length."""
        size = self.number(form)
        if size > 64:
            raise BadInput(f"a number of {size} bytes; the limit is 64")
        self.push(int.from_bytes(self._take(size), "little", signed=True))

    def group(self) -> list[Any]:
        """Take the values off the stack that were put there since the mark."""
        for at in range(len(self._stack) - 1, -1, -1):
            if self._stack[at] is MARK:
                values = self._stack[at + 1 :]
                del self._stack[at:]
                return values
        raise ValueError

    def tuple_of(self, count: int) -> None:
        """Push a tuple of the last values."""
        values = [self.plain() for _ in range(count)]
        self.push(tuple(values[::-1]))

    def plain(self) -> Any:
        """Take a value off the stack."""
        value = self._stack.pop()
        if value is MARK:
            raise ValueError
        return value

    def append(self, values: list[Any]) -> None:
        """Add values to the list below them."""
        self.of_kind(list).extend(values)

    def fill(self, values: list[Any]) -> None:
        """Add keys and values to the dict below them."""
        keys = values[::2]
        if len(values) % 2 or not all(isinstance(key, str | int | float) for key in keys):
            raise ValueError
        self.of_kind(dict).update(zip(keys, values[1::2], strict=True))

    def of_kind(self, kind: type) -> Any:
        """The value on top, if it is of a kind."""
        if type(self._stack[-1]) is not kind:
            raise ValueError
        return self._stack[-1]

    def keep(self, key: int) -> None:
        """Remember the value on top."""
        if self._stack[-1] is MARK:
            raise ValueError
        self._memo[key] = self._stack[-1]

    def recall(self, key: int) -> None:
        """Push what was remembered."""
        self.push(self._memo[key])

    def remembered(self) -> int:
        """How many values were."""
        return len(self._memo)


Action = Callable[[PlainUnpickler], None]
OPCODES: dict[bytes, Action] = {
    b"\x80": lambda m: m.number(BYTE),
    b"\x95": lambda m: m.number(LONG),
    b"N": lambda m: m.push(None),
    b"\x88": lambda m: m.push(True),
    b"\x89": lambda m: m.push(False),
    b"J": lambda m: m.push(m.number(SIGNED)),
    b"K": lambda m: m.push(m.number(BYTE)),
    b"M": lambda m: m.push(m.number(SHORT)),
    b"\x8a": lambda m: m.long(BYTE),
    b"\x8b": lambda m: m.long(WORD),
    b"G": lambda m: m.push(m.number(DOUBLE)),
    b"X": lambda m: m.text(WORD),
    b"\x8c": lambda m: m.text(BYTE),
    b"\x8d": lambda m: m.text(LONG),
    b"T": lambda m: m.octets(SIGNED),
    b"U": lambda m: m.octets(BYTE),
    b"}": lambda m: m.push({}),
    b"]": lambda m: m.push([]),
    b")": lambda m: m.push(()),
    b"(": lambda m: m.push(MARK),
    b"l": lambda m: m.push(m.group()),
    b"t": lambda m: m.push(tuple(m.group())),
    b"\x85": lambda m: m.tuple_of(1),
    b"\x86": lambda m: m.tuple_of(2),
    b"\x87": lambda m: m.tuple_of(3),
    b"a": lambda m: m.append([m.plain()]),
    b"e": lambda m: m.append(m.group()),
    b"s": lambda m: m.fill([m.plain(), m.plain()][::-1]),
    b"u": lambda m: m.fill(m.group()),
    b"q": lambda m: m.keep(m.number(BYTE)),
    b"r": lambda m: m.keep(m.number(WORD)),
    b"\x94": lambda m: m.keep(m.remembered()),
    b"h": lambda m: m.recall(m.number(BYTE)),
    b"j": lambda m: m.recall(m.number(WORD)),
}
