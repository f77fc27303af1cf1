"""A Jupyter server, and a browser without a window that looks at its pages."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.notebook.nbgrading import BIN

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 60  # seconds until a server answers


@contextmanager
def jupyter(folder: Path, home: Path, *words: str) -> Iterator[str]:
    """A server in a folder; its address. It ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [BIN / "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", *words]
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    log = home / "jupyter.log"
    with log.open("w") as said:
        server = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "HOME": str(home), "PATH": path}, stdout=said, stderr=said
        )
        try:
            _wait(f"http://127.0.0.1:{port}/api", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2000:])


def page(
    address: str,
    picture: Path | None = None,
    *,
    size: str = "1200,1600",
    seconds: int = 15,
) -> str:
    """A page's document when its scripts are done; a screenshot of it, if asked for."""
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--hide-scrollbars",
        f"--virtual-time-budget={seconds * 1000}",
        "--blink-settings=preferredColorScheme=1",
    ]
    if picture is not None:
        shot = [*command, f"--window-size={size}", f"--screenshot={picture}", address]
        subprocess.run(shot, capture_output=True, check=True, timeout=120)
    done = subprocess.run([*command, "--dump-dom", address], capture_output=True, check=True, timeout=120)
    return done.stdout.decode()
