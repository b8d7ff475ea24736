"""Messages of one process through MPI or torch.distributed, and the collectives these have.

Like `player`, it needs neither this package nor its Python: numpy, and mpi4py or torch.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

Parts = list[tuple[int, Any]]  # messages: the peer, and a buffer of bytes
OPERATORS = {"sum": "SUM", "prod": "PROD", "min": "MIN", "max": "MAX", "avg": "SUM"}
PATIENCE = 0.01  # seconds until a process says that it still waits
WAITS = "waits for messages"  # the name of a thread
NO_COLLECTIVE = "the library has no such collective"


class Mpi:
    """Messages by mpi4py, tested again and again, so that a process can say whom it waits for."""

    def __init__(self, comm: Any = None) -> None:
        self.mpi = import_module("mpi4py.MPI")
        self.comm = self.mpi.COMM_WORLD if comm is None else comm
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()

    @property
    def version(self) -> str:
        """The library in a few words: Open MPI 4.1.4."""
        text = self.mpi.Get_library_version().replace("\x00", " ").split(",")[0].splitlines()[0]
        return " ".join(text.replace("Version:", " ").split()).replace("Open MPI v", "Open MPI ")

    def start(self, sends: Parts, receives: Parts) -> tuple[list[Any], list[float]]:
        """Begin all of these: the requests, those of receives last, and when each send began."""
        expected = [self.comm.Irecv([buffer, self.mpi.BYTE], peer) for peer, buffer in receives]
        begun, requests = [], []
        for peer, buffer in sends:
            begun.append(time.perf_counter())
            requests.append(self.comm.Isend([buffer, self.mpi.BYTE], peer))
        return requests + expected, begun

    def finished(self, requests: list[Any]) -> list[int]:
        """Which requests have come to their end since they were last asked; may be none."""
        return self.mpi.Request.Testsome(requests) or []

    def barrier(self) -> Any:
        """A request that ends when all processes have begun it."""
        return self.comm.Ibarrier()

    def gather(self, value: Any) -> list[Any]:
        """This value of every process, at all of them."""
        return list(self.comm.allgather(value))

    def collective(self, plan: dict[str, Any], vector: Any) -> Any:
        """What the library's own collective leaves this rank with; None where there is none."""
        name, ranks, root = plan["collective"], plan["ranks"], plan["root"]
        comm = self.comm.Split(int(self.rank >= ranks), self.rank)
        if self.rank >= ranks:
            return None
        if plan["dtype"] == "float16":
            raise LookupError("mpi4py has no float16")
        if name == "barrier":
            comm.Barrier()
            return None
        every, none = np.empty_like(vector), vector[:0]
        if name == "broadcast":
            every = vector.copy()
            comm.Bcast(every, root)
        elif plan["reduces"]:
            op = getattr(self.mpi, OPERATORS[plan["op"]])
            if name == "reduce_scatter":
                every = np.empty(plan["owned"][self.rank], vector.dtype)
                comm.Reduce_scatter(vector, every, plan["owned"], op)
            elif name == "reduce":
                comm.Reduce(vector, every, op, root)
                return every if self.rank == root else none
            elif name == "exscan":
                comm.Exscan(vector, every, op)
                return every if self.rank else none
            else:
                {"all_reduce": comm.Allreduce, "scan": comm.Scan}[name](vector, every, op)
        else:
            return self._moved(comm, plan, vector)
        return every

    def _moved(self, comm: Any, plan: dict[str, Any], vector: Any) -> Any:
        """The same of the collectives that give each rank a part of the vector, or collect them."""
        name, counts, root = plan["collective"], plan["owned"], plan["root"]
        end, own = int(np.cumsum(counts)[self.rank]), counts[self.rank]
        part, every, at_root = vector[end - own : end], np.empty_like(vector), self.rank == root
        if name == "all_gather":
            comm.Allgatherv(part, [every, counts])
        elif name == "gather":
            comm.Gatherv(part, [every, counts] if at_root else None, root)
            return every if at_root else vector[:0]
        elif name == "scatter":
            every = np.empty_like(part)
            comm.Scatterv([vector, counts] if at_root else None, every, root)
        elif name == "all_to_all":
            every = np.empty(own * len(counts), vector.dtype)
            comm.Alltoallv([vector, counts], [every, [own] * len(counts)])
        else:
            raise LookupError(NO_COLLECTIVE)
        return every

    def abort(self) -> None:
        """End every process."""
        self.comm.Abort(1)

    def release(self) -> None:
        """There is nothing to give back: the communicator is its owner's."""

    def close(self) -> None:
        """mpi4py ends MPI by itself."""


