"""Plan whole turns in games where a player takes several actions per turn.

>>> import turnwise
>>> game = turnwise.make("hero-academy", map="a-tiny", deck="tiny")
>>> state = game.start(seed=1)
>>> plan = turnwise.planner("online-evolution").plan(state, turnwise.Budget(iterations=20))
"""

from __future__ import annotations

import lazy_loader as _lazy_loader

from turnwise.core.expression_player import connect as _connect_expressions
from turnwise.search.presets import connect as _connect

TYPE_CHECKING = False  # typing itself costs 30 ms in which Ctrl-C would be a traceback

if TYPE_CHECKING:
    from turnwise.core.position import Position
    from turnwise.core.settings import GameSettings

__version__ = "0.1.0"

# The public names are those of __init__.pyi. Each is imported when it is first used, so ``import turnwise`` is quick.
__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]


def _settings_of_games() -> dict[str, GameSettings]:
    from turnwise.registry import all_settings

    return all_settings()


def _play_expression(state: Position, text: str, actor: int | None, seed: int) -> int | None:
    from turnwise.search.scripted_play import checked_code

    return checked_code(state, text, actor, seed)


_connect(_settings_of_games)
_connect_expressions(_play_expression)
