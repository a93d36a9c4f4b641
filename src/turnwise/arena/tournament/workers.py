"""Where games are played: in this process, or in processes managed by Dask distributed.

The interface is narrow: ``submit`` a job as text, ``collect`` the finished ones. Games are independent and repeatable,
so a worker that dies costs only the game it was playing; the pool reports the loss and the tournament decides.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import re
import signal
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from turnwise.arena.tournament.job import play_job
from turnwise.core.errors import OptionError, TurnwiseError, shown
from turnwise.core.extras import need

_PATIENCE = 120
"""Seconds for which a cluster may be without any worker."""

_LOOK_SECONDS = 5.0
"""Seconds without a finished job after which the workers are counted."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A job that came back.

    Attributes:
        key: Key of the job.
        answer: What the pool's function returned; None if its worker died.
    """

    key: str
    answer: str | None


class WorkPool(ABC):
    """Plays jobs, or does what else it was made for. Use it in a ``with`` block."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """Number of jobs it plays at once; no more than that should be submitted and not yet collected."""

    @abstractmethod
    def submit(self, key: str, job: str) -> None:
        """Submit a job."""

    @abstractmethod
    def collect(self) -> list[Finished]:
        """Wait until a job has finished, and return it.

        Returns:
            The finished jobs; empty if the capacity may have changed in the meantime.

        Raises:
            TurnwiseError: The pool itself has failed.
        """

    def close(self) -> None:
        """Stop at once; games in progress are dropped."""

    def __enter__(self) -> WorkPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class InProcess(WorkPool):
    """Plays one job after another in this process, when they are collected.

    Args:
        work: The function that does a job, text to text.
    """

    def __init__(self, work: Callable[[str], str] = play_job) -> None:
        self._work = work
        self._waiting: deque[tuple[str, str]] = deque()

    @property
    def capacity(self) -> int:
        """One."""
        return 1

    def submit(self, key: str, job: str) -> None:
        """Add a job to the queue."""
        self._waiting.append((key, job))

    def collect(self) -> list[Finished]:
        """Play the oldest job."""
        key, job = self._waiting.popleft()
        return [Finished(key, self._work(job))]


_CONNECTING = 30  # seconds
_ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://(\[[0-9a-fA-F:.]+\]|[^\s:/]+):[0-9]{1,5}")


def check_address(scheduler: str) -> None:
    """Refuse what cannot be a scheduler's address; the library would try it for a minute.

    Raises:
        OptionError: It is neither empty nor of the form tcp://host:8786.
    """
    if scheduler and not (isinstance(scheduler, str) and _ADDRESS.fullmatch(scheduler)):
        raise OptionError(
            f"{shown(scheduler)} is not the address of a Dask scheduler; expected protocol, host and port, such as "
            "tcp://host:8786."
        )


class DaskPool(WorkPool):
    """Plays jobs on a Dask cluster: one that it starts on this machine, or one that is already running.

    A cluster started here has processes of one thread each; a nanny restarts a dead process. Its scheduler reports a
    death at once and does not retry the job, so that the tournament can count the attempts. A death is charged to every
    job assigned to the worker, begun or not. Therefore no more jobs are submitted than workers are alive: no job waits
    in the queue of a worker whose current game may kill it.
    """

    def __init__(
        self,
        workers: int = 0,
        scheduler: str = "",
        *,
        timed: bool = False,
        work: Callable[[str], str] = play_job,
    ) -> None:
        """Start a cluster, or connect to one.

        Args:
            workers: Number of processes to start on this machine.
            scheduler: Address of a running scheduler ("tcp://host:8786") to use instead.
            timed: Play at most one game per core on each host of a running cluster.
            work: The function that does a job, text to text; one of a module, so that workers can import it.

        Raises:
            TurnwiseError: No scheduler answers at the address, or it has no workers.
        """
        self._cluster: Any = None
        self._workers = workers
        self._timed = timed
        self._work = work
        self._cores: dict[str, int] = {}
        self._attempts: dict[str, int] = {}
        self._alone_since: float | None = None
        self._done: queue.Queue[Any] = queue.Queue()
        self._stack = contextlib.ExitStack()
        try:
            self._client = self._connect(scheduler) if scheduler else self._start()
        except BaseException:
            self._stack.close()
            raise

    def _start(self) -> Any:
        need("dask", "Playing in several processes", "One worker plays in this process.")
        import dask
        import distributed

        settings = {
            "distributed.scheduler.allowed-failures": 0,
            "distributed.scheduler.worker-saturation": 1.0,
            "distributed.scheduler.work-stealing": False,
        }
        self._stack.enter_context(dask.config.set(settings))
        library: Any = distributed
        # Dask logs a traceback when we close connections, at a time when the cluster is no longer silenced.
        logging.getLogger("distributed.batched").setLevel(logging.WARNING)
        self._cluster = library.LocalCluster(
            n_workers=self._workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # the HTTP server always starts: for this machine only, on a free port
            memory_limit=None,  # planners limit their own memory; a killed game would only be played again
            silence_logs=logging.CRITICAL,
        )
        self._stack.callback(self._cluster.close)
        return self._stack.enter_context(library.Client(self._cluster, set_as_default=False))

    def _connect(self, scheduler: str) -> Any:
        need("dask", "A Dask cluster", "One worker plays in this process.")
        import distributed

        library: Any = distributed
        try:
            client = library.Client(scheduler, timeout=_CONNECTING, set_as_default=False)
            self._stack.enter_context(client)
            client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise TurnwiseError(
                f"No Dask scheduler with workers answers at {scheduler!r} ({error}); expected the address of a running "
                "scheduler, such as tcp://host:8786."
            ) from None
        return client

    @property
    def capacity(self) -> int:
        """Threads of all live workers, at least one; with a time budget, no more than cores on each host."""
        if self._cluster is not None:
            return max(1, min(self._workers, len(self._alive())))
        threads: dict[str, int] = {}
        for worker in self._alive().values():
            threads[worker["host"]] = threads.get(worker["host"], 0) + int(worker["nthreads"])
        if self._timed:
            if not threads.keys() <= self._cores.keys():
                hosts = {address: worker["host"] for address, worker in self._alive().items()}
                counted = self._client.run(os.cpu_count)
                self._cores = {hosts[address]: n or 1 for address, n in counted.items() if address in hosts}
            threads = {host: min(count, self._cores.get(host, 1)) for host, count in threads.items()}
        return max(1, sum(threads.values()))

    def _alive(self) -> dict[str, Any]:
        """The scheduler's information about its workers, by address."""
        return dict(self._client.scheduler_info(n_workers=-1)["workers"])

    def submit(self, key: str, job: str) -> None:
        """Send a job to a worker."""
        attempt = self._attempts[key] = self._attempts.get(key, 0) + 1
        future = self._client.submit(self._work, job, key=f"{key}/{attempt}", pure=False)
        future.add_done_callback(self._done.put)

    def collect(self) -> list[Finished]:
        """Wait for finished jobs and restart workers that did not come back; empty after some time without one."""
        try:
            found = [self._done.get(timeout=_LOOK_SECONDS)]
        except queue.Empty:
            self._look_after_workers()
            return []
        self._alone_since = None
        while not self._done.empty():
            found.append(self._done.get())
        return [self._finished(future) for future in found]

    def _look_after_workers(self) -> None:
        count = len(self._alive())
        self._alone_since = None if count else self._alone_since or time.monotonic()
        if self._alone_since is not None and time.monotonic() - self._alone_since > _PATIENCE:
            raise TurnwiseError(
                f"No worker has been alive for {_PATIENCE} s. Finished games are kept; run the same command again to "
                "continue."
            )
        if self._cluster is not None and count < self._workers:
            self._cluster.scale(self._workers)

    def _finished(self, future: Any) -> Finished:
        from distributed import KilledWorker

        key = str(future.key).partition("/")[0]
        answer: str | None = None
        if future.status == "finished":
            answer = future.result()
        else:
            error = future.exception() if future.status == "error" else None
            if not isinstance(error, KilledWorker):
                raise TurnwiseError(
                    f"A worker could not take a game ({error or 'the scheduler is gone'}). Check that the same version "
                    "of turnwise is installed there. Finished games are kept; run the same command again to continue."
                )
        future.release()
        return Finished(key, answer)

    def close(self) -> None:
        """Kill the workers that were started here, which may be in the middle of a long search, and disconnect."""
        if self._cluster is not None:
            for nanny in self._cluster.workers.values():
                nanny.auto_restart = False
                if nanny.pid:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(nanny.pid, signal.SIGKILL)
        self._stack.close()
