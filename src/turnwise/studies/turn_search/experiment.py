"""The tournaments of the study: those that were published, with turn-maximin added, and its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.studies.parts import PartRun
from turnwise.studies.turn_search import STUDY
from turnwise.studies.turn_search.cells import CELLS, Cell
from turnwise.studies.turn_search.cells import RIVALS as FACTOR_RIVALS
from turnwise.studies.turn_search.effort import OUR_CALLS, OUR_TIME, SHORT_TIME, TurnEffort
from turnwise.studies.turn_search.players import (
    ABLATIONS,
    GAMES,
    HERO_ACADEMY,
    MAXIMIN,
    PAPER_GAME,
    PUBLISHED,
    RIVALS,
    SWEEP_RIVALS,
    as_read,
    everybody,
    maximin_evaluation,
    player,
    runners_up,
    with_evaluation,
)
from turnwise.studies.turn_search.printed import ACTION_POINTS, BB, ISLANDS, NE, OE, TIMES

SEED = 2018
READINGS = STUDY.readings["both"]
SWEEP_SECONDS = 2.0
"""Published time per turn of the sweep over action points."""
OUR_TIMES = (5, 20, 50, 200, 1000, 5000)
"""Milliseconds per turn of our own sweep in Hero Academy."""
SHORT_TIMES = (5, 20, 50)
"""The same in Stratega and Tribes, whose games have up to 200 turns."""
PART_OF_CELLS = "factors"
MORE_TIME = f"{MAXIMIN} with more time"
"""The same planner with the next longer time of the sweep."""
DEFAULT_EVALUATION = f"{MAXIMIN} with the default evaluation"
SAME_EVALUATION = "{} with turn-maximin's evaluation"
"""Name of a rival in the part "evaluations"."""
ON_ISLANDS = f"{OE} in islands"
_CORES = 4
_FIRST_TURN = 0.6  # share of the action points: three of five in the engine
_LIMIT = 100  # turns of a game with five and more action points; as many action points with fewer, as in the engine
_MANY = 2.0  # multiple of the games of Table II: 200
_SLOW = 0.6  # the same with long times or in long games: 60
_SLOW_FROM = 1000  # milliseconds
_FEW = 0.1  # multiple of the games of Table II, in tournaments of many planners: 10
_OTHERS = 10  # whom a planner meets there
_ELO = 100.0  # of the sequential tests: above 64 % of the points rather than one half
_ERROR = 0.05  # of all sequential tests of a part together
_LEAST = 0.4  # multiple of the games of Table II before such a test may decide: 40

Key = tuple[str, str, str]
"""Reading, part, case: the middle of the name of a results file; the case may be empty."""


def _spec(
    key: Key, game: str, players: Mapping[str, str], budgets: Mapping[str, str], count: int, **more: object
) -> TournamentSpec:
    reading, part, case = key
    return make_spec(
        name=f"turn-search {part}{f', {case}' if case else ''}, {reading}",
        games=(game,),
        players=players,
        budget=next(iter(budgets.values())),
        budgets=budgets,
        games_per_pair=count,
        seed=SEED,
        replays=1,
        notes="none",
        **more,
    )


# ----------------------------------------------------------------------------------------------- what was published


def table_2(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Table II without random play, with turn-maximin."""
    names = (*PUBLISHED, MAXIMIN)
    players = {name: as_read(name, key[0]) for name in names}
    budgets = {name: effort.work(name) for name in names}
    return _spec(key, PAPER_GAME, players, budgets, effort.number(1))


def action_points(key: Key, effort: TurnEffort) -> TournamentSpec:
    """A point of Figure 5: online evolution against the tree searches, and turn-maximin against all four."""
    points = int(key[2])
    trees = ("mcts", NE, BB)
    names = (MAXIMIN, OE, *trees)
    return _spec(
        key,
        f"{PAPER_GAME},{with_points(points)}",
        {name: as_read(name, key[0]) for name in names},
        {name: effort.work(name, SWEEP_SECONDS, points) for name in names},
        effort.number(1),
        pairing="tables",
        tables=(*((OE, tree) for tree in trees), *((MAXIMIN, rival) for rival in names[1:])),
    )


def with_points(points: int) -> str:
    """The options of Hero Academy for a number of action points."""
    first = max(1, round(_FIRST_TURN * points))
    limit = max(_LIMIT, round(_LIMIT * 5 / points))
    return f"action_points={points},first_turn_points={first},turn_limit={limit}"


