"""The same as mpi_program.py for torch's gloo: runs collectives on given data, one process a rank.

Run once for every rank, with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set, by a Python that
has torch:  python gloo_program.py JOBS.json RESULT
"""

import json
import sys

import torch
import torch.distributed as dist

TYPES = {"f": torch.float32, "d": torch.float64}


def run(collective, root, data):
    """What this rank ends with; `data` is its input."""
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if collective == "all_reduce":
        dist.all_reduce(data)
    elif collective == "reduce":
        dist.reduce(data, dst=root)
        return data if rank == root else data[:0]
    elif collective == "reduce_scatter_block":
        own = torch.empty(len(data) // ranks, dtype=data.dtype)
        dist.reduce_scatter_tensor(own, data)
        return own
    else:
        raise SystemExit(f"unknown collective {collective}")
    return data


def main(jobs_file, result_file):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    with open(jobs_file) as file:
        jobs = json.load(file)
    results = []
    for job in jobs:
        given = bytearray.fromhex(job["inputs"][rank])
        data = torch.frombuffer(given, dtype=TYPES[job["type"]]).clone()
        held = run(job["collective"], job["root"], data)
        results.append(bytes(held.contiguous().view(torch.uint8).tolist()).hex())
    with open(f"{result_file}.{rank}", "w") as file:
        json.dump(results, file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
