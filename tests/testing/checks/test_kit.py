"""The conformance kit accepts correct games and detects one broken game per check; perft against a slow version."""

import json
import random as python_random
import re
import time
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pytest
from my_planner import HillClimbing
from orchard import OrchardGame

import turnwise
from doubles.counting_game import Counting
from turnwise import Batch, Chance, Plan, PythonGame, PythonPlanner
from turnwise.arena import Ending, play_game
from turnwise.core import calls
from turnwise.core.chance import mix, uniform
from turnwise.core.errors import CapacityError, OptionError, UnknownNameError
from turnwise.core.game import Evaluation, Game, GameOptions
from turnwise.core.table import game_function
from turnwise.jit.record import Floats32, Ints
from turnwise.planners.single_player_mcts.planner import SPMCTS
from turnwise.testing import (
    GAME_CHECKS,
    ConformanceError,
    check_game,
    check_planner,
    game_failures,
    perft,
    planner_failures,
)
from turnwise.testing.checks.batches import batches
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.game import checked_game
from turnwise.testing.checks.planner import checked_planner
from turnwise.testing.checks.sample import StateSample


@dataclass(frozen=True)
class Walk:
    """Positions of two walkers on a line; the mover has steps left."""

    places: tuple[int, int] = (0, 0)
    turn: int = 0
    left: int = 2


class Walking(PythonGame[Walk, str]):
    """A correct game with every optional function; each broken game below differs from it in one respect."""

    is_stochastic = reveals_in_turn = True
    max_turn = 2
    max_actions = 4
    bounds = (-100.0, 100.0)
    policies = ("ahead",)
    metrics = ("place",)
    indices = 4
    feature_shape = (2,)
    ends_turn = "stop"
    turns = 8

    def first_state(self, random: Chance) -> Walk:
        return Walk((random.draw(3), 0))

    def to_move(self, state: Walk) -> int:
        return -1 if state.turn >= self.turns else state.turn % 2

    def turn(self, state: Walk) -> int:
        return state.turn

    def returns(self, state: Walk) -> tuple[float, ...]:
        return (float(state.places[0]), float(state.places[1]))

    def legal_actions(self, state: Walk) -> list[str]:
        return ["ahead", "back", "gamble", "stop"] if state.places[state.turn % 2] > 0 else ["ahead", "gamble", "stop"]

    def play(self, state: Walk, action: str, random: Chance) -> Walk:
        step = {"ahead": 1, "back": -1, "stop": 0}[action] if action != "gamble" else random.draw(4)
        places = tuple(place + (step if p == state.turn % 2 else 0) for p, place in enumerate(state.places))
        if action == "stop" or state.left == 1:
            return Walk(places, state.turn + 1)
        return replace(state, places=places, left=state.left - 1)

    def evaluate(self, state: Walk, player: int) -> float:
        return float(state.places[player] - state.places[1 - player])

    def evaluate_all(self, state: Walk) -> list[float]:
        lead = float(state.places[0] - state.places[1])
        return [lead, -lead]

    def action_score(self, state: Walk, action: str) -> float:
        return float(action == "ahead")

    def prune(self, state: Walk, actions):
        return [action for action in actions if action != "back"] or actions

    def actor(self, state: Walk, action: str) -> int:
        return 0

    def nearest(self, state: Walk, action: str) -> str:
        return "ahead"

    def policy(self, state: Walk, name: str, random: Chance) -> str:
        return "ahead"

    def script_functions(self):
        return {"ahead": lambda state, actor, random: "ahead"}

    def measure(self, state: Walk, player: int) -> list[float]:
        return [float(state.places[player])]

    def index(self, state: Walk, action: str) -> int:
        return ["ahead", "back", "gamble", "stop"].index(action)

    def features(self, state: Walk, player: int) -> tuple[int, int]:
        return state.places[player], state.left

    def view(self, state: Walk, player: int) -> Walk:
        return replace(state, places=tuple(x if p == player else 0 for p, x in enumerate(state.places)))

    def news(self, expected: Walk, seen: Walk, player: int) -> bool:
        return (expected.turn, expected.left, expected.places[player]) != (seen.turn, seen.left, seen.places[player])

    def determinise(self, state: Walk, player: int, random: Chance) -> Walk:
        return replace(state, places=tuple(x if p == player else random.draw(5) for p, x in enumerate(state.places)))


@game_function("actors")
def repeated(g, s, player: int, out: Ints) -> int:
    out[0], out[1] = 0, 0
    return 2


@game_function("actor_kind")
def negative(g, s, actor: int) -> int:
    return -1


@game_function("actor_health")
def in_points(g, s, actor: int, steps: int) -> int:
    return 2


@game_function("enemy_distance")
def growing(g: Ints, s, actor: int) -> int:
    g[0] = g[0] + 1
    return g[0]


class EmptyList(Walking):
    def legal_actions(self, state):
        return [] if state.places[0] > 4 else super().legal_actions(state)


class Twice(Walking):
    max_actions = 5

    def legal_actions(self, state):
        return [*super().legal_actions(state), "ahead"]


class EndsNever(Walking):
    """Declares that a turn can always be ended, but the rules accept it only at the start of a turn."""

    def legal_actions(self, state):
        legal = super().legal_actions(state)
        return legal if state.left == 2 else legal[:-1]


class Box:
    """A state that can change, compared by identity."""

    def __init__(self, steps=0):
        self.steps = steps

    def __repr__(self):
        return f"Box({self.steps})"


class Mutable(PythonGame[Box, str]):
    """Modifies the given state."""

    max_turn = 1

    def first_state(self, random):
        return Box()

    def legal_actions(self, state):
        return ["step"]

    def play(self, state, action, random):
        state.steps += 1
        return Box(state.steps)

    def to_move(self, state):
        return -1 if state.steps >= 10 else state.steps % 2

    def turn(self, state):
        return state.steps

    def returns(self, state):
        return (0.0, 0.0)

    def to_json(self, state):
        return {"steps": state.steps}


class OwnChance(Walking):
    def play(self, state, action, random):
        places = (state.places[0] + (python_random.random() < 0.5), state.places[1])
        return super().play(replace(state, places=places), action, random)


class SecretChance(Walking):
    is_stochastic = False


class TurnBack(Walking):
    """The turn number repeats after four turns."""

    def turn(self, state):
        return state.turn % 4


class Endless(Walking):
    """Nobody counts the turns."""

    def to_move(self, state):
        return state.turn % 2


class WalkersOnly(Walking):
    """The game ends when somebody has walked far enough, and those who only stop never do."""

    def to_move(self, state):
        return -1 if max(state.places) >= 5 else state.turn % 2


class FlatValue(Walking):
    """All states are worth the same."""

    def evaluate(self, state, player):
        return 0.5

    def evaluate_all(self, state):
        return [0.5, 0.5]


class AlwaysDrawn(Walking):
    def returns(self, state):
        return (0.0, 0.0)


class OtherWinner(Walking):
    """The results have the players swapped."""

    def returns(self, state):
        return super().returns(state)[::-1]


class RivalFriends(Walking):
    """Declared to win together, though one wins."""

    shares_goal = True


class OneView(Walking):
    """The evaluation is always that of the first player."""

    def evaluate(self, state, player):
        return super().evaluate(state, 0)

    evaluate_all = PythonGame.evaluate_all


