"""Subjects that are files: recordings, MSCCL programs and Chakra traces, told by their suffix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from collectives.cli.subject import OWN_ONLY, Subject, Text
from collectives.errors import BadInput
from collectives.formats import FORMATS, suffix_of
from collectives.recording.recording import Recording


class RecordingSubject(Subject):
    """A recording in a file: for a vector of --size bytes where that is given."""

    is_fixed = is_typed = True
    most_words = 1

    def sized(self, size: int) -> Self:
        """The same: it has a size of its own."""
        return self

    def _record(self, dtype: Text, op: Text, data: Any, executed: bool) -> Recording:
        """What is in the file, on the data where there is some."""
        recording = self._loaded(dtype, op)
        return recording if data is None else recording.on(data)

    def _loaded(self, dtype: Text, op: Text) -> Recording:
        """The recording; raises BadInput for options that it has of its own."""
        why = "a saved recording has its own"
        self.refuse(why)
        recording: Recording = FORMATS[suffix_of(self.words[0])].load(self.words[0])
        options = (("--dtype", dtype, recording.dtype.name), ("--op", op, recording.op))
        for name, value, own in options:
            if value not in (None, own):
                raise BadInput(f"{name} {value}: {why}, {own}; leave it out")
        if self.size is None:
            return recording
        from collectives.cost.choose.setup import resized

        return resized(recording, self.size)


@dataclass(frozen=True)
class ProgramSubject(Subject):
    """An MSCCL program, which is recorded for a vector of any size.

    in_place: where it serves calls in place and others, which are meant.
    """

    is_fixed = True
    most_words = 1
    in_place: bool | None = None

    def _record(self, dtype: Text, op: Text, data: Any, executed: bool) -> Recording:
        """The recording for the vector that the options say."""
        from collectives.cost.choose.setup import resized
        from collectives.formats.msccl import load

        own = (name for name in OWN_ONLY if name != "collective")
        self.refuse("a program has its own", ("ranks", "chunks", *own, "parameters"))
        self.refuse_size()
        options: dict[str, Any] = {"count": self.count, "counts": self.counts, "dtype": dtype}
        options |= {"data": data, "op": op or "sum", "collective": self.collective}
        recording = load(self.words[0], root=self.root, in_place=self.in_place, **options)
        self.refuse_root(recording.collective)
        return recording if self.size is None else resized(recording, self.size, dtype or "uint8")


class TraceSubject(RecordingSubject):
    """Chakra traces, or their collective with an algorithm that is named behind them."""

    most_words = 2

    def _loaded(self, dtype: Text, op: Text) -> Recording:
        """The recording of the messages of traces, or of their collective with an algorithm."""
        from collectives.formats.chakra import load

        for name, value in (("dtype", dtype), ("op", op), ("size", self.size)):
            if value is not None:
                raise BadInput(f"--{name} {value}: a trace has its own sizes; leave it out")
        algorithm = self.words[1] if len(self.words) == 2 else None
        refused = ["ranks", "count", "counts", "slots", "scratch", "nodes", "helpers"]
        if algorithm is None:
            refused += ["root", "chunks", "parameters", "collective"]
        self.refuse("a trace has its own", refused)
        options: dict[str, Any] = {"parameters": dict(self.parameters), "chunks": self.chunks}
        return load(self.words[0], algorithm, self.collective, root=self.root, **options)


KINDS: dict[str, type[RecordingSubject | ProgramSubject]]
KINDS = {".xml": ProgramSubject, ".et": TraceSubject}  # of other formats: RecordingSubject


def kind_of_file(words: tuple[str, ...]) -> type[Subject] | None:
    """The kind of file that is meant; None where it is none."""
    suffix = suffix_of(words[0]) if words else ""
    kind = KINDS.get(suffix, RecordingSubject)
    return kind if suffix and len(words) <= kind.most_words else None
