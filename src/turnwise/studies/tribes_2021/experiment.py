"""The tournaments of the study.

Effort is counted in forward-model calls, for every action as in the report, or for every turn where planners of whole
turns are compared at equal calls; so results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

from turnwise.arena.tournament.seating import seatings
from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.studies.parts import PartRun
from turnwise.studies.tribes_2021 import STUDY
from turnwise.studies.tribes_2021.effort import CALLS, TribesEffort
from turnwise.studies.tribes_2021.levels import scenarios
from turnwise.studies.tribes_2021.players import AGENTS, COPIES, RIVALS, agents
from turnwise.studies.tribes_2021.question import (
    BUDGETS,
    CASES,
    GAMES,
    SCRIPTED,
    field,
    finalists,
    reference,
    stage_one,
)
from turnwise.studies.tribes_2021.tuned import tuned_agents
from turnwise.studies.tribes_2021.variants import CANDIDATES, CONTROLS, IMPROVEMENTS, OPPONENTS, STOPPING, Variants

SEED = 2021
SEEDS = {"representations": 2022, "finalists": 2023, "planners": 2024}
"""Other parts have SEED: what is chosen in one stage meets the next one on other starts."""
PARTS = STUDY.parts
READINGS = STUDY.readings["all"]
_MOST = {
    "round-robin": 100,
    "variants": 100,
    "head-to-head": 400,
    "four-players": 20,
    "representations": 100,
    "finalists": 200,
    "planners": 100,
}
"""Largest numbers of games of a meeting, other than those of Figures 5 to 8."""
_TABLE = ("simple", "osla", "mcts", "rhea", "oep", "emcts")
"""The agents of the games for four."""
_SCRIPTS = "scripts"
"""The case of the planners in which they meet searches over scripts."""
_ELO = 30.0
"""A sequential test decides between 30 points less and 30 points more: 46 % and 54 % of the points."""

Key = tuple[str, str, str]
"""Reading, part, case: the middle of the name of a results file; the case may be empty."""


def _spec(
    key: Key, effort: TribesEffort, games: tuple[str, ...], players: Mapping[str, str], count: int, **more: object
) -> TournamentSpec:
    reading, part, case = key
    fields: dict[str, object] = {"budget": effort.budget, "seed": SEED, **more}
    return make_spec(
        name=f"tribes-2021 {part}{f', {case}' if case else ''}, {reading}",
        games=games,
        players=players,
        games_per_pair=count,
        replays=1,
        notes="none",
        **fields,
    )


def _on_levels(key: Key, effort: TribesEffort, players: Mapping[str, str], most: int, **more: object) -> TournamentSpec:
    games = scenarios(effort.levels, COPIES[key[0]])
    return _spec(key, effort, games, players, effort.on_levels(most), **more)


def _tables(
    key: Key, effort: TribesEffort, game: str, players: Mapping[str, str], most: int, **more: object
) -> TournamentSpec:
    """A tournament on starts that differ from round to round."""
    return _spec(key, effort, (game,), players, effort.elsewhere(most), **more)


def figures(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Figures 5 and 6: OEP and EMCTS against the framework's agents and each other."""
    tables = (*((own, rival) for own in ("oep", "emcts") for rival in RIVALS), ("oep", "emcts"))
    players = agents(key[0], "oep", "emcts", *RIVALS)
    return _on_levels(key, effort, players, effort.games, pairing="tables", tables=tables)