class NoNumber(Walking):
    def returns(self, state):
        return (float("inf"), 0.0)


class SameText(Walking):
    def show_action(self, action):
        return "move" if action in ("ahead", "gamble") else action


class UnreadableText(Walking):
    def read_action(self, state, text):
        return super().read_action(state, text.upper())


class ReadsAnything(Walking):
    def read_action(self, state, text):
        return text if text in self.legal_actions(state) else "stop"


class Forgetful(Walking):
    """The JSON form omits the number of steps left."""

    def to_json(self, state):
        return {"places": list(state.places), "turn": state.turn}

    def from_json(self, data):
        return Walk(tuple(data["places"]), data["turn"], 2)


class Lenient(Walking):
    """Missing and unknown fields are not detected."""

    def from_json(self, data):
        return Walk(tuple(data.get("places", (0, 0))), data.get("turn", 0), data.get("left", 2))


class OnePrint(Walking):
    def fingerprint(self, state):
        return state.turn


class TwoPrints(Walking):
    prints = 0

    def fingerprint(self, state):
        TwoPrints.prints += 1
        return self.prints


class BrokenSvg(Walking):
    def show_svg(self, state):
        return "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>"


class NotSvg(Walking):
    def show_svg(self, state):
        return "<p/>"


class EmptyBoard(Walking):
    def show(self, state):
        return " "


class PruneAdds(Walking):
    def prune(self, state, actions):
        return ["stop"] + [action for action in actions if action != "stop"]


class PruneAll(Walking):
    def prune(self, state, actions):
        return []


class OtherSurvivor(Walking):
    def functions(self):
        table = dict(super().functions())
        table["survives"] = self._calls.pointer("survives", lambda setup, at, code: 1)
        return table


class NoOrder(Walking):
    def action_score(self, state, action):
        return float("nan")


class MoodyOrder(Walking):
    asked = 0

    def action_score(self, state, action):
        self.asked += 1
        return float(self.asked)


@game_function("action_group")
def seventh(g, s, action: int) -> int:
    return 7


class FarGroup(Walking):
    action_groups = ("all",)

    def functions(self):
        return {**super().functions(), "action_group": seventh.address}


class NamesOnly(Walking):
    action_groups = ("all", "none")


class TwiceNamed(Walking):
    action_groups = ("all", "all")


class NoEnding(Walking):
    completion = "best"


class FarAway(Walking):
    def nearest(self, state, action):
        return "back"


class FarVariation(Walking):
    def neighbour_action(self, state, action, random):
        return "back"


class OtherNames(Walking):
    def functions(self):
        table = dict(super().functions())
        table["move_codes"] = self._calls.pointer("move_codes", lambda setup, at, actions, n, out: None)
        return table


class OtherForm(Walking):
    def canonical(self, state, action):
        return self.legal_actions(state)[0]


class EndlessBias(Walking):
    def prior_logit(self, state, action, name):
        return float("-inf")


class BadPolicy(Walking):
    def policy(self, state, name, random):
        return "back"


class OtherTogether(Walking):
    def evaluate_all(self, state):
        return [self.evaluate(state, 0), self.evaluate(state, 0)]


class BadScript(Walking):
    def script_functions(self):
        return {"ahead": lambda state, actor, random: "back"}


class ForeignScript(Walking):
    """The first walker steps ahead and the second one back; a script answers for both with a step ahead."""

    def actor(self, state, action):
        return int(action == "back")

    def script_functions(self):
        return {"ahead": lambda state, actor, random: "ahead"}


class MoodyScript(Walking):
    asked = 0

    def script_functions(self):
        return {"ahead": self._script}

    def _script(self, state, actor, random):
        self.asked += 1
        return "ahead" if self.asked % 2 else "stop"


class RepeatedActor(Walking):
    def functions(self):
        return {**super().functions(), "actors": repeated.address}


class HiddenActor(Walking):
    def actors(self, state, player):
        return []


class NegativeKind(Walking):
    def functions(self):
        return {**super().functions(), "actor_kind": negative.address}


class HealthInPoints(Walking):
    def functions(self):
        return {**super().functions(), "actor_health": in_points.address}


class GrowingDistance(Walking):
    def functions(self):
        return {**super().functions(), "enemy_distance": growing.address}


class OtherOrder(Walking):
    def actor_actions(self, state, actor):
        return super().actor_actions(state, actor)[::-1]


class LostHeir(Walking):
    def actors(self, state, player):
        return [0]

    def heir(self, state, actor, action):
        return 7


class NoActor(Walking):
    """A list of actors, but no owners of actions."""

    def actors(self, state, player):
        return [0]

    def functions(self):
        return {name: pointer for name, pointer in super().functions().items() if name != "actor"}


class Unowned(Walking):
    """A correct game with a script and without actors: all actions belong to actor 0."""

    def functions(self):
        return {name: pointer for name, pointer in super().functions().items() if name != "actor"}


class ViewAgain(Walking):
    """A view of a view is a different state."""

    def view(self, state, player):
        return replace(state, places=(state.places[0] + 1, 0))


class ViewLies(Walking):
    def view(self, state, player):
        return replace(super().view(state, player), turn=0)


class WrongGuess(Walking):
    def determinise(self, state, player, random):
        return replace(state, places=(state.places[0] + 1, state.places[1] + 1))


class Scouting(Walking):
    """Before its second action, the mover sees where the other one is."""

    def view(self, state, player):
        return state if state.left == 1 else super().view(state, player)

    def determinise(self, state, player, random):
        return state if state.left == 1 else super().determinise(state, player, random)


class OpenBook(Walking):
    """The view of a game that hides something is the state itself."""

    def view(self, state, player):
        return state

    def determinise(self, state, player, random):
        return state


class SharedView(Walking):
    """The view ignores the player: all see what the first player sees."""

    def view(self, state, player):
        return super().view(state, 0)

    def determinise(self, state, player, random):
        return super().determinise(state, 0, random)


class OneSees(Walking):
    """The second player sees everything."""

    def view(self, state, player):
        return super().view(state, player) if player == 0 else state

    def determinise(self, state, player, random):
        return super().determinise(state, player, random) if player == 0 else state


class OneGuesses(Walking):
    """Worlds are drawn for the first player only."""

    def determinise(self, state, player, random):
        return super().determinise(state, player, random) if player == 0 else state


class NothingThere(Walking):
    """Where the other walker stands is None in a view, which an action needs."""

    def view(self, state, player):
        return replace(state, places=tuple(x if p == player else None for p, x in enumerate(state.places)))

    def determinise(self, state, player, random):
        return replace(state, places=tuple(random.draw(5) if x is None else x for x in state.places))

    def play(self, state, action, random):
        return super().play(replace(state, places=tuple(x + 0 for x in state.places)), action, random)


class OpenDice(Walking):
    """Nothing is hidden, and the mover sees its dice in the middle of its turn."""

    reveals_in_turn = False
    view, determinise, news = PythonGame.view, PythonGame.determinise, PythonGame.news


class SecretScouting(Scouting):
    reveals_in_turn = False


class OnlyView(Walking):
    determinise = PythonGame.determinise


class OnlyWorlds(Walking):
    view = PythonGame.view


class SameWorld(Walking):
    """What is hidden stays hidden."""

    def determinise(self, state, player, random):
        return state


