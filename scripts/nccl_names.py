"""Names of NCCL's algorithms, protocols, kernels, transports and variables, as JSON on stdout.

Takes the library file of a version (libnccl.so.2), whose read-only data hold all names that it
prints or looks up, and whose code (read by objdump) the defaults of variables; or the folder of a
checkout of its sources:

    python scripts/nccl_names.py 2.30.7 libnccl.so.2 > tests/data/nccl_names/2.30.7.json
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCES = (".cc", ".cpp", ".h", ".cu", ".cuh")
ALGORITHM = r"(TREE|RING|COLLNET_DIRECT|COLLNET_CHAIN|NVLS_TREE|NVLS|[A-Z][A-Z_]*)"
PROTOCOL = r"(LL128|LL|SIMPLE|[A-Z][A-Z0-9]*)"
KERNEL = re.compile(rf"ncclDevFunc_([A-Za-z]+)_(?:[A-Za-z0-9]+_[a-z0-9]+_)?{ALGORITHM}_{PROTOCOL}v")
SYMMETRIC = re.compile(
    r"(?<!\w)((?:AllReduce|AllGather|ReduceScatter)_[A-Z][A-Za-z0-9]*(?:_\w+)?)\0"
)
VARIABLE = re.compile(r"(?<![ =A-Z_])(NCCL_[A-Z][A-Z0-9_]*)\0")  # not at the end of a sentence
VIA = re.compile(r" via ([A-Z][A-Z0-9]*)/")
LOOK_UP = "ncclLoadParam"  # (name, default, …)
NUMBER = re.compile(r"(?:mov|movabs) +\$0x([0-9a-f]+),%[er]si|(xor +%esi,%esi)")
ADDRESS = re.compile(r"lea .*,%rdi +# ([0-9a-f]+)")


@dataclass(frozen=True)
class Section:
    """A section of a library file, and the address at which it is loaded."""

    address: int
    content: bytes


def of_library(path: Path) -> dict[str, Any]:
    """The names in a library file: of kernels anywhere, all others in its read-only data."""
    content = path.read_bytes()
    data = section(content, b".rodata")
    text = data.content.decode("latin-1")
    kernels = [found.groups() for found in KERNEL.finditer(content.decode("latin-1"))]
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", path],
        capture_output=True,
        text=True,
        check=True,
    )
    known = defaults(listing.stdout, data)
    return {
        "algorithms": _sorted(algorithm for _, algorithm, _ in kernels),
        "protocols": _sorted(protocol for _, _, protocol in kernels),
        "symmetric kernels": _sorted(SYMMETRIC.findall(text)),
        "transports": _sorted(VIA.findall(text)),
        "variables": {name: known.get(name) for name in _sorted(VARIABLE.findall(text))},
    }


def section(content: bytes, name: bytes) -> Section:
    """A section of a 64-bit ELF file; raises ValueError where there is none of this name."""
    if content[:5] != b"\x7fELF\x02":
        raise ValueError("not a 64-bit library file")
    (start,) = struct.unpack_from("<Q", content, 40)
    size, count, at = struct.unpack_from("<3H", content, 58)
    heads = [struct.unpack_from("<II4Q", content, start + size * row) for row in range(count)]
    for head in heads:
        if content[heads[at][4] + head[0] :].startswith(name + b"\0"):
            return Section(head[3], content[head[4] : head[4] + head[5]])
    raise ValueError(f"no section {name.decode()}")


def defaults(listing: str, data: Section) -> dict[str, int]:
    """The second argument of each look-up of a variable, by the first, which is its name."""
    found = {}
    number, name = 0, ""
    for line in listing.splitlines():
        if match := NUMBER.search(line):
            number = int(match[1] or "0", 16)
            number -= (number >> 63) << 64
        elif match := ADDRESS.search(line):
            at = int(match[1], 16) - data.address
            inside = 0 <= at < len(data.content)
            name = data.content[at:].split(b"\0", 1)[0].decode("latin-1") if inside else ""
        elif LOOK_UP in line and ("call" in line or "jmp" in line) and name.startswith("NCCL_"):
            found.setdefault(name, number)
    return found


def of_checkout(folder: Path) -> dict[str, Any]:
    """The names in a checkout: enumerators and macros of its headers, strings of its sources."""
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in SOURCES]
    text = "\n".join(path.read_text("utf-8", "replace") for path in files)
    numbers = r"#define NCCL_{}_(?!UNDEF\b)([A-Z][A-Z0-9_]*) +\d+"
    symmetric = re.findall(r"\bncclSymkKernelId_(\w+)\s*,", text)
    parameters = dict(
        re.findall(r"\bNCCL_PARAM\(\s*\w+\s*,\s*\"([A-Z0-9_]+)\"\s*,\s*(.+?)\)", text)
    )
    names = {*re.findall(r"\"(NCCL_[A-Z][A-Z0-9_]*)\"", text), *(f"NCCL_{x}" for x in parameters)}
    literal = {name: value for name, value in parameters.items() if re.fullmatch(r"-?\d+", value)}
    return {
        "algorithms": _sorted(re.findall(numbers.format("ALGO"), text)),
        "protocols": _sorted(re.findall(numbers.format("PROTO"), text)),
        "symmetric kernels": _sorted(name for name in symmetric if name != "Count"),
        "transports": _sorted(VIA.findall(text)),
        "variables": {
            name: int(literal[name[5:]]) if name[5:] in literal else None for name in _sorted(names)
        },
    }


def _sorted(names: Iterable[str]) -> list[str]:
    return sorted(set(names))


def main(version: str, place: str) -> None:
    """Print the names of a version."""
    path = Path(place)
    names = of_checkout(path) if path.is_dir() else of_library(path)
    source = f"NCCL {version}: {'sources' if path.is_dir() else path.name}"
    print(json.dumps({"version": version, "source": source, **names}, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
