"""Values of states: the heuristic of the thesis, and an estimate of the time that is left."""

from __future__ import annotations

import math
from collections.abc import Mapping

from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.games.search_race.rules.play import won
from turnwise.games.search_race.scenario import MOST_TURNS, RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import kernel, real
from turnwise.jit.record import Floats

_RADIANS = math.pi / 180.0
_LOWEST_ROUTE = -10.0
COURSE_START = 5000.0
ROUTE = (2.0, 4.0, 580.0, 800.0)
LEAD = 3.0
_FARTHEST = 17.0  # more than the natural logarithm of any possible distance
_FAR, _FAST = 1e7, 1400.0  # more than any possible distance and speed


@game_function("evaluation")
def progress(g: RaceSetup, root: RaceState, s: RaceState, player: int, parameters: Floats) -> float:
    """H of the thesis (rules 9): checkpoints passed, and the distance to the point to aim at.

    ``5 ln D`` is computed as ``2.5 ln D^2``, without a square root. ``parameters``: how many turns of its speed the car
    is moved ahead before the distance is taken; 3 in the thesis.
    """
    most = 100.0 * g.total
    if won(g, s):
        return 100.0 * (s.cp - (s.timer + s.col_time) / MOST_TURNS) / most
    target = g.targets[s.cp]
    lead = parameters[0]
    dx, dy = s.x - target.x + lead * s.vx, s.y - target.y + lead * s.vy
    return (100.0 * s.cp - 2.5 * math.log(max(dx * dx + dy * dy, 1.0))) / most


@kernel
def _coasts_in(dx: float, dy: float, vx: float, vy: float, turns: float, radius: float) -> bool:
    """Whether a car that keeps its speed passes a centre at (dx, dy) within a radius, in ``turns`` turns."""
    speed = vx * vx + vy * vy
    if speed <= 0.0:
        return dx * dx + dy * dy <= radius * radius
    along = min(turns, max(0.0, (dx * vx + dy * vy) / speed))
    missed_x, missed_y = dx - along * vx, dy - along * vy
    return missed_x * missed_x + missed_y * missed_y <= radius * radius


@game_function("evaluation")
def route(g: RaceSetup, root: RaceState, s: RaceState, player: int, parameters: Floats) -> float:
    """Minus the length of the route that is left, as a share of the course, from where the speed carries the car.

    A target that the car will pass by coasting counts as passed: the route continues to the next one. Heading away from
    the route costs. A finished race is worth 1 - T/600.

    ``parameters``: number of turns of its speed by which the car is moved ahead; number of turns in which it may coast
    into a target; radius of the target for that; cost of heading away from the route.
    """
    if won(g, s):
        return 1.0 - (s.timer + s.col_time) / MOST_TURNS
    lead = parameters[0]
    target = g.targets[s.cp]
    x, y, vx, vy = real(s.x), real(s.y), real(s.vx), real(s.vy)
    goal_x, goal_y, rest = target.x, target.y, target.rest
    if s.cp + 1 < g.total and _coasts_in(goal_x - x, goal_y - y, vx, vy, parameters[1], parameters[2]):
        goal_x, goal_y, rest = target.next_x, target.next_y, g.targets[s.cp + 1].rest
    dx, dy = goal_x - x - lead * vx, goal_y - y - lead * vy
    distance = math.sqrt(dx * dx + dy * dy)
    theta = s.angle * _RADIANS
    away = distance - (dx * math.cos(theta) + dy * math.sin(theta))
    left = distance + rest + parameters[3] * away / (distance + 1.0)
    return max(_LOWEST_ROUTE, -left / (g.targets[0].rest + COURSE_START))


def evaluations(total: int) -> Mapping[str, Evaluation]:
    """The evaluations of a race with ``total`` checkpoints; their bounds depend on that number."""

    def progress_bounds(lead: float) -> tuple[float, float]:
        return -5.0 * max(_FARTHEST, math.log(_FAR + _FAST * abs(lead))) / (100.0 * total), 1.0

    return {
        "progress": Evaluation(
            progress,
            *progress_bounds(LEAD),
            "checkpoints and distance to the next from where the speed carries the car; with lead=3 the thesis' H",
            (LEAD,),
            ("lead",),
            lambda parameters: progress_bounds(parameters[0]),
        ),
        "route": Evaluation(
            route, _LOWEST_ROUTE, 1.0, "length of the route left from where the speed carries the car", ROUTE
        ),
    }
