"""JupyterLab on a folder of its own, and a browser's tab in it."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import the phrases

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
QUIET = {
    "apputils-extension/notification": {
        "checkForUpdates": False,
        "fetchNews": "false",
        "doNotDisturbMode": True,
    }
}


@pytest.fixture(scope="session")
def places(tmp_path_factory):
    """Folders for all that Jupyter writes, as environment variables."""
    base = tmp_path_factory.mktemp("jupyter")
    names = ("CONFIG", "DATA", "RUNTIME")
    found = {f"JUPYTER_{name}_DIR": str(base / name.lower()) for name in names}
    found["JUPYTERLAB_SETTINGS_DIR"] = str(base / "settings")
    found["JUPYTERLAB_WORKSPACES_DIR"] = str(base / "workspaces")
    found["IPYTHONDIR"] = str(base / "ipython")
    for name, settings in QUIET.items():
        path = base / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))
    return found


@pytest.fixture(scope="session")
def lab(tmp_path_factory, places):
    """The address of a JupyterLab and the folder that it shows, which has the lectures."""
    folder = tmp_path_factory.mktemp("lectures")
    shutil.copytree(ROOT / "notebooks", folder, dirs_exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        f"--port={port}",
        "--ip=127.0.0.1",
        "--no-browser",
        "--allow-root",
        "--IdentityProvider.token=",
        "--LabApp.extension_manager=readonly",
        "--ServerApp.disable_check_xsrf=True",
        f"--ServerApp.root_dir={folder}",
    ]
    with (folder.parent / "lab.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env=os.environ | places,
            stdout=log,
            stderr=log,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api/status", server)
        yield address, folder
    finally:
        end(server)


@pytest.fixture(scope="session")
def tab(lab, browser):
    """tab(name): the tab of the lab, in which that notebook is open and its kernel is ready."""
    page = browser.new_page(reduced_motion="reduce", color_scheme="dark")
    page.set_default_timeout(30_000)

    def opened(name):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{lab[0]}/lab/tree/{name}?reset")
        page.get_by_text("| Idle").wait_for()
        return page

    yield opened
    page.close()


def end(server, patience=10):
    """End a process with all that it has started, also where it takes no notice of being asked.

    Kernels are asked first, in groups of their own, and would outlive a server that is killed.
    """
    started = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
    server.terminate()
    _, left = psutil.wait_procs(started, patience)
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    try:
        server.wait(patience)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def wait_for(address, server):
    for _ in range(1800):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            assert server.poll() is None, "JupyterLab did not start"
            time.sleep(0.1)
    pytest.fail("JupyterLab does not answer")
