"""One thing that is wrong with the calls of a group, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ADVICE = {
    "operation": "look at these ranks' code before this call: a branch that not all ranks take",
    "order": "make all ranks call in one order; a collective in a hook or thread can change it",
    "skipped": "look for a branch, an exception or a shorter data loader on these ranks",
    "group": "look which group these ranks pass to this call",
    "size": "compare the shapes of tensors: padding, the last batch, uneven shards",
    "dtype": "compare the data types of tensors: autocast, a loaded checkpoint",
    "behind": "see what these ranks do: py-spy dump of the process, its log, its GPU",
    "unstarted": (
        "see what keeps these ranks' GPUs: py-spy dump --native, cuda-gdb, nvidia-smi; calls and "
        "kernels before this one"
    ),
    "absent": "see whether the process lives, and whether its host answers; its log comes first",
    "missing": "see whether these ranks' processes live, and add their files",
    "peer": "see what the rank that is waited for does: py-spy dump of the process, its log",
    "error": "read the log of these ranks (NCCL_DEBUG=WARN) and their hosts' Xid errors",
    "unnamed": "name the ranks: ncclras -v, or ncclras -f json",
    "stuck": "see Xid errors and counters of links and network",
}
WITH_DUMPS = (
    "; Flight Recorder's dumps say more "
    "(TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1)"
)
WORST_FIRST = (
    *("absent", "error", "operation", "order", "skipped", "group", "size", "dtype"),
    *("behind", "missing", "peer", "unstarted", "unnamed", "stuck"),
)


@dataclass(frozen=True)
class Finding:
    """What is wrong, of which ranks, in which call.

    kind: a key of ADVICE. ranks: those that differ from the others; none where nobody can be
    singled out. sequence: the call; -1 where there is none. follows: it comes of another finding.
    is_still: whether it is known that nothing moves any more. has_dumps: it comes of dumps.
    """

    kind: str
    group: str
    text: str
    ranks: tuple[int, ...] = ()
    sequence: int = -1
    origin: str = ""
    follows: bool = False
    is_still: bool = True
    has_dumps: bool = False

    @property
    def advice(self) -> str:
        """What to do next."""
        return ADVICE[self.kind] + WITH_DUMPS * (self.kind == "stuck" and not self.has_dumps)

    @property
    def worst_first(self) -> tuple[bool, bool, int, int]:
        """Its place among others: causes first, those of certain ranks first, the gravest first."""
        is_open = not self.ranks and self.kind not in ("absent", "error")
        return self.follows, is_open, WORST_FIRST.index(self.kind), self.sequence

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "kind": self.kind,
            "group": self.group,
            "ranks": list(self.ranks),
            "sequence": self.sequence if self.sequence >= 0 else None,
            "says": self.text,
            "next": self.advice,
            "follows": self.follows,
            "stands_still": self.is_still,
            "origin": self.origin,
        }
