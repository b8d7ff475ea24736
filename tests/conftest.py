"""Puts this folder on the path, so that tests can import the interpreter beside them; a browser."""

import fcntl
import gc
import os
import pickle
import shutil
import signal
import sys
from itertools import groupby
from pathlib import Path

import pytest

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

sys.path.insert(0, str(Path(__file__).parent))
from spread import FEW, SAMPLE, spread  # noqa: E402

gc.set_threshold(100_000, 50, 100)  # a tenth of the time was spent on looking for garbage
os.environ.setdefault("COLLECTIVES_CACHE", "")  # films keep no parts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as of a job in a shell's background
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """With SAMPLE set, as by `make test`, a test of many cases is run on a fixed few of them.

    Each test takes others, so that all rows of the catalog are tried by some. Tests named on the
    command line, files and folders too, are run whole without it.
    """
    if not SAMPLE:
        return
    tests = groupby(items, lambda item: item.nodeid.partition("[")[0])
    kept = [case for name, cases in tests for case in few(name, list(cases))]
    config.hook.pytest_deselected(items=list(set(items) - set(kept)))
    items[:] = kept


def few(name, cases):
    """Those of a test's cases that are run: one alone of those in a browser, which are slow."""
    return spread(name, cases, 1 if "browser" in getattr(cases[0], "fixturenames", ()) else FEW)


def pytest_collection_finish():
    """What is there now stays to the end: no search for garbage looks at it again."""
    gc.freeze()


def pytest_sessionfinish(session, exitstatus):
    """With NO_SKIPS set, as in continuous integration, a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("NO_SKIPS"):
        reporter.write_line(f"NO_SKIPS is set, but {len(skipped)} tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """once(name, make): what `make` gives of a new folder, made by one of the workers for all."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent

    def made(name, make):
        result = base / f"{name}.pickle"
        with (base / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not result.exists():
                result.write_bytes(pickle.dumps(make(tmp_path_factory.mktemp(name))))
        return pickle.loads(result.read_bytes())

    return made


@pytest.fixture(scope="session")
def browser():
    """Chromium or Chrome; tests that need it are skipped without, or fail under NO_SKIPS."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # of what is waited for, on machines that are busy
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        give_up = pytest.fail if os.environ.get("NO_SKIPS") else pytest.skip
        give_up("no chromium or google-chrome on the PATH")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield found
        found.close()


@pytest.fixture(scope="session")
def _window(browser):
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def window(_window):
    """A tab as a new one is, without a network: the same each time, as to start one takes long."""
    _window.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    _window.set_viewport_size({"width": 1280, "height": 720})
    _window.goto("about:blank")
    yield _window
    if _window.url.startswith("file:"):
        _window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
