"""Sets up the checkout: system libraries that are missing, then .venv; `make setup`, `make video`.

`setup.py video` installs only what films need; `setup.py all` what the tests need as well. A setup
that was cut off leaves a mark, and the next one starts .venv over.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
MARK = VENV / "unfinished"
STAMP = VENV / "setup.json"
LOG = ROOT / "setup.log"
EXTRAS = {"video": "video", "all": "video,figure,notebook,dev"}
# cairo and pango headers, a compiler and pkg-config build Manim's two C parts
FILMS = ["gcc", "pkg-config", "libcairo2-dev", "libpango1.0-dev", "fonts-dejavu-core"]
# what only tests need: without it they are skipped, and say so
OPTIONAL = {
    "Open MPI": ["openmpi-bin", "python3-mpi4py"],
    "Chromium": ["chromium"],
    "Node": ["nodejs", "node-typescript"],
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OLDEST_NODE = 18  # with a test runner; Debian 12 has 18, Debian 13 has 20, Ubuntu 24.04 has 18
NOT_INSTALLED = 3
LIBRARIES = {"video": 35, "all": 162}  # about so many
INSTALLS = re.compile(r"Installing collected packages|\d+ upgraded, (\d+) newly installed")
PACKAGE = re.compile(r"(Collecting|Building wheel for|Unpacking|Setting up) ([^\s(<>=!~;\[]+)")
FETCHED = re.compile(r"(Get):\d+ \S+ \S+ \S+ (\S+) \S+ \S+ \[")
DOING = {"Get": "downloading", "Unpacking": "unpacking", "Setting up": "installing"}  # by apt
ENOUGH = 0.1  # of all, from which on the rest is estimated
OFFLINE = (
    "name resolution",
    "Failed to fetch",
    "Network is unreachable",
    "connection",
    "resolve",
)


class SetupError(Exception):
    """Setup cannot go on; the message says why in a line."""


def say(text: str) -> None:
    """Print a line of progress."""
    print("setup: " + text, file=sys.stderr, flush=True)


class Packages:
    """How many of how many packages are downloaded or installed, as lines of pip and apt say."""

    def __init__(self, total: int = 0, folder: Path | None = None) -> None:
        self.doing, self.total, self.package = "downloading", total, ""
        self.done = dict.fromkeys([self.doing], 0)  # packages, by what is done with each
        self.folder, self.before = folder, 0
        self.start = self.since = time.monotonic()

    def heard(self, line: str) -> None:
        """Take in a line."""
        if match := INSTALLS.match(line):
            stages = DOING.values() if match[1] else ["installing"]
            self.done, self.since = dict.fromkeys(stages, 0), time.monotonic()
            self.doing, self.package = next(iter(self.done)), ""
            self.total = int(match[1] or 0) or line.count(",") + 1
            self.before = self._there()
        elif match := PACKAGE.match(line) or FETCHED.match(line):
            self.doing = DOING.get(match[1], self.doing)
            if self.doing in self.done and not line.startswith("Building"):
                self.done[self.doing] += 1
                self.total = max(self.done[self.doing], self.total)
            self.package = f": {match[2][:40]}"

    def text(self) -> str:
        """How far it is, and about how long it will take."""
        installed = max(0, self._there() - self.before)
        done = self.done.get(self.doing) or installed
        parts, every = sum(self.done.values()) or installed, len(self.done) * self.total
        now = time.monotonic()
        share = f"{done} of {'about ' * (self.folder is not None and self.doing == 'downloading')}"
        what = f"{share}{self.total} packages{self.package}" if self.total else "packages"
        told = f"{self.doing} {what}; {now - self.start:.0f} s so far"
        if not parts or parts < ENOUGH * every:
            return told
        left = (now - self.since) / parts * (every - parts)
        return f"{told}, about {float(f'{left:.1g}'):.0f} s left"

    def _there(self) -> int:
        """How many packages pip has installed: it says nothing while it does."""
        pattern = "lib/python3*/site-packages/*.dist-info"
        return len(list(self.folder.glob(pattern))) if self.folder else 0


@contextmanager
def telling(packages: Packages) -> Iterator[None]:
    """Say now and then in the block how far it is."""
    ended = Event()

    def tell() -> None:
        while not ended.wait(3 if sys.stderr.isatty() else 15):
            say(packages.text())

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def run(command: list[str], shown: tuple[str, ...] = (), packages: Packages | None = None) -> bool:
    """Run a command into setup.log; print the lines that begin with `shown`; True for success."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with LOG.open("a") as log:
        log.write(f"$ {' '.join(command)}\n")
        log.flush()
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=subprocess.STDOUT, env=env) as running:
            for raw in running.stdout or ():
                line = raw.decode(errors="replace")
                log.write(line)
                if packages:
                    packages.heard(line)
                if shown and line.startswith(shown):
                    print(
                        "    " + line.split(" (from")[0].strip()[:90], file=sys.stderr, flush=True
                    )
    return running.returncode == 0


def reason(what: str) -> str:
    """Why the last command of setup.log failed, as far as its last words tell."""
    end = LOG.read_text(errors="replace")[-4000:]
    if any(word in end for word in OFFLINE):
        return f"{what} cannot be downloaded: is there a network? (all output: {LOG.name})"
    return f"{what} could not be installed; {LOG.name} says why at its end"


def missing(packages: list[str]) -> list[str]:
    """Those Debian packages that are not installed."""
    query = ["dpkg-query", "-W", "-f", "${Package} ${Status}\\n", *packages]
    listed = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    there = {line.split()[0] for line in listed.splitlines() if "install ok installed" in line}
    return [package for package in packages if package not in there]


