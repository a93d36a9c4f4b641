"""Facts for repeating a run: versions and the kind of machine, without names of users or hosts."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.specification import SprtSpec, TournamentSpec
from turnwise.core.errors import counted
from turnwise.report.model import Fact

_CPUINFO = Path("/proc/cpuinfo")


def environment_facts(records: Sequence[GameRecord] = ()) -> tuple[Fact, ...]:
    """Versions of turnwise, Python and the libraries that results depend on, rules versions, kind of machine.

    Args:
        records: Games whose rules versions are included.
    """
    rules = sorted({(record.replay.game, record.replay.rules) for record in records})
    facts = [Fact("Rules", ", ".join(f"{game} version {text}" for game, text in rules))] if rules else []
    libraries = ", ".join(f"{name} {_version(name)}" for name in ("numpy", "numba", "scipy"))
    return (
        *facts,
        Fact("Versions", f"turnwise {_version('turnwise')}, Python {platform.python_version()}, {libraries}"),
        Fact("Machine", machine_kind()),
    )


def tournament_facts(spec: TournamentSpec, scenarios: Sequence[str] = ()) -> tuple[Fact, ...]:
    """Facts of a tournament: its name, its scenarios, and every player with its planner and budget.

    Args:
        spec: The tournament.
        scenarios: The scenarios as people should see them; default: the texts of the specification.
    """
    up_to = "up to " if spec.sprt else ""
    return (
        Fact("Tournament", spec.name),
        Fact("Scenarios", ", ".join(scenarios or spec.games), code=True),
        *(Fact(f"Player {name}", f"{text}, {spec.budget_of(name)}", code=True) for name, text in spec.players.items()),
        Fact("Pairing", f"{spec.pairing}, {up_to}{counted(spec.games_per_pair, 'game')} per pair and scenario"),
        *([Fact("Stopping", _stopping_words(spec.sprt))] if spec.sprt else []),
        Fact("Seed", str(spec.seed), code=True),
    )


def _stopping_words(test: SprtSpec) -> str:
    return (
        f"sequential test of {test.elo0:g} against {test.elo1:g} Elo points (error rates {100 * test.alpha:g} % and "
        f"{100 * test.beta:g} %); a pair's games end when it decides, which biases its score and interval"
    )


@cache
def machine_kind() -> str:
    """Processor model, usable cores, system; no host or user name."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    model = _processor() or platform.machine()
    return f"{model}, {cores} core{'' if cores == 1 else 's'}, {platform.system()} {platform.machine()}"


def _processor() -> str:
    try:
        lines = _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
