"""Evaluations (rules 8): the original engine's linear sum and distances."""

from __future__ import annotations

import math

from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.games.stratega.scenario import MOST_FOR_PATHS, StrategaOptions, StrategaSetup, strengths
from turnwise.games.stratega.script_parts import apart
from turnwise.games.stratega.state import StrategaState, health_of, is_present, owner_of, type_of, x_of, y_of
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.record import Address, Floats

RESULT = 1000.0
ADVANCE = 0.1  # with four units, one of them a tile closer counts 0.025; in Kings a hit counts 0.11 to 1


@kernel
def balance(g: StrategaSetup, s: StrategaState, player: int) -> float:
    """1000 for a victory, -1000 for any other end; strength and share of health of every unit, own minus others'."""
    value = 0.0
    if s.over != 0:
        value = RESULT if s.winner == player else -RESULT
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit):
            sign = 1.0 if owner_of(unit) == player else -1.0
            kind = type_of(unit)
            health = real(health_of(unit)) / real(g.health[kind])
            value += g.strength[kind] * sign * health
            value += sign * health
    return value


@game_function("evaluation")
def linear_sum(g: StrategaSetup, root: Address, s: StrategaState, player: int, parameters: Floats) -> float:
    """See :func:`balance`."""
    return balance(g, s, player)


@kernel
def steps_between(g: StrategaSetup, unit: int, other: int, by_paths: bool) -> int:
    """Manhattan distance of two units, or length of the shortest way by single steps around walls and deadly tiles.

    Ways lead off a wall, but not onto one, so the shorter one of both directions counts; where there is none, as many
    steps as the board has tiles. On large boards ways are not known.
    """
    if not by_paths or g.cells > MOST_FOR_PATHS:
        return apart(unit, other)
    here, there = x_of(unit) * g.height + y_of(unit), x_of(other) * g.height + y_of(other)
    there_from_here, here_from_there = g.safe_paths[here * g.cells + there], g.safe_paths[there * g.cells + here]
    return min(g.cells, integer(there_from_here), integer(here_from_there))


@kernel
def mean_distance(g: StrategaSetup, s: StrategaState, unit: int, player: int, by_paths: bool) -> float:
    """Mean distance of a unit from all units that are not a player's; nan: there are none."""
    total, others = 0, 0
    for number in range(g.units):
        other = s.data[number]
        if is_present(other) and owner_of(other) != player:
            total += steps_between(g, unit, other, by_paths)
            others += 1
    return real(total) / real(others) if others > 0 else math.nan


@kernel
def distance_as_coded(g: StrategaSetup, s: StrategaState, player: int) -> float:
    """The original engine's distance (rules 8), smaller is better; nan where either side has no units.

    Of the player to move, whoever asks, only the unit with the highest number counts.
    """
    value = 0.0
    if s.over != 0:
        value = -RESULT if s.winner == player else RESULT
    last, own = math.nan, 0
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit) and owner_of(unit) == s.player:
            last = mean_distance(g, s, unit, s.player, False)
            own += 1
    return value + last / real(own) if own > 0 else math.nan


@game_function("evaluation")
def closeness_as_coded(g: StrategaSetup, root: Address, s: StrategaState, player: int, parameters: Floats) -> float:
    """Minus :func:`distance_as_coded`; where that is no number, only the result counts, unless ``nan`` is set."""
    distance = distance_as_coded(g, s, player)
    if not math.isnan(distance) or parameters[0] != 0.0:
        return -distance
    if s.over == 0:
        return 0.0
    return RESULT if s.winner == player else -RESULT


@kernel
def mean_closeness(g: StrategaSetup, s: StrategaState, player: int, by_paths: bool) -> float:
    """Minus the mean distance of a player's units from all others; 0 where either side has none."""
    total, own = 0.0, 0
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit) and owner_of(unit) == player:
            distance = mean_distance(g, s, unit, player, by_paths)
            total += 0.0 if math.isnan(distance) else distance
            own += 1
    return -total / real(own) if own > 0 else 0.0


@game_function("evaluation")
def advance(g: StrategaSetup, root: Address, s: StrategaState, player: int, parameters: Floats) -> float:
    """The linear sum, and a weight times closeness while the game goes on."""
    value = balance(g, s, player)
    if s.over == 0:
        value += parameters[0] * mean_closeness(g, s, player, parameters[1] != 0.0)
    return value


@game_function("evaluation")
def closeness(g: StrategaSetup, root: Address, s: StrategaState, player: int, parameters: Floats) -> float:
    """The result as in the linear sum, and minus the mean distance of own units from all others."""
    value = 0.0
    if s.over != 0:
        value = RESULT if s.winner == player else -RESULT
    return value + mean_closeness(g, s, player, False)


def evaluations_for(options: StrategaOptions) -> dict[str, Evaluation]:
    """The evaluations of a scenario, with its bounds."""
    mode = options.mode.content
    types = sorted(mode.Units)
    strength = dict(zip(types, strengths([mode.Units[name] for name in types]), strict=True))
    config = mode.GameConfig
    # Healing goes beyond the health at the start, so shares of health can grow until the round limit.
    healed = sum(mode.Units[name].ActionsPerTurn * (mode.Units[name].HealAmount or 0) for _, name, _ in mode.unit_list)
    most = 0.0
    for _, name, _ in mode.unit_list:
        health = mode.Units[name].Health
        share = 1.0 + (health + healed * config.RoundLimit) / health if healed else 1.0
        most += (strength[name] + 1.0) * share
    most += RESULT
    size, cells = len(options.rows) + len(options.rows[0]), len(options.rows) * len(options.rows[0])
    far = RESULT + size

    def bounds_of_advance(parameters: tuple[float, ...]) -> tuple[float, float]:
        farthest = max(size, cells) if parameters[1] != 0.0 and cells <= MOST_FOR_PATHS else size
        return -most - max(parameters[0], 0.0) * farthest, most + max(-parameters[0], 0.0) * farthest

    return {
        "linear-sum": Evaluation(
            linear_sum, -most, most, "strength and health of own units less others', and the result"
        ),
        "closeness": Evaluation(
            closeness, -far, far, "minus the mean distance of own units from others, with the result"
        ),
        "closeness-as-coded": Evaluation(
            closeness_as_coded,
            -far,
            far,
            "as closeness, of the last unit of the player to move, as in the original; nan=1: nan where a side has no "
            "units, which makes states incomparable",
            parameters=(0.0,),
            parameter_names=("nan",),
        ),
        "advance": Evaluation(
            advance,
            *bounds_of_advance((ADVANCE, 0.0)),
            "linear-sum, and while the game goes on closeness times a weight; paths=1: along ways around walls and "
            "deadly tiles, on boards of up to 1,024 tiles",
            parameters=(ADVANCE, 0.0),
            parameter_names=("closeness", "paths"),
            bounds_of=bounds_of_advance,
        ),
    }
