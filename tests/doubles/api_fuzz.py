"""Calls the whole Python interface of one game with invalid values; run as a program, since a crash ends the process.

Every call must return a sensible result or raise a TurnwiseError. Rows and buffers are surrounded by guard words, which
no call may change; states and the game's setup must stay unchanged.
"""

from __future__ import annotations

import copy
import json
import math
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from orchard import OrchardGame

import turnwise
from doubles.counting_game import Counting
from doubles.skirmish.game import Skirmish
from doubles.toy_game import Toy
from turnwise import Batch, Budget, Chance, Evaluation, Meter, Plan, Session, State
from turnwise.arena import MatchRules, play_game, solve
from turnwise.core import calls
from turnwise.core import state as state_module
from turnwise.core.chance import as_outcomes, derive_seed, generator, recorder, tape
from turnwise.core.errors import TurnwiseError
from turnwise.search.problem import Problem
from turnwise.testing import check_game, check_planner, game_failures, perft, planner_failures

GUARD, PAD = np.uint64(0xDEADBEEFCAFEF00D), 512
EXAMPLES = {
    "hero-academy": lambda: turnwise.make("hero-academy", map="a-tiny", deck="tiny", hands="hidden"),
    "samegame": lambda: turnwise.make("samegame"),
    "search-race": lambda: turnwise.make("search-race"),
    "orchard": OrchardGame,
    "counting": Counting,
    "toy": lambda: Toy(players=3, chance=True),
    "skirmish": Skirmish,
}
SMALL = Budget(iterations=1)
Surfaces = Iterator[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]  # name, call of one argument, check


# -------------------------------------------------------------------------------------------------- guarded memory


def untouched(block: np.ndarray, what: str) -> None:
    """Check that the guard words on both sides of a block are unchanged."""
    guards = np.concatenate([block[:PAD], block[-PAD:]])
    assert (guards == GUARD).all(), f"{what}: memory outside of it has changed"


