"""What to do about what is slow or unusual in an NCCL log, by how its sentence begins."""

from __future__ import annotations

NEXT = {
    "The same GPU": "CUDA_VISIBLE_DEVICES and the local rank of each process",
    "TCP sockets": (
        "ibv_devinfo on each node; env | grep -E 'NCCL_(NET|IB)'; NCCL_DEBUG_SUBSYS=NET for NCCL's "
        "reason"
    ),
    "No GPU Direct RDMA": "lsmod | grep nvidia_peermem; nvidia-smi topo -m; NCCL_NET_GDR_LEVEL",
    "Host memory": "nvidia-smi topo -p2p r; env | grep NCCL_P2P",
    "Network inside a node": "env | grep -E 'NCCL_(P2P|SHM)'",
    "P2P through another GPU": "nvidia-smi topo -m",
    "Idle network cards": "env | grep NCCL_IB_HCA; ibv_devinfo; nvidia-smi topo -m",
    "Far path": "nvidia-smi topo -m; a card and a GPU on one switch; NCCL_TOPO_FILE",
    "Few channels": "env | grep -E 'NCCL_MAX_(NCHANNELS|CTAS)'; nvidia-smi nvlink --status",
    "Rings that leave nodes": "hosts in the order of ranks; NCCL_TOPO_FILE",
    "LL for": "unset NCCL_PROTO, and measure again",
    "NCCL_": "unset it, and measure again",
    "Several versions": "LD_DEBUG=libs, or torch.cuda.nccl.version(), on each rank",
    "Communicators that cannot": "the log of one run and node",
    "Several nodes of one name": "a name of its own for each node",
    "Missing ranks": "the logs of all nodes together: collectives log node*.log",
    "Not ready": "the logs of ranks that did not begin, watchdog lines and dumps: collectives log",
    "Rings in part": "NCCL_DEBUG_SUBSYS=INIT,GRAPH on all ranks",
    "Trees in part": "NCCL_DEBUG_SUBSYS=INIT,GRAPH on all ranks",
    "Warnings": "the lines around the first one, on each rank that has it",
}


def next_step(finding: str) -> str:
    """What to run or look at for a finding; nothing where there is no advice.

    >>> next_step("LL for 16 MiB: half of what LL sends are flags")
    'unset NCCL_PROTO, and measure again'
    """
    return next((step for begin, step in NEXT.items() if finding.startswith(begin)), "")
