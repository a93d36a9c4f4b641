"""What Pushers of Stratega is worth if nobody errs: every position of the two units, by the rules of the game.

    python benchmarks/pushers_value.py

Both sides have one unit, so there are few positions. A position is won if the player to move can push the other unit
into a hole in this turn, or has a turn that leads to a lost position. It is lost if every turn leads to a won position.
The values are found backwards from the wins at once; what is left is drawn. Both sides see everything here. The rules
treat them alike, so only positions of the first one are played.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import turnwise
from turnwise import State

Place = tuple[int, int]
Position = tuple[Place, Place]  # of the unit of the player to move, and of the other one
Turns = dict[Position, tuple[bool, set[Position]]]  # whether its player wins at once, and where its other turns lead
WON, LOST = 1, -1
_PLACE = slice(3, 5)  # of a unit in the dictionary of a state


def position_of(state: State) -> Position:
    """Where the units are."""
    own, other = state.to_dict()["units"]
    return tuple(own[_PLACE]), tuple(other[_PLACE])


def play_turns(start: State) -> tuple[bool, set[Position]]:
    """Whether the first player can win in this turn, and the positions that its other turns lead to."""
    wins, ends, seen, waiting = False, set(), {start.fingerprint}, [start]
    while waiting:
        state = waiting.pop()
        for code in state.legal_codes():
            after = state.play(code)
            if after.is_over:
                wins = wins or after.returns[0] > after.returns[1]
            elif after.to_move != 0:
                place, other = position_of(after)
                ends.add((other, place))
            elif after.fingerprint not in seen:
                seen.add(after.fingerprint)
                waiting.append(after)
    return wins, ends


def all_turns(game: turnwise.Game) -> Turns:
    """All positions that play can lead to, and for each what :func:`play_turns` finds."""
    start = game.start(0)
    content: dict[str, Any] = start.to_dict()
    first, second = position_of(start)
    turns: Turns = {}
    waiting = [(first, second), (second, first)]
    while waiting:
        position = waiting.pop()
        if position not in turns:
            for unit, place in zip(content["units"], position, strict=True):
                unit[_PLACE] = place
            turns[position] = play_turns(game.from_dict(content))
            waiting += turns[position][1]
    return turns


def solve(turns: Turns) -> dict[Position, int]:
    """The positions that are won or lost by force: first those that are won at once, then what leads to them."""
    values = {position: WON for position, (wins, _) in turns.items() if wins}
    while True:
        new = {}
        for position, (_, ends) in turns.items():
            if position not in values:
                replies = [values.get(end, 0) for end in ends]
                if LOST in replies:
                    new[position] = WON
                elif all(reply == WON for reply in replies):
                    new[position] = LOST
        if not new:
            return values
        values |= new


def main() -> None:
    """Print the values."""
    parser = argparse.ArgumentParser(description="The value of every position of Pushers in Stratega.")
    parser.add_argument("--mode", default="pushers", help="a mode with one unit of the same type on each side")
    mode = parser.parse_args().mode
    try:
        game = turnwise.make("stratega", mode=mode, fog=False)
    except turnwise.TurnwiseError as error:
        parser.error(str(error))
    units = [unit[1:3] for unit in game.start(0).to_dict()["units"]]
    kind = units[0][0]
    if units != [[kind, 0], [kind, 1]]:
        parser.error(f"{mode}: expected one unit of the same type for each player; got {units}")
    turns = all_turns(game)
    values = solve(turns)
    count, at_once = Counter(values.values()), sum(wins for wins, _ in turns.values())
    print(
        f"{mode}: {len(turns):,} positions; the player to move wins {count[WON]:,}, {at_once:,} of them at once, and "
        f"loses {count[LOST]:,}; {len(turns) - len(values):,} are drawn"
    )
    apart = Counter(abs(a - c) + abs(b - d) for ((a, b), (c, d)), value in values.items() if value == WON)
    print("won, by steps between the units:", ", ".join(f"{steps}: {n}" for steps, n in sorted(apart.items())))


if __name__ == "__main__":
    main()
