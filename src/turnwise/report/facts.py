"""What a reader needs to run the same again: versions and the kind of machine, without names of people or places."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.report.model import Fact

_CPUINFO = Path("/proc/cpuinfo")


def environment_facts(records: Sequence[GameRecord] = ()) -> tuple[Fact, ...]:
    """Versions of turnwise, Python and the libraries that results depend on, rules versions, kind of machine.

    Args:
        records: Games whose rules versions are named.
    """
    rules = sorted({(record.replay.game, record.replay.rules) for record in records})
    facts = [Fact("Rules", ", ".join(f"{game} version {text}" for game, text in rules))] if rules else []
    libraries = ", ".join(f"{name} {_version(name)}" for name in ("numpy", "numba", "scipy"))
    return (
        *facts,
        Fact("Versions", f"turnwise {_version('turnwise')}, Python {platform.python_version()}, {libraries}"),
        Fact("Machine", machine_kind()),
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