class HalfWorld(Walking):
    """The drawn place of the other one is no whole number, which its own steps cannot bear."""

    def determinise(self, state, player, random):
        world = super().determinise(state, player, random)
        return replace(world, places=tuple(x if p == player else None for p, x in enumerate(world.places)))


class OneWorld(Walking):
    """What is hidden is always filled alike."""

    def determinise(self, state, player, random):
        return replace(state, places=tuple(x if p == player else 3 for p, x in enumerate(state.places)))


class NamelessScript(Walking):
    def script_functions(self):
        return {"go ahead": lambda state, actor, random: "ahead"}


class CombiningScript(Walking):
    def script_functions(self):
        return {"first": lambda state, actor, random: "ahead"}


class ListedScripts(Walking):
    def script_functions(self):
        return [lambda state, actor, random: "ahead"]


class ScriptsAsAttribute(Walking):
    script_functions = {}  # noqa: RUF012


class NoPlayers(Walking):
    players = 0


class EmptyTurns(Walking):
    max_turn = 0


class SizeAsText(Walking):
    max_actions = "4"


class OneSeat(Walking):
    seats = ("a",)


class AnswerAsText(Walking):
    is_stochastic = "yes"


class BoardAsNumber(Walking):
    def show(self, state):
        return 5


class OnlyNamesOfPolicies(OrchardGame):
    policies = ("ahead",)


class OldNews(Walking):
    def news(self, expected, seen, player):
        return True


class MoodyNews(Walking):
    asked = 0

    def news(self, expected, seen, player):
        self.asked += 1
        return self.asked % 2 == 0


class NoNews(Walking):
    """Nothing is ever new, not even the end of the turn."""

    def news(self, expected, seen, player):
        return False


class SwappedBounds(Walking):
    def evaluations(self):
        return {"own": replace(self.python_evaluation(lambda state, player: 0.5, 0, 1), low=1.0, high=0.0)}


class OutOfBounds(Walking):
    bounds = (-1.0, 1.0)


class MoodyEvaluation(Walking):
    asked = 0

    def evaluate(self, state, player):
        self.asked += 1
        return self.asked % 50 / 50


class InfiniteMetric(Walking):
    def measure(self, state, player):
        return [float("nan")]


class NamelessMetric(Walking):
    metrics = ()

    def measure(self, state, player):
        return []


class NoPlace(Walking):
    indices = 0


class OnePlace(Walking):
    indices = 2

    def index(self, state, action):
        return 1


class NoShape(Walking):
    feature_shape = ()


class MoodyFeatures(Walking):
    asked = 0

    def features(self, state, player):
        self.asked += 1
        return [self.asked, 0]


class TellingFeatures(Walking):
    def features(self, state, player):
        return state.places


def far_off(state):
    """Whether the player who is not to move, and whose place is hidden, has gone far."""
    return state.places[1 - state.turn % 2] > 2


class HiddenBarrier(Walking):
    def legal_actions(self, state):
        listed = super().legal_actions(state)
        return [action for action in listed if action != "gamble" or not far_off(state)]


class HiddenOrder(Walking):
    def legal_actions(self, state):
        listed = super().legal_actions(state)
        return listed[::-1] if far_off(state) else listed


class BarrierInWorlds(Walking):
    """Legality depends on something that only drawn worlds have, so states and views agree."""

    def determinise(self, state, player, random):
        return replace(super().determinise(state, player, random), left=3)

    def view(self, state, player):
        return replace(super().view(state, player), left=min(state.left, 2))

    def legal_actions(self, state):
        return super().legal_actions(state)[:: -1 if state.left == 3 else 1]


class HiddenFollower(Walking):
    """The mover has a second actor while the other player, whom it does not see, is far off."""

    max_actors = 2

    def actors(self, state, player):
        return [0, 1] if far_off(state) else [0]


class HiddenOwner(Walking):
    """Who takes a step depends on where the other player is."""

    max_actors = 2

    def actors(self, state, player):
        return [0, 1]

    def actor(self, state, action):
        return int(far_off(state))


class ScriptThatLooks(Walking):
    """A script that is legal in a state and not in the view of its mover, where the other place is 0."""

    def script_functions(self):
        return {"look": lambda state, actor, random: "ahead" if state.places[1 - state.turn % 2] else "back"}

    def first_state(self, random: Chance) -> Walk:
        return Walk((1, 1))

    def legal_actions(self, state):
        return ["ahead", "gamble", "stop"]


class NoSuchPortfolio(Walking):
    portfolio = ("ahead", "fly")


class NoSuchKinds(Walking):
    kind_portfolios = {0: ("first(ahead,fly)",)}  # noqa: RUF012


class NoSuchReading(Walking):
    portfolio_aliases = {"as-coded": ("ahead(speed=2)",)}  # noqa: RUF012


class PortfolioAsText(Walking):
    portfolio = "ahead"


class PortfolioOfBuiltIns(OrchardGame):
    portfolio = ("random", "flee")


class BoundsOfDefaults(Walking):
    """The declared bounds are right for the default of the parameter only."""

    bounds_of = None

    def evaluations(self):
        def lead(state, player, *, weight=1.0):
            return weight * (state.places[player] > 0)

        return {**super().evaluations(), "lead": self.python_evaluation(lead, 0.0, 1.0, "lead", self.bounds_of)}


class WrongBoundsOf(BoundsOfDefaults):
    def bounds_of(self, parameters):
        return 0.0, abs(parameters[0])


class FailingBoundsOf(BoundsOfDefaults):
    def bounds_of(self, parameters):
        return 1 / 0


class NumberAsBoundsOf(BoundsOfDefaults):
    bounds_of = 5


class NoLayout(Walking):
    def layout(self):
        return np.dtype([("handle", "u4")])


