"""A program for the crash tests, which starts tournaments in separate processes and kills them.

Everything heavy is imported once; coordinators are forked from here, so that many can be killed in little time. A
coordinator logs every key that is reported as finished; no game in that log may be lost.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import distributed  # noqa: F401 - so that forked coordinators have it
import psutil

import doubles.arena_doubles  # noqa: F401 - registers games and players
from turnwise.arena import export_csv, make_spec, open_results, run_tournament
from turnwise.core.errors import DamagedFileError

PATIENCE = 120


def spec(games_per_pair):
    players = {"a": "plain", "b": "plain:salt=1", "c": "faulty:turn=5", "d": "plain:salt=2"}
    return make_spec(
        games=["toy:turns=6,chance=true"], players=players, budget="iterations=3", games_per_pair=games_per_pair
    )


def coordinator(path, games_per_pair, workers):
    """Fork a process that runs the tournament; returns its id."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    log = os.open(f"{path}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write_key(progress):
        if progress.record is not None:
            os.write(log, f"{progress.record.key}\n".encode())

    status = 1
    try:
        run_tournament(
            spec(games_per_pair),
            path,
            workers=workers,
            progress=write_key,
            imports=["doubles.arena_doubles"],
            attempts=20,
        )
        status = 0
    finally:
        os._exit(status)


def logged(path):
    log = Path(f"{path}.log")
    return log.read_text().split() if log.exists() else []


def check(path, before):
    """Check that every finished game is stored exactly once; returns the stored keys."""
    try:
        with open_results(path) as results:
            keys = [record.key for record in results]
    except DamagedFileError:
        assert not logged(path), "the file cannot be read although games had been finished"
        return set()
    assert len(set(keys)) == len(keys), "a game is stored twice"
    assert set(logged(path)) <= set(keys), "a finished game was lost"
    assert before <= set(keys), "a game vanished"
    assert len(logged(path)) == len(set(logged(path))), "a game was finished twice"
    return set(keys)


def exported(path):
    with open_results(path) as results:
        return [file.read_bytes() for file in export_csv(results, f"{path}.tables", timing=False)]


def finish(path, games_per_pair, workers):
    pid = coordinator(path, games_per_pair, workers)
    assert os.waitpid(pid, 0)[1] == 0, "the tournament failed"


def kill_coordinators(path, games_per_pair, kills, rng):
    """Kill one-worker tournaments at random instants; each continues where the previous one was killed.

    The range of the instants follows from the time that this machine needs for a first game.
    """
    began = time.monotonic()
    pid = coordinator(path, games_per_pair, 1)
    running(path, 0, pid)
    window = max(0.12, 2 * (time.monotonic() - began))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    keys, grew = check(path, set()), 0
    for _ in range(kills):
        pid = coordinator(path, games_per_pair, 1)
        time.sleep(rng.uniform(0.0, window))
        os.kill(pid, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(pid, 0)[1]), "it had finished before it was killed"
        now = check(path, keys)
        grew += len(now) > len(keys)
        keys = now
    assert grew > kills // 4, "almost no kill came while games were played"
    return len(keys)


def running(path, known, pid):
    """Wait until a coordinator has finished one more game than is known."""
    end = time.monotonic() + PATIENCE
    while len(logged(path)) <= known:
        assert time.monotonic() < end, "no game finishes"
        assert psutil.pid_exists(pid), "the coordinator died"
        time.sleep(0.02)


def workers_of(pid):
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def kill_parallel_coordinators(path, games_per_pair, kills, rng):
    """Kill two-worker tournaments in the middle of play; their workers must not outlive them."""
    keys, orphans = set(), []
    for _ in range(kills):
        pid = coordinator(path, games_per_pair, 2)
        running(path, len(logged(path)), pid)
        time.sleep(rng.uniform(0.0, 0.3))
        orphans += workers_of(pid)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        keys = check(path, keys)
    gone, alive = psutil.wait_procs(orphans, timeout=20)
    assert not alive, "workers outlive their coordinator"
    assert gone
    return len(keys)


def kill_workers(path, games_per_pair, kills, rng):
    """Kill single workers of one running tournament, and let it finish."""
    pid = coordinator(path, games_per_pair, 2)
    for _ in range(kills):
        running(path, len(logged(path)), pid)
        time.sleep(rng.uniform(0.0, 0.4))
        end = time.monotonic() + PATIENCE
        while not (victims := workers_of(pid)):
            assert time.monotonic() < end, "no worker comes back"
            time.sleep(0.02)
        rng.choice(victims).kill()
    assert os.waitpid(pid, 0)[1] == 0, "the tournament failed"
    return len(check(path, set()))


def main():
    folder, kind, kills, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    path, games_per_pair = folder / "killed.db", 120 if kind == "coordinators" else 10
    run_tournament(spec(games_per_pair), folder / "whole.db")  # here, so that coordinators inherit loaded kernels
    os.environ["ARENA_TEST_DELAY"] = "0" if kind == "coordinators" else "0.03"
    act = {
        "coordinators": kill_coordinators,
        "parallel-coordinators": kill_parallel_coordinators,
        "workers": kill_workers,
    }[kind]
    reached = act(path, games_per_pair, kills, rng)
    finish(path, games_per_pair, 1 if kind == "coordinators" else 2)
    check(path, set())
    same = exported(path) == exported(folder / "whole.db")
    with open_results(path) as results:
        print(json.dumps({"same": same, "games": len(results), "reached": reached, "endings": results.endings()}))


if __name__ == "__main__":
    main()
