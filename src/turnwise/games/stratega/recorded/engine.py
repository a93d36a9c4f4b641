"""The original engine's forms: a recorded configuration as a mode, boards with unseen cells, values."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import JSONRecord
from turnwise.core.errors import DamagedFileError, OptionError
from turnwise.core.game import Row
from turnwise.games.stratega.notation import UNSEEN, unknown_rows
from turnwise.games.stratega.scenario import ModeFile
from turnwise.games.stratega.state import layout_for
from turnwise.jit.kernel import kernel

if TYPE_CHECKING:
    from turnwise.games.stratega.game import Stratega

_UNIT_FIELDS = {
    "health": "Health",
    "action_range": "ActionRange",
    "sight": "LineOfSightRange",
    "actions_per_turn": "ActionsPerTurn",
    "repeatable": "RepeatableActions",
    "actions": "Actions",
}
_OF_KIND = {
    "Move": ("move_range", "MovementRange"),
    "Attack": ("attack", "AttackDamage"),
    "Heal": ("heal", "HealAmount"),
}


class Recorded:
    """The scenario of a recording, twice: as recorded, and with legal play only.

    Attributes:
        game: Any action that is geometrically possible is legal, as in the original engine.
        strict: Only listed actions are legal; rows and codes are the same.
    """

    def __init__(self, game_class: type[Stratega], record: JSONRecord, players: int) -> None:
        """Make the scenario.

        Args:
            game_class: The game.
            record: What has the fields ``config`` and ``board``.
            players: Number of players.

        Raises:
            DamagedFileError: These are not a scenario.
        """
        config, board = record.get("config", dict), record.get("board", list)
        self.game, self.strict = _scenarios(game_class, json.dumps([config, board, players]), record.where)


@lru_cache(maxsize=64)
def _scenarios(game_class: type[Stratega], text: str, where: str) -> tuple[Stratega, Stratega]:
    """Scenarios of a recorded configuration; ``where`` is for messages."""
    config, board, players = json.loads(text)
    try:
        mode = mode_of(config, board, players)
        return game_class(mode=mode, strict_actions=False), game_class(mode=mode)
    except (OptionError, KeyError, TypeError, AttributeError) as error:
        raise DamagedFileError(f"{where}: expected the configuration of a game of the engine; {error}") from None


def mode_of(config: Mapping[str, Any], board: list[str], players: int) -> dict[str, Any]:
    """The game-definition file of a recorded configuration.

    A recording lists the kinds of actions alphabetically; their order in the file, which decides the order of legal
    lists, is that of the mode of the same name.
    """
    units = {}
    known = ModeFile.named(config["mode"]).content.Units if config["mode"] in ModeFile.names() else {}
    for name, unit in config["unit_types"].items():
        units[name] = {new: unit[old] for old, new in _UNIT_FIELDS.items()}
        if name in known and set(known[name].Actions) == set(unit["actions"]):
            units[name]["Actions"] = list(known[name].Actions)
        units[name] |= {_OF_KIND[kind][1]: unit[_OF_KIND[kind][0]] for kind in unit["actions"] if kind in _OF_KIND}
    effects = {
        effect["name"]: {
            "Type": effect["type"],
            "Trigger": effect["trigger"],
            "Condition": effect["condition"],
            "TargetTile": effect["tile"],
            "Amount": effect["amount"],
        }
        for effect in config["effects"]
    }
    tiles = {
        tile["name"]: {"Symbol": symbol, "IsWalkable": tile["walkable"]} for symbol, tile in config["tiles"].items()
    }
    win = {"Type": config["win"]["type"], "Unit": config["win"]["unit"]}
    return {
        "Name": config["mode"],
        "GameConfig": {"RoundLimit": config["round_limit"], "PlayerCount": players},
        "Tiles": tiles,
        "Board": {"Layout": " ".join(board)},
        "Units": units,
        "ForwardModel": {"WinCondition": win, "Effects": effects},
    }


def seen_rows(game: Stratega, view: Row) -> list[str]:
    """The board of a view with ``?`` for unseen cells, the top row first."""
    unknown = unknown_rows(game, view.view(layout_for(game.tables.units, game.tables.cells))[0]["unknown"])
    rows = game.options.rows
    return [
        "".join(UNSEEN if hidden == UNSEEN else tile for hidden, tile in zip(row, board, strict=True))
        for row, board in zip(unknown, rows, strict=True)
    ]


def number_of(recorded: Any) -> Any:
    """A recorded value; the text "nan" as the number that it names, for comparison with :func:`same`."""
    return math.nan if recorded == "nan" else recorded


@lru_cache(maxsize=1)
def distance_function() -> Callable[..., float]:
    """The distance of the original engine as an array function: setup and state (uint64 arrays), player."""
    from turnwise.games.stratega.evaluation import distance_as_coded
    from turnwise.games.stratega.scenario import StrategaSetup
    from turnwise.games.stratega.state import StrategaState
    from turnwise.jit.memory import address_of, at

    setup_at, state_at = at(StrategaSetup), at(StrategaState)

    @kernel
    def distance(setup: Row, state: Row, player: int) -> float:
        """See :func:`turnwise.games.stratega.evaluation.distance_as_coded`."""
        return distance_as_coded(setup_at(address_of(setup)), state_at(address_of(state)), player)

    return distance
