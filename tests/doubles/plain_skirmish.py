"""The game of :mod:`doubles.skirmish` in plain Python: same rules, forms, texts, lists and draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from doubles.skirmish import Skirmish, SkirmishOptions
from doubles.skirmish.notation import board_text, checked_fields, read_action, square_text
from doubles.skirmish.state import (
    EMPTY,
    FAR,
    FIGHTER,
    HEIGHT,
    MOST_HEALTH,
    RUIN,
    RUINS,
    SIGHT,
    SQUARES,
    UNKNOWN,
    VERBS,
    WIDTH,
)
from turnwise import Chance, PythonGame
from turnwise.plain_python.game import PythonGameOptions

BOARD = range(SQUARES)
SIDES = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


class PlainOptions(SkirmishOptions, PythonGameOptions):
    """The options of both."""


class Unit(NamedTuple):
    owner: int
    kind: int
    health: int
    points: int
    facing: int


NOBODY = Unit(-1, 0, 0, 0, 0)


@dataclass(frozen=True)
class Battle:
    turn: int
    mover: int
    over: int
    fuse: int
    hidden: tuple[int, ...]
    units: tuple[Unit | None, ...]
    ground: tuple[int, ...]
    explored: tuple[int, ...]


def steps(one: int, other: int) -> tuple[int, int]:
    return abs(one % WIDTH - other % WIDTH), abs(one // WIDTH - other // WIDTH)


def near(square: int) -> list[int]:
    return [k for k in BOARD if max(steps(k, square)) <= SIGHT]


def parts(action: str) -> tuple[int, str, int]:
    """Square and verb of an action, and the square of its target; -1: outside the board."""
    square, verb = read_action(action)
    dx, dy = SIDES.get(verb.removeprefix("strike-"), (0, 0))
    x, y = square % WIDTH + dx, square // WIDTH + dy
    return square, verb, y * WIDTH + x if 0 <= x < WIDTH and 0 <= y < HEIGHT else -1


def own_squares(state: Battle, player: int) -> list[int]:
    return [k for k in BOARD if (unit := state.units[k]) and unit.owner == player]


def count(state: Battle, player: int) -> int:
    return len(own_squares(state, player)) + sum(state.hidden[2 * player : 2 * player + 2])


def closest_enemy(state: Battle, player: int, square: int) -> int:
    return min([sum(steps(k, square)) for k in BOARD if (unit := state.units[k]) and unit.owner != player] + [FAR])


def material(state: Battle, player: int) -> float:
    units = [state.units[k] for k in own_squares(state, player)]
    scouts, fighters = state.hidden[2 * player : 2 * player + 2]
    return float(2 * scouts + 6 * fighters + sum(unit.health + 2 * unit.kind for unit in units))


class PlainSkirmish(PythonGame[Battle, str]):
    Options = PlainOptions
    ends_turn = "end"
    completion, policies, metrics = Skirmish.completion, Skirmish.policies, Skirmish.metrics
    indices, feature_shape, default_evaluation = Skirmish.indices, Skirmish.feature_shape, "material"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        o: PlainOptions = self.options
        self.players, self.max_turn, self.max_actions = o.players, o.max_turn, 5 * o.units + 1
        self.is_stochastic = o.chance_every > 0
        self.reveals_in_turn = self.is_stochastic or o.fog

    # ------------------------------------------------------------------------------------------------------ rules

    def first_state(self, random: Chance) -> Battle:
        units: list[Unit | None] = [None] * SQUARES
        explored = [0] * SQUARES
        for player in range(self.players):
            for k in range(self.options.units):
                x, y = k % 3, k // 3
                x = WIDTH - 1 - x if player in (1, 2) else x
                y = HEIGHT - 1 - y if player in (1, 3) else y
                units[y * WIDTH + x] = self._fresh(player, k % 2, 0)
                self._explore(explored, player, y * WIDTH + x)
        ground = tuple(RUIN if k in RUINS else EMPTY for k in BOARD)
        return Battle(1, 0, 0, 0, (0,) * 8, tuple(units), ground, tuple(explored))

    def _fresh(self, player: int, kind: int, mover: int) -> Unit:
        return Unit(player, kind, 2 + 2 * kind, 3 - kind if player == mover else 0, 0)

    def _explore(self, explored: list[int], player: int, square: int) -> None:
        for k in near(square) if self.options.fog else []:
            explored[k] |= 1 << player

    def _accepts(self, state: Battle, action: str) -> bool:
        square, verb, to = parts(action)
        unit = state.units[square]
        assert unit is not None
        if verb.startswith("strike"):
            struck = state.units[to] if to >= 0 else None
            return unit.points > 0 and struck is not None and struck.owner != unit.owner
        return (unit.points > 0 or self.options.unbounded) and (verb == "turn" or (to >= 0 and not state.units[to]))

    def actor_actions(self, state: Battle, actor: int) -> list[str]:
        unit = state.units[actor]
        if unit is None or unit.owner != state.mover:
            return []
        texts = [f"{square_text(actor)}-{verb}" for verb in VERBS]
        return [text for text in texts if self._accepts(state, text)]

    def legal_actions(self, state: Battle) -> list[str]:
        return [a for k in own_squares(state, state.mover) for a in self.actor_actions(state, k)] + ["end"]

    def play(self, state: Battle, action: str, random: Chance) -> Battle:
        if action == "end":
            return self._ended(state)
        every = self.options.chance_every
        fuse = (state.fuse + 1) % every if every else 0
        draws = every > 0 and fuse == 0
        square, verb, to = parts(action)
        if verb.startswith("strike"):
            return self._struck(replace(state, fuse=fuse), square, to, 1 + random.draw(3) if draws else 0)
        units, ground, explored = list(state.units), list(state.ground), list(state.explored)
        unit = units[square]
        assert unit is not None
        unit = unit._replace(points=unit.points - (not self.options.unbounded))
        if draws and random.draw(4) == 0:
            unit = unit._replace(points=0)
        if verb == "turn":
            units[square] = unit._replace(facing=1 - unit.facing)
        else:
            if ground[to] == RUIN:
                ground[to] = EMPTY
                unit = unit._replace(health=min(MOST_HEALTH, unit.health + 1))
            units[square], units[to] = None, unit
            self._explore(explored, state.mover, to)
        return replace(state, fuse=fuse, units=tuple(units), ground=tuple(ground), explored=tuple(explored))

    def _struck(self, state: Battle, square: int, to: int, drawn: int) -> Battle:
        units = list(state.units)
        striker, struck = units[square], units[to]
        assert striker is not None
        assert struck is not None
        struck = struck._replace(health=struck.health - (drawn or 1 + striker.kind))
        lost = 1 if struck.kind == FIGHTER else 0
        striker = striker._replace(points=striker.points - 1, health=striker.health - lost)
        units[to] = struck if struck.health > 0 else None
        units[square] = striker if striker.health > 0 else None
        state = replace(state, units=tuple(units))
        return replace(state, over=int(sum(count(state, p) > 0 for p in range(self.players)) <= 1))

    def _ended(self, state: Battle) -> Battle:
        order = [(state.mover + k) % self.players for k in range(1, self.players + 1)]
        mover = next(player for player in order if count(state, player))
        units = tuple(u and u._replace(points=3 - u.kind if u.owner == mover else 0) for u in state.units)
        over = int(state.turn + 1 > self.options.turns)
        return replace(state, turn=state.turn + 1, mover=mover, over=over, units=units)

    def to_move(self, state: Battle) -> int:
        return -1 if state.over else state.mover

    def turn(self, state: Battle) -> int:
        return state.turn

    def returns(self, state: Battle) -> list[float]:
        alive = [count(state, player) > 0 for player in range(self.players)]
        return [(1.0 if own else -1.0) if sum(alive) == 1 else 0.0 for own in alive]

    # -------------------------------------------------------------------------------------------- actions and actors

    def prune(self, state: Battle, actions: list[str]) -> list[str]:
        return [action for action in actions if not action.endswith("turn")] or actions[:1]

    def action_score(self, state: Battle, action: str) -> float:
        if action == "end":
            return 1.0
        _, verb, to = parts(action)
        if verb.startswith("strike"):
            return 10.0 - state.units[to].health
        return 0.0 if verb == "turn" else 3.0 if state.ground[to] == RUIN else 0.5

    def actor(self, state: Battle, action: str) -> int:
        return -1 if action == "end" else parts(action)[0]

    def actors(self, state: Battle, player: int) -> list[int]:
        return own_squares(state, player)

    def actor_kind(self, state: Battle, actor: int) -> int:
        return state.units[actor].kind

    def actor_health(self, state: Battle, actor: int, steps: int) -> int:
        unit = state.units[actor]
        return unit.health * steps // (2 + 2 * unit.kind)

    def heir(self, state: Battle, actor: int, action: str) -> int:
        if action == "end":
            return actor
        square, verb, to = parts(action)
        if not verb.startswith("strike"):
            return to if actor == square and verb != "turn" else actor
        striker, struck, every = state.units[square], state.units[to], self.options.chance_every
        draws = every > 0 and (state.fuse + 1) % every == 0
        dies = actor == to and not draws and struck.health <= 1 + striker.kind
        return -1 if dies or (actor == square and struck.kind == FIGHTER and striker.health <= 1) else actor

    def index(self, state: Battle, action: str) -> int:
        if action == "end":
            return self.indices - 1
        square, verb, _ = parts(action)
        return len(VERBS) * square + VERBS.index(verb)

    def neighbour_action(self, state: Battle, action: str, random: Chance) -> str:
        own = self.actor_actions(state, parts(action)[0]) if action != "end" else []
        return random.choice(own) if own else "end"

    def policy(self, state: Battle, name: str, random: Chance) -> str:
        legal = self.legal_actions(state)
        strikes = [action for action in legal if "strike" in action] if name == "fierce" else []
        return random.choice(strikes or legal)

    # ------------------------------------------------------------------------------------------------------ scripts

    def script_functions(self) -> dict[str, Callable[[Battle, int | None, Chance], str | None]]:
        rules = {name: partial(self._follow, name) for name in ("attack-weakest", "attack-closest", "run-away")}
        return {**rules, "random": self._at_random, "nothing": lambda state, actor, random: None}

    def _options(self, state: Battle, actor: int | None) -> list[str]:
        return self.legal_actions(state) if actor is None else self.actor_actions(state, actor)

    def _follow(self, rule: str, state: Battle, actor: int | None, random: Chance) -> str | None:
        merits = [(self._merit(rule, state, action), action) for action in self._options(state, actor)]
        best = max(merits, key=lambda pair: pair[0], default=(0, None))
        return best[1] if best[0] > 0 else None

    def _merit(self, rule: str, state: Battle, action: str) -> int:
        if action == "end" or action.endswith("turn"):
            return 0
        square, verb, to = parts(action)
        if verb.startswith("strike"):
            return {"attack-weakest": 100 - state.units[to].health, "attack-closest": 100}.get(rule, 0)
        gain = closest_enemy(state, state.mover, square) - closest_enemy(state, state.mover, to)
        return {"attack-closest": gain, "run-away": -gain}.get(rule, 0)

    def _at_random(self, state: Battle, actor: int | None, random: Chance) -> str | None:
        options = self._options(state, actor)
        return random.choice(options) if options else None

    # -------------------------------------------------------------------------------------------- hidden information

    def _sight(self, state: Battle, player: int) -> set[int]:
        return {k for own in own_squares(state, player) for k in near(own)} if self.options.fog else set(BOARD)

    def view(self, state: Battle, player: int) -> Battle:
        if not self.options.fog:
            return state
        sight, hidden = self._sight(state, player), list(state.hidden)
        for k in BOARD:
            if (unit := state.units[k]) and k not in sight:
                hidden[2 * unit.owner + unit.kind] += 1
        units = tuple(unit if k in sight else None for k, unit in enumerate(state.units))
        explored = tuple(bits & 1 << player for bits in state.explored)
        ground = tuple(g if k in sight or explored[k] else UNKNOWN for k, g in enumerate(state.ground))
        return replace(state, hidden=tuple(hidden), units=units, ground=ground, explored=explored)

    def determinise(self, state: Battle, player: int, random: Chance) -> Battle:
        if not self.options.fog:
            return state
        for slot, number in enumerate(state.hidden):
            for _ in range(number):
                sight, units = self._sight(state, player), list(state.units)
                free = [k for k in BOARD if units[k] is None and k not in sight]
                if free:
                    units[random.choice(free)] = self._fresh(slot // 2, slot % 2, state.mover)
                state = replace(state, units=tuple(units))
        ground = tuple((EMPTY if random.draw(8) else RUIN) if g == UNKNOWN else g for g in state.ground)
        return replace(state, hidden=(0,) * 8, ground=ground)

    def news(self, expected: Battle, seen: Battle, player: int) -> bool:
        if (expected.turn, expected.mover) != (seen.turn, seen.mover):
            return True
        sight = self._sight(seen, player)
        for k in BOARD:
            old, new = expected.units[k] or NOBODY, seen.units[k] or NOBODY
            if old.owner == new.owner == player and old != new:
                return True
            if old.owner != new.owner and (old.owner == player or k in sight):
                return True
        return False

    def features(self, state: Battle, player: int) -> Any:
        planes, sight = np.zeros((4, SQUARES), np.float32), self._sight(state, player)
        for k in BOARD:
            unit = state.units[k]
            if unit and unit.owner == player:
                planes[:2, k] = unit.health, unit.points
            elif unit and k in sight:
                planes[2, k] = unit.health
            planes[3, k] = state.ground[k] if k in sight or state.explored[k] >> player & 1 else UNKNOWN
        return planes.reshape(self.feature_shape)

    # --------------------------------------------------------------------------------------------------- evaluation

    def evaluations(self) -> dict[str, Any]:
        most = float((MOST_HEALTH + 2) * self.options.units)
        return {
            "material": self.python_evaluation(self.evaluate, -most, most),
            "distance": self.python_evaluation(self.distance, 0.0, 100.0 * FAR),
        }

    def evaluate(self, state: Battle, player: int) -> float:
        others = [material(state, other) for other in range(self.players) if other != player]
        return material(state, player) - sum(others) / len(others)

    def distance(self, state: Battle, player: int) -> float:
        own = own_squares(state, player)
        return 100.0 * sum(FAR - closest_enemy(state, player, k) for k in own) / len(own) if own else 0.0

    def measure(self, state: Battle, player: int) -> list[float]:
        return [float(count(state, player)), material(state, player)]

    # --------------------------------------------------------------------------------------------------------- forms

    def read_action(self, state: Battle, text: str) -> str:
        read_action(text)
        return text

    def to_json(self, state: Battle) -> dict[str, Any]:
        plain = {field: value for field, value in vars(state).items() if field != "units"}
        plain |= {field: [(unit or NOBODY)[i] for unit in state.units] for i, field in enumerate(Unit._fields)}
        return {field: list(value) if isinstance(value, tuple) else value for field, value in plain.items()}

    def from_json(self, data: Any) -> Battle:
        fields = {name: tuple(array.flat) for name, array in checked_fields(data, self.players).items()}
        fields = {name: tuple(int(value) for value in values) for name, values in fields.items()}
        rows = zip(*(fields.pop(name) for name in Unit._fields), strict=True)
        units = tuple(None if row[0] < 0 else Unit(*row) for row in rows)
        scalars = {name: fields.pop(name)[0] for name in ("turn", "mover", "over", "fuse")}
        return Battle(**scalars, **fields, units=units)

    def show(self, state: Battle) -> str:
        return board_text(self.to_json(state))
