"""How each collective is called: the line of torch.distributed, mpi4py, NCCL and JAX."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class LibraryCalls:
    """The line that calls a collective, by library; empty where a library has none.

    Attributes
    ----------
    torch : str
        Of PyTorch, after `import torch.distributed as dist`.
    mpi4py : str
        Of buffers such as numpy arrays, on a communicator `comm`.
    nccl : str
        In C, from NCCL 2.28 where that is said.
    jax : str
        Inside `jax.shard_map`, over the axis "x".
    """

    torch: str = ""
    mpi4py: str = ""
    nccl: str = ""
    jax: str = ""

    @property
    def named(self) -> dict[str, str]:
        """The lines that there are, by the name of the library."""
        lines = {
            "torch.distributed": self.torch,
            "mpi4py": self.mpi4py,
            "NCCL": self.nccl,
            "JAX": self.jax,
        }
        return {library: line for library, line in lines.items() if line}


BROADCAST = LibraryCalls(
    "dist.broadcast(tensor, src=root)",
    "comm.Bcast(data, root=root)",
    "ncclBroadcast(send, recv, count, type, root, comm, stream)",
)
REDUCE = LibraryCalls(
    "dist.reduce(tensor, dst=root)",
    "comm.Reduce(send, recv, root=root)",
    "ncclReduce(send, recv, count, type, ncclSum, root, comm, stream)",
)
ALL_GATHER = LibraryCalls(
    "dist.all_gather_into_tensor(output, input)",
    "comm.Allgather(send, recv)",
    "ncclAllGather(send, recv, sendcount, type, comm, stream)",
    'jax.lax.all_gather(data, "x", tiled=True)',
)
REDUCE_SCATTER = LibraryCalls(
    "dist.reduce_scatter_tensor(output, input)",
    "comm.Reduce_scatter_block(send, recv)",
    "ncclReduceScatter(send, recv, recvcount, type, ncclSum, comm, stream)",
    'jax.lax.psum_scatter(data, "x", tiled=True)',
)
ALL_REDUCE = LibraryCalls(
    "dist.all_reduce(tensor)",
    "comm.Allreduce(send, recv)",
    "ncclAllReduce(send, recv, count, type, ncclSum, comm, stream)",
    'jax.lax.psum(data, "x")',
)
SCATTER = LibraryCalls(
    "dist.scatter(tensor, scatter_list, src=root)",
    "comm.Scatter(send, recv, root=root)",
    "ncclScatter(send, recv, count, type, root, comm, stream), from 2.28",
)
GATHER = LibraryCalls(
    "dist.gather(tensor, gather_list, dst=root)",
    "comm.Gather(send, recv, root=root)",
    "ncclGather(send, recv, count, type, root, comm, stream), from 2.28",
)
ALL_TO_ALL = LibraryCalls(
    "dist.all_to_all_single(output, input)",
    "comm.Alltoall(send, recv)",
    "ncclAlltoAll(send, recv, count, type, comm, stream), from 2.28",
    'jax.lax.all_to_all(data, "x", split_axis=0, concat_axis=0, tiled=True)',
)
SCAN = LibraryCalls(mpi4py="comm.Scan(send, recv)")
EXSCAN = LibraryCalls(mpi4py="comm.Exscan(send, recv)")
BARRIER = LibraryCalls("dist.barrier()", "comm.Barrier()")
SEND_RECV = LibraryCalls(
    "dist.batch_isend_irecv([dist.P2POp(dist.isend, send, dst), "
    "dist.P2POp(dist.irecv, recv, src)])",
    "comm.Sendrecv(send, dst, recvbuf=recv, source=src)",
    "ncclGroupStart(); ncclSend(…, dst, …); ncclRecv(…, src, …); ncclGroupEnd()",
    'jax.lax.ppermute(data, "x", [(src, dst), …])',
)
DISPATCH = LibraryCalls(
    "dist.all_to_all_single(output, input, output_splits, input_splits)",
    "comm.Alltoallv(send, recv)",
    "ncclEpDispatch(…), of NCCL EP",
)
COMBINE = replace(DISPATCH, nccl="ncclEpCombine(…), of NCCL EP")