CAUGHT = {
    NoPlace: ("places", "both"),
    OnePlace: ("places", "of the same list"),
    NoShape: ("features", "both"),
    MoodyFeatures: ("features", "differ on a second call"),
    TellingFeatures: ("features", "player 1 (counted from 0) reveal what is hidden from it: number 0 of 2 is"),
    HiddenBarrier: ("known-choices", "the legal list in the state has other actions than in its view: ['ahead',"),
    HiddenOrder: ("known-order", "the legal list in the state has another order than in its view"),
    BarrierInWorlds: (
        "known-order",
        "in a world that determinise drew from its view with the seed 0 has another order",
    ),
    HiddenFollower: ("known-choices", "actors are [0, 1] in the state and [0] in its view"),
    HiddenOwner: ("known-choices", "the action is of actor 1 in the state and of 0 in its view"),
    ScriptThatLooks: ("scripts", "script 'look' asked in the view of the player to move, failed: "),
    NoSuchPortfolio: ("scripts", "portfolio has 'fly' (str), which is no script of this game: "),
    NoSuchKinds: ("scripts", "kind_portfolios[0] has 'first(ahead,fly)' (str), which is no script of this game: "),
    NoSuchReading: ("scripts", "portfolio_aliases['as-coded'] has 'ahead(speed=2)' (str), which is no script"),
    PortfolioAsText: ("scripts", "portfolio must be a tuple of scripts, as in ('attack', 'retreat'); got 'ahead'"),
    PortfolioOfBuiltIns: ("scripts", "portfolio has 'flee' (str)"),
    BoundsOfDefaults: (
        "evaluations",
        "'lead(weight=20.0)' for player 0 (counted from 0) is 20.0; its bounds with these",
    ),
    WrongBoundsOf: ("evaluations", "'lead(weight=-20.0)' for player 0 (counted from 0) is -20.0; its bounds with"),
    FailingBoundsOf: ("evaluations", "bounds_of((20.0,)) failed: ZeroDivisionError"),
    NumberAsBoundsOf: ("evaluations", "bounds_of must be a function"),
    NoLayout: ("layout", "expected a structured dtype of 8 bytes"),
    EmptyList: ("playable", "at least one action"),
    Twice: ("legal-lists", "listed twice"),
    EndsNever: ("listed-accepted", "ends a turn"),
    Mutable: ("replays", "states that are changed by later actions"),
    OwnChance: ("replays", "likely causes: chance"),
    SecretChance: ("declared-chance", "is_stochastic is False"),
    TurnBack: ("turns", "second time"),
    NoNumber: ("results", "finite"),
    SameText: ("action-texts", "same text"),
    UnreadableText: ("action-texts", "cannot be read back"),
    ReadsAnything: ("action-texts", "without a NotationError"),
    Forgetful: ("state-forms", "after a JSON round trip"),
    Lenient: ("damaged-states", "without a NotationError"),
    OnePrint: ("fingerprints", "shared by different states"),
    TwoPrints: ("state-forms", "fingerprint"),
    BrokenSvg: ("drawings", "well-formed"),
    NotSvg: ("drawings", "root"),
    EmptyBoard: ("drawings", "empty"),
    PruneAdds: ("pruning", "in its order"),
    PruneAll: ("pruning", "prune returned"),
    OtherSurvivor: ("surviving", "survives says True"),
    NoOrder: ("ordering", "finite"),
    MoodyOrder: ("ordering", "same finite number twice"),
    FarGroup: ("grouping", "action_group gave 7; expected a place in action_groups, 0 to 0"),
    NamesOnly: ("grouping", "needs both action_groups and the function"),
    TwiceNamed: ("grouping", "a name twice"),
    NoEnding: ("completion", "expected one of"),
    FarAway: ("nearest", "not legal"),
    FarVariation: ("varying", "not legal"),
    OtherNames: ("naming", "expected equal names"),
    OtherForm: ("canonical", "expected itself"),
    EndlessBias: ("biases", "finite"),
    BadPolicy: ("policies", "policy 'ahead'"),
    BadScript: ("scripts", "script 'ahead'"),
    ForeignScript: ("scripts", "returned an action of actor 0 for actor 1"),
    MoodyScript: ("scripts", "two different actions"),
    RepeatedActor: ("actors", "different numbers"),
    HiddenActor: ("actors", "does not list"),
    NegativeKind: ("actors", "kind -1"),
    HealthInPoints: ("actors", "actor_health of actor 0 is 2 in 1 steps"),
    GrowingDistance: ("distances", ", then "),
    OtherOrder: ("actors", "its part of the legal list"),
    LostHeir: ("heirs", "no actor of its player"),
    NoActor: ("actors", "the function actor"),
    ViewAgain: ("views", "view of player"),
    ViewLies: ("views", "another mover"),
    OnlyView: ("hidden-information", "has the function view, but not determinise"),
    OnlyWorlds: ("hidden-information", "has the function determinise, but not view"),
    SameWorld: ("hidden-parts", "determinise returns the view unchanged"),
    OneWorld: ("hidden-parts", "determinise is always the same"),
    HalfWorld: ("playable-worlds", "cannot be played on: "),
    FlatValue: ("varied-values", "evaluation 'heuristic' is 0.5 in all "),
    WalkersOnly: ("stubborn-play", "always chooses the last action of the legal list goes on after 20000 actions"),
    NamelessScript: ("scripts", "got 'go ahead' (str). Rename it"),
    ListedScripts: (
        "scripts",
        "returns a dict of names and functions, as in {'rush': rush}; got a method that returns [",
    ),
    ScriptsAsAttribute: ("scripts", "must be a method that returns a dict"),
    NoPlayers: ("playable", "players, the number of players, must be a whole number from 1; got 0 (int). Set the"),
    EmptyTurns: ("playable", "max_turn, the largest number of actions in one turn, must be a whole number from 1; got"),
    SizeAsText: ("playable", "must be a whole number from 1; got '4' (str)"),
    OneSeat: ("playable", "seats must be one name for each of 2 players, or an empty tuple; got ('a',)"),
    AnswerAsText: ("playable", "is_stochastic must be True or False; got 'yes'"),
    BoardAsNumber: ("drawings", "show returned 5"),
    OnlyNamesOfPolicies: ("playable", "names rollout policies, but the game has no function policy. Write it"),
    CombiningScript: ("scripts", "is not 'first' or 'mix'"),
    WrongGuess: ("determinisations", "contradicts"),
    SecretScouting: ("declared-revealing", "but reveals_in_turn is False. Set it to True"),
    OpenBook: ("hiding-views", "view hides nothing: in all "),
    SharedView: ("own-views", "the views of all players are the same, though something is hidden"),
    OneSees: ("hidden-from-each", "nothing is hidden from player 1 (counted from 0) in all "),
    OneGuesses: ("hidden-parts", "hidden from player 1 (counted from 0), but determinise returns the view unchanged"),
    NothingThere: (
        "playable-views",
        "a question to the view of player 0 (counted from 0) failed: nothing-there: returns",
    ),
    OpenDice: (
        "declared-revealing",
        "sees what chance decided in the middle of its turn, but reveals_in_turn is False",
    ),
    Endless: ("ends", "the game goes on after 22000 random actions; expected an end"),
    AlwaysDrawn: (
        "varied-results",
        "10 games all ended with the results (0.0, 0.0), random ones and those of a greedy",
    ),
    RivalFriends: ("shared-goal", "but shares_goal is True: players who win and lose together have equal results"),
    OtherWinner: ("winning-values", "the first 5 games with a winner ended with a higher value for the loser"),
    OneView: ("own-values", "evaluation 'heuristic' gives all players equal values in all "),
    OldNews: ("news", "a copy of the view"),
    MoodyNews: ("news", "for the same two states; seen was {"),
    NoNews: ("news", "news returned False for player 0 (counted from 0), with the state before the action"),
    SwappedBounds: ("evaluations", "bounds must be finite with low < high; got 1, 0"),
    OutOfBounds: ("evaluations", "its bounds are"),
    OtherTogether: ("evaluations", "for all players at once"),
    MoodyEvaluation: ("evaluations", "for the same state"),
    InfiniteMetric: ("metrics", "finite"),
    NamelessMetric: ("metrics", "both"),
}


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ("_rows", "leads to another state in game 1 of a batch"),
        ("_counts", "in game 1 of a batch player 0 is to move with 0 actions"),
        ("_results", "the game ends with the results"),
    ],
)
def test_games_of_a_batch_that_differ_from_states_are_caught(monkeypatch, array, words):
    step = Batch.step

    def spoilt(batch, actions):
        step(batch, actions)
        spoilt_part = slice(None) if array == "_results" else 1
        getattr(batch, array)[spoilt_part] = {"_rows": batch.rows[0], "_counts": 0, "_results": -7.0}[array]

    sample = StateSample(turnwise.make("samegame:board=1"), 3, 8, games=1)
    if array == "_results":  # games that end soon
        sample.states = sample.games[0].states[-4:]
    batches(sample)
    monkeypatch.setattr(Batch, "step", spoilt)

    def check_often():
        for _ in range(20):  # until a game ends
            batches(sample)

    with pytest.raises(Broken, match=words):
        check_often()


