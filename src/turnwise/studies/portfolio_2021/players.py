"""The players of the study: the publication's settings of its planners (Tables I to III), scripts, rule-based agents.

The printed numbers agree with those in the history of the published code. Elitism and "continue search" are on in every
row. The portfolios of Figure 3 are known from the code for Kings, and from the text for PRHEA in Healers; the others
are lost, so that the sets for Kings stand in for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MODES = ("kings", "kings_ua", "healers", "pushers")
PLANNERS = ("prhea", "mo-prhea", "s-prhea", "poe", "pgs")
AGENTS = {"kings": "combat", "kings_ua": "combat", "healers": "combat", "pushers": "push"}
CLOSEST, WEAKEST, AWAY = "attack-closest", "attack-weakest", "run-away"
SPECIAL, FRIENDS, RANDOM = "use-special-ability", "run-to-friends", "random"
SCRIPTS = (CLOSEST, WEAKEST, AWAY, SPECIAL, FRIENDS, RANDOM)
"""The six scripts of the publication, in the order of its search space."""
CODED = ("as-coded", "legal")
"""Readings with the published code's players; in ``legal`` they play legal actions only, and nothing else differs."""


@dataclass(frozen=True)
class Tuned:
    """A row of Tables I to III of an evolution.

    Attributes:
        population: Population size.
        length: Individual length; for ``poe`` and ``s-prhea`` a horizon in rounds.
        mutation: Mutation rate.
        tournament: Tournament size.
        changes: Number of changes (``s-prhea`` only).
    """

    population: int
    length: int
    mutation: float
    tournament: int
    changes: int = 0


@dataclass(frozen=True)
class TunedGreedy:
    """A row of Tables I to III of PGS.

    Attributes:
        turns: "Individual length": turns of both players that are played out.
        iterations: "Response iterations": sweeps of an improvement.
    """

    turns: int
    iterations: int


_KINGS: Mapping[str, Tuned | TunedGreedy] = {
    "prhea": Tuned(1, 1, 0.5, 5),
    "mo-prhea": Tuned(1, 1, 0.1, 5),
    "s-prhea": Tuned(1, 3, 0.5, 5, 5),
    "poe": Tuned(1, 3, 0.5, 5),
    "pgs": TunedGreedy(3, 4),
}
PUBLISHED: Mapping[str, Mapping[str, Tuned | TunedGreedy]] = {
    "kings": _KINGS,
    "kings_ua": _KINGS,
    "pushers": {
        "prhea": Tuned(100, 3, 0.5, 5),
        "mo-prhea": Tuned(100, 1, 0.1, 3),
        "s-prhea": Tuned(100, 3, 0.1, 3, 5),
        "poe": Tuned(10, 5, 0.9, 3),
        "pgs": TunedGreedy(2, 3),
    },
    "healers": {
        "prhea": Tuned(100, 10, 0.1, 3),
        "mo-prhea": Tuned(10, 1, 0.1, 5),
        "s-prhea": Tuned(100, 1, 0.1, 10, 5),
        "poe": Tuned(10, 3, 0.1, 3),
        "pgs": TunedGreedy(3, 1),
    },
}
"""Mode -> planner -> row of Tables I to III. The modes of the king share a row: see :data:`MODES`."""

_SETS: Mapping[str, tuple[str, ...]] = {
    "prhea": (CLOSEST, WEAKEST, SPECIAL),
    "mo-prhea": (CLOSEST, WEAKEST, SPECIAL),
    "s-prhea": (WEAKEST,),
    "poe": (WEAKEST,),
    "pgs": (WEAKEST, AWAY),
}


def portfolio(planner: str, mode: str) -> tuple[str, ...]:
    """The planner's scripts in a mode, as far as they are known (Figure 3 and the published code)."""
    if (planner, mode) == ("prhea", "healers"):
        return (SPECIAL, FRIENDS)
    return _SETS[planner]


def scenario(mode: str, reading: str) -> str:
    """A mode as it is played in a reading; the published engine checks only the geometry of actions."""
    loose = ",strict_actions=false" if reading == "as-coded" else ""
    forgets = ",forgets_units=true" if reading in CODED else ""
    return f"stratega:mode={mode}{loose}{forgets}"


def agent(mode: str, reading: str) -> str:
    """The rule-based agent of a mode as a player."""
    return f"script:script={AGENTS[mode]}{'-as-coded' if reading in CODED else ''}"


def player(planner: str, mode: str, reading: str, scripts: tuple[str, ...] | None = None) -> str:
    """A planner with its published numbers.

    Args:
        planner: One of PLANNERS.
        mode: One of MODES.
        reading: A reading of the publication.
        scripts: Its portfolio; None: :func:`portfolio`.
    """
    row = PUBLISHED[mode][planner]
    preset = preset_of(planner, reading)
    numbers = greedy_numbers(row, reading) if isinstance(row, TunedGreedy) else evolution_numbers(planner, row, reading)
    chosen = portfolio(planner, mode) if scripts is None else scripts
    named = ",".join(script_of(name, reading) for name in chosen)
    settings = {**preset, **numbers, "portfolio": f'"{named}"'}
    return f"{planner}:{','.join(f'{key}={value}' for key, value in settings.items())}"


def coded_script(name: str, reading: str) -> str:
    """The name of a script in a reading; ``random`` is the same in all."""
    return f"{name}-as-coded" if reading in CODED and name != RANDOM else name


def preset_of(planner: str, reading: str) -> dict[str, str]:
    """The preset of a reading; that of PGS also has scripts of this game."""
    if reading == "sound":
        return {}
    preset = "as-coded" if reading in CODED else reading
    return {"preset": f"stratega-{preset}" if planner == "pgs" else preset}


def script_of(name: str, reading: str) -> str:
    """A script of a portfolio; by the text, a unit that has nothing suitable to do acts at random."""
    by_text = reading == "as-published" and name != RANDOM
    return f"first({name},{RANDOM})" if by_text else coded_script(name, reading)


def greedy_numbers(row: TunedGreedy, reading: str) -> dict[str, str]:
    """Parameters of PGS: "response iterations" are responses in the text, sweeps of an improvement in the code."""
    name = "responses" if reading == "as-published" else "iterations"
    return {"horizon": f'"turns={row.turns}"', name: str(row.iterations)}


def evolution_numbers(planner: str, row: Tuned, reading: str) -> dict[str, str]:
    """Parameters of an evolution.

    The opponent's model is always the script that attacks the closest unit.
    """
    numbers = {"population": row.population, "mutation_probability": row.mutation, "tournament": row.tournament}
    if planner in ("prhea", "mo-prhea"):
        numbers["length"] = row.length
    else:
        numbers["turns"] = row.length
    if planner == "s-prhea":
        numbers["changes"] = row.changes
    reply = {"reply": f'"script({script_of(CLOSEST, reading)})"'}
    return {name: str(value) for name, value in numbers.items()} | reply
