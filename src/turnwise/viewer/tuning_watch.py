"""A tuning's results file that is watched: the settings that were tried, and how they have done so far."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from turnwise.arena.results.partial import SQLITE_ERRORS
from turnwise.arena.results_file import connect_read_only
from turnwise.core.errors import DamagedFileError
from turnwise.tuning.estimates import interval_of
from turnwise.tuning.results_layout import APPLICATION_ID, read_file
from turnwise.tuning.specification import TuningSpec
from turnwise.viewer.watched_file import WatchedFile

_MOST_LISTED = 100
_MOST_DRAWN = 500


class TuningWatch:
    """A results file of ``turnwise tune``, read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        """Open it once, so that a wrong file is refused at once.

        Args:
            path: The file.

        Raises:
            DamagedFileError: It is no results file of a tuning, or is damaged.
        """
        self._watched = WatchedFile(path, _read)
        self.facts()

    @staticmethod
    def fits(path: Path) -> bool:
        """Whether a file is the results of a tuning."""
        try:
            with closing(connect_read_only(path)) as connection:  # the header may be in the journal still
                return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)
        except (DamagedFileError, *SQLITE_ERRORS):
            return False

    def facts(self) -> dict[str, Any]:
        """The points by their mean fitness, and the samples in their order, as data for the page.

        Raises:
            DamagedFileError: The file was damaged or deleted meanwhile.
        """
        return self._watched.facts()


def _read(path: Path) -> dict[str, Any]:
    samples: dict[str, list[float]] = {}
    trials: dict[str, set[str]] = {}
    course = []
    stored = read_file(path)
    for trial, _, _, settings, fitness, _ in stored.intact:
        trials.setdefault(settings, set()).add(trial)
        if fitness is not None:
            samples.setdefault(settings, []).append(fitness)
            course.append(fitness)
    points = [
        _point(settings, len(trials[settings]), samples[settings])
        for settings in sorted(samples, key=lambda each: (-len(trials[each]), -sum(samples[each])))
    ]
    step = max(1, len(course) // _MOST_DRAWN)
    means = [sum(course[: end + 1]) / (end + 1) for end in range(0, len(course), step)]
    spec = _specification(stored.spec)
    return {
        "kind": "tuning",
        "name": path.stem if spec is None else spec.name,
        "evaluations": sum(map(len, trials.values())),
        "total": None if spec is None else spec.evaluations,
        "points": points[:_MOST_LISTED],
        "tried": len(trials),
        "means": means,
    }


def _specification(text: str) -> TuningSpec | None:
    """The tuning that the file belongs to; None: the file of another version does not show it."""
    try:
        return TuningSpec.model_validate_json(text)
    except ValidationError:
        return None


def _point(settings: str, evaluations: int, samples: list[float]) -> dict[str, Any]:
    interval = interval_of(samples)
    words = ", ".join(f"{name.replace('_', '-')}={value}" for name, value in json.loads(settings).items())
    return {
        "settings": words,
        "evaluations": evaluations,
        "mean": interval.estimate,
        "low": interval.low,
        "high": interval.high,
    }