@pytest.mark.parametrize("game", [Walking, Unowned, Scouting, OrchardGame], ids=lambda game: game.name)
def test_sound_games_pass(game):
    check_game(game())
    check_game(game(), seed=11, states=30)


@pytest.mark.parametrize("broken", CAUGHT, ids=lambda game: game.name)
def test_broken_games_are_caught(broken):
    check, words = CAUGHT[broken]
    failures = {check: failure for failure in game_failures(broken(), states=40) for check in failure.checks}
    assert check in failures, failures
    assert words in failures[check].message


def test_checks_that_a_game_calls_unfit_are_skipped_with_its_reason():
    class Drawn(AlwaysDrawn):
        @property
        def unfit_checks(self):
            return {"varied-results": "nobody wins", "winning-values": "nobody wins"}

    found = checked_game(Drawn(), states=10)
    assert not found.failures
    assert found.skipped == Drawn().unfit_checks
    assert "varied-results" not in found.names


def test_checks_that_do_not_fit_a_game_are_left_out():
    assert not game_failures(AlwaysDrawn(), states=10, without=["varied-results", "winning-values"])
    with pytest.raises(UnknownNameError, match="There is no check 'results-vary'"):
        game_failures(AlwaysDrawn(), without=["results-vary"])
    with pytest.raises(OptionError, match="The checks to leave out must be a list or tuple of names"):
        game_failures(AlwaysDrawn(), without="ends")


def test_a_hidden_barrier_is_reported_with_its_state_and_action():
    (failure,) = [failure for failure in game_failures(HiddenBarrier()) if failure.check == "known-choices"]
    places, mover = json.loads(failure.state)["places"], json.loads(failure.state)["turn"] % 2
    assert failure.action == "gamble"
    assert places[1 - mover] > 2
    assert "what the mover may do must follow from what it knows (its view)" in failure.message


def test_failures_name_state_and_action():
    with pytest.raises(ConformanceError) as caught:
        check_game(BadPolicy())
    failure = caught.value.failures[0]
    assert failure.action == "back"
    assert set(json.loads(failure.state)) == {"places", "turn", "left"}
    assert "[policies] policy 'ahead' returned an illegal action" in str(caught.value)
    assert failure.state in str(caught.value)


# ----------------------------------------------------------------- broken in ways that only compiled games can be


class TakeOptions(GameOptions):
    fault: str = ""


@game_function("start")
def start(setup: Ints, state: Ints, rng):
    state[0] = 0


@game_function("legal_actions")
def legal_actions(setup: Ints, state: Ints, out: Ints):
    if setup[0] == 1:
        state[1] = state[1] + 1
    n = 5 if setup[0] == 2 else 2
    for i in range(n):
        out[i] = i
    if setup[0] == 10:
        out[4] = 0
    return n


@game_function("is_legal")
def is_legal(setup: Ints, state: Ints, action):
    return 0 if setup[0] == 3 and action == 1 and state[0] > 2 else 1


@game_function("apply")
def apply(setup: Ints, state: Ints, action, rng):
    state[0] = state[0] + 1
    if setup[0] == 4:
        setup[1] = 1
    if setup[0] == 9:
        state[1] = int(1000.0 * uniform(rng))


@game_function("to_move")
def to_move(setup: Ints, state: Ints):
    return -1 if state[0] >= 6 else 0


@game_function("turn")
def turn(setup: Ints, state: Ints):
    return state[0]


@game_function("returns")
def returns(setup: Ints, state: Ints, out: Ints):
    out[0] = 0


@game_function("fingerprint")
def fingerprint(setup: Ints, state: Ints):
    return np.uint64(state[0])


@game_function("policy")
def policy(setup: Ints, state: Ints, index, parameters, rng, scratch: Ints):
    scratch[1] = 1
    return 0


@game_function("index")
def index(setup: Ints, state: Ints, action):
    return action + 2 if setup[0] == 5 else action


@game_function("features")
def features(setup: Ints, state: Ints, player, out: Floats32):
    out[0] = np.nan if setup[0] == 8 else 1.0
    if setup[0] != 7:
        out[1] = 2.0
    if setup[0] == 6:
        out[2] = 3.0


@game_function("evaluation")
def nothing(setup, root, state, player, parameters):
    return 0.0


NO_RESULTS = ["varied-results"]  # nobody wins


class Take(Game):
    """A compiled game of six steps; ``fault`` selects what is broken."""

    name, title, rules_version, Options = "take", "Take", "1", TakeOptions

    def __init__(self, **options):
        self.options = self.read_options(**options)
        faults = ("", "question", "capacity", "refusal", "setup", "place", "outside", "unwritten", "infinite")
        faults += ("uniform", "beyond")
        fault = self.options.fault
        self.setup = np.array([faults.index(fault) if fault in faults else 0, 0], np.uint64)
        self.players, self.seats, self.state_words, self.max_actions, self.max_turn = 1, ("taker",), 2, 3, 1
        self.scratch_words = 1 if fault == "scratch" else 2
        self.policies = ("first",)
        self.indices, self.feature_shape = 3, (2,)
        self.default_evaluation = "nothing"

    def functions(self):
        named = (start, legal_actions, is_legal, apply, to_move, turn, returns, fingerprint, policy)
        named += (index, features)
        return {function.python.__name__: function for function in named}

    def evaluations(self):
        return {"nothing": Evaluation(nothing, -1.0, 1.0, "nothing")}

    def action_text(self, row, action):
        return f"take {action}"

    def parse_action(self, row, text):
        if not text.startswith("take "):
            raise turnwise.core.errors.NotationError(text)
        return int(text[5:])

    def state_dict(self, row):
        return {"taken": int(row[0]), "asked": int(row[1])}

    def state_row(self, data):
        if set(data) != {"taken", "asked"}:
            raise turnwise.core.errors.NotationError("fields")
        return np.array([data["taken"], data["asked"]], np.uint64)


def test_a_sound_compiled_game_passes():
    check_game(Take(), without=NO_RESULTS)


@pytest.mark.parametrize(
    ("fault", "check", "words"),
    [
        ("question", "pure-questions", "a query of a state changed it"),
        ("capacity", "playable", "max_actions is 3"),
        ("beyond", "playable", "listed 2 actions, but wrote entry 4 .* max_actions = 3"),
        ("refusal", "playable", "playing a listed action failed"),
        ("setup", "pure-questions", "own setup"),
        ("uniform", "undrawn-actions", "drew no outcome"),
        ("scratch", "policies", "beyond its 1 scratch words"),
        ("place", "places", "index is 3; expected a number from 0 to 2"),
        ("outside", "features", "written outside their 2 numbers"),
        ("unwritten", "features", "leave number 1 of 2 unwritten"),
        ("infinite", "features", "have a number nan"),
    ],
)
def test_broken_compiled_games_are_caught(fault, check, words):
    failures = {failure.check: failure for failure in game_failures(Take(fault=fault), states=12)}
    assert check in failures, failures
    assert re.search(words, failures[check].message)