def before(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Figures 7 and 8: OEP before its improvements against the same agents."""
    tables = tuple(("oep", rival) for rival in (*RIVALS, "emcts"))
    players = {"oep": AGENTS[key[0]]["oep-before"]} | agents(key[0], *RIVALS, "emcts")
    return _on_levels(key, effort, players, effort.games, pairing="tables", tables=tables)


def round_robin(key: Key, effort: TribesEffort) -> TournamentSpec:
    """All agents against one another, for the tables of the two papers on them."""
    return _on_levels(key, effort, agents(key[0]), _MOST["round-robin"])


def four_players(key: Key, effort: TribesEffort) -> TournamentSpec:
    """The agents in games for four tribes, every table from all its seatings."""
    game = "tribes:players=4"
    count = effort.elsewhere(_MOST["four-players"], len(seatings(4)))
    return _spec(key, effort, (game,), agents(key[0], *_TABLE), count)


def opponents(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Variants that search the opponent's turn: against rivals, or against what they are variants of."""
    return _variants(key, effort, OPPONENTS)


def improvements(key: Key, effort: TribesEffort) -> TournamentSpec:
    """The report's changes one by one: against rivals, or against OEP and EMCTS with or without them."""
    return _variants(key, effort, IMPROVEMENTS)


def _variants(key: Key, effort: TribesEffort, variants: Variants) -> TournamentSpec:
    if key[2] == "rivals":
        return _on_levels(key, effort, variants.everybody, _MOST["variants"], pairing="tables", tables=variants.tables)
    return _tables(
        key,
        effort,
        GAMES["tribes"],
        variants.everybody,
        _MOST["head-to-head"],
        pairing="tables",
        tables=variants.head_to_head,
        sprt={"elo0": -_ELO, "elo1": _ELO},
    )


def controls(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Pairs that the tables of the report and of the papers leave open."""
    pairs, count = CANDIDATES if key[2] == "candidates" else CONTROLS, _MOST["variants"]
    return _on_levels(key, effort, pairs.players, count, pairing="tables", tables=pairs.tables)


def stopping(key: Key, effort: TribesEffort) -> TournamentSpec:
    """The pairs of Figures 5 and 6 with another limit."""
    amount = STOPPING[key[2]] * effort.calls / CALLS["paper"]
    limit = f"time={amount:g}ms/action" if key[2] == "time" else f"iterations={max(1, round(amount))}/action"
    spec = figures(key, effort)
    count = effort.on_levels(_MOST["variants"])
    return spec.model_copy(update={"budget": limit, "games_per_pair": count})


def tuned(key: Key, effort: TribesEffort) -> TournamentSpec:
    """The agents that were tuned, against their originals and the framework's agents."""
    found = tuned_agents()
    originals = tuple(name.removeprefix("tuned ") for name in found)
    tables = tuple((name, rival) for name in found for rival in (name.removeprefix("tuned "), *RIVALS))
    players = found | agents(key[0], *originals, *RIVALS)
    return _on_levels(key, effort, players, _MOST["variants"], pairing="tables", tables=tables)


def representations(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Stage 1: every representation and repair against the reference."""
    game = key[1].removeprefix("representations-")
    return _tables(
        key,
        effort,
        GAMES[game],
        stage_one(game, key[2]),
        _MOST["representations"],
        pairing="gauntlet",
        challengers=(reference(key[2]),),
        budget=effort.of_turn(BUDGETS["middle"]),
        seed=SEEDS["representations"],
    )


def finals(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Stage 2: the four best of stage 1 against one another."""
    game = key[1].removeprefix("finalists-")
    known = stage_one(game)
    return _everybody(key, effort, game, {name: known[name] for name in finalists()[game]})


def planners(key: Key, effort: TribesEffort) -> TournamentSpec:
    """Planners of whole turns and tree searches against one another."""
    game = key[1].removeprefix("planners-")
    if key[2] == _SCRIPTS:
        return _against_scripts(key, effort, game)
    return _everybody(key, effort, game, field(game))


def _everybody(key: Key, effort: TribesEffort, game: str, players: Mapping[str, str]) -> TournamentSpec:
    """All players against one another with the budget that the case names."""
    part = _kind(key[1])
    budget = effort.of_turn(BUDGETS[key[2]])
    return _tables(key, effort, GAMES[game], players, _MOST[part], budget=budget, seed=SEEDS[part])


def _against_scripts(key: Key, effort: TribesEffort, game: str) -> TournamentSpec:
    """All planners of the field against searches over scripts, and these against each other."""
    return _tables(
        key,
        effort,
        GAMES[game],
        {**field(game), **SCRIPTED},
        _MOST["planners"],
        pairing="tables",
        tables=(*product(SCRIPTED, field(game)), tuple(SCRIPTED)),
        budget=effort.of_turn(BUDGETS["middle"]),
        seed=SEEDS["planners"],
    )


_MAKERS: Mapping[str, Callable[[Key, TribesEffort], TournamentSpec]] = {
    "figures-5-6": figures,
    "figures-7-8": before,
    "round-robin": round_robin,
    "four-players": four_players,
    "improvements": improvements,
    "opponents": opponents,
    "controls": controls,
    "stopping": stopping,
    "tuned": tuned,
    "representations": representations,
    "finalists": finals,
    "planners": planners,
}
_EVERY_READING = ("figures-5-6", "figures-7-8")
"""Parts of the report itself; the others have the sound reading only."""


def _kind(part: str) -> str:
    """The part without the name of its game."""
    for game in GAMES:
        part = part.removesuffix(f"-{game}")
    return part


def _cases(part: str) -> tuple[str, ...]:
    """The cases of a part that can be played now."""
    kind = _kind(part)
    game = part.removeprefix(f"{kind}-")
    if kind in ("improvements", "opponents"):
        return ("rivals", "head-to-head")
    if kind == "controls":
        return ("", "candidates")
    if kind == "stopping":
        return tuple(STOPPING)
    if kind == "representations":
        return CASES[game]
    if kind == "planners":
        return (*BUDGETS, _SCRIPTS)
    if kind == "finalists":
        return tuple(BUDGETS) if game in finalists() else ()
    if kind == "tuned":
        return ("",) if tuned_agents() else ()
    return ("",)


def keys(readings: tuple[str, ...] = READINGS, parts: tuple[str, ...] = PARTS) -> list[Key]:
    """All tournaments of some readings and parts, in the order of play."""
    return [
        (reading, part, case)
        for part in parts
        if part != "tuning"
        for reading in readings
        if reading == "sound" or part in _EVERY_READING
        for case in _cases(part)
    ]


def name_of(key: Key) -> str:
    """Name of a tournament's results, without ending."""
    reading, part, case = key
    return "-".join(filter(None, (part, case, reading)))


def part_run(key: Key, effort: TribesEffort, folder: Path) -> PartRun:
    """One tournament with its results file."""
    reading, part, case = key
    title = f"{part}{f' ({case})' if case else ''}, {reading} reading"
    return PartRun(title, folder / f"{name_of(key)}.sqlite", _MAKERS[_kind(part)](key, effort))
