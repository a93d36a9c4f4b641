"""A module for the tests of pickling that both processes import."""

from orchard import OrchardGame

import turnwise
from turnwise.core.game import Evaluation
from turnwise.core.table import game_function


@game_function("evaluation")
def seat_number(setup, root, state, player, parameters):
    return 0.25 + player


SEAT_NUMBER = Evaluation(seat_number, 0.0, 4.0, "the player's own number")


def apples(state, player):
    return float(len(state.apples) + player)


class Grown(OrchardGame):
    """A game that has a further evaluation as a method."""

    name = "grown"

    def ripe(self, state, player):
        return float(self.players * len(state.apples))


class Opaque:
    """A position that pickle cannot take, since it holds a function."""

    def __init__(self, number):
        self.number = number
        self.doubled = lambda: 2 * number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return isinstance(other, Opaque) and self.number == other.number

    def __repr__(self):
        return f"Opaque({self.number})"


class Countdown(turnwise.PythonGame):
    """One player counts down; states travel as JSON only."""

    players, max_turn, max_actions, bounds = 1, 1, 2, (-20.0, 20.0)

    def first_state(self, random):
        return Opaque(10)

    def legal_actions(self, state):
        return [1, 2]

    def play(self, state, action, random):
        return Opaque(state.number - action)

    def to_move(self, state):
        return 0 if state.number > 0 else -1

    def turn(self, state):
        return 10 - state.number

    def returns(self, state):
        return [float(state.number)]

    def to_json(self, state):
        return {"number": state.number}

    def from_json(self, data):
        return Opaque(data["number"])


def facts(state):
    """Facts that are equal for equal states, including their future under their chance stream."""
    names = sorted(state.game.evaluation_names)
    seen = [state.fingerprint, state.legal_actions(), state.to_dict(), state.chance, state.outcomes]
    seen.append([state.evaluate(player, name) for player in range(state.game.players) for name in names])
    for index in range(6):
        if state.is_over:
            break
        codes = state.candidate_codes()
        state = state.play(int(codes[index * 7 % len(codes)]))
        seen.append((state.to_dict(), state.outcomes, state.chance, state.returns))
    return seen


def work(state, planner, budget):
    """Evaluate and plan; returns facts, the plan, and the state after its turn."""
    plan = planner.plan(state, budget, seed=5)
    after = state
    for code in plan.codes:
        after = after.play(code)
    return facts(state), plan, after