class Uncounted(Take):
    """Its JSON form leaves a word of the row out."""

    def state_dict(self, row):
        return {"taken": int(row[0])}

    def state_row(self, data):
        if set(data) != {"taken"}:
            raise turnwise.core.errors.NotationError("fields")
        return np.array([data["taken"], 7], np.uint64)


def test_a_form_that_does_not_give_the_row_back_is_caught():
    failures = {failure.check: failure for failure in game_failures(Uncounted(), states=12)}
    assert "word 1 of the row is 0, but 7 after reading the form back" in failures["equal-forms"].message


class Drifting(Walking):
    """Every object of it begins somewhere else, which the options do not say."""

    made = 0

    def __init__(self, **options):
        super().__init__(**options)
        Drifting.made += 1
        self.offset = Drifting.made

    def first_state(self, random: Chance) -> Walk:
        return Walk((random.draw(3) + self.offset, 0))


def test_a_scenario_that_its_options_do_not_determine_is_caught():
    failures = {failure.check: failure for failure in game_failures(Drifting(), states=12)}
    assert "begins differently with seed 0" in failures["scenarios"].message


class Versioned(Take):
    """Reads the form of an earlier version, too; ``honest`` says so through ``state_dict_like``."""

    honest = True

    def state_row(self, data):
        return super().state_row({"asked": 0} | dict(data))

    def state_dict_like(self, row, recorded):
        own = self.state_dict(row)
        return own if "asked" in recorded or not self.honest else {"taken": own["taken"]}


def test_an_earlier_form_may_be_read_if_it_can_be_written():
    assert not game_failures(Versioned(), states=12, without=NO_RESULTS)

    class Dishonest(Versioned):
        honest = False

    failures = {failure.check: failure for failure in game_failures(Dishonest(), states=12)}
    assert "without 'asked' is read without a NotationError" in failures["damaged-states"].message


def test_guard_words_catch_lists_beyond_their_capacity(monkeypatch):
    monkeypatch.setattr(calls, "BOUNDSCHECK", True)
    assert len(Take().start().legal_codes()) == 2
    for fault, listed in (("capacity", 5), ("beyond", 2)):
        with pytest.raises(CapacityError, match=rf"listed {listed} legal actions .* max_actions = 3\. Raise"):
            Take(fault=fault).start().legal_codes()


# ------------------------------------------------------------------------------------------------------- perft


def slow_perft(state, depth, seed=None):
    """Lists of states and sets of their JSON forms, in plain code."""
    level, table = [state], []
    for _ in range(depth):
        running = [(s, k, a) for s in level if not s.is_over for k, a in enumerate(s.legal_actions())]
        if seed is None:
            level = [s.play(a, [0] * draws_of(s, a)) for s, _, a in running]
        else:
            level = [s.with_chance(word_of(seed, s, k)).play(a) for s, k, a in running]
        table.append((len(level), len({json.dumps(s.to_dict()) for s in level})))
    return table


def word_of(seed, state, k):
    """The word of the generator in a state: mixed from seed, fingerprint and position in the list."""
    with np.errstate(over="ignore"):
        word = mix(np.uint64(state.fingerprint) ^ np.uint64(seed % 2**64))
        return int(mix(word + np.uint64(k)))


def draws_of(state, action):
    return len(state.play(action).outcomes)


@pytest.mark.parametrize("seed", [1, 2])
def test_perft_is_the_slow_twins(seed):
    state = OrchardGame().start(seed)
    assert perft(state, 4) == slow_perft(state, 4)
    walk = Walking().start(seed)
    assert perft(walk, 6) == slow_perft(walk, 6)


@pytest.mark.parametrize("seed", [0, 7, -1, 2**70])
def test_perft_with_a_chance_seed_is_the_slow_twins(seed):
    state = OrchardGame().start(3)
    assert perft(state, 4, chance_seed=seed) == slow_perft(state, 4, seed)
    walk = Walking().start(3)
    assert perft(walk, 6, chance_seed=seed) == slow_perft(walk, 6, seed)


def test_the_chance_seed_of_perft_matters_only_with_chance():
    walk = Walking().start(1)
    assert len({tuple(perft(walk, 6, chance_seed=seed)) for seed in range(6)}) > 1
    assert perft(Take().start(), 4, chance_seed=1) == perft(Take().start(), 4)


def test_perft_stops_at_ends_and_limits():
    assert perft(Take().start(), 8) == [(2, 1), (4, 1), (8, 1), (16, 1), (32, 1), (64, 1), (0, 0), (0, 0)]
    with pytest.raises(CapacityError, match="more than 20 states"):
        perft(OrchardGame().start(1), 3, max_states=20)
    game = OrchardGame()
    perft(game.start(1), 3)
    assert len(game._table.nodes) < 10


# ---------------------------------------------------------------------------------------------------- planners


class CrashesOnShow(Walking):
    def show(self, state):
        raise LookupError("no picture")


class CrashesAtOnce(Walking):
    def first_state(self, random):
        raise LookupError("no state")


@pytest.mark.parametrize(("game", "check"), [(CrashesOnShow, "drawings"), (CrashesAtOnce, "playable")])
def test_crashes_are_failures_too(game, check):
    failures = {check: failure for failure in game_failures(game(), states=12) for check in failure.checks}
    assert "LookupError" in failures[check].message


def test_a_sound_planner_passes():
    check_planner(HillClimbing(), Walking())
    check_planner(HillClimbing(), OrchardGame())


class FirstActions(HillClimbing):
    """A correct planner; the broken planners below change its plan."""

    def plan(self, state, budget, seed=0):
        return self.spoil(state, super().plan(state, budget, seed))


class Cut(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, codes=plan.codes[:1], actions=plan.actions[:1])


class TooLong(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, codes=plan.codes * 2, actions=plan.actions * 2)


class Empty(FirstActions):
    def spoil(self, state, plan):
        return Plan((), ())


class Unlisted(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, codes=(77,), actions=("?",))


class WrongTexts(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, actions=("hop",) * len(plan.codes))


class Unseeded(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, value=python_random.random())


class Spendthrift(FirstActions):
    def spoil(self, state, plan):
        return replace(plan, report=replace(plan.report, forward_calls=10**6))


class NoPlan(FirstActions):
    def spoil(self, state, plan):
        return 42


@pytest.mark.parametrize(
    ("planner", "words"),
    [
        (Cut, "the turn goes on after the plan"),
        (TooLong, "after the end of the turn"),
        (Empty, "empty"),
        (Unlisted, "not the code"),
        (WrongTexts, "do not match"),
        (Unseeded, "same seed differ"),
        (Spendthrift, "forward calls under the budget"),
        (NoPlan, "expected a Plan"),
    ],
)
def test_broken_planners_are_caught(planner, words):
    failures = planner_failures(planner(), OrchardGame(), budgets=[turnwise.Budget(forward_calls=60)])
    assert len(failures) == 1
    assert words in failures[0].message


class Threaded(SPMCTS):
    """Its values depend on the number of threads."""

    def plan(self, state, budget, seed=0):
        return replace(super().plan(state, budget, seed), value=float(self.parameters.threads))


