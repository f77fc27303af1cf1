"""One worker that is kept: started when it is first used, and replaced when it has died."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from softmarks.errors import UsageError
from softmarks.grading.workers import Wall, Worker


class KeptWorker:
    """The worker of the course at ``root``. It ends with this process, or ``idle`` seconds after use."""

    def __init__(self, root: Path, wall: Wall = "optional", *, idle: float | None = None) -> None:
        self.root = root
        self.wall: Wall = wall
        self.idle = idle
        self.worker: Worker | None = None
        self.using = threading.Lock()
        self.bell: threading.Timer | None = None
        atexit.register(self.close)

    @property
    def ready(self) -> bool:
        """Whether the next use finds a worker that has started."""
        return self.worker is not None and self.worker.alive

    @contextmanager
    def use(self) -> Iterator[Worker]:
        """A worker that is alive. One that fails in use is ended, and so is one that is not waited for."""
        with self.using:
            if self.bell is not None:
                self.bell.cancel()
            worker = self.worker
            if worker is None or not self.ready:
                self.close()
                worker = self.worker = Worker(self.root, self.wall)
            try:
                worker.wait()
                yield worker
            except BaseException as error:
                if not (isinstance(error, UsageError) and self.ready):
                    self.close()
                raise
            finally:
                if self.idle is not None and self.worker is not None:
                    self.bell = threading.Timer(self.idle, self._close_idle)
                    self.bell.daemon = True
                    self.bell.start()

    def close(self) -> None:
        """End the worker, whatever it is doing: a kernel that ends has two seconds, and nothing is lost."""
        if self.worker is not None:
            worker, self.worker = self.worker, None
            worker.process.kill()
            worker.close()

    def _close_idle(self) -> None:
        if self.using.acquire(blocking=False):  # else it is used again, and will ring again
            try:
                self.close()
            finally:
                self.using.release()