class Torch:
    """Messages by torch.distributed, which are waited for one after the other by a thread.

    `release` ends the thread.
    """

    def __init__(self, backend: str = "", comm: Any = None) -> None:
        self.torch, self.dist = import_module("torch"), import_module("torch.distributed")
        if not self.dist.is_initialized():
            if "RANK" not in os.environ:
                raise LookupError("no job of torch.distributed")
            usual = "nccl" if self.torch.cuda.is_available() else "gloo"
            self.dist.init_process_group(backend or usual)
        self.group = comm
        self.rank, self.size = self.dist.get_rank(comm), self.dist.get_world_size(comm)
        self.backend = self.dist.get_backend(comm)
        self.device = "cpu"
        if self.backend == "nccl":
            self.device = f"cuda:{self.rank % self.torch.cuda.device_count()}"
            self.torch.cuda.set_device(self.device)
        self._awaited: Any = None  # the request that a thread waits for
        self._works, self._ended = SimpleQueue[Any](), SimpleQueue[Any]()
        for_thread = self.torch, self.device, self._works, self._ended
        self._thread = Thread(target=wait_for_works, args=for_thread, name=WAITS, daemon=True)
        self._thread.start()

    @property
    def version(self) -> str:
        """The library in a few words: torch 2.9.0, gloo."""
        return f"torch {self.torch.__version__}, {self.backend}"

    def start(self, sends: Parts, receives: Parts) -> tuple[list[Any], list[float]]:
        """Begin all of these: the requests, those of receives last, and when each send began."""
        posted: list[Any] = []
        for kind, parts in ((self.dist.isend, sends), (self.dist.irecv, receives)):
            for peer, buffer in parts:
                tensor = self._tensor(buffer)
                posted.append((self.dist.P2POp(kind, tensor, self._peer(peer), self.group), tensor))
        begun = [time.perf_counter()] * len(sends)
        works = (
            self.dist.batch_isend_irecv([operation for operation, _ in posted]) if posted else []
        )
        if len(works) < len(posted):  # all of them are one
            works = works * len(posted)
        targets = [None] * len(sends) + [buffer for _, buffer in receives]
        tensors = [tensor for _, tensor in posted]
        return [list(part) for part in zip(works, tensors, targets)], begun  # noqa: B905

    def finished(self, requests: list[Any]) -> list[int]:
        """Wait for a request that has not ended: for what is received before what is sent.

        Another thread waits, so that a process can say whom it waits for meanwhile.
        """
        pending = [number for number, request in enumerate(requests) if request[0] is not None]
        if not pending:
            return []
        first = min(pending, key=lambda number: requests[number][2] is None)
        work, tensor, target = requests[first]
        if self._awaited is not work:
            self._awaited = work
            self._works.put(work)
        try:
            problem = self._ended.get(timeout=PATIENCE)
        except Empty:
            return []
        self._awaited = None
        if problem is not None:
            raise problem
        if target is not None:
            target[...] = tensor.cpu().numpy()[: len(target)]
        requests[first][0] = None
        return [first]

    def barrier(self) -> Any:
        """A request that ends when all processes have begun it."""
        return [self.dist.barrier(self.group, async_op=True), None, None]

    def gather(self, value: Any) -> list[Any]:
        """This value of every process, at all of them."""
        values = [None] * self.size
        self.dist.all_gather_object(values, value, self.group)
        return list(values)

    def collective(self, plan: dict[str, Any], vector: Any) -> Any:
        """What the library's own collective leaves this rank with; None where there is none."""
        ranks = plan["ranks"]
        group = self.dist.new_group(list(range(ranks))) if ranks < self.size else self.group
        if self.rank >= ranks:
            return None
        try:
            return self._collective(plan, vector, group)
        except (RuntimeError, TypeError, ValueError) as problem:  # of a dtype it does not have
            raise LookupError(f"torch says: {problem}") from None

    def _collective(self, plan: dict[str, Any], vector: Any, group: Any) -> Any:
        dist, name = self.dist, plan["collective"]
        if name == "barrier":
            dist.barrier(group)
            return None
        root = self._peer(plan["root"])
        operator = OPERATORS[plan["op"]].replace("PROD", "PRODUCT")
        op, counts = getattr(dist.ReduceOp, operator), plan["owned"]
        tensor = self.torch.from_numpy(vector.copy()).to(self.device)
        if name == "all_reduce":
            dist.all_reduce(tensor, op, group)
        elif name == "broadcast":
            dist.broadcast(tensor, root, group)
        elif name == "reduce":
            dist.reduce(tensor, root, op, group)
            tensor = tensor if self.rank == plan["root"] else tensor[:0]
        elif name in ("all_gather", "reduce_scatter", "all_to_all") and len(set(counts)) == 1:
            tensor = self._in_parts(name, tensor, counts, op, group)
        else:
            raise LookupError(NO_COLLECTIVE)
        return tensor.cpu().numpy()

    def _in_parts(self, name: str, tensor: Any, counts: list[int], op: Any, group: Any) -> Any:
        """A collective of equal parts."""
        parts, dist = tensor.split(counts), self.dist
        if name == "all_gather":
            shares = [part.clone() for part in parts]
            dist.all_gather(shares, parts[self.rank].clone(), group)
            return self.torch.cat(shares)
        if name == "all_to_all":
            every = self.torch.empty_like(tensor)
            dist.all_to_all_single(every, tensor, group=group)
            return every
        own = parts[self.rank].clone()
        dist.reduce_scatter_tensor(own, tensor, op, group)
        return own

    def _tensor(self, buffer: Any) -> Any:
        """The bytes as a tensor, which has one at least."""
        enough = buffer if len(buffer) else np.zeros(1, np.uint8)
        return self.torch.from_numpy(enough.copy()).to(self.device)

    def _peer(self, rank: int) -> int:
        """The number that a rank of the group has in the whole job."""
        return rank if self.group is None else self.dist.get_global_rank(self.group, rank)

    def abort(self) -> None:
        """End this process, at once: its thread may wait for ever. The launcher ends the others."""
        os._exit(1)

    def release(self) -> None:
        """End the thread; one that still waits for a message in vain is left alone."""
        self._works.put(None)
        self._thread.join(PATIENCE if self._awaited is not None else None)

    def close(self) -> None:
        """Leave the job."""
        self.release()
        self.dist.destroy_process_group()


def wait_for_works(torch: Any, device: str, works: Any, ended: Any) -> None:
    """Wait for one work of torch after the other, and tell how each ended; until there is None.

    A work is dropped before that is told. While Python ends, a thread that drops one takes the
    whole process down (SIGABRT).
    """
    if device != "cpu":
        torch.cuda.set_device(device)
    while (work := works.get()) is not None:
        failure = None
        try:
            work.wait()
            if device != "cpu":
                torch.cuda.synchronize()
        except Exception as problem:  # the thread of the player raises it
            failure = problem
        del work
        ended.put(failure)