def islands(key: Key, effort: TurnEffort) -> TournamentSpec:
    """The thesis: islands on four cores against one population, and against greedy turn by time per turn."""
    threads = "" if effort.milliseconds is None else f",threads={_CORES}"
    texts = {ON_ISLANDS: f"{OE}:streams={_CORES},migration=1{threads}", OE: OE, NE: NE, "greedy-turn": "greedy-turn"}

    def meeting(one: Mapping[str, float], multiple: float, **more: object) -> TournamentSpec:
        budgets = {
            name: effort.work(texts[name].partition(":")[0], seconds, cores=_CORES if name == ON_ISLANDS else 1)
            for name, seconds in one.items()
        }
        return _spec(key, PAPER_GAME, {name: texts[name] for name in one}, budgets, effort.number(multiple), **more)

    if key[2] in ISLANDS:
        seconds = float(key[2].removesuffix("s"))
        return meeting({ON_ISLANDS: seconds, OE: seconds}, 4)
    seconds = int(key[2].removeprefix("sweep-").removesuffix("ms")) / 1000
    against = {"greedy-turn": 3.0, ON_ISLANDS: seconds, NE: seconds}
    return meeting(against, 1, pairing="gauntlet", challengers=("greedy-turn",))


# ---------------------------------------------------------------------------------------------------------- our own