def unneeded() -> set[str]:
    """Packages of the optional parts whose programs are there without them."""
    found = {"chromium"} if any(map(shutil.which, BROWSERS)) else set[str]()
    found |= {"nodejs"} if node_version() >= OLDEST_NODE else set()
    return found | ({"node-typescript"} if shutil.which("tsc") else set())


def node_version() -> int:
    """The major version of the `node` on the path, 0 without one."""
    if not shutil.which("node"):
        return 0
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    major = told.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


def apt(packages: list[str]) -> None:
    """Install Debian packages as root or through sudo, after an interrupted installation too."""
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() == 0:
        sudo: list[str] = []
    elif shutil.which("sudo") and (sys.stdin.isatty() or run(["sudo", "-n", "true"])):
        sudo = ["sudo", "DEBIAN_FRONTEND=noninteractive"]
    else:
        raise SetupError(
            "system libraries are missing; as root, type:\n"
            f"    apt-get update && {' '.join(install)}"
        )
    say("installing " + " ".join(packages))
    wait = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=2"]
    for command in (
        ["dpkg", "--configure", "-a"],
        ["apt-get", *wait, "update"],
        [install[0], *wait, *install[1:]],
    ):
        packages = Packages()
        with telling(packages):
            done = run(sudo + command, shown=("E: dpkg",), packages=packages)
        if not done and command[0] != "dpkg":
            raise SetupError(reason("system packages"))


def system(part: str) -> None:
    """Install the system libraries that this part needs and that are missing."""
    if not shutil.which("apt-get"):
        return
    distribution = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print(*sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=False,
    )
    own = "{} {}".format(*sys.version_info[:2]) == distribution.stdout.strip()
    python = "python3" if own else "python{}.{}".format(*sys.version_info[:2])
    wanted = missing(FILMS)
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        wanted.append(python + "-dev")
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        wanted.append(python + "-venv")
    if wanted:
        apt(wanted)
    for name, packages in OPTIONAL.items() if part == "all" else ():
        wanted = missing([package for package in packages if package not in unneeded()])
        try:
            if wanted:
                apt(wanted)
            if name == "Node" and node_version() < OLDEST_NODE:
                raise SetupError(f"node {OLDEST_NODE} or newer is needed")
        except SetupError as problem:
            say(f"no {name}: tests with it will be skipped ({problem})")


def environment() -> None:
    """Make .venv unless a whole one is there; whatever was cut off is made anew."""
    old = VENV.with_name(".venv-unfinished")
    works = [str(VENV / "bin" / "python"), "-m", "pip", "--version"]
    if VENV.exists() and (MARK.exists() or not shutil.which(works[0]) or not run(works)):
        say(".venv is unfinished: making it anew")
        shutil.rmtree(old, ignore_errors=True)
        VENV.rename(old)
    shutil.rmtree(old, ignore_errors=True)
    made = VENV.exists()
    VENV.mkdir(exist_ok=True)
    MARK.touch()
    STAMP.unlink(missing_ok=True)
    if not made and not run([sys.executable, "-m", "venv", str(VENV)]):
        raise SetupError(reason("the environment .venv"))


def install(part: str, latest: bool) -> None:
    """Install the project with the libraries of this part into .venv."""
    say(
        "installing Manim and what films need (about 90 s)"
        if part == "video"
        else "installing Manim, JupyterLab and the tools of the tests (two minutes)"
    )
    newest = ["--upgrade", "--upgrade-strategy", "eager"]
    versions = newest if latest else ["-c", str(constraints())]
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--progress-bar", "off"]
    pip += ["--disable-pip-version-check", "--retries", "2", *versions]
    packages = Packages(LIBRARIES[part], VENV)
    with telling(packages):
        done = run([*pip, "-e", f".[{EXTRAS[part]}]"], packages=packages)
    if not done:
        MARK.unlink()  # pip has put back what was there
        raise SetupError(reason("the Python libraries"))


def constraints() -> Path:
    """The versions that last passed with this Python, or with the next newer one tried."""
    tried = {int(p.name.split(".")[1]): p for p in ROOT.glob("constraints/python3.*.txt")}
    return tried[min((v for v in tried if v >= sys.version_info[1]), default=max(tried))]


def fingerprint(part: str, latest: bool) -> str:
    """What decides about the content of .venv: other text, another installation."""
    texts = [ROOT / "pyproject.toml", constraints(), Path(__file__)]
    parts = [EXTRAS[part], str(latest), *(path.read_text() for path in texts)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def ready(part: str, latest: bool) -> bool:
    """Whether .venv holds this part, or all of it, as it is described today."""
    try:
        done = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return False
    return any(done == fingerprint(p, latest) for p in {part, "all"})


def main(part: str, latest: bool) -> None:
    """Set up `part` ("video" or "all"), unless that has been done."""
    if ready(part, latest):
        return
    start = time.monotonic()
    LOG.write_text("")
    os.chdir(ROOT)
    system(part)
    environment()
    install(part, latest)
    STAMP.write_text(json.dumps(fingerprint(part, latest)))
    MARK.unlink()
    say(f"done in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - a Python that is too old must be told so
        say(
            "this is Python {}.{}, and 3.11 or newer is needed: name one with  "
            "make PYTHON=python3.12 ...".format(*sys.version_info)
        )
        sys.exit(NOT_INSTALLED)
    try:
        main(sys.argv[1], bool(os.environ.get("LATEST")))
    except SetupError as problem:
        say(str(problem))
        sys.exit(NOT_INSTALLED)
    except KeyboardInterrupt:
        say("stopped; type the same again to go on")
        sys.exit(130)
