"""Values of states: the thesis' heuristic, and an estimate of the time that is left."""

from __future__ import annotations

import math
from collections.abc import Mapping

from turnwise.core.game import Evaluation
from turnwise.core.kernel import kernel, real
from turnwise.core.table import game_function
from turnwise.games.search_race.rules import won
from turnwise.games.search_race.scenario import MOST_TURNS, setup_at, target_at
from turnwise.games.search_race.state import state_at

_FARTHEST = 17.0  # natural logarithm of more than any distance that there can be


@game_function("evaluation")
def progress(setup: int, root: int, state: int, player: int, parameters: int) -> float:
    """H of the thesis (spec section 9): checkpoints passed, and the distance to where one should aim.

    ``5 ln D`` is computed as ``2.5 ln D^2``, without the root.
    """
    g, s = setup_at(setup), state_at(state)
    most = 100.0 * g.total
    if won(g, s):
        return 100.0 * (s.cp - (s.timer + s.col_time) / MOST_TURNS) / most
    target = target_at(setup, s.cp)
    dx, dy = s.x - target.x + 3.0 * s.vx, s.y - target.y + 3.0 * s.vy
    return (100.0 * s.cp - 2.5 * math.log(max(dx * dx + dy * dy, 1.0))) / most


def evaluations(total: int) -> Mapping[str, Evaluation]:
    """The evaluations of a race of so many checkpoints; their bounds depend on it."""
    return {
        "progress": Evaluation(
            progress, -5.0 * _FARTHEST / (100.0 * total), 1.0, "checkpoints and distance to the next; the thesis' H"
        ),
    }