def against_rivals(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against its rivals in Hero Academy, at equal effort, or against ten times its own."""
    game, how, *more = key[2].split("-")
    times = 10.0 if more else 1.0
    players = {name: player(name, game) for name in (MAXIMIN, *RIVALS)}
    budgets = {name: budget(effort, game, how, 1.0 if name == MAXIMIN else times) for name in players}
    count = effort.number(_SLOW if more and how == "time" else _MANY)
    return _spec(key, GAMES[game], players, budgets, count, pairing="gauntlet", challengers=(MAXIMIN,))


def against_runners_up(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against the best of the others in a game's field."""
    game, how = key[2].split("-")
    players = {name: player(name, game) for name in (MAXIMIN, *runners_up()[key[2]])}
    budgets = dict.fromkeys(players, budget(effort, game, how))
    count = effort.number(_MANY)
    return _spec(key, GAMES[game], players, budgets, count, pairing="gauntlet", challengers=(MAXIMIN,))


def evaluations(key: Key, effort: TurnEffort) -> TournamentSpec:
    """The runners-up with turn-maximin's evaluation, and as they are against turn-maximin with the game's default."""
    game, how = key[2].split("-")
    rivals = runners_up()[key[2]]
    as_ours = {name: SAME_EVALUATION.format(name) for name in rivals}
    players = {
        MAXIMIN: player(MAXIMIN, game),
        DEFAULT_EVALUATION: with_evaluation(MAXIMIN, game, ""),
        **{name: player(name, game) for name in rivals},
        **{as_ours[name]: with_evaluation(name, game, maximin_evaluation(game)) for name in rivals},
    }
    meetings = (*((MAXIMIN, as_ours[name]) for name in rivals), *((DEFAULT_EVALUATION, name) for name in rivals))
    budgets = dict.fromkeys(players, budget(effort, game, how))
    return _spec(key, GAMES[game], players, budgets, effort.number(_MANY), pairing="tables", tables=meetings)


def budget(effort: TurnEffort, game: str, how: str, times: float = 1.0) -> str:
    """The budget of a turn in our own comparisons.

    Args:
        effort: The effort.
        game: One of GAMES.
        how: "counted" or "time".
        times: A multiple of it.
    """
    if how == "time":
        return effort.time(OUR_TIME if game in HERO_ACADEMY else SHORT_TIME, times)
    if game in HERO_ACADEMY:
        return effort.calls(OUR_TIME / 1000, times)
    return effort.forward(OUR_CALLS, times)


def field(key: Key, effort: TurnEffort) -> TournamentSpec:
    """All planners of the library in one game, every one against some others, for a rating.

    With counted effort all pairs play on the same starts. These fields were recorded first, and showed that five starts
    for everybody say little about the game as a whole; so with a time every pair has starts of its own.
    """
    game, how = key[2].split("-")
    players = {name: player(name, game) for name in everybody(game)}
    budgets = dict.fromkeys(players, budget(effort, game, how))
    count = effort.number(_FEW)
    meetings = len(players) * _OTHERS // 2
    common = how == "counted"
    return _spec(key, GAMES[game], players, budgets, count, pairing="sampled", meetings=meetings, common_starts=common)


def time_sweep(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against some rivals with the same time."""
    game, milliseconds = game_and_milliseconds(key[2])
    players = {name: player(name, game) for name in (MAXIMIN, *SWEEP_RIVALS[game])}
    budgets = dict.fromkeys(players, effort.time(milliseconds))
    count = effort.number(_multiple_at(game, milliseconds))
    return _spec(key, GAMES[game], players, budgets, count, pairing="gauntlet", challengers=(MAXIMIN,))


def more_time(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against itself with the next longer time."""
    game, milliseconds = game_and_milliseconds(key[2])
    longer = dict(pairwise(times_of(game)))[milliseconds]
    players = dict.fromkeys((MAXIMIN, MORE_TIME), player(MAXIMIN, game))
    budgets = {MAXIMIN: effort.time(milliseconds), MORE_TIME: effort.time(longer)}
    return _spec(key, GAMES[game], players, budgets, effort.number(_multiple_at(game, milliseconds)))


def game_and_milliseconds(case: str) -> tuple[str, int]:
    """The game and the milliseconds per turn of a case."""
    game, _, label = case.rpartition("-")
    return game, int(label.removesuffix("ms"))


def times_of(game: str) -> tuple[int, ...]:
    """The times of the sweep in a game, in milliseconds per turn."""
    return OUR_TIMES if game in HERO_ACADEMY else SHORT_TIMES


def _multiple_at(game: str, milliseconds: int) -> float:
    return _MANY if game in HERO_ACADEMY and milliseconds < _SLOW_FROM else _SLOW


def ablations(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against itself without a part, or with another width."""
    players = {MAXIMIN: MAXIMIN} | {name: f"{MAXIMIN}:{settings}" for name, settings in ABLATIONS.items()}
    budgets = dict.fromkeys(players, budget(effort, "open", key[2]))
    count = effort.number(_MANY)
    return _spec(key, PAPER_GAME, players, budgets, count, pairing="gauntlet", challengers=(MAXIMIN,))


def factors(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Turn-maximin against two rivals in every cell, until a sequential test decides."""
    players = dict.fromkeys((MAXIMIN, *FACTOR_RIVALS))
    spec = _spec(
        key,
        PAPER_GAME,
        {name: name for name in players},
        dict.fromkeys(players, budget(effort, "open", key[2])),
        effort.number(_MANY),
        pairing="gauntlet",
        challengers=(MAXIMIN,),
        sprt={
            "elo0": 0.0,
            "elo1": _ELO,
            "alpha": _ERROR / (len(CELLS) * len(FACTOR_RIVALS)),
            "beta": _ERROR,
            "least": effort.number(_LEAST),
        },
    )
    return spec.model_copy(update={"games": tuple(map(scenario_of, CELLS))})


def scenario_of(cell: Cell) -> str:
    """Hero Academy in a cell."""
    return f"hero-academy:map={cell.map},hands={cell.hands},draws={cell.draws},{with_points(cell.points)}"


_MAKERS: Mapping[str, Callable[[Key, TurnEffort], TournamentSpec]] = {
    "table-2": table_2,
    "action-points": action_points,
    "turn-maximin": against_rivals,
    "time-sweep": time_sweep,
    "more-time": more_time,
    "field": field,
    "runners-up": against_runners_up,
    "evaluations": evaluations,
    PART_OF_CELLS: factors,
    "ablations": ablations,
    "islands": islands,
}
PARTS = tuple(part for part in STUDY.parts if part in _MAKERS)
"""The parts that are tournaments."""
EVERY_READING = ("table-2", "action-points")
"""Parts whose players a publication describes; the others have the sound reading only."""


def ways(effort: TurnEffort) -> tuple[str, ...]:
    """How effort is limited in our own comparisons: both ways, or by time only if the run has a time."""
    return ("counted", "time") if effort.milliseconds is None else ("time",)


def cases(part: str, effort: TurnEffort) -> tuple[str, ...]:
    """The cases of a part."""
    if part == "action-points":
        return tuple(map(str, ACTION_POINTS))
    if part == "turn-maximin":
        tenfold = tuple(f"open-{how}-tenfold" for how in ways(effort))
        return (*(f"{game}-{how}" for game in HERO_ACADEMY for how in ways(effort)), *tenfold)
    if part == "runners-up":
        return tuple(case for case in cases("field", effort) if case in runners_up())
    if part == "evaluations":
        return tuple(case for case in cases("runners-up", effort) if case.endswith("-counted"))
    if part == "field":
        return tuple(f"{game}-{how}" for game in GAMES if game not in HERO_ACADEMY for how in ways(effort))
    if part == "time-sweep":
        return tuple(f"{game}-{milliseconds}ms" for game in SWEEP_RIVALS for milliseconds in times_of(game))
    if part == "more-time":
        return tuple(f"{game}-{milliseconds}ms" for game in SWEEP_RIVALS for milliseconds in times_of(game)[:-1])
    if part in (PART_OF_CELLS, "ablations"):
        return ways(effort)
    if part == "islands":
        return (*ISLANDS, *(f"sweep-{milliseconds}ms" for milliseconds in TIMES))
    return ("",)


def keys(effort: TurnEffort, readings: tuple[str, ...] = READINGS, parts: tuple[str, ...] = PARTS) -> list[Key]:
    """All tournaments of some readings and parts, in the order of play."""
    return [
        (reading, part, case)
        for part in parts
        if part in _MAKERS
        for reading in readings
        if reading == "sound" or part in EVERY_READING
        for case in cases(part, effort)
    ]


def name_of(key: Key) -> str:
    """Name of a tournament's results, without ending."""
    reading, part, case = key
    return "-".join(filter(None, (part, case, reading)))


def part_run(key: Key, effort: TurnEffort, folder: Path) -> PartRun:
    """One tournament with its results file."""
    reading, part, case = key
    title = f"{part}{f' ({case})' if case else ''}, {reading} reading"
    return PartRun(title, folder / f"{name_of(key)}.sqlite", _MAKERS[part](key, effort))
