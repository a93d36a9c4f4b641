"""Evaluations (rules 16): the original's three heuristics, the score, and a sum with weights of one's own.

All are the tribe's own value minus the mean of the others'. The original's ``diff`` and ``entropy`` compare a state
with the root of the search. Values beyond the bounds, which no recorded game comes near, are clamped to them.
"""

from __future__ import annotations

from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.games.tribes.rules.figures import city_figures, connected_of, extras_of, technologies_of, tiles_seen
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState, tribe_of
from turnwise.games.tribes.tables import INCOMPLETE, WIN
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.record import Floats

_FAR = 5000.0  # bound of ``diff``
_MOST_SCORE, _SIMPLE_FAR, _LINEAR_FAR = 100_000.0, 1_000_000.0, 100_000.0


@kernel
def cut(value: float, far: float) -> float:
    """The value within -far..far."""
    return min(max(value, -far), far)


@kernel
def result_of(g: TribesSetup, s: TribesState, player: int) -> float:
    """1 for a tribe that has won, -1 for one that has lost, 0 while the game runs."""
    result = tribe_of(g, s, player).result
    if result == INCOMPLETE:
        return 0.0
    return 1.0 if result == WIN else -1.0


@kernel
def over_others(g: TribesSetup, own: float, total: float) -> float:
    """A player's value minus the mean of the others', from its value and the sum of all."""
    return own - (total - own) / real(g.players - 1)


# -------------------------------------------------------------------------------------------------------------- diff


@kernel
def standing(g: TribesSetup, s: TribesState, player: int) -> float:
    """What ``diff`` compares: production, technologies, score, cities, units, kills and levels with its weights."""
    tribe = tribe_of(g, s, player)
    production, levels, units = city_figures(g, s, player)
    whole = 5 * production + 4 * technologies_of(g, s, player) + 4 * integer(tribe.cities)
    whole += 2 * (units + extras_of(g, s, player)) + 3 * integer(tribe.kills) + 2 * levels
    return real(10 * whole + integer(tribe.score)) * 0.1


@kernel
def gain(g: TribesSetup, root: TribesState, s: TribesState, player: int, result: float) -> float:
    """A player's part of ``diff`` that others have, too."""
    value = standing(g, s, player) - standing(g, root, player)
    return value + result * result_of(g, s, player) if result != 0.0 else value


@kernel
def own_gain(g: TribesSetup, root: TribesState, s: TribesState, player: int) -> float:
    """Newly connected cities, and newly seen tiles, both of which count for oneself only.

    As in the original, the tiles are those of the tribe to move, in each of the two states.
    """
    seen = tiles_seen(g, s, integer(s.active)) - tiles_seen(g, root, integer(root.active))
    return real(connected_of(g, s, player) - connected_of(g, root, player) + seen)


@game_function("evaluation")
def diff(g: TribesSetup, root: TribesState, s: TribesState, player: int, parameters: Floats) -> float:
    """What a player has gained since the root of the search, less what the others have gained on average."""
    own, total = 0.0, 0.0
    for number in range(g.players):
        value = gain(g, root, s, number, parameters[0])
        total += value
        own = value if number == player else own
    return cut(over_others(g, own, total) + own_gain(g, root, s, player), _FAR + 2.0 * abs(parameters[0]))


@game_function("evaluation_of_all")
def diff_of_all(g: TribesSetup, root: TribesState, s: TribesState, out: Floats, parameters: Floats) -> None:
    """The same for all players."""
    total = 0.0
    for player in range(g.players):
        out[player] = gain(g, root, s, player, parameters[0])
        total += out[player]
    for player in range(g.players):
        value = over_others(g, out[player], total) + own_gain(g, root, s, player)
        out[player] = cut(value, _FAR + 2.0 * abs(parameters[0]))


# ----------------------------------------------------------------------------------------------------------- entropy


@kernel
def increases(g: TribesSetup, root: TribesState, s: TribesState, player: int) -> int:
    """How many of production, technologies, score, cities, units and kills have grown."""
    before, after = tribe_of(g, root, player), tribe_of(g, s, player)
    production, _, units = city_figures(g, s, player)
    production_before, _, units_before = city_figures(g, root, player)
    more_units = units + extras_of(g, s, player) > units_before + extras_of(g, root, player)
    count = integer(production > production_before) + integer(more_units)
    count += integer(technologies_of(g, s, player) > technologies_of(g, root, player))
    count += integer(after.score > before.score) + integer(after.cities > before.cities)
    return count + integer(after.kills > before.kills)


@game_function("evaluation")
def entropy(g: TribesSetup, root: TribesState, s: TribesState, player: int, parameters: Floats) -> float:
    """How many figures have grown since the root of the search, less those of the others on average."""
    own, total = 0.0, 0.0
    for number in range(g.players):
        value = real(increases(g, root, s, number))
        total += value
        own = value if number == player else own
    value = over_others(g, own, total)
    value += 1.0 if connected_of(g, s, player) > connected_of(g, root, player) else 0.0
    return value + (1.0 if tiles_seen(g, s, integer(s.active)) > tiles_seen(g, root, integer(root.active)) else 0.0)


