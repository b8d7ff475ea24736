"""The foreign half of the oracle: runs collectives of a real MPI library on given data.

Run under mpirun, by the Python that has mpi4py, without this project and without numpy:
    mpirun -n N python3 mpi_program.py JOBS.json RESULT
JOBS.json is a list of {collective, root, type, inputs}: `type` is array.array's letter, `inputs`
the data of each rank as the hexadecimal digits of its bytes. Each rank writes RESULT.<rank>:
a list of what it ends with, in the same form, empty where MPI gives it nothing.
"""

import json
import sys
from array import array

from mpi4py import MPI


def chunk_sizes(count, ranks):
    """Elements of each rank's chunk: the first `count % ranks` are one larger."""
    return [count // ranks + (rank < count % ranks) for rank in range(ranks)]


def run(comm, collective, root, data):
    """What this rank ends with; `data` is its input, of the length its own buffer has."""
    size, rank, count = comm.size, comm.rank, len(data)
    # mpi4py refuses arrays of no elements, so that nothing may be shorter than one
    same = array(data.typecode, bytes(count * data.itemsize))
    if collective == "all_reduce":
        comm.Allreduce(data, same)
    elif collective == "reduce":
        comm.Reduce(data, same, root=root)
        return same if rank == root else same[:0]
    elif collective == "scan":
        comm.Scan(data, same)
    elif collective == "exscan":
        comm.Exscan(data, same)
        return same if rank else same[:0]
    elif collective == "broadcast":
        comm.Bcast(data, root=root)
        return data
    elif collective == "all_to_all":
        comm.Alltoall(data, same)
    elif collective == "reduce_scatter":
        counts = chunk_sizes(count, size)
        same = same[: counts[rank]]
        comm.Reduce_scatter(data, same, counts)
    elif collective == "reduce_scatter_block":
        same = same[: count // size]
        comm.Reduce_scatter_block(data, same)
    elif collective == "all_gather":
        same *= size
        comm.Allgather(data, same)
    elif collective == "gather":
        same *= size
        comm.Gather(data, same if rank == root else None, root=root)
        return same if rank == root else same[:0]
    elif collective == "scatter":
        same = same[: count // size]
        comm.Scatter(data if rank == root else None, same, root=root)
    elif collective == "barrier":
        comm.Barrier()
        return data[:0]
    else:
        raise SystemExit(f"unknown collective {collective}")
    return same


def main(jobs_file, result_file):
    comm = MPI.COMM_WORLD
    with open(jobs_file) as file:
        jobs = json.load(file)
    results = []
    for job in jobs:
        data = array(job["type"], bytes.fromhex(job["inputs"][comm.rank]))
        held = run(comm, job["collective"], job["root"], data)
        results.append(held.tobytes().hex())
    with open(f"{result_file}.{comm.rank}", "w") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
