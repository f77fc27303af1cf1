"""A Chromium without a window, told what to do through a pipe: sizes, colours, print, and what goes wrong."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.notebook.browsing import BROWSER

PATIENCE = 60  # seconds for one answer


class Chromium:
    """One page at a time. ``faults`` are errors of it and its policy, ``requests`` what it asked for."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.to_browser, self.from_browser = to_browser, from_browser
        self.sent = 0
        self.buffer = b""
        self.session: dict[str, str] = {}
        self.loaded = False
        self.faults: list[Any] = []
        self.requests: list[str] = []
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self.session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.tell(f"{domain}.enable")

    def open(
        self, path: Path, width: int, *, height: int = 800, dark: bool = False, scripts: bool = True
    ) -> None:
        """Show a file, as wide as a window or a telephone is."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.tell("Emulation.setDeviceMetricsOverride", **size)
        self.tell("Emulation.setScriptExecutionDisabled", value=not scripts)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", media="", features=[scheme])
        self.faults, self.requests, self.loaded = [], [], False
        self.tell("Page.navigate", url=path.as_uri())
        end = time.monotonic() + PATIENCE
        while not self.loaded:
            assert time.monotonic() < end, "the page does not load"
            self._take(self._hear(end))

    def run(self, script: str) -> Any:
        """The value of an expression in the page, awaited where it is a promise."""
        answer = self.tell("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """A picture of the page, or of what the window shows of it."""
        shot = self.tell("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def printed(self) -> bytes:
        """The page as a PDF."""
        return base64.b64decode(self.tell("Page.printToPDF", preferCSSPageSize=True)["data"])

    def tell(self, method: str, **words: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self.sent += 1
        said = {"id": self.sent, "method": method, "params": words, **self.session}
        data = memoryview(json.dumps(said).encode() + b"\0")
        while data:
            data = data[os.write(self.to_browser, data) :]
        end = time.monotonic() + PATIENCE
        while True:
            heard = self._hear(end)
            if heard.get("id") == self.sent:
                assert "error" not in heard, heard
                return heard["result"]
            self._take(heard)

    def _take(self, event: dict[str, Any]) -> None:
        what = event.get("method", "")
        if what == "Page.loadEventFired":
            self.loaded = True
        elif what in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.faults.append(event["params"])
        elif what == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"])

    def _hear(self, end: float) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser is silent"
            self.buffer += os.read(self.from_browser, 1 << 20)
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)


@contextmanager
def chromium(home: Path) -> Iterator[Chromium]:
    """A browser that ends with the block."""
    there, to_browser = os.pipe()
    from_browser, here = os.pipe()
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in (there, here)]
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions"]
    command += ["--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe"]

    def connect() -> None:
        for end, number in zip(ends, (3, 4), strict=True):
            os.dup2(end, number)

    process = subprocess.Popen(
        [*command, f"--user-data-dir={home}", "about:blank"],
        close_fds=False,
        preexec_fn=connect,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in (there, here, *ends):
        os.close(end)
    try:
        yield Chromium(to_browser, from_browser)
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(to_browser)
        os.close(from_browser)
