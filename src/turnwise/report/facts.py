"""Facts for repeating a run: versions and the kind of machine, without names of users or hosts."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.schedule import hash_of
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
    """Facts of a tournament: every setting of its specification; limits and savings only where there are any.

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
        *_meetings(spec),
        *([Fact("Stopping", _stopping_words(spec.sprt))] if spec.sprt else []),
        Fact("Starts", _start_words(spec)),
        Fact("Seed", str(spec.seed), code=True),
        *_limits(spec),
        *_savings(spec),
    )


def _meetings(spec: TournamentSpec) -> list[Fact]:
    """Who meets whom, where the specification lists it."""
    facts = [Fact("Meetings", f"at most {spec.meetings} in every scenario")] if spec.meetings is not None else []
    if spec.challengers:
        facts.append(Fact("Challengers", ", ".join(spec.challengers), code=True))
    for label, groups in (("Pool", spec.pools), ("Table", spec.tables)):
        facts.extend(Fact(f"{label} {number}", ", ".join(group), code=True) for number, group in enumerate(groups, 1))
    return facts


def _stopping_words(test: SprtSpec) -> str:
    least = f", after {counted(test.least, 'game')} at the earliest" if test.least else ""
    return (
        f"sequential test of {test.elo0:g} against {test.elo1:g} Elo points (error rates {100 * test.alpha:g} % and "
        f"{100 * test.beta:g} %); a pair's games end when it decides{least}, which biases its score and interval"
    )


def _start_words(spec: TournamentSpec) -> str:
    """From what games begin; the digits tell two lists of the same length apart."""
    if not spec.starts:
        own = "the game's own" if len(spec.games) == 1 else "the games' own"
        return own if spec.common_starts else f"{own}, others in every meeting"
    who = "all games begin" if len(spec.starts) == 1 else "groups of games begin in turn"
    return (
        f"{counted(len(spec.starts), 'given state')}, from which {who} "
        f"(fingerprint {hash_of([dict(start) for start in spec.starts])[:12]})"
    )


def _limits(spec: TournamentSpec) -> list[Fact]:
    facts = []
    if spec.max_turns is not None:
        facts.append(Fact("Limit of turns", f"{spec.max_turns}; a game that reaches it is drawn by limit"))
    if spec.forfeit_overrun is not None:
        words = f"a decision that takes more than {spec.forfeit_overrun:g} times the time budget forfeits the game"
        facts.append(Fact("Time overruns", words))
    return facts


def _savings(spec: TournamentSpec) -> list[Fact]:
    """What the results file leaves out."""
    facts = []
    if spec.replays != "all":
        kept = "none" if spec.replays == "none" else f"of the first {counted(spec.replays, 'game')} of every meeting"
        facts.append(Fact("Replays", kept))
    if spec.notes != "full":
        facts.append(Fact("Notes of planners", str(spec.notes)))
    return facts


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
