"""Games of a few turns whose values are written down, so that the best turns are known by hand."""

from __future__ import annotations

from dataclasses import dataclass

import turnwise

THREE_SIDES = {  # second player's action, third player's action -> values of all three
    "xx": (5, 4, 3),
    "xy": (1, 0, 2),
    "xz": (4, 1, 1),
    "yx": (6, 6, 3),
    "yy": (0, 2, 2),
    "yz": (-3, 1, 1),
    "zx": (2, 1, 3),
    "zy": (3, 1, 2),
    "zz": (-9, 9, 1),
}


@dataclass(frozen=True)
class Page:
    """What has been said so far."""

    said: str = ""


class Fable(turnwise.PythonGame[Page, str]):
    """``turns`` turns of ``length`` actions each, one letter for each action."""

    players, turns, length = 2, 2, 1
    max_turn, max_actions = 2, 4
    bounds = (-20.0, 20.0)

    def first_state(self, random: turnwise.Chance) -> Page:
        return Page()

    def to_move(self, state: Page) -> int:
        number = self.turn(state)
        return number % self.players if number < self.turns else -1

    def turn(self, state: Page) -> int:
        return len(state.said) // self.length

    def legal_actions(self, state: Page) -> list[str]:
        return list(self.choices(state.said))

    def play(self, state: Page, action: str, random: turnwise.Chance) -> Page:
        return Page(state.said + action)

    def returns(self, state: Page) -> list[float]:
        return [float(value) for value in self.worth(state.said)]

    def evaluate(self, state: Page, player: int) -> float:
        return float(self.worth(state.said)[player])

    def choices(self, said: str) -> str:
        raise NotImplementedError

    def worth(self, said: str) -> tuple[float, ...]:
        raise NotImplementedError


class ThreeSides(Fable):
    """The first one plays a, and the others decide by the table above; or b, and nothing they do matters."""

    players, turns = 3, 3
    max_turn = 1

    def choices(self, said: str) -> str:
        return "xyz" if said else "ba"

    def worth(self, said: str) -> tuple[float, ...]:
        if said.startswith("b"):
            return (0.5, 0, 0)
        if len(said) == 2:  # the second player likes x best, then y
            return (0, {"x": 3, "y": 2, "z": 1}[said[1]], 0)
        return THREE_SIDES[said[1:]] if len(said) == 3 else (9, 0, 0)


class Bait(Fable):
    """Each of two actions takes (t) or waits (w); the other side punishes (p) those who took, or is idle (i)."""

    length = 2

    def choices(self, said: str) -> str:
        return "tw" if len(said) < 2 else "pi"

    def worth(self, said: str) -> tuple[float, ...]:
        value = 3 * said.count("t") - (10 if "p" in said and "t" in said else 0)
        return (value, -value)


class Patience(Fable):
    """One player: n brings 1 now, and f brings 5 if it is said twice."""

    players, turns = 1, 2

    def choices(self, said: str) -> str:
        return "nf"

    def worth(self, said: str) -> tuple[float, ...]:
        return (said.count("n") + (5 if said == "ff" else 0),)


class Gamble(Fable):
    """The safe action (s) brings 1; the risky one (r) 6 in one of four cases, else it costs 3: a mean of -0.75."""

    turns = 1
    is_stochastic = True

    def choices(self, said: str) -> str:
        return "rs"

    def play(self, state: Page, action: str, random: turnwise.Chance) -> Page:
        return Page("s" if action == "s" else "+---"[random.draw(4)])

    def worth(self, said: str) -> tuple[float, ...]:
        value = {"": 0, "s": 1, "+": 6, "-": -3}[said]
        return (value, -value)