class GuardedNumpy:
    """NumPy for the module that owns the buffers, with guard words around its allocations."""

    def __init__(self) -> None:
        self.blocks: list[np.ndarray] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def zeros(self, shape: Any, dtype: Any = float) -> np.ndarray:
        count = math.prod(shape) if isinstance(shape, tuple) else int(shape)
        words = -(-count * np.dtype(dtype).itemsize // 8)
        block = np.full(words + 2 * PAD, GUARD, np.uint64)
        self.blocks.append(block)
        block[PAD:-PAD] = 0
        return block[PAD:-PAD].view(dtype)[:count].reshape(shape)

    def check(self) -> None:
        for block in self.blocks:
            untouched(block, "a buffer")
        self.blocks.clear()


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Call a table function on a copy of its row between guard words."""

    def call(game: Any, name: Any, row: np.ndarray, *arguments: Any) -> Any:
        block = np.full(len(row) + 2 * PAD, GUARD, np.uint64)
        inner = block[PAD:-PAD]
        inner[:] = row
        result = function(game, name, inner, *arguments)
        untouched(block, f"{name}: a row")
        if row.flags.writeable:
            row[:] = inner
        assert (row == inner).all(), f"{name}: a read-only row has changed"
        return result

    return call


# -------------------------------------------------------------------------------------------------------- nonsense


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


def nonsense(game: Any) -> list[Any]:
    circle: list[Any] = []
    circle.append(circle)
    others = [make().start(1) for name, make in EXAMPLES.items() if name != game.name]
    numbers = [0, 1, -1, 2, 3, 7, 99, 255, 7436, 7437, 10**6, -(10**6), 10**9, -(10**9), 2**31, -(2**31) - 1, 99999999]
    numbers += [2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30), 10**5000]
    floats = [0.0, 0.9, 1.0, -0.5, math.nan, math.inf, -math.inf, 1e300, complex(1, 2), Decimal("0.5"), Fraction(1, 3)]
    texts = [
        "",
        "end",
        "0",
        "1",
        "0 0",
        "\x00",
        "nonsense",
        "x" * 10000,
        "9" * 5000,
        "as-coded",
        "uniform",
        "é٣",
        b"end",
    ]
    texts += ["move 0,0>9,9", f"drop KN>{'9' * 5000},0", f"EXPERT {'9' * 18} 200", f"{'9' * 18} -{'9' * 18} 200"]
    lists: list[Any] = [[], [1], [[1]], (), (0.5,), ("a",), [None], [10**30], [-1] * 300, circle, {}, {"a": 1}]
    lists += [{1: 2, "b": 3}, {"(state)": 1}, set(), range(3), iter([1]), bytearray(b"1"), memoryview(b"1")]
    arrays: list[Any] = [np.int64(1), np.int64(-1), np.uint64(2**64 - 1), np.int8(-1), np.float64(0.5), np.bool_(True)]
    arrays += [np.str_("end"), np.array(1), np.array(True), np.array([1, 2]), np.zeros(0), np.zeros((2, 2)), np.nan]
    arrays += [np.array(["a"]), np.zeros(game.state_words), np.zeros(2 * game.state_words, np.uint64)[::2]]
    arrays += [np.zeros(game.state_words + 1, np.uint64), np.full(game.state_words, 2**64 - 1, np.uint64)]
    arrays += [np.arange(game.state_words, dtype=np.uint64), np.zeros((1, game.state_words), np.uint64)]
    things: list[Any] = [None, True, False, object(), object, len, NoRepr(), State, turnwise, game, SMALL, Plan((), ())]
    things += [Evaluation(0, 0.0, 1.0, ""), Random(1), turnwise.planner("random"), *others, *(s.row for s in others)]
    return [*things, *numbers, *floats, *texts, *lists, *arrays]


def damaged(data: Any, values: list[Any], source: Random) -> Any:
    """A JSON form with one part replaced, removed or doubled."""
    data = copy.deepcopy(data)
    place = data
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return data
        key = source.choice(keys)
        if isinstance(place[key], dict | list) and place[key] and source.random() < 0.7:
            place = place[key]
            continue
        how = source.randrange(4)
        if how == 0:
            del place[key]
        elif how == 1 and isinstance(place, list):
            place.append(copy.deepcopy(place[key]))
        elif how == 2 and isinstance(place[key], int):
            place[key] += source.choice([-1, 1, 10**5, -(10**5), 2**40])
        else:
            place[key] = source.choice(values)
        return data


# ----------------------------------------------------------------------------------------------------- the interface


def is_state(value: Any) -> None:
    assert isinstance(value, State)
    use(value)


def use(state: State) -> None:
    """Call all queries and actions of a state; all of them must work on any state."""
    game = state.game
    assert -1 <= state.to_move < game.players
    assert isinstance(state.turn, int)
    assert len(state.returns) == game.players
    assert all(map(math.isfinite, state.returns))
    assert 0 <= state.fingerprint < 2**64
    assert all([str(state), repr(state), "<svg" in state._repr_svg_()])
    assert game.from_dict(json.loads(json.dumps(state.to_dict()))) == state
    use_actors(state)
    use_places(state)
    for player in range(game.players):
        assert isinstance(state.has_news(state.view(player), player), bool)
        assert all(map(math.isfinite, state.metrics(player).values()))
        assert all(math.isfinite(state.evaluate(player, name)) for name in game.evaluation_names)
        assert state.view(player).determinise(player, 1).to_move == state.to_move
    listed = state.legal_codes().tolist()
    assert bool(listed) != state.is_over
    assert set(state.candidate_codes().tolist()) <= set(listed)
    for code in listed[:: max(1, len(listed) // 5)]:
        assert state.is_legal(code)
        assert state.code(state.text(code)) == code
        assert isinstance(state.play(code), State)


def use_actors(state: State) -> None:
    """Every actor has a kind, legal actions and an heir; every action of the player to move belongs to one or none."""
    game, listed = state.game, state.legal_codes().tolist()
    for player in range(game.players):
        for actor in state.actors(player):
            assert state.actor_kind(actor) >= 0
            assert state.actor_health(actor) >= 0
            assert set(state.actor_codes(actor).tolist()) <= set(listed)
            assert len(state.actor_actions(actor)) == len(state.actor_codes(actor))
            assert all(isinstance(state.heir(actor, code), int | None) for code in listed[:3])
    assert {state.actor(code) for code in listed} <= {None, *state.actors()}
    for name in game.script_names:
        action = state.script(name)
        assert action is None or state.is_legal(action)


def use_places(state: State) -> None:
    """Places are within their range, features within their shape."""
    game = state.game
    if game.pointers["index"]:
        places = [state.index(code) for code in state.legal_codes().tolist()]
        assert all(0 <= place < game.indices for place in places)
        assert len(set(places)) == len(places)
    if game.pointers["features"]:
        for player in range(game.players):
            assert np.isfinite(state.features(player)).all()


def surfaces(game: Any, state: State) -> Surfaces:
    """Name, call with one argument, and check of the result."""
    nothing = lambda _: None  # noqa: E731
    finite = lambda value: None if math.isfinite(value) else wrong(value)  # noqa: E731
    row, action, data = state.row, state.legal_actions()[0], state.to_dict()
    yield "State.code", state.code, lambda c: -(2**63) <= c < 2**63 or wrong(c)
    yield "State.text", state.text, lambda t: isinstance(t, str) or wrong(t)
    yield "State.is_legal", state.is_legal, lambda v: isinstance(v, bool) or wrong(v)
    yield "State.play", state.play, is_state
    yield "State.play outcomes", lambda x: state.play(action, x), nothing
    yield "State.index", state.index, lambda i: 0 <= i < game.indices or wrong(i)
    yield "State.features", state.features, lambda f: np.isfinite(f).all() or wrong(f)
    yield "State.actors", state.actors, lambda found: all(type(actor) is int for actor in found) or wrong(found)
    yield "State.actor", state.actor, lambda actor: actor is None or actor >= 0 or wrong(actor)
    yield "State.verb", state.verb, lambda verb: verb is None or verb >= 0 or wrong(verb)
    yield "State.actor_kind", state.actor_kind, lambda kind: kind >= 0 or wrong(kind)
    yield "State.actor_health", state.actor_health, lambda health: health >= 0 or wrong(health)
    yield "State.actor_codes", state.actor_codes, lambda codes: all(map(state.is_legal, codes.tolist())) or wrong(codes)
    yield "State.actor_actions", state.actor_actions, lambda texts: all(map(state.is_legal, texts)) or wrong(texts)
    yield "State.heir actor", lambda x: state.heir(x, action), lambda a: a is None or a >= 0 or wrong(a)
    yield "State.heir action", lambda x: state.heir(state.actors()[0], x) if state.actors() else None, nothing
    yield "State.script", state.script, nothing
    for script in game.script_names[:1]:
        yield "State.script actor", lambda x, s=script: state.script(s, x), nothing
        yield "State.script seed", lambda x, s=script: state.script(s, None, x), nothing
    yield "State.after", state.after, lambda after: after is None or is_state(after)
    yield "State.has_news expected", lambda x: state.has_news(x, 0), lambda v: isinstance(v, bool) or wrong(v)
    yield "State.has_news player", lambda x: state.has_news(state, x), lambda v: isinstance(v, bool) or wrong(v)
    yield "State.evaluate player", state.evaluate, finite
    yield "State.evaluate name", lambda x: state.evaluate(0, x), finite
    yield "State.evaluate root", lambda x: state.evaluate(0, "", x), finite
    yield "State.metrics", state.metrics, lambda m: all(map(math.isfinite, m.values())) or wrong(m)
    yield "State.with_chance", state.with_chance, is_state
    yield "State.view", state.view, is_state
    yield "State.determinise player", lambda x: state.determinise(x, 1), is_state
    yield "State.determinise seed", lambda x: state.determinise(0, x), is_state
    yield "State ==", state.__eq__, nothing
    yield "State(game)", lambda x: State(x, row), is_state
    yield "State(row)", lambda x: State(game, x), is_state
    yield "State(chance)", lambda x: State(game, row, x), is_state
    yield "State(outcomes)", lambda x: State(game, row, 0, x), is_state
    yield "Game.start seed", game.start, is_state
    yield "Game.start outcomes", lambda x: game.start(0, x), is_state
    yield "Game.from_dict", game.from_dict, is_state
    yield "Game.from_dict seed", lambda x: game.from_dict(data, x), is_state
    yield "Game.evaluation", game.evaluation, nothing
    yield "Game.seat_name", game.seat_name, nothing
    yield "Game.action_text", lambda x: game.action_text(row, x) if type(x) is int else "", nothing
    yield "Game.parse_action", lambda x: game.parse_action(row, x) if type(x) is str else 0, nothing
    known = game.evaluation()[1]
    yield "register_evaluation name", lambda x: game.register_evaluation(x, known, 1), nothing
    yield "register_evaluation", lambda x: game.register_evaluation("own", x), nothing
    yield "register_evaluation states", lambda x: game.register_evaluation("own", known, few(x)), nothing
    for part in ("function", "low", "high", "parameters"):
        yield f"Evaluation {part}", lambda x, p=part: register(game, known, p, x), nothing
    for option in type(game.options).model_fields:
        yield f"option {option}", lambda x, o=option: type(game)(**{o: x}), nothing
    yield from surfaces_of_budgets()
    yield from surfaces_of_batches(game, state)
    yield from surfaces_of_planners(game, state, action)
    yield from surfaces_of_tools(game, state, action)


def surfaces_of_budgets() -> Surfaces:
    is_budget = lambda b: (str(b) and turnwise.parse_budget(str(b)).scope == b.scope) or wrong(b)  # noqa: E731
    for part in ("seconds", "forward_calls", "evaluations", "iterations"):
        yield f"Budget {part}", lambda x, p=part: Budget(**{p: x}), is_budget
    yield "Budget scope", lambda x: Budget(iterations=1, scope=x), is_budget
    yield "Budget.scaled", Budget(1.5, 10, 10, 10).scaled, is_budget
    yield "Budget.less", Budget(1.5, 10, 10, 10).less, is_budget
    yield "parse_budget", turnwise.parse_budget, is_budget


def surfaces_of_batches(game: Any, state: State) -> Surfaces:
    nothing = lambda _: None  # noqa: E731
    plays = lambda b: b.step(b.sample()) if b.movers.min() >= 0 else None  # noqa: E731
    yield "Batch game", lambda x: Batch(x, 2), plays
    yield "Batch games", lambda x: Batch(game, few(x)), plays
    yield "Batch seed", lambda x: Batch(game, 2, x), plays
    yield "Batch threads", lambda x: Batch(game, 2, threads=few(x)), plays
    yield "Batch auto_reset", lambda x: Batch(game, 2, auto_reset=x), plays
    batch = Batch(game, 2, 1)
    yield "Batch.step", batch.step, nothing
    yield "Batch.step one", lambda x: batch.step([x, batch.sample()[1]]), nothing
    yield "Batch.step_indices", batch.step_indices, nothing
    yield "Batch.step_indices one", lambda x: batch.step_indices([x, 0]), nothing
    yield "Batch.sample", batch.sample, nothing
    yield "Batch.set number", lambda x: batch.set(x, state), nothing
    yield "Batch.set state", lambda x: batch.set(0, x), nothing
    yield "Batch.features", batch.features, lambda found: np.isfinite(found).all() or wrong(found)
    yield "Batch.state", batch.state, is_state


def surfaces_of_planners(game: Any, state: State, action: str) -> Surfaces:
    is_plan = lambda p: (isinstance(p, Plan) and p.codes) or wrong(p)  # noqa: E731
    nothing = lambda _: None  # noqa: E731
    mover = state.to_move
    for name in ("greedy-action", "online-evolution", "plain"):
        planner: Any = Plain() if name == "plain" else turnwise.planner(name)
        yield f"{name}.plan state", lambda x, p=planner: p.plan(x, SMALL), is_plan
        yield f"{name}.plan budget", lambda x, p=planner: p.plan(state, x), is_plan
        yield f"{name}.plan seed", lambda x, p=planner: p.plan(state, SMALL, x), is_plan
        yield f"{name}.session game", lambda x, p=planner: p.session(x, 0, 1), nothing
        yield f"{name}.session seat", lambda x, p=planner: p.session(game, x, 1).plan(state, SMALL), is_plan
        yield f"{name}.session seed", lambda x, p=planner: p.session(game, mover, x).plan(state, SMALL), is_plan
        yield f"{name} session.plan", lambda x, p=planner: p.session(game, mover, 1).plan(x, SMALL), is_plan
        yield f"{name} session budget", lambda x, p=planner: p.session(game, mover, 1).plan(state, x), is_plan
        yield f"{name} next_action", lambda x, p=planner: p.session(game, mover, 1).next_action(x, SMALL), nothing
        yield (
            f"{name} next_action budget",
            lambda x, p=planner: p.session(game, mover, 1).next_action(state, x),
            nothing,
        )
    yield "Session planner", lambda x: Session(x, game, mover, 1).plan(state, SMALL), is_plan
    yield "planner's answer", lambda x: Session(Answers(x), game, mover, 1).next_action(state, SMALL), nothing
    yield "planner's codes", lambda x: Session(Answers(x, True), game, mover, 1).next_action(state, SMALL), nothing
    yield "search's answer", lambda x: Plain(x).plan(state, SMALL), is_plan
    yield "Plan codes", lambda x: Plan(x, ()), nothing
    yield "Plan continuation", lambda x: Plan((), (), continuation=x), nothing
    yield "Plan.of state", lambda x: Plan.of(x, [action]), is_plan
    yield "Plan.of", lambda x: Plan.of(state, x), nothing
    yield "planner preset", lambda x: turnwise.planner("mcts", preset=x), nothing
    for parameter in type(turnwise.planner("online-evolution").parameters).model_fields:
        yield f"parameter {parameter}", lambda x, p=parameter: turnwise.planner("online-evolution", **{p: x}), nothing
    yield "evaluation", lambda x: turnwise.planner("greedy-action", evaluation=x).plan(state, SMALL), is_plan
    yield "Problem seed", lambda x: Problem(state, SMALL, x), nothing
    yield "Problem state", lambda x: Problem(x, SMALL, 1), nothing
    yield "Problem budget", lambda x: Problem(state, x, 1), nothing
    yield "Problem evaluation", lambda x: Problem(state, SMALL, 1, x), nothing
    yield "Problem policy", lambda x: Problem(state, SMALL, 1, "", x), nothing
    yield "Problem parameters", lambda x: Problem(state, SMALL, 1, policy_parameters=x), nothing
    yield "Meter budget", lambda x: Meter(x, Random(1)), nothing
    yield "Meter random", lambda x: Meter(SMALL, x).play(state, action), is_state
    yield "Meter.play state", lambda x: Meter(SMALL, Random(1)).play(x, action), is_state
    yield "Meter.play", lambda x: Meter(SMALL, Random(1)).play(state, x), is_state
    yield "Meter.evaluate state", lambda x: Meter(SMALL, Random(1)).evaluate(x, 0), nothing
    yield "Meter.evaluate player", lambda x: Meter(SMALL, Random(1)).evaluate(state, x), nothing
    yield "Meter.evaluate name", lambda x: Meter(SMALL, Random(1)).evaluate(state, 0, x), nothing


def surfaces_of_tools(game: Any, state: State, action: str) -> Surfaces:
    nothing = lambda _: None  # noqa: E731
    yield "make", turnwise.make, nothing
    yield "planner", turnwise.planner, nothing
    yield "GAMES.get", turnwise.GAMES.get, nothing
    yield "GAMES.add name", lambda x: turnwise.GAMES.add(x, Toy), nothing
    yield "GAMES.add", lambda x: turnwise.GAMES.add("own", x), nothing
    yield "Chance", Chance, lambda c: 0 <= c.draw(6) < 6 or wrong(c)
    yield "Chance.draw", Chance(1).draw, lambda n: n >= 0 or wrong(n)
    yield "Chance.choice", Chance(1).choice, nothing
    yield "Chance.shuffled", Chance(1).shuffled, nothing
    yield "generator", generator, nothing
    yield "as_outcomes", as_outcomes, lambda a: (a.dtype == np.int64 and a.ndim == 1) or wrong(a)
    yield "tape", tape, nothing
    yield "recorder word", lambda x: recorder(x, np.zeros(4, np.int64)), nothing
    yield "recorder", lambda x: recorder(1, x), nothing
    yield "derive_seed", lambda x: derive_seed(x) if not isinstance(x, NoRepr | int) else 0, nothing
    yield "perft state", lambda x: perft(x, 1), nothing
    yield "perft depth", lambda x: perft(state, few(x)), nothing
    yield "perft states", lambda x: perft(state, 1, x), nothing
    bad = lambda x: few(x) if isinstance(x, int | np.integer) else x  # noqa: E731
    yield "check_game", lambda x: None if isinstance(x, turnwise.Game) else check_game(x), nothing
    yield "game_failures states", lambda x: None if valid_number(x) else game_failures(game, 0, bad(x)), nothing
    yield "game_failures seed", lambda x: None if valid_number(x) else game_failures(game, bad(x), 1), nothing
    yield "check_planner", lambda x: None if hasattr(x, "plan") else check_planner(x, game), nothing
    yield "check_planner game", lambda x: None if x is game else check_planner(Plain(), x), nothing
    yield (
        "planner_failures budgets",
        lambda x: planner_failures(Plain(), game, 0, 1, x if x is not None else [SMALL]),
        nothing,
    )
    yield from surfaces_of_the_arena(game, state)


def surfaces_of_the_arena(game: Any, state: State) -> Surfaces:
    nothing = lambda _: None  # noqa: E731
    once = MatchRules(max_turns=1)
    minds = [Plain() for _ in range(game.players)]

    def play(**changed: Any) -> Any:
        usual = {"game": game, "players": minds, "budget": SMALL, "rules": once, "start": state}
        return play_game(**{**usual, **changed})

    for name in ("players", "budget", "seed", "start", "seeds", "names", "rules", "game"):
        yield f"play_game {name}", lambda x, n=name: play(**{n: x}) if x is not None or n != "start" else None, nothing
    yield "a player's budget", lambda x: play(budget=[x] * game.players), nothing
    yield "a player", lambda x: play(players=[x] * game.players), nothing
    yield "a player's seed", lambda x: play(seeds=[x] * game.players), nothing
    yield "a player's answer", lambda x: play(players=[Answers(x)] * game.players), nothing
    for part in ("max_turns", "forfeit_overrun", "notes"):
        yield f"MatchRules {part}", lambda x, p=part: MatchRules(**{p: x}), nothing
    tiny = Budget(iterations=0)
    if game.players == 1 and game.name == "samegame":
        yield "solve game", lambda x: solve(x, Plain(), tiny), nothing
        yield "solve mind", lambda x: None if type(x) is str and not x else solve(state, x, tiny), nothing
        yield "solve budget", lambda x: solve(state, Plain(), x if x is not None else tiny), nothing
        yield "solve seed", lambda x: solve(state, Plain(), tiny, seed=x), nothing
        yield "solve seconds", lambda x: None if is_long(x) else solve(state, Plain(), tiny, seconds=x), nothing


def register(game: Any, known: Evaluation, part: str, value: Any) -> None:
    if part == "function" and type(value) is int and 0 < value < 2**64:
        return  # the address of a C function cannot be checked
    kept = {name: getattr(known, name) for name in ("function", "low", "high", "summary", "parameters")}
    game.register_evaluation("own", Evaluation(**{**kept, part: value}), 2)


def valid_number(value: Any) -> bool:
    return isinstance(value, int | np.integer | np.ndarray) and not isinstance(value, bool)


def few(value: Any) -> Any:
    """Make a number small enough to run; other values stay unchanged."""
    return value if not valid_number(value) or np.ndim(value) or not 3 < value <= 10**12 else 3


def is_long(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and value > 1


def wrong(value: Any) -> None:
    raise AssertionError(f"not a sensible result: {value!r:.200}")


class Answers:
    """A planner that returns a given value as its plan, or as the codes of its plan."""

    def __init__(self, answer: Any, as_codes: bool = False) -> None:
        self.answer, self.as_codes = answer, as_codes

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Any:
        return Plan(self.answer, ()) if self.as_codes else self.answer


class Plain(turnwise.PythonPlanner):
    """A planner whose search finds a given value."""

    name, title = "plain", "Plain"

    def __init__(self, found: Any = ()) -> None:
        super().__init__()
        self.found = found

    def search(self, state: State, meter: Meter, random: Random) -> Any:
        return self.found


# ------------------------------------------------------------------------------------------------------------- runs


class Fuzz:
    """One game, its invalid values, and the failures."""

    def __init__(self, name: str, seed: int) -> None:
        self.game: Any = EXAMPLES[name]()
        self.random = Random(seed)
        self.values = nonsense(self.game)
        self.setup = self.game.setup.copy()
        self.numpy = GuardedNumpy()
        state_module.np = self.numpy  # type: ignore[attr-defined]
        calls.call = guarded(calls.call)
        self.wrong: dict[str, str] = {}
        self.calls = self.refused = 0

    def one(self, name: str, call: Callable[[], Any], check: Callable[[Any], Any]) -> None:
        """Make a call, which must return a valid result or raise a TurnwiseError."""
        self.calls += 1
        known = dict(self.game._registered), dict(turnwise.GAMES._classes)
        try:
            check(call())
        except TurnwiseError as error:
            self.refused += 1
            if not str(error):
                self.wrong[name] = "an error without a message"
        except Exception as error:
            where = error.__traceback__
            while where is not None and where.tb_next is not None:
                where = where.tb_next
            line = f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else ""
            self.wrong.setdefault(name, f"{type(error).__name__}: {str(error)[:200]} at {line}")
        self.game._registered.clear()
        self.game._registered.update(known[0])
        turnwise.GAMES._classes.clear()
        turnwise.GAMES._classes.update(known[1])
        self.numpy.check()
        assert (self.game.setup == self.setup).all(), f"{name}: the setup row has changed"

    def reached(self) -> State:
        """A state some random actions after the start."""
        state = self.game.start(self.random.getrandbits(64))
        for _ in range(self.random.randrange(20)):
            after = state.play(int(self.random.choice(state.legal_codes())))
            if after.is_over:
                break
            state = after
        return state

    def every_argument(self) -> None:
        """Try every argument of every function with every invalid value."""
        state = self.reached()
        before = state.row.copy()
        for name, call, check in surfaces(self.game, state):
            for value in self.values:
                print(f"{name} {type(value).__name__}", file=sys.stderr)  # the last line shows the place of a crash
                self.one(name, lambda c=call, v=value: c(v), check)
        assert (state.row == before).all()

    def any_code(self, tries: int) -> None:
        """Random 64-bit codes: a code is played only if it has a text that reads back to it."""
        for _ in range(tries):
            state, bits = self.reached(), self.random.randrange(1, 65)
            listed = int(self.random.choice(state.legal_codes()))
            for code in (
                self.random.getrandbits(bits) - 2**63 * (bits == 64),
                listed ^ 1 << bits % 63,
                ~listed,
                -listed,
            ):
                self.one("any code", lambda s=state, c=code: (s.is_legal(c) and s.code(s.text(c)) != c) and 1 / 0, bool)
                self.one("any code played", lambda s=state, c=code: s.play(c), is_state)

    def any_row(self, tries: int) -> None:
        """Rows with some bits changed: refused, or valid states for all queries."""
        for _ in range(tries):
            row = self.reached().row.copy()
            for _ in range(self.random.choice([1, 1, 2, 50])):
                row[self.random.randrange(len(row))] ^= np.uint64(1 << self.random.randrange(64))
            self.one("any row", lambda r=row: State(self.game, r), is_state)

    def any_form(self, tries: int) -> None:
        """JSON forms with a part replaced: refused, or valid states for all queries."""
        plain = [v for v in self.values if v is None or isinstance(v, bool | int | float | str)]
        for number in range(tries):
            data = damaged(self.reached().to_dict(), self.values if number % 2 else plain, self.random)
            self.one("any form", lambda d=data: self.game.from_dict(d), is_state)


def main() -> None:
    """Fuzz the game of the first argument; prints the failures as JSON."""
    name, seed = sys.argv[1], int(sys.argv[2])
    fuzz = Fuzz(name, seed)
    fuzz.every_argument()
    fuzz.any_code(60)
    if name != "toy":  # its JSON form is the row itself, which is not checked
        fuzz.any_row(150)
        fuzz.any_form(300)
    print(json.dumps({"calls": fuzz.calls, "refused": fuzz.refused, "wrong": fuzz.wrong}))


if __name__ == "__main__":
    main()
