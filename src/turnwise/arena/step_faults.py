"""How a recorded step contradicts the game itself: a sign that a replay was changed."""

from __future__ import annotations

from turnwise.core.errors import TurnwiseError
from turnwise.core.state import State
from turnwise.replay import ReplayStep


class StepChecks:
    """Compares the steps of a game, one after another, with the rules and with the notes of the players' plans."""

    def __init__(self) -> None:
        """Begin a game."""
        self._turn: tuple[int, int] | None = None
        self._planned: list[str] = []  # what the mover's last plan has left

    def fault(self, step: ReplayStep, before: State) -> str:
        """How a step contradicts the game; empty if it does not.

        Args:
            step: The next step, which is legal and whose chance outcomes fit.
            before: The state in which it was played.
        """
        turn = (before.turn, before.to_move)
        if step.note is not None:
            self._planned = list(step.note.plan)
        elif turn != self._turn:
            self._planned = []
        self._turn = turn
        planned = self._planned.pop(0) if self._planned else step.action
        seats = before.game.seat_name
        if step.player != before.to_move:
            return f"it is stored as {_named(step.player, before)}'s, but {seats(before.to_move)} was to move"
        if not _is_same(planned, step.action, before):
            return f"its player planned {planned!r}, not {step.action!r}"
        return ""


def _named(player: int, state: State) -> str:
    return state.game.seat_name(player) if 0 <= player < state.game.players else f"player {player}"


def _is_same(planned: str, played: str, state: State) -> bool:
    """Whether two texts are one action; notes of players' own planners may have texts that are not notation."""
    try:
        return planned == played or state.code(planned) == state.code(played)
    except TurnwiseError:
        return True
