"""Finished games for the report: random play under the real rules, with made-up notes and costs."""

import math
import random

import pytest

import turnwise
from turnwise.arena.records import Ending, GameRecord, SeatRecord, TurnCost
from turnwise.replay import Note, Replay, ReplayStep

PLAYERS = ("online-evolution", "greedy-turn", "mcts", "greedy-action")
STRENGTH = {"online-evolution": 3.0, "greedy-turn": 1.2, "mcts": 0.3, "greedy-action": 0.0}
TYPICAL = {"online-evolution": 9000, "greedy-turn": 500_000, "mcts": 12_000, "greedy-action": 90}


def play(names, seed, group=0, ending=Ending.WON, most_steps=120, name="hero-academy"):
    """One game of random actions; the "winner" is drawn by strength, so that tables have content."""
    rng = random.Random(f"{names} {seed}")
    game = turnwise.make(name)
    state = first = game.start(seed=seed)
    steps, costs, value = [], ([], []), [0.0, 0.0]
    turn = None
    while not state.is_over and len(steps) < most_steps:
        legal = state.legal_actions()
        action = rng.choice(legal) if legal else "end"
        note, mover = None, state.to_move
        if (state.turn, mover) != turn:
            turn = (state.turn, mover)
            value[mover] += rng.gauss(STRENGTH.get(names[mover], 0) * 20, 150)
            note, cost = think(rng, names[mover], action, legal, state.turn, value[mover])
            costs[mover].append(cost)
        after = state.play(action)
        steps.append(ReplayStep(action=action, player=mover, outcomes=after.outcomes, note=note))
        state = after
    return record(names, seed, group, ending, game, first, steps, costs, state.turn, rng)


def think(rng, player, action, legal, turn, value):
    unique = TYPICAL.get(player, 1000) * math.exp(rng.gauss(0, 0.5))
    details = {"unique_outcomes": round(unique)}
    if player == "mcts":
        details |= {"mean_depth": rng.gauss(4.9, 0.3), "deepest": rng.randint(5, 8)}
    if player == "online-evolution":
        details["generations"] = rng.randint(1500, 4000)
    work = {
        "seconds": 0.03 * math.exp(rng.gauss(0, 0.05)),
        "forward_calls": round(unique * 5),
        "evaluations": round(unique),
        "iterations": round(unique / 10) + 1,
    }
    plan = (action, *rng.choices(legal, k=4)) if legal else (action,)
    others = tuple((tuple(rng.choices(legal, k=5)), value - 10 * i) for i in range(1, 4)) if legal else ()
    note = Note(plan=plan, value=value, alternatives=others, stopped_by="time", details=details, **work)
    return note, TurnCost(turn=turn, actions=5, stopped_by="time", details=details, **work)


def record(names, seed, group, ending, game, first, steps, costs, turns, rng):
    one, two = (STRENGTH.get(name, 0.5) for name in names)
    first_wins = rng.random() < 1 / (1 + math.exp(two - one))
    ranks = (1, 1) if ending in (Ending.DRAWN_BY_LIMIT, Ending.DRAWN_BY_RULE) else (1, 2) if first_wins else (2, 1)
    seats = tuple(
        SeatRecord(
            player=names[seat],
            seat=seat,
            rank=ranks[seat],
            score=0.5 if ranks == (1, 1) else float(ranks[seat] == 1),
            result=0.0,
            costs=tuple(costs[seat]),
        )
        for seat in (0, 1)
    )
    replay = Replay(
        game=game.name,
        rules=game.rules_version,
        start=first.to_dict(),
        players=names,
        steps=tuple(steps),
        result=str(ending),
    )
    detail = "all crystals destroyed" if ending is Ending.WON else ""
    key = f"{names[0]}/{names[1]}/{seed}"
    return GameRecord(
        key=key, group=group, ending=ending, detail=detail, turns=turns, seats=seats, replay=replay, seconds=1.5
    )


def tournament(players=PLAYERS, groups=3, most_steps=60):
    games = []
    for i, one in enumerate(players):
        for two in players[i + 1 :]:
            for group in range(groups):
                for names in ((one, two), (two, one)):
                    ending = (Ending.WON, Ending.WON, Ending.DRAWN_BY_LIMIT)[(group + i) % 3]
                    games.append(play(names, group, group, ending, most_steps))
    return games


@pytest.fixture(scope="session")
def games():
    """36 games of four players."""
    return tournament()


@pytest.fixture(scope="session")
def make_game():
    """The function that plays one game."""
    return play
