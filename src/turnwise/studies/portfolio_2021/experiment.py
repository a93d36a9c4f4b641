"""The tournaments of the publication, and those that it lacks.

Effort is counted in forward-model calls for every action, so that results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.studies.base import Request
from turnwise.studies.parts import PartRun
from turnwise.studies.portfolio_2021 import STUDY
from turnwise.studies.portfolio_2021.directions import DIRECTIONS
from turnwise.studies.portfolio_2021.players import MODES, PLANNERS, SCRIPTS, agent, player, scenario
from turnwise.studies.portfolio_2021.tuning import tuned_player

SEED = 2021
CALLS = {"paper": 2000, "quick": 200}  # forward-model calls for every action
GAMES = {"paper": 200, "quick": 4}  # per pair
_AGENT_GAMES = 20  # of Tables I to III
_ADDED_GAMES = 100
PARTS = STUDY.parts
READINGS = STUDY.readings["all"]
ADDED = {
    "online-evolution": "online-evolution",
    "mcts": "mcts",
    "greedy-turn": "greedy-turn",
    "naive-mcts": "naive-mcts",
    "a3n": "naive-mcts:preset=a3n",
    "ngs": "ngs",
}
"""Planners that the publication lacks, with their defaults."""

Key = tuple[str, str, str]
"""Reading, part, mode."""


@dataclass(frozen=True)
class PlannedEffort:
    """Search effort, and games per pair."""

    name: str
    calls: int
    games: int

    @property
    def budget(self) -> str:
        """The budget of every action."""
        return self.budget_of(1)

    def budget_of(self, times: int) -> str:
        """The budget of every action in a part with a multiple of the effort."""
        return f"forward={times * self.calls}/action"


def effort_of(request: Request) -> PlannedEffort:
    """The requested effort; the number of games is even, since every start is played from both seats."""
    count = request.games if request.games is not None else GAMES[request.effort]
    if count % 2:
        count += 1
        request.say(f"{count} games per pair instead of {count - 1}: every start is played from both seats.")
    return PlannedEffort(request.effort, CALLS[request.effort], count)


def _spec(
    key: Key,
    effort: PlannedEffort,
    players: Mapping[str, str],
    games: int,
    times: int = 1,
    options: str = "",
    **more: object,
) -> TournamentSpec:
    reading, part, mode = key
    return make_spec(
        name=f"portfolio-2021 {part}, {mode}, {reading}",
        games=(scenario(mode, reading) + options,),
        players=players,
        budget=effort.budget_of(times),
        games_per_pair=games,
        seed=SEED,
        replays=2,
        notes="none",
        **more,
    )


def round_robin(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """Figure 4: the five planners with the published numbers and sets."""
    reading, _, mode = key
    return _spec(key, effort, {name: player(name, mode, reading) for name in PLANNERS}, effort.games)


def rule_agents(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """The five planners against the mode's rule-based agent."""
    reading, _, mode = key
    players = {name: player(name, mode, reading) for name in PLANNERS}
    return _against_agent(key, effort, players)


def tuned_round_robin(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """Figure 4 with the numbers and sets that were found here."""
    return _spec(key, effort, _tuned_players(key), effort.games)


def tuned_rule_agents(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """The same planners against the mode's rule-based agent."""
    return _against_agent(key, effort, _tuned_players(key), _ADDED_GAMES)


def _tuned_players(key: Key) -> dict[str, str]:
    reading, _, mode = key
    found = {name: tuned_player(name, mode, reading) for name in PLANNERS}
    return {name: text for name, text in found.items() if text is not None}


def usage(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """Figure 5: the same with all six scripts."""
    reading, _, mode = key
    players = {name: player(name, mode, reading, SCRIPTS) for name in PLANNERS}
    return _against_agent(key, effort, players)


def _against_agent(
    key: Key, effort: PlannedEffort, players: Mapping[str, str], games: int = _AGENT_GAMES
) -> TournamentSpec:
    reading, _, mode = key
    everybody = {"agent": agent(mode, reading), **players}
    return _spec(key, effort, everybody, min(effort.games, games), pairing="gauntlet", challengers=("agent",))


def added(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """Planners that the publication lacks, against one another and against its own."""
    reading, _, mode = key
    players = {name: player(name, mode, reading) for name in PLANNERS} | ADDED
    tables = tuple(pair for pair in combinations(players, 2) if not set(pair) <= set(PLANNERS))
    return _spec(key, effort, players, min(effort.games, _ADDED_GAMES), pairing="tables", tables=tables)


def directions(key: Key, effort: PlannedEffort) -> TournamentSpec:
    """Claims of other publications about the same planners, in our modes."""
    chosen = DIRECTIONS[key[2]]
    named = {name for pair in chosen.pairs for name in pair}
    players = {name: text for name, text in chosen.players.items() if name in named}
    games = min(effort.games, _ADDED_GAMES)
    return _spec(key, effort, players, games, chosen.effort, chosen.options, pairing="tables", tables=chosen.pairs)


_MAKERS: Mapping[str, Callable[[Key, PlannedEffort], TournamentSpec]] = {
    "round-robin": round_robin,
    "rule-agents": rule_agents,
    "usage": usage,
    "tuned-round-robin": tuned_round_robin,
    "tuned-rule-agents": tuned_rule_agents,
    "added": added,
    "directions": directions,
}
_UNTUNED = ("legal",)  # readings that change one thing of another one, whose settings they keep


def keys(readings: tuple[str, ...] = READINGS, parts: tuple[str, ...] = PARTS) -> list[Key]:
    """All tournaments of some readings and parts, in the order of play."""
    return [
        (reading, part, mode)
        for reading in readings
        for part in parts
        if part != "tuning" and (reading == "sound" or part not in STUDY.sound_only)
        for mode in (DIRECTIONS if part == "directions" else MODES)
        if not part.startswith("tuned") or (reading not in _UNTUNED and _tuned_players((reading, part, mode)))
    ]


def part_run(key: Key, effort: PlannedEffort, folder: Path) -> PartRun:
    """One tournament with its results file."""
    reading, part, mode = key
    title = f"{part} in {mode}, {reading} reading"
    return PartRun(title, folder / f"{part}-{mode}-{reading}.sqlite", _MAKERS[part](key, effort))