@pytest.mark.parametrize("threads", [1, 2])
def test_plans_that_depend_on_the_number_of_threads_are_caught(threads):
    budgets = [turnwise.Budget(iterations=5)]
    failures = planner_failures(Threaded(streams=2, threads=threads), OrchardGame(), budgets=budgets)
    assert "streams=2,threads=2" in failures[0].message or threads == 2
    assert "threads must not change a plan" in failures[0].message
    assert not planner_failures(Threaded(), OrchardGame(), budgets=budgets)
    assert not planner_failures(SPMCTS(streams=2, threads=threads), OrchardGame(), budgets=budgets)


class Uncounting(PythonPlanner):
    """Searches until the budget is exhausted, and counts no iteration."""

    name, title = "uncounting", "Uncounting"

    def search(self, state, meter, random):
        while not meter.exhausted:
            meter.evaluate(state, state.to_move)
        return [state.legal_codes()[0]]


@pytest.mark.parametrize("scope", ["turn", "action"])
def test_a_planner_that_counts_no_iterations_is_stopped(scope):
    endless = turnwise.Budget(iterations=1, scope=scope)
    budgets = [turnwise.Budget(evaluations=3), endless, turnwise.Budget(evaluations=2)]
    failures = planner_failures(Uncounting(), Counting(), budgets=budgets, longest=0.3)
    assert [failure.check for failure in failures] == [f"budget {endless}"]
    assert f"not ready after 0.3 s under the budget {endless}" in failures[0].message
    assert "meter.count_iteration()" in failures[0].message
    assert failures[0].state
    with pytest.raises(ConformanceError, match="count_iteration"):
        check_planner(Uncounting(), Counting(), budgets=[endless], longest=0.3)


def test_a_result_of_the_wrong_sign_is_found_in_games_for_one_player():
    class Alone(Counting):
        players = 1

        def evaluate(self, state, player):
            return float(state.totals[0])

    assert not [failure.check for failure in game_failures(Alone()) if failure.check == "better-values"]

    class Reversed(Alone):
        def returns(self, state):
            return [-float(state.totals[0])]

    found = [failure for failure in game_failures(Reversed()) if failure.check == "better-values"]
    assert "the better result has the lower value" in found[0].message


@pytest.mark.parametrize(
    "game",
    [
        "hero-academy:map=a-tiny,deck=tiny",
        "hero-academy:map=a-tiny,deck=tiny,hands=hidden",
        "samegame",
        "stratega:mode=healers",
        "stratega:mode=pushers",
    ],
)
def test_our_games_pass_with_default_settings(game):
    check_game(turnwise.make(game))


class NeverAsking(PythonPlanner):
    """Plays on and on, and never asks whether it may."""

    name, title = "never-asking", "Never asking"

    def search(self, state, meter, random):
        while True:
            meter.play(state, int(state.legal_codes()[0]))


def test_a_planner_that_never_asks_is_stopped():
    failures = planner_failures(NeverAsking(), Counting(), budgets=["iterations=1"], longest=0.3)
    assert "not ready after 0.3 s" in failures[0].message


class Leaving(PythonPlanner):
    """Ends the program."""

    name, title = "leaving-python", "Leaving"

    def search(self, state, meter, random):
        raise SystemExit


class LeavingGame(Walking):
    """Ends the program."""

    def evaluate(self, state, player):
        raise SystemExit


def test_code_that_ends_the_program_fails():
    failures = planner_failures(Leaving(), Counting(), budgets=["iterations=1"])
    assert "plan raised SystemExit" in failures[0].message
    assert any("SystemExit" in failure.message for failure in game_failures(LeavingGame()))


class LateTexts:
    """The texts of the later actions of its plans are wrong."""

    def plan(self, state, budget, seed=0):
        plan = turnwise.planner("random").plan(state, budget, seed)
        return replace(plan, actions=(plan.actions[0], *("no text" for _ in plan.actions[1:])))


def test_texts_of_later_actions_are_compared_with_their_codes():
    failures = planner_failures(
        LateTexts(), turnwise.make("hero-academy:map=a-tiny,deck=tiny"), budgets=["iterations=5"]
    )
    assert "do not match its codes" in failures[0].message


class Noting:
    """Notes the states that it plans from."""

    def __init__(self):
        self.seen = set()

    def plan(self, state, budget, seed=0):
        self.seen.add(state.fingerprint)
        return turnwise.planner("random").plan(state, budget, seed)


@pytest.mark.parametrize("states", [1, 12, 40])
def test_a_planner_is_checked_in_as_many_states_as_wanted(states):
    noting = Noting()
    check_planner(noting, turnwise.make("hero-academy:map=a-tiny,deck=tiny"), states=states, budgets=["iterations=5"])
    assert len(noting.seen) == states


def test_a_game_without_a_state_to_plan_from_is_refused():
    over = type("Over", (Counting,), {"turns": 0})()
    with pytest.raises(OptionError, match="over when they begin"):
        check_planner(Noting(), over)


def test_a_budget_of_time_is_no_endless_plan():
    check_planner(Uncounting(), Counting(), states=1, budgets=[turnwise.Budget(seconds=0.4)], longest=0.3)


class OneRoll(Counting):
    """Allows "roll" as the first action of a turn only."""

    def legal_actions(self, state):
        return ["one", "roll", "stop"] if state.left == 3 else ["one", "stop"]


class Hoarder(SPMCTS):
    """It reports more memory than it may use, and with a horizon of two actions it fails."""

    def search(self, problem, budget, memory):
        line = super().search(problem, budget, memory)
        if self.parameters.memory is not None:
            line.details["bytes"] = 64e6 + 1
        if self.parameters.horizon == "actions=2":
            raise ZeroDivisionError
        return line


def test_other_horizons_and_limits_of_memory_are_checked():
    assert not planner_failures(SPMCTS(), OrchardGame(), states=1)
    found = {failure.check: failure.message for failure in planner_failures(Hoarder(), OrchardGame(), states=1)}
    assert set(found) == {"horizon=actions=2", "memory=64MB"}
    assert "64000001 bytes of memory, but memory=64000000" in found["memory=64MB"]
    assert "ZeroDivisionError" in found["horizon=actions=2"]


class Careless(PythonPlanner):
    """Returns a line without playing it."""

    name, title, iteration = "careless", "Careless", "nothing"
    line = ("one", "roll", "stop")

    def search(self, state, meter, random):
        return self.line


class Surprised(Careless):
    """The second roll becomes illegal after a chance outcome, which no planner can know."""

    line = ("roll", "roll", "stop")


class Beyond(PythonPlanner):
    """Returns its turn and the actions of the next one."""

    name, title, iteration = "beyond", "Beyond", "nothing"
    line = ("one", "stop", "one", "roll")

    def search(self, state, meter, random):
        return self.line


class BeyondChance(Beyond):
    """Chance takes part before the end of the turn, so that no search knows what comes then."""

    line = ("roll", "stop", "one")


def test_actions_after_the_end_of_the_turn_are_refused():
    budgets = [turnwise.Budget(iterations=1), turnwise.Budget(forward_calls=3)]
    (failure,) = planner_failures(Beyond(), Counting(), states=1, budgets=budgets[:1])
    words = "search returned 4 actions, but the turn ends after 2 of them; the surplus is never played: 'one', 'roll'."
    assert words in failure.message
    assert failure.action == "one"
    assert failure.state
    check_planner(BeyondChance(), Counting(), states=1, budgets=budgets)
    assert Beyond().plan(Counting().start(), budgets[0]).actions == ("one", "stop")


