"""Hill climbing over whole turns: a complete planner in plain Python.

Start from a random turn; repeatedly replace its tail, from a random action on, by a random one, and keep the change if
the state at the end of the turn is no worse. After too many failures, start again from another random turn. The best
turn of all is returned.

Run ``python examples/my_planner.py`` for a short match.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from orchard import OrchardGame
from pydantic import Field

import turnwise
from turnwise import Meter, PlannerParameters, PythonPlanner, State


class HillClimbingParameters(PlannerParameters):
    """The parameters, with their bounds."""

    patience: int = Field(20, ge=1, description="failures in a row before a new start")
    evaluation: str = Field("", description="evaluation of the end of the turn; empty: the game's default")


class HillClimbing(PythonPlanner[HillClimbingParameters]):
    """Random-restart hill climbing."""

    name = "hill-climbing"
    title = "Hill climbing over turns"
    iteration = "one turn tried"

    def search(self, state: State, meter: Meter, random: Random) -> Sequence[int]:
        best: list[int] = []
        best_value = float("-inf")
        line: list[int] = []
        value, failures = float("-inf"), 0
        while not meter.exhausted:
            kept = random.randrange(len(line)) if line else 0
            tried, tried_value = self.random_turn(state, line[:kept], meter, random)
            failures = 0 if tried_value > value else failures + 1
            if tried_value >= value:
                line, value = tried, tried_value
            if value > best_value:
                best, best_value = line, value
            meter.count_iteration()
            if failures >= self.parameters.patience:
                line, value, failures = [], float("-inf"), 0
        meter.value = best_value if best else None
        return best

    def random_turn(self, state: State, line: list[int], meter: Meter, random: Random) -> tuple[list[int], float]:
        """A turn that begins with ``line`` and continues at random, and its value (minus infinity if cut short)."""
        mover, turn, played = state.to_move, state.turn, list[int]()
        while state.to_move == mover and state.turn == turn:
            if meter.exhausted:
                return played, float("-inf")
            legal: list[int] = state.legal_codes().tolist()
            keep = len(played) < len(line) and line[len(played)] in legal
            played.append(line[len(played)] if keep else random.choice(legal))
            state = meter.play(state, played[-1])
        return played, meter.evaluate(state, mover, self.parameters.evaluation)


def main() -> None:
    """A short match of Orchard: hill climbing (west) against a random player (east)."""
    players = [HillClimbing(), turnwise.planner("random")]
    state = OrchardGame().start(seed=3)
    while not state.is_over:
        plan = players[state.to_move].plan(state, turnwise.Budget(iterations=60), seed=state.turn)
        for code in plan.codes:
            state = state.play(code)
    print(state, state.returns, sep="\n")


if __name__ == "__main__":
    main()
