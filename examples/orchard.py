"""Orchard: a complete small game in plain Python.

Two teams of two pickers share an orchard of 6 x 5 squares. In a turn a team has four action points: a picker walks one
square (and picks the apple there), takes an apple from a neighbouring opponent, or delivers all its apples at its own
fence. After every turn one apple falls on a random free square. Delivered apples count; each team has twelve turns.

Run ``python examples/orchard.py`` for a short match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import turnwise
from turnwise import Chance, PythonGame

WIDTH, HEIGHT, POINTS, TURNS, FIRST_APPLES = 6, 5, 4, 24, 6
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
FENCE = (0, WIDTH - 1)  # column where each team delivers
Square = tuple[int, int]


@dataclass(frozen=True)
class Picker:
    """One picker: its square and the number of apples it carries."""

    at: Square
    carries: int = 0


@dataclass(frozen=True)
class Orchard:
    """A state; pickers 0 and 1 are team 0, pickers 2 and 3 team 1."""

    pickers: tuple[Picker, ...]
    apples: tuple[Square, ...]  # sorted, so that equal orchards are equal objects
    delivered: tuple[int, int] = (0, 0)
    turn: int = 0
    points: int = POINTS


class Action(NamedTuple):
    """One picker's action: a step's name, "take", "deliver", or "rest" to end the turn."""

    picker: int
    what: str


def neighbours(a: Square, b: Square) -> bool:
    """Whether two squares share an edge."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


class OrchardGame(PythonGame[Orchard, Action]):
    """The rules."""

    name = "orchard"
    title = "Orchard"
    is_stochastic = True
    max_turn = POINTS
    max_actions = 13
    bounds = (-120.0, 120.0)
    seats = ("west", "east")
    metrics = ("delivered", "carried")
    ends_turn = Action(0, "rest")

    def first_state(self, random: Chance) -> Orchard:
        starts = ((0, 1), (0, 3), (WIDTH - 1, 1), (WIDTH - 1, 3))
        free = [(x, y) for x in range(1, WIDTH - 1) for y in range(HEIGHT)]
        apples = random.shuffled(free)[:FIRST_APPLES]
        return Orchard(tuple(Picker(at) for at in starts), tuple(sorted(apples)))

    def to_move(self, state: Orchard) -> int:
        return -1 if state.turn >= TURNS else state.turn % 2

    def turn(self, state: Orchard) -> int:
        return state.turn

    def returns(self, state: Orchard) -> tuple[float, float]:
        west, east = state.delivered
        return (float(west > east) - float(west < east), float(east > west) - float(east < west))

    def legal_actions(self, state: Orchard) -> list[Action]:
        team = state.turn % 2
        taken = {picker.at for picker in state.pickers}
        actions = []
        for number in (2 * team, 2 * team + 1):
            me = state.pickers[number]
            for name, (dx, dy) in STEPS.items():
                x, y = me.at[0] + dx, me.at[1] + dy
                if 0 <= x < WIDTH and 0 <= y < HEIGHT and (x, y) not in taken:
                    actions.append(Action(number, name))
            if self.victim(state, number) is not None:
                actions.append(Action(number, "take"))
            if me.carries and me.at[0] == FENCE[team]:
                actions.append(Action(number, "deliver"))
        return [*actions, self.ends_turn]

    def victim(self, state: Orchard, number: int) -> int | None:
        """The neighbouring opponent with the most apples, the first of equals."""
        near = [
            other
            for other, picker in enumerate(state.pickers)
            if other // 2 != number // 2 and picker.carries and neighbours(picker.at, state.pickers[number].at)
        ]
        return max(near, key=lambda other: state.pickers[other].carries, default=None)

    def play(self, state: Orchard, action: Action, random: Chance) -> Orchard:
        if action.what == "rest":
            return self.end_turn(state, random)
        pickers, apples, delivered = list(state.pickers), state.apples, list(state.delivered)
        me = pickers[action.picker]
        if action.what == "deliver":
            delivered[action.picker // 2] += me.carries
            pickers[action.picker] = replace(me, carries=0)
        elif action.what == "take":
            other = self.victim(state, action.picker)
            assert other is not None
            pickers[other] = replace(pickers[other], carries=pickers[other].carries - 1)
            pickers[action.picker] = replace(me, carries=me.carries + 1)
        else:
            dx, dy = STEPS[action.what]
            at = (me.at[0] + dx, me.at[1] + dy)
            pickers[action.picker] = Picker(at, me.carries + (at in apples))
            apples = tuple(apple for apple in apples if apple != at)
        after = Orchard(tuple(pickers), apples, (delivered[0], delivered[1]), state.turn, state.points - 1)
        return after if after.points else self.end_turn(after, random)

    def end_turn(self, state: Orchard, random: Chance) -> Orchard:
        """Begin the other team's turn, and let an apple fall."""
        taken = {*state.apples, *(picker.at for picker in state.pickers)}
        free = [(x, y) for x in range(WIDTH) for y in range(HEIGHT) if (x, y) not in taken]
        apples = state.apples if not free else tuple(sorted((*state.apples, random.choice(free))))
        return replace(state, apples=apples, turn=state.turn + 1, points=POINTS)

    def evaluate(self, state: Orchard, player: int) -> float:
        worth = [3.0 * state.delivered[0], 3.0 * state.delivered[1]]
        for number, picker in enumerate(state.pickers):
            team = number // 2
            home = abs(picker.at[0] - FENCE[team])
            worth[team] += picker.carries * (2.0 - 0.1 * home)
            worth[team] -= 0.05 * min(
                (abs(x - picker.at[0]) + abs(y - picker.at[1]) for x, y in state.apples), default=0
            )
        return worth[player] - worth[1 - player]

    def action_score(self, state: Orchard, action: Action) -> float:
        return {"deliver": 3.0, "take": 2.0, "rest": -1.0}.get(action.what, 0.0)

    def actor(self, state: Orchard, action: Action) -> int:
        return action.picker

    def measure(self, state: Orchard, player: int) -> list[float]:
        carried = sum(picker.carries for picker in state.pickers[2 * player : 2 * player + 2])
        return [float(state.delivered[player]), float(carried)]

    def show_action(self, action: Action) -> str:
        return action.what if action.what == "rest" else f"{'abcd'[action.picker]} {action.what}"

    def show(self, state: Orchard) -> str:
        squares = dict.fromkeys(state.apples, "o ")
        squares |= {p.at: f"{'abcd'[n]}{p.carries or ' '}" for n, p in enumerate(state.pickers)}
        rows = [" ".join(squares.get((x, y), ". ") for x in range(WIDTH)) for y in range(HEIGHT)]
        west, east = state.delivered
        return "\n".join([*rows, f"turn {state.turn}, {state.points} points, delivered {west} : {east}"])


def main() -> None:
    """A short match: online evolution (west) against a greedy player (east)."""
    turnwise.GAMES.add("orchard", OrchardGame)
    game = turnwise.make("orchard")
    players = [turnwise.planner("online-evolution", population=20), turnwise.planner("greedy-action")]
    state = game.start(seed=7)
    while not state.is_over:
        plan = players[state.to_move].plan(state, turnwise.Budget(forward_calls=2000), seed=state.turn)
        print(f"{game.seat_name(state.to_move)}: {', '.join(plan.actions)}")
        for code in plan.codes:
            state = state.play(code)
    print(state, dict(zip(game.seats, state.returns, strict=True)), sep="\n")


if __name__ == "__main__":
    main()