def test_an_illegal_action_of_a_search_is_named():
    with pytest.raises(
        ConformanceError, match=r"careless: .* whose action 2, 'roll', is illegal.*\(turn 0\)"
    ) as caught:
        check_planner(Careless(), OneRoll(), states=1)
    failure = caught.value.failures[0]
    assert failure.action == "roll"
    assert json.loads(failure.state) == OneRoll().start(0).play("one").to_dict()
    assert "legal there: 'one', 'stop'" in failure.message


def test_an_action_that_chance_makes_illegal_is_no_failure():
    state = OneRoll().start()
    plan = Surprised().plan(state, turnwise.Budget(iterations=1))
    assert plan.actions[0] == "roll"
    assert "roll" not in plan.actions[1:]
    check_planner(Surprised(), OneRoll(), states=1, budgets=[turnwise.Budget(iterations=5)])


def test_a_planner_with_an_illegal_line_forfeits():
    record = play_game(OneRoll(), [Careless(), HillClimbing()], "iterations=1")
    assert record.ending is Ending.ILLEGAL_ACTION
    assert "whose action 2, 'roll', is illegal" in record.detail


def test_a_list_of_texts_is_a_plan():
    class Texts:
        def plan(self, state, budget, seed=0):
            actions, mover = [], state.to_move
            while state.to_move == mover:
                actions.append("rest")
                state = state.play("rest")
            return actions

    check_planner(Texts(), OrchardGame(), states=1)


class OneByOne:
    """Plans one action of a turn, whatever follows."""

    def plan(self, state, budget, seed=0):
        return [state.legal_actions()[0]]


class OneByOneAsPlan(OneByOne):
    """The same as a plan that admits it."""

    def plan(self, state, budget, seed=0):
        return Plan.of(state, super().plan(state, budget, seed))


class ShortPlans(Counting):
    """A plan has room for one action, so that turns are planned in parts."""

    max_turn = 1


@pytest.mark.parametrize("planner", [OneByOne, OneByOneAsPlan])
def test_a_plan_of_a_part_of_a_turn_is_refused(planner):
    (failure,) = planner_failures(planner(), Counting(), states=1)
    assert "the turn goes on after the plan ('one',); expected the rest of the turn" in failure.message
    assert len(failure.checks) > 10
    check_planner(planner(), ShortPlans(), states=1)


class UntilChance(OneByOne):
    """Plans up to the next roll, since what follows depends on it."""

    def plan(self, state, budget, seed=0):
        return ["roll"]


def test_a_plan_may_end_where_chance_decides():
    check_planner(UntilChance(), Counting(), states=1, budgets=["iterations=1"])


class Sleeping(PythonPlanner):
    """Sleeps before it looks at the time."""

    name, title = "sleeping", "Sleeping"
    seconds = 0.5

    def search(self, state, meter, random):
        time.sleep(self.seconds)
        return []


class DisturbedOnce(Sleeping):
    """Two of its plans are late, as on a busy machine."""

    plans = 0

    def search(self, state, meter, random):
        self.plans += 1
        self.seconds = 0.4 if self.plans <= 2 else 0.0
        return super().search(state, meter, random)


@pytest.mark.parametrize("scope", ["turn", "action"])
def test_a_planner_that_is_late_under_a_budget_of_time_is_refused(scope):
    late = turnwise.Budget(seconds=0.002, scope=scope)
    (failure,) = planner_failures(Sleeping(), Counting(), states=1, budgets=[late])
    assert "the fastest of 5 plans took 0.50 s longer than the budget time=2ms" in failure.message
    assert "meter.exhausted" in failure.message


def test_a_busy_machine_is_no_failure():
    disturbed = DisturbedOnce()
    check_planner(disturbed, Counting(), states=1, budgets=["time=2ms"])
    assert disturbed.plans == 3


def test_a_budget_of_cpu_time_does_not_count_sleep():
    check_planner(Sleeping(), Counting(), states=1, budgets=["cpu=2ms"])


class FailingStart(Counting):
    """Its own code fails before anybody can plan."""

    def first_state(self, random):
        return {}["start"]


class FailingPlay(Counting):
    """Its own code fails after two turns."""

    def play(self, state, action, random):
        return super().play(state, action if state.turn < 2 else "none of these", random)


@pytest.mark.parametrize("game", [FailingStart, FailingPlay])
def test_a_planner_cannot_be_checked_on_a_broken_game(game):
    (failure,) = planner_failures(HillClimbing(), game(), states=1)
    assert failure.check == "playable"
    assert f"{game.name}: " in failure.message
    assert ".py, line " in failure.message
    assert "No plan was checked" in failure.message
    assert [failure.check for failure in game_failures(game())] == ["playable"]


class Hungry(SPMCTS):
    """It needs more memory than the kit gives it."""

    def search(self, problem, budget, memory):
        if self.parameters.memory is not None:
            raise OptionError("memory=64MB is too little")
        return super().search(problem, budget, memory)


class OneHorizon(SPMCTS.Parameters):
    """Parameters of a planner that looks two actions ahead."""

    horizon: Literal["actions=2"] = "actions=2"


class Narrow(SPMCTS):
    """It knows one horizon only."""

    Parameters = OneHorizon


def test_settings_that_cannot_be_checked_are_skipped():
    found = checked_planner(Hungry(), OrchardGame(), states=1)
    assert found.skipped["memory=64MB"] == "memory=64MB is too little"
    assert "horizon = 'turns=3'" in found.skipped["horizon=turns=3"]
    assert len(found.skipped) == 2
    assert "memory=64MB" not in found.passed
    assert "horizon=actions=2" in found.passed
    assert not found.failures
    narrow = checked_planner(Narrow(), OrchardGame(), states=1)
    assert set(narrow.skipped) == {"horizon=own-turn", "horizon=turns=3"}
    assert "planner sp-mcts: " in narrow.skipped["horizon=own-turn"]
    assert {"horizon=actions=2", "memory=64MB"} <= {*narrow.passed}


def test_a_check_of_nothing_is_refused():
    with pytest.raises(OptionError, match="nothing to check: expected at least one check, but all are left out"):
        check_game(Counting(), without=list(GAME_CHECKS))


class StrangePlace(Walking):
    """The rules do not know the number that a view has for the other walker's place."""

    def view(self, state, player):
        return replace(state, places=tuple(x if p == player else -1 for p, x in enumerate(state.places)))

    def determinise(self, state, player, random):
        return replace(state, places=tuple(random.draw(5) if x == -1 else x for x in state.places))

    def evaluate(self, state, player):
        return float({place: place for place in range(20)}[state.places[1 - player]])


def test_the_cause_why_a_view_cannot_be_played_on_is_the_one_that_there_is():
    def message(game):
        (found,) = [failure for failure in game_failures(game) if "playable-views" in failure.checks]
        return found.message

    assert "not None" in message(NothingThere())
    strange = message(StrangePlace())
    assert "KeyError: -1" in strange
    assert "let the rules accept every value by which the view stands for what is hidden" in strange
    assert "None" not in strange
