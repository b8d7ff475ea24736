"""Confines a process of Linux: no network, no files but those of Python, no other processes.

Landlock (landlock(7), from Linux 5.13 on) lets it read some folders and write none; a filter of
system calls (seccomp(2), BPF as in linux/filter.h) refuses sockets, other processes and programs.
Both need no rights. Numbers of system calls: asm/unistd_64.h of x86-64, asm-generic/unistd.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

NO_NEW_PRIVILEGES, SET_FILTER, FILTER = 38, 22, 2  # of prctl(2)
CREATE_RULES, ADD_RULE, RESTRICT, OF_VERSION, BENEATH = 444, 445, 446, 1, 1  # of Landlock
READ_FILE, READ_FOLDER, EVERY_RIGHT, OPEN_PATH = 1 << 2, 1 << 3, (1 << 13) - 1, 0o10000000
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of BPF, on words and constants
ALLOW, REFUSE, NUMBER, ARCHITECTURE, OTHER_TABLE = 0x7FFF0000, 0x00050000, 0, 4, 0x40000000
# socket connect socketpair clone fork vfork execve kill ptrace tkill tgkill rt_sigqueueinfo
# rt_tgsigqueueinfo unshare setns prlimit64 process_vm_readv process_vm_writev bpf execveat
REFUSED = {  # by the name of the machine: its number in audit(7), and these calls
    "x86_64": (
        0xC000003E,
        "41 42 53 56 57 58 59 62 101 200 234 129 297 272 308 302 310 311 321 322",
    ),
    "aarch64": (
        0xC00000B7,
        "198 203 199 220 221 129 117 130 131 138 240 97 268 261 270 271 280 281",
    ),
}
EVERYWHERE = (424, 425, 434, 438)  # pidfd_send_signal io_uring_setup pidfd_open pidfd_getfd
CLONE3 = 435  # without which C libraries take clone
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


@dataclass(frozen=True)
class Limits:
    """What own code may use that nobody answers for.

    Attributes
    ----------
    step_seconds : float
        For importing its file, and for each step.
    seconds : float
        For all that is asked of it.
    memory : int
        Bytes of its address space.
    output : int
        Bytes of steps that it sends; what it prints is thrown away.
    """

    step_seconds: float = 5.0
    seconds: float = 30.0
    memory: int = 1 << 30
    output: int = 64 << 20


def confine(limits: Limits, folders: Iterable[str]) -> tuple[bool, bool]:
    """Confine this process to these folders, for good; whether files are, and network and others.

    Limits of memory, time and files written hold on every system.
    """
    import resource

    seconds = int(limits.seconds) + 1
    for kind, limit in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # a lower limit stands already
            resource.setrlimit(kind, (limit, limit))
    if sys.platform != "linux":
        return False, False
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return _confine_files(system, folders), _confine_calls(system)


def possible() -> tuple[bool, bool]:
    """Whether this system confines files, and network and processes: tried in a process."""
    tried = os.fork()
    if not tried:
        status = 0
        try:
            files, calls = confine(Limits(), ())
            status = 1 * files + 2 * calls
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(tried, 0)[1])
    return status in (1, 3), status in (2, 3)


def python_folders() -> list[str]:
    """Where Python and its packages are: what an import in own code may read."""
    roots = [Path(root) for root in (sys.prefix, sys.base_prefix)]
    installed = [
        path
        for path in sys.path
        if Path(path).name in ("site-packages", "dist-packages")
        or any(root in Path(path).parents for root in roots)
    ]
    return [*installed, str(Path(__file__).parents[1]), *LIBRARIES]


def _confine_files(system: ctypes.CDLL, folders: Iterable[str]) -> bool:
    """Let nothing be read outside these folders, and nothing be written."""
    if system.syscall(CREATE_RULES, None, ctypes.c_size_t(0), OF_VERSION) < 1:
        return False
    wanted = struct.pack("Q", EVERY_RIGHT)
    rules = system.syscall(CREATE_RULES, wanted, ctypes.c_size_t(len(wanted)), 0)
    for folder in folders:
        with suppress(OSError):
            place = os.open(folder, OPEN_PATH | os.O_CLOEXEC)
            rights = READ_FILE | READ_FOLDER if os.path.isdir(folder) else READ_FILE
            system.syscall(ADD_RULE, rules, BENEATH, struct.pack("=Qi", rights, place), 0)
            os.close(place)
    confined = bool(system.syscall(RESTRICT, rules, 0) == 0)
    os.close(rules)
    return confined


def _confine_calls(system: ctypes.CDLL) -> bool:
    """Refuse system calls that reach other processes, other machines or other programs."""
    if platform.machine() not in REFUSED:
        return False
    architecture, numbers = REFUSED[platform.machine()]
    refused = (*map(int, numbers.split()), *EVERYWHERE)
    program = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 0, len(refused) + 4, architecture),  # else to the last line but two
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, len(refused) + 2, 0, OTHER_TABLE),
        (EQUAL, len(refused) + 2, 0, CLONE3),
        *((EQUAL, len(refused) - at, 0, number) for at, number in enumerate(refused)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE | errno.EPERM),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    lines = b"".join(struct.pack("HBBI", *line) for line in program)
    text = ctypes.create_string_buffer(lines)
    packed = struct.pack("HP", len(program), ctypes.addressof(text))
    return bool(system.prctl(SET_FILTER, FILTER, packed, 0, 0) == 0)
