"""Protobuf's encoding, as far as Chakra traces need it: varints, fields, messages one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collectives.errors import BadInput

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
WIDTHS = {FIXED64: 8, FIXED32: 4}
MAX_VARINT = 10  # bytes
MAX_FIELDS = 1 << 22  # of all messages, and numbers in them
Value = int | bytes


@dataclass
class Budget:
    """How many fields may still be read."""

    left: int = MAX_FIELDS

    def spend(self) -> None:
        """Count a field; raises BadInput for one too many."""
        self.left -= 1
        if self.left < 0:
            raise BadInput(f"more than {MAX_FIELDS} fields, the limit")


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a byte, and where the next one begins; raises BadInput.

    >>> varint(bytes([0x96, 0x01]), 0)
    (150, 2)
    """
    value = shift = 0
    for end in range(at, min(at + MAX_VARINT, len(data))):
        value |= (data[end] & 0x7F) << shift
        if data[end] < 0x80:
            return value & (1 << 64) - 1, end + 1
        shift += 7
    what = "ends within a number" if at + MAX_VARINT > len(data) else "has a number of 11 bytes"
    raise BadInput(f"byte {at}: the file {what}")


def fields(message: bytes, budget: Budget) -> Iterator[tuple[int, Value]]:
    """The number and the value of each field of a message; raises BadInput.

    >>> list(fields(bytes([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69]), Budget()))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(message):
        budget.spend()
        tag, at = varint(message, at)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, at = varint(message, at)
            yield number, value
            continue
        if kind == BYTES:
            length, at = varint(message, at)
        elif kind in WIDTHS:
            length = WIDTHS[kind]
        else:
            raise BadInput(f"field {number} is of wire type {kind}, which protobuf does not have")
        if at + length > len(message):
            raise BadInput(f"field {number} has {length} bytes; {len(message) - at} are left")
        part = message[at : at + length]
        yield number, part if kind == BYTES else int.from_bytes(part, "little")
        at += length


def messages(content: bytes) -> Iterator[bytes]:
    """The messages of a file, each after its length; raises BadInput."""
    at = 0
    while at < len(content):
        begin = at
        length, at = varint(content, at)
        if at + length > len(content):
            left = len(content) - at
            raise BadInput(f"byte {begin}: a message of {length} bytes, where {left} are left")
        yield content[at : at + length]
        at += length


def numbers(value: Value, budget: Budget) -> Iterator[int]:
    """The numbers of a repeated field: one, or several packed into bytes."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        budget.spend()
        number, at = varint(value, at)
        yield number


def signed(value: int) -> int:
    """A number of 64 bits as one with a sign.

    >>> signed(2**64 - 1)
    -1
    """
    return value - (1 << 64) if value >= 1 << 63 else value


def unzigzag(value: int) -> int:
    """A number whose sign is its last bit, as protobuf's sint has it.

    >>> unzigzag(1), unzigzag(4)
    (-1, 2)
    """
    return value >> 1 ^ -(value & 1)
