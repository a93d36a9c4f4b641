"""A human player, who enters a turn action by action, can take actions back and ask for hints, then plays the turn.

To the arena a person is a planner like any other: an object with ``plan``. In games that reveal nothing in mid-turn,
the whole turn is tried out here first, so actions can be taken back; in other games every action counts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import console, plain, show_board
from turnwise.core.errors import TurnwiseError

if TYPE_CHECKING:
    from turnwise.core.budget import Budget
    from turnwise.core.state import State
    from turnwise.search.planner import Plan, Planner

_MOST_SHOWN = 30
_TAKE_BACK = "take back the last action of this turn"
_COUNTS = "every action counts at once in this game"
_NO_WAY_BACK = "In this game every action counts at once, as it may reveal something; none can be taken back."
_HELP = """\
Type an action, its number in the list of all legal actions, or its beginning to list matching actions ("move 4,2").
  list, l      all legal actions          undo, u   {undo}
  board, b     the board                  hint, h   show what the planner would do
  help, ?      this text                  quit, q   leave; the game so far is saved"""
_COMPLETE = "The turn is complete: Enter plays it, 'undo' or 'u' takes back its last action, 'quit' or 'q' leaves."

Hint = Callable[["State"], "Plan"]


class PersonLeftError(BaseException):
    """The person ends the session. Not an Exception, which the arena would count as a forfeit."""


class Person:
    """A player who is asked on the terminal.

    Attributes:
        text: The person's name in the record.
        unfinished: Action codes entered for the turn in progress, which the arena does not know yet.
    """

    def __init__(self, hint: Hint, ask: Callable[[str], str] = input, text: str = "person") -> None:
        """Create a human player.

        Args:
            hint: Plans the rest of a turn, for the command "hint".
            ask: Shows a prompt and returns a line.
            text: The person's name.
        """
        self.spec = text
        self._hint = hint
        self._ask = ask
        self._greeted = False
        self.unfinished: list[int] = []

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Sequence[int]:
        """The actions of a turn (or of one step, where something may be revealed).

        Raises:
            PersonLeftError: The person leaves the game.
        """
        turn = _Turn(state)
        self.unfinished = turn.codes  # the same list object, so it follows the input
        show_board(state)
        if not self._greeted:
            plain(turn.help)
            self._greeted = True
        while True:
            if turn.is_complete:
                if turn.is_to_be_confirmed and not self._confirmed():
                    turn.undo()
                    continue
                break
            if self._step(turn) and state.game.reveals_in_turn:
                break
        self.unfinished = []
        return turn.codes

    def _step(self, turn: _Turn) -> bool:
        """Read and execute one command; returns whether an action was played."""
        typed = self._read(f"{turn.prompt}> ")
        if not typed:
            turn.show_list()
            return False
        code = turn.understood(typed)
        if code is not None:
            turn.play(code)
            return True
        command = typed.lower()
        if command in ("quit", "q", "exit"):
            raise PersonLeftError
        if command in ("undo", "u"):
            turn.undo()
        elif command in ("help", "?"):
            plain(turn.help)
        elif command in ("board", "b"):
            show_board(turn.now)
        elif command in ("list", "l"):
            turn.show_list()
        elif command in ("hint", "h"):
            self._show_hint(turn.now)
        else:
            turn.show_list(typed)
        return False

    def _confirmed(self) -> bool:
        while True:
            typed = self._read("The turn is complete. Enter plays it, 'undo' takes back the last action> ").lower()
            if typed in ("undo", "u"):
                return False
            if typed in ("quit", "q", "exit"):
                raise PersonLeftError
            if not typed:
                return True
            plain(_COMPLETE)

    def _read(self, prompt: str) -> str:
        try:
            return " ".join(self._ask(prompt).split())
        except EOFError:
            raise PersonLeftError from None

    def _show_hint(self, state: State) -> None:
        try:
            plan = self._hint(state)
        except TurnwiseError as error:
            plain(f"No hint: {error}")
            return
        value = "" if plan.value is None else f" (value {plan.value:.6g})"
        plain(f"Hint{value}: {'; '.join(plan.actions)}")


class _Turn:
    """A turn that is being entered."""

    def __init__(self, state: State) -> None:
        self._states = [state]
        self.codes: list[int] = []
        self._listed: list[int] = []

    @property
    def now(self) -> State:
        """The state after what has been entered."""
        return self._states[-1]

    @property
    def prompt(self) -> str:
        """The player to move, and the progress of the turn; the board above shows its number as the game counts."""
        first = self._states[0]
        done = f", {len(self.codes)} played" if self.codes else ""
        return f"{first.game.seat_name(first.to_move)}{done}, actions 1 to {len(self.legal)}"

    @property
    def help(self) -> str:
        """The commands, and how actions are given."""
        return _HELP.format(undo=_COUNTS if self.now.game.reveals_in_turn else _TAKE_BACK)

    @property
    def is_complete(self) -> bool:
        """Whether the turn has ended."""
        first = self._states[0]
        return self.now.to_move != first.to_move or self.now.turn != first.turn

    @property
    def is_to_be_confirmed(self) -> bool:
        """Whether to ask before the turn is played: it ended without an explicit action for the end of the turn.

        In games whose turns are single actions, an action is played at once: a question after each would be tedious.
        """
        game = self.now.game
        return game.max_turn > 1 and (not self.codes or self.codes[-1] != game.end_action)

    def play(self, code: int) -> None:
        """Try an action, with chance outcomes that need not be those of the game."""
        text = self.now.text(code)
        self._states.append(self.now.play(code))
        self.codes.append(code)
        self._listed = []
        if self.is_complete:
            return
        if not self.now.game.reveals_in_turn:  # else the game shows what comes of the action, which may differ
            show_board(self.now)
        plain(f"Played {text}.")

    def undo(self) -> None:
        """Take the last action back."""
        if not self.codes:
            plain(_NO_WAY_BACK if self.now.game.reveals_in_turn else "No action has been played in this turn.")
            return
        code = self.codes.pop()
        self._states.pop()
        self._listed = []
        show_board(self.now)
        plain(f"Took back {self.now.text(code)}.")

    def understood(self, typed: str) -> int | None:
        """The action that was typed, as its text or as its number among all legal actions."""
        try:
            code = self.now.code(typed)
            if self.now.is_legal(code):
                return code
        except Exception:
            pass
        place = int(typed) if typed.isdecimal() else 0
        return self.legal[place - 1] if 1 <= place <= len(self.legal) else None

    @property
    def legal(self) -> list[int]:
        """The listed actions, and the action that ends the turn early if the rules accept it unlisted."""
        if not self._listed:
            codes = [int(code) for code in self.now.legal_codes()]
            end = self.now.game.end_action
            unlisted = end is not None and end not in codes and self.now.is_legal(end)
            self._listed = [*codes, end] if unlisted and end is not None else codes
        return self._listed

    def show_list(self, beginning: str = "") -> None:
        """Show the legal actions with their numbers: all, or those that begin with a text (or else contain it)."""
        legal = [(number, self.now.text(code)) for number, code in enumerate(self.legal, start=1)]
        if beginning.isdecimal():
            plain(f"There is no action {beginning}; the legal actions have the numbers 1 to {len(legal)} ('list').")
            return
        wanted = beginning.lower()
        found = [item for item in legal if item[1].lower().startswith(wanted)]
        found = found or [item for item in legal if wanted in item[1].lower()]
        if not found:
            plain(f"No legal action begins with {beginning!r}; 'list' shows all {len(legal)}, 'help' the commands.")
            return
        shown = found if not beginning else found[:_MOST_SHOWN]
        _columns([f"{number:>3}) {text}" for number, text in shown])
        if len(found) > len(shown):
            plain(f"... and {len(found) - len(shown)} more; type more of the action.")


def _columns(entries: list[str]) -> None:
    """Print entries in as many columns as fit the terminal."""
    width = max(len(entry) for entry in entries) + 2
    columns = max(1, console().width // width)
    rows = -(-len(entries) // columns)
    for row in range(rows):
        plain("".join(f"{entry:<{width}}" for entry in entries[row::rows]).rstrip())


def planner_hint(planner: Planner, budget: Budget) -> Hint:
    """Hints by a planner with the same budget as in the game."""
    return lambda state: planner.plan(state, budget)
