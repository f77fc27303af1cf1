"""What runs the programs of a class: threads of this process, each with a worker, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from softmarks.errors import UsageError
from softmarks.grading.desk import close_all, stop_all

PATIENCE = 30  # seconds in which a cluster must answer
AHEAD = 2  # tasks a thread of a cluster, so that none waits for the next one to travel


@contextmanager
def on_this_machine(workers: int) -> Iterator[tuple[Executor, int]]:
    """So many workers, and how many submissions to have under way. Interrupted, they end at once."""
    with ThreadPoolExecutor(workers, thread_name_prefix="desk") as pool:
        try:
            yield pool, workers
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop_all()
            raise
        finally:
            pool.shutdown()
            close_all()


@contextmanager
def on_a_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The Dask cluster whose scheduler is at ``address``. What a dying machine had under way runs again.

    Raises UsageError when no scheduler or no machine answers there.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(f"a cluster needs Dask: {error}", fix="Run pip install 'softmarks[dask]'") from error
    try:
        client: Any = Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no Dask cluster answers at {address}: {error}",
            fix="Start its scheduler and workers, and give its address, such as tcp://10.0.0.1:8786",
        ) from error
    with client:
        yield client.get_executor(pure=False), AHEAD * sum(client.nthreads().values())
