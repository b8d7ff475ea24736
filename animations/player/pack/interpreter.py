"""The Python that a page runs: MicroPython, out of its own package, whose digest is compared."""

from __future__ import annotations

import hashlib
import tarfile
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from collectives.errors import NotInstalled

FOLDER = Path(__file__).parents[1] / "micropython"
RECORD = FOLDER / "package.toml"
CLASSIC = {  # a module's words: a worker from a file's page may not be a module
    "export default _createMicroPythonModule;": "",
    "export async function loadMicroPython": "async function loadMicroPython",
    "import.meta.url": "location.href",
}


@dataclass(frozen=True)
class Interpreter:
    """MicroPython for WebAssembly: its version, its script and its program.

    script: the body of an async function, as a worker runs it that is no module.
    """

    version: str
    script: str
    program: bytes

    def __repr__(self) -> str:
        """One line: the version and the sizes."""
        return f"<Interpreter: MicroPython {self.version}, {len(self.program)} bytes>"


@cache
def interpreter() -> Interpreter:
    """The interpreter of the package beside its record.

    Returns
    -------
    Interpreter
        As the record names it.

    Raises
    ------
    NotInstalled
        If the package is not there, or is another one.
    """
    record = tomllib.loads(RECORD.read_text("utf-8"))
    package, version = FOLDER / record["file"], record["version"]
    known = package.is_file() and hashlib.sha256(package.read_bytes()).hexdigest()
    if known != record["sha256"]:
        raise NotInstalled(
            f"an editor needs MicroPython {version}, whose file {package} is "
            f"{'another one' if known else 'not there'}",
            command=f"npm pack {record['name']}@{version} --pack-destination {FOLDER}",
        )
    with tarfile.open(package) as files:
        script, program = (_member(files, record[name]) for name in ("script", "program"))
    return Interpreter(version, _classic(script.decode()), program)


def _classic(script: str) -> str:
    for module_word, word in CLASSIC.items():
        assert module_word in script, module_word
        script = script.replace(module_word, word)
    return script


def _member(files: tarfile.TarFile, name: str) -> bytes:
    member = files.extractfile(name)
    assert member is not None, name
    return member.read()