# ---------------------------------------------------------------------------------------- values of a state by itself


@kernel
def simple_standing(g: TribesSetup, s: TribesState, player: int) -> float:
    """Production, technologies, score, cities and units with the weights of ``state-score``."""
    tribe = tribe_of(g, s, player)
    production, _, units = city_figures(g, s, player)
    whole = 100 * production + 10 * technologies_of(g, s, player) + integer(tribe.score) + 500 * integer(tribe.cities)
    return real(whole + 10 * (units + extras_of(g, s, player)))


@game_function("evaluation")
def state_score(g: TribesSetup, root: TribesState, s: TribesState, player: int, parameters: Floats) -> float:
    """The original's simple heuristic.

    It also adds the number of legal actions and, at the end of the game, a large number to the values of all tribes,
    which cancels out.
    """
    own, total = 0.0, 0.0
    for number in range(g.players):
        value = simple_standing(g, s, number)
        total += value
        own = value if number == player else own
    seen = real(tiles_seen(g, s, integer(s.active))) / real(g.cells)
    return cut(over_others(g, own, total) + 10.0 * seen, _SIMPLE_FAR)


@game_function("evaluation")
def score(g: TribesSetup, root: TribesState, s: TribesState, player: int, parameters: Floats) -> float:
    """The score."""
    total = 0.0
    for number in range(g.players):
        total += real(tribe_of(g, s, number).score)
    return cut(over_others(g, real(tribe_of(g, s, player).score), total), _MOST_SCORE)


LINEAR = {
    "production": 5.0,
    "technologies": 4.0,
    "score": 0.1,
    "cities": 4.0,
    "units": 2.0,
    "kills": 3.0,
    "levels": 2.0,
    "connected": 1.0,
    "seen": 0.0,
    "stars": 0.0,
    "result": 1000.0,
}
"""Weights of ``linear`` by name."""


@kernel
def weighted(g: TribesSetup, s: TribesState, player: int, weights: Floats) -> float:
    """The sum of ``linear`` for one tribe."""
    tribe = tribe_of(g, s, player)
    production, levels, units = city_figures(g, s, player)
    value = weights[0] * real(production) + weights[1] * real(technologies_of(g, s, player))
    value += weights[2] * real(tribe.score) + weights[3] * real(tribe.cities)
    value += weights[4] * real(units + extras_of(g, s, player)) + weights[5] * real(tribe.kills)
    value += weights[6] * real(levels) + weights[7] * real(connected_of(g, s, player))
    value += weights[8] * real(tiles_seen(g, s, player)) if weights[8] != 0.0 else 0.0
    return value + weights[9] * real(tribe.stars) + weights[10] * result_of(g, s, player)


@game_function("evaluation")
def linear(g: TribesSetup, root: TribesState, s: TribesState, player: int, weights: Floats) -> float:
    """A weighted sum of a tribe's figures."""
    own, total = 0.0, 0.0
    for number in range(g.players):
        value = weighted(g, s, number, weights)
        total += value
        own = value if number == player else own
    return cut(over_others(g, own, total), _LINEAR_FAR)


@game_function("evaluation_of_all")
def linear_of_all(g: TribesSetup, root: TribesState, s: TribesState, out: Floats, weights: Floats) -> None:
    """The same for all players."""
    total = 0.0
    for player in range(g.players):
        out[player] = weighted(g, s, player, weights)
        total += out[player]
    for player in range(g.players):
        out[player] = cut(over_others(g, out[player], total), _LINEAR_FAR)


def _diff_bounds(parameters: tuple[float, ...]) -> tuple[float, float]:
    far = _FAR + 2.0 * abs(parameters[0])
    return -far, far


EVALUATIONS = {
    "diff": Evaluation(
        diff,
        -_FAR,
        _FAR,
        "gains since the root: production, technologies, score, cities, units, kills, levels; own less the others'",
        parameters=(0.0,),
        parameter_names=("result",),
        bounds_of=_diff_bounds,
        for_all=diff_of_all,
    ),
    "entropy": Evaluation(entropy, -6.0, 8.0, "how many figures have grown since the root, own less the others'"),
    "state-score": Evaluation(
        state_score, -_SIMPLE_FAR, _SIMPLE_FAR, "production, technologies, score, cities and units of the state"
    ),
    "score": Evaluation(score, -_MOST_SCORE, _MOST_SCORE, "score, own less the others'"),
    "linear": Evaluation(
        linear,
        -_LINEAR_FAR,
        _LINEAR_FAR,
        "weighted sum of a tribe's figures, own less the others'; set the weights as parameters",
        parameters=tuple(LINEAR.values()),
        parameter_names=tuple(LINEAR),
        for_all=linear_of_all,
    ),
}
"""The game's evaluations by name."""
