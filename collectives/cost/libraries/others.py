"""Rules of smaller libraries: one- and two-shot kernels, MSCCL, gloo, UCC and oneCCL."""

from __future__ import annotations

from collectives.units import size_text

KIB, MIB = 1 << 10, 1 << 20
Picked = tuple[str, str, str, str]  # row, the library's name, rule, note


def vllm(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """vLLM's kernels, for GPUs that all have NVLink to one another."""
    if ranks not in (2, 4, 6, 8):
        return "ring", "NCCL", "its kernels are for 2, 4, 6 and 8 GPUs", "NCCL chooses"
    if size >= 8 * MIB or size % 16:
        return "ring", "NCCL", "from 8MiB on, or not a multiple of 16 bytes", "NCCL chooses"
    limit = (512 if ranks <= 4 else 256) * KIB
    if ranks == 2:
        return "flat", "one-shot", "two GPUs", ""
    if size < limit:
        return "flat", "one-shot", f"{ranks} GPUs, below {size_text(limit)}", ""
    return "two-shot", "two-shot", f"{ranks} GPUs, from {size_text(limit)} to below 8MiB", ""


def tensorrt_llm(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """TensorRT-LLM: one- and two-shot kernels for small vectors, NCCL for large ones."""
    most = 16_000_000 if ranks <= 2 else 8_000_000
    if size >= most:
        return "ring", "NCCL", f"{ranks} GPUs, from {size_text(most)} on", "NCCL chooses"
    limit = 1_000_000 if ranks <= 4 else 500_000
    if ranks <= 2:
        return "flat", "one-shot", f"two GPUs, below {size_text(most)}", ""
    if size < limit:
        return "flat", "one-shot", f"{ranks} GPUs, below {size_text(limit)}", ""
    return "two-shot", "two-shot", f"{ranks} GPUs, from {size_text(limit)} to below 8MB", ""


def msccl(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """The programs that MSCCL has for one node of 8 GPUs."""
    if ranks != 8:
        return "ring", "NCCL", "its programs are for one node of 8 GPUs", "NCCL chooses"
    if kind == "all_gather":
        if KIB <= size < 32 * MIB:
            return "flat", "direct", "8 GPUs, from 1KiB to below 32MiB", ""
        return "ring", "ring", "8 GPUs, below 1KiB or from 32MiB on", ""
    if size <= 32 * KIB:
        return "flat", "one-shot", "8 GPUs, up to 32KiB", ""
    if size < 266240:
        return "two-shot", "all pairs (two-shot)", "8 GPUs, from 32KiB to below 260KiB", ""
    if size <= 20971520:
        return "ring", "ring", "8 GPUs, from 260KiB to 20MiB", ""
    return "ring", "NCCL", "8 GPUs, above 20MiB", "NCCL chooses"


def gloo(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """gloo's defaults, the same for all sizes."""
    row, name = {
        "all_reduce": ("leftward-ring", "ring"),
        "all_gather": ("ring", "ring"),
        "broadcast": ("tree", "binomial"),
        "reduce": ("leftward-ring", "ring reduce-scatter and gather"),
        "barrier": ("dissemination", "dissemination"),
        "all_to_all": ("pairwise", "linear shift"),
    }[kind]
    return row, name, "always", "in two halves" if kind == "all_gather" else ""


def ucc(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """UCC's defaults over UCP."""
    if kind == "reduce_scatter":
        return "ring", "ring", "always", ""
    limit = (4 if kind == "all_reduce" else 32) * KIB
    small, large = f"below {size_text(limit)}", f"from {size_text(limit)} on"
    if kind == "all_reduce" and size < limit:
        return "recursive-doubling", "k-nomial", small, "it has several partners at a time"
    if kind == "all_reduce":
        return "rabenseifner", "SRA k-nomial", large, "it has several partners at a time"
    if size < limit or (kind == "broadcast" and ranks <= 2):
        return "knomial", "k-nomial, radix 4", small if size < limit else "two ranks", ""
    if kind == "broadcast":
        return "van-de-geijn", "scatter and all-gather, k-nomial", large, "it gathers in trees"
    return "rabenseifner", "reduce-scatter and gather", large, ""


def oneccl(kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """oneCCL's defaults for host memory."""
    if kind == "reduce":
        return "tree", "tree", "always", ""
    if kind == "all_to_all":
        return "flat", "scatter", "always", ""
    small, large, limit = {
        "all_reduce": (("recursive-doubling", "recursive_doubling"), ("ring", "ring"), 8192),
        "all_gather": (("flat", "naive"), ("ring", "ring"), 32768),
        "broadcast": (("double-binary-tree", "double_tree"), ("flat", "naive"), 8192),
    }[kind]
    if size <= limit:
        return *small, f"up to {size_text(limit)}", ""
    return *large, f"above {size_text(limit)}", ""
