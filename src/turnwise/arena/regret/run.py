"""Measuring what is missing in a results file, which has a line of JSON for each job that was done."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.arena.regret.measurement import REFERENCE, RegretSpec, job_text, measure
from turnwise.arena.results.writing import ResultsMismatchError, WriterLock
from turnwise.arena.tournament.run import available_cores
from turnwise.arena.tournament.workers import DaskPool, InProcess, WorkPool
from turnwise.core.errors import DamagedFileError, TurnwiseError
from turnwise.core.output_files import write_files

FORMAT = "turnwise regret 1"
_MOST_LOSSES = 3

Values = dict[int, dict[str, float]]
"""Position -> key of turns -> value after the reply."""
Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``: positions of the run."""


@dataclass(frozen=True)
class Regret:
    """What was measured.

    Attributes:
        values: Name -> value of its turn after the reply in each position, in the same order for all; the reference
            has the name ``REFERENCE``.
    """

    values: Mapping[str, tuple[float, ...]]

    @property
    def positions(self) -> int:
        """Number of positions in which everybody was measured."""
        return len(self.values[REFERENCE])

    def losses(self, name: str) -> tuple[float, ...]:
        """How much less than the reference's turn a planner's turn is worth, position by position."""
        return tuple(best - own for best, own in zip(self.values[REFERENCE], self.values[name], strict=True))


def measure_regret(
    spec: RegretSpec, path: str | Path, *, workers: int = 1, progress: Progress = lambda done, total: None
) -> Regret:
    """Measure what is missing in a results file. With budgets other than time, equal arguments give equal values.

    More positions and further players can be added later; what was measured is kept.

    Args:
        spec: The measurement.
        path: Results file; it is made if it does not exist.
        workers: Number of processes; where time is limited, at most one for each core.
        progress: Called as positions are finished.

    Raises:
        ResultsMismatchError: The file holds results of another measurement.
        DamagedFileError: The file cannot be read or written.
        TurnwiseError: A position could not be measured.
    """
    path = Path(path)
    lock = WriterLock(path)
    try:
        known = _continued(spec, path)
        jobs = {number: text for number in range(spec.positions) if (text := _missing(spec, number, known))}
        done = spec.positions - len(jobs)
        progress(done, spec.positions)
        if jobs:
            most = min(workers, len(jobs), available_cores() if spec.is_timed else len(jobs))
            pool = InProcess(measure) if most == 1 else DaskPool(most, work=measure)
            with pool, path.open("a", encoding="utf-8") as out:
                for answer in _answers(pool, jobs):
                    out.write(f"{answer}\n")
                    out.flush()
                    _add(known, json.loads(answer))
                    done += 1
                    progress(done, spec.positions)
    finally:
        lock.release()
    return regret_of(spec, known)


def stored_regret(spec: RegretSpec, path: str | Path) -> Regret | None:
    """What a file holds; None: there is no file, it is of another measurement, or lacks somebody everywhere.

    Args:
        spec: The measurement; of its positions those count in which everybody was measured.
        path: Results file.
    """
    path = Path(path)
    if not path.exists():
        return None
    try:
        found = regret_of(spec, _read(spec, path)[0])
    except ResultsMismatchError:
        return None
    return found if found.positions else None


def regret_of(spec: RegretSpec, known: Values) -> Regret:
    """The values of the positions of a measurement in which everybody was measured."""
    everybody = spec.everybody
    whole = [
        known[number]
        for number in range(spec.positions)
        if all(turns.key in known.get(number, {}) for turns in everybody.values())
    ]
    return Regret({name: tuple(values[turns.key] for values in whole) for name, turns in everybody.items()})


def _missing(spec: RegretSpec, number: int, known: Values) -> str:
    """The job of a position; empty if nothing is missing there."""
    turns = {each.key: each for each in spec.everybody.values() if each.key not in known.get(number, {})}
    return job_text(spec, number, turns.values()) if turns else ""


def _answers(pool: WorkPool, jobs: Mapping[int, str]) -> Iterator[str]:
    """The answers to all jobs, as they come.

    Raises:
        TurnwiseError: A job failed, or its workers died several times.
    """
    waiting, losses = deque(jobs), dict.fromkeys(jobs, 0)
    running = 0
    while waiting or running:
        while waiting and running < pool.capacity:
            number = waiting.popleft()
            pool.submit(str(number), jobs[number])
            running += 1
        for finished in pool.collect():
            running -= 1
            number = int(finished.key)
            if finished.answer is None:
                losses[number] += 1
                if losses[number] == _MOST_LOSSES:
                    raise TurnwiseError(f"Position {number}: {_MOST_LOSSES} workers died while they measured it.")
                waiting.append(number)
                continue
            trouble = json.loads(finished.answer).get("error")
            if trouble:
                raise TurnwiseError(f"Position {number} could not be measured: {trouble}")
            yield finished.answer


def _continued(spec: RegretSpec, path: Path) -> Values:
    """What a file holds; a line that an interruption cut off is removed, and a new file is begun."""
    if not path.exists():
        write_files({path: f"{json.dumps(_header(spec))}\n".encode()})
        return {}
    known, whole = _read(spec, path)
    if whole < path.stat().st_size:
        write_files({path: path.read_bytes()[:whole]})
    return known


def _header(spec: RegretSpec) -> dict[str, Any]:
    return {"format": FORMAT, "identity": spec.identity}


def _read(spec: RegretSpec, path: Path) -> tuple[Values, int]:
    """What a file holds, and the number of bytes of its whole lines."""
    try:
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        header, *lines = [json.loads(line) for line in content[:whole].splitlines()] or [{}]
        stored = header.get("format"), header.get("identity")
        known: Values = {}
        for line in lines:
            _add(known, line)
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise DamagedFileError(f"{path}: not a file of measured turns ({error}). Choose another file.") from None
    if stored != (FORMAT, json.loads(json.dumps(spec.identity))):
        raise ResultsMismatchError(
            f"{path} holds another measurement: game, rules, replies, sources or seed differ. Choose another file."
        )
    return known, whole


def _add(known: Values, line: Mapping[str, Any]) -> None:
    values = known.setdefault(line["position"], {})
    for key, turn in line["turns"].items():
        values.setdefault(key, turn["value"])
