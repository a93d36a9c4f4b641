"""Who plays expressions of scripts for :meth:`.State.script`.

The room ``search`` plays them and is above this one; ``turnwise/__init__.py`` connects the two.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing would cost 30 ms of "import turnwise"

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnwise.core.position import Position

    ExpressionPlayer = Callable[[Position, str, int | None, int], int | None]

_player: ExpressionPlayer | None = None


def connect(player: ExpressionPlayer) -> None:
    """Set what plays an expression: ``(state, expression, actor or None, seed) -> code or None``."""
    global _player
    _player = player


def play_expression(state: Position, text: str, actor: int | None, seed: int) -> int | None:
    """Code of the action of an expression; None: it has none, or the game is over.

    Raises:
        OptionError: The text is not an expression, or sets a parameter that a script does not have.
        UnknownNameError: The game has no script of a name in it.
        GameFunctionError: A script is in plain Python and failed.
    """
    assert _player is not None, "turnwise/__init__.py connects it"
    return _player(state, text, actor, seed)
