"""Comparisons of variants: improvements, the opponent's turn in a search, controls, and other limits than calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.studies.tribes_2021.players import AGENTS, CAREFUL, MUTANTS, REPLY

Pair = tuple[str, str]

_SOUND = AGENTS["sound"]


@dataclass(frozen=True)
class Variants:
    """Players and who meets whom.

    Attributes:
        players: Name -> text.
        head_to_head: (Variant, original): a sequential test decides who is stronger.
        rivals: Agents that all variants and originals meet.
    """

    players: Mapping[str, str]
    head_to_head: tuple[Pair, ...]
    rivals: tuple[str, ...] = ("simple", "rhea")

    @property
    def everybody(self) -> dict[str, str]:
        """The players and the rivals."""
        return dict(self.players) | {name: _SOUND[name] for name in self.rivals}

    @property
    def tables(self) -> tuple[Pair, ...]:
        """Every variant against every rival."""
        return tuple((name, rival) for name in self.players for rival in self.rivals if name != rival)


@dataclass(frozen=True)
class Pairs:
    """Players and who meets whom, all pairs as often.

    Attributes:
        players: Name -> text.
        tables: The pairs.
    """

    players: Mapping[str, str]
    tables: tuple[Pair, ...]


IMPROVEMENTS = Variants(
    players={
        "oep": _SOUND["oep"],
        "without tournaments": f"{_SOUND['oep']},pairing=random",
        "without mutants of the best": _SOUND["oep"].removesuffix(MUTANTS),
        "before": _SOUND["oep-before"],
        "turns of at most 20": f"{_SOUND['oep']},cap=20",
        "end states not stored": f"{_SOUND['oep']},reevaluate=true",
        "emcts": _SOUND["emcts"],
        "emcts, turns of at most 20": f"{_SOUND['emcts']},cap=20",
        "emcts, end states not stored": f"{_SOUND['emcts']},replays=true",
    },
    head_to_head=(
        ("oep", "without tournaments"),
        ("oep", "without mutants of the best"),
        ("oep", "before"),
        ("oep", "turns of at most 20"),
        ("oep", "end states not stored"),
        ("emcts", "emcts, turns of at most 20"),
        ("emcts", "emcts, end states not stored"),
    ),
)
"""Sections 5.2, 3.3.2 and 5.1 of the report: what it changed, one by one."""

OPPONENTS = Variants(
    players={
        "oep": _SOUND["oep"],
        "oep with reply": f"{_SOUND['oep']},fitness=rollout,rollout_turns=1,policy=tribes-rules",
        "emcts": _SOUND["emcts"],
        "fh-emcts": f"fh-{_SOUND['emcts']}",
        "rhea in its own turn": _SOUND["rhea"].replace('"actions=20"', "own-turn").replace(f'"{REPLY}"', "none"),
        "rhea with own genes for the opponent": _SOUND["rhea"].replace(f'"{REPLY}"', "genes"),
    },
    head_to_head=(
        ("oep with reply", "oep"),
        ("fh-emcts", "emcts"),
        ("rhea in its own turn", "rhea"),
        ("rhea with own genes for the opponent", "rhea"),
    ),
)
"""Section 3.2 of the report: opponents' turns as part of a search, by a script, a quick model, or genes."""

ONE_INDIVIDUAL = "rhea with one individual"
"""RHEA of the framework's paper (2020), as its text and those of its successors say."""
_TEXT = ("oep", "emcts")
_READINGS = ("as-published", "as-coded")
_REPLYING = OPPONENTS.players["oep with reply"]

CONTROLS = Pairs(
    players={
        **{name: _SOUND[name] for name in (*_TEXT, "simple", "osla", "mcts", "mc", "random")},
        **{f"{name} {reading}": AGENTS[reading][name] for name in _TEXT for reading in _READINGS},
        "rhea in its own turn": OPPONENTS.players["rhea in its own turn"],
        "oep with reply, mean": f"{_REPLYING},combine=mean,history=false",
        ONE_INDIVIDUAL: "rhea:population=1,offspring=1,elites=0,survivors=best,crossover=none,length=20,"
        'horizon="actions=20",mutation_operator=uniform,mutation_scope=gene,mutation_probability=0.1,repair=random,'
        "reply=genes",
    },
    tables=(
        *((name, f"{name} {reading}") for name in _TEXT for reading in _READINGS),
        *((name, "rhea in its own turn") for name in _TEXT),
        ("oep with reply, mean", "oep"),
        *((ONE_INDIVIDUAL, rival) for rival in ("simple", "mcts", "mc", "osla", "random")),
    ),
)
"""Sound agents against those of the other readings in one game; RHEA without an opponent to simulate, which leaves it
more evaluations; replies that count with their mean instead of the worst one; and RHEA as in Table 1 of 2020."""

CANDIDATES = Pairs(
    players={
        **{name: _SOUND[name] for name in (*_TEXT, "simple")},
        **{f"careful {name}": f"{_SOUND[name]},candidates={CAREFUL}" for name in _TEXT},
        **{f"{name} as-coded": AGENTS["as-coded"][name] for name in _TEXT},
    },
    tables=tuple((f"careful {name}", rival) for name in _TEXT for rival in (name, f"{name} as-coded", "simple")),
)
"""The sound agents with the program's candidates, which leave out destructions and disbandings."""

STOPPING: Mapping[str, float] = {"time": 5.0, "iterations": 20.0}
"""Chapter 6: milliseconds, and iterations of the planner's main loop, for every action at the effort "paper"."""
