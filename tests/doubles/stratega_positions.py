"""Small hand-made positions of the strategy engine."""

from turnwise.games.stratega.game import Stratega

UNITS = {
    "Fighter": {"Health": 100, "AttackDamage": 10, "MovementRange": 2, "ActionRange": 2, "Actions": ["Attack", "Move"]},
    "Medic": {"Health": 40, "HealAmount": 10, "MovementRange": 2, "ActionRange": 2, "Actions": ["Heal", "Move"]},
    "Pusher": {"Health": 50, "MovementRange": 1, "ActionRange": 1, "Actions": ["Push", "Move"]},
}
HOLES = {
    "Death": {"Type": "Death", "Trigger": "EnterTile", "Condition": "StandingOnTile", "TargetTile": "Hole"},
}
_games = {}


def game_on(rows, sight=30, kinds=tuple(UNITS), count=1):
    """A game on a board of ``.``, ``M`` (not walkable) and ``H`` (deadly); without fog where units see everything.

    Args:
        rows: The board, its rows separated by spaces.
        sight: How far units see.
        kinds: Types of which there are units at the start.
        count: How many of each for each player.
    """
    key = (rows, sight, kinds, count)
    if key not in _games:
        mode = {
            "Tiles": {
                "Plain": {"Symbol": "."},
                "Mountain": {"Symbol": "M", "IsWalkable": False},
                "Hole": {"Symbol": "H"},
            },
            "Board": {"Layout": rows},
            "Units": {
                name: {**unit, "LineOfSightRange": sight, "ActionsPerTurn": 2, "Count": count if name in kinds else 0}
                for name, unit in UNITS.items()
            },
            "ForwardModel": {"Effects": HOLES},
        }
        _games[key] = Stratega(mode=mode)
    return _games[key]


def position(rows, *units, sight=30):
    """A state in which player 0 moves.

    Args:
        rows: The board, its rows separated by spaces.
        units: Type, owner, column, row, and perhaps health and the letters of the actions that it has done; numbered in
            this order.
        sight: How far units see.
    """
    listed = []
    for number, (name, owner, x, y, *more) in enumerate(units):
        health = more[0] if more and more[0] is not None else UNITS[name]["Health"]
        done = more[1] if len(more) > 1 else ""
        listed.append([number, name, owner, x, y, health, len(done), done])
    data = {"turn": 0, "player": 0, "over": False, "winner": -1, "can_play": [1, 1], "units": listed}
    kinds = tuple(sorted({name for name, *_ in units}))
    return game_on(rows, sight, kinds, -(-len(units) // (2 * len(kinds)))).from_dict(data)


def choices(state, script, actor=None, seeds=60):
    """All that a script chooses with several seeds; None: nothing."""
    return {state.script(script, actor, seed) for seed in range(seeds)}
