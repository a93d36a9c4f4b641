"""A human player, who enters a turn action by action, can take actions back and ask for hints, then plays the turn.

To the arena a person is a planner like any other: an object with ``plan``. In games that reveal nothing in mid-turn,
the whole turn is tried out here first, so actions can be taken back; in other games every action counts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.cli.ui.explanations import example_beginning, example_subject, show_info, show_legend, show_rules
from turnwise.cli.ui.legal_list import LegalList
from turnwise.cli.ui.output import plain, prose, show_board
from turnwise.cli.ui.resumed_game import PERSON
from turnwise.core.errors import GameFunctionError, TurnwiseError
from turnwise.core.user_code import failing_line

if TYPE_CHECKING:
    from turnwise.core.budget import Budget
    from turnwise.core.state import State
    from turnwise.search.plan import Plan
    from turnwise.search.planner import Planner

_TAKE_BACK = "take back the last action of this turn"
_COUNTS = "every action counts at once in this game"
_NO_WAY_BACK = "In this game every action counts at once, as it may reveal something; none can be taken back."
_HELP = """\
Type an action, its number in the list of all legal actions, or its beginning to list matching actions{beginning}.
Upper and lower case are the same.
  list, l    all legal actions
  undo, u    {undo}
  board, b   the board
  hint, h    what the planner would do
  rules, r   the rules in short
  legend     what the codes on the board mean
  info X     what X is and can do{subject}
  help, ?    this text
  quit, q    leave; the game so far is saved"""
_COMPLETE = "The turn is complete: Enter plays it, 'undo' or 'u' takes back its last action, 'quit' or 'q' leaves."

Hint = Callable[["State"], "Plan"]


class PersonLeftError(BaseException):
    """The person ends the session. Not an Exception, which the arena would count as a forfeit."""


class Person:
    """A player who is asked on the terminal.

    Attributes:
        text: The person's name in the record.
        unfinished: Action codes entered for the turn in progress, which the arena does not know yet.
        is_asked: Whether a prompt waits for an answer, so that other output must begin on a new line.
    """

    def __init__(self, hint: Hint, ask: Callable[[str], str] = input, text: str = PERSON) -> None:
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
        self.is_asked = False

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Sequence[int]:
        """The actions of a turn (or of one step, where something may be revealed).

        Raises:
            PersonLeftError: The person leaves the game.
            GameFunctionError: The game's own code failed; the arena would count its error as the person's.
        """
        try:
            return self._entered(_Turn(state))
        except TurnwiseError:
            raise
        except Exception as error:
            if place := failing_line(error):
                raise GameFunctionError(
                    f"{state.game.name}: code of the game failed: {type(error).__name__}: {error}{place}. Correct it."
                ) from error
            if isinstance(error, OSError):  # the terminal is gone
                raise PersonLeftError from None
            raise

    def _entered(self, turn: _Turn) -> list[int]:
        """Ask until the turn is complete, or for one action where something may be revealed."""
        state = turn.now
        self.unfinished = turn.codes  # the same list object, so it follows the input
        show_board(state)
        if not self._greeted:
            prose(turn.help)
            self._greeted = True
        while True:
            if turn.is_complete:
                if turn.is_to_be_confirmed and not self._confirmed():
                    turn.undo()
                    continue
                break
            if turn.legal.only_ends:
                if turn.codes and not state.game.reveals_in_turn and not self._confirmed():
                    turn.undo()
                    continue
                plain("No other action is left, so the turn ends.")
                turn.play(turn.legal.codes[0])
                break
            if self._step(turn) and state.game.reveals_in_turn:
                break
        self.unfinished = []
        return turn.codes

    def _step(self, turn: _Turn) -> bool:
        """Read and execute one command; returns whether an action was played."""
        typed = self._read(f"{turn.prompt}> ")
        if not typed:
            turn.legal.show()
            return False
        code = turn.legal.understood(typed)
        if code is not None:
            turn.play(code)
            return True
        command = typed.lower()
        if command in ("quit", "q", "exit"):
            raise PersonLeftError
        if command in ("undo", "u"):
            turn.undo()
        elif command in ("help", "?"):
            prose(turn.help)
        elif command in ("board", "b"):
            show_board(turn.now)
        elif command in ("rules", "r"):
            show_rules(turn.now)
        elif command == "legend":
            show_legend(turn.now)
        elif command == "info" or command.startswith("info "):
            show_info(turn.now, turn.legal, typed[len("info ") :])
        elif command in ("list", "l"):
            turn.legal.show()
        elif command in ("hint", "h"):
            self._show_hint(turn.now)
        else:
            turn.legal.show(typed)
        return False

    def _confirmed(self) -> bool:
        while True:
            typed = self._read("The turn is complete. Enter plays it, 'undo' takes back the last action> ").lower()
            if typed in ("undo", "u"):
                return False
            if typed in ("quit", "q", "exit"):
                raise PersonLeftError
            if typed in ("", "end"):
                return True
            plain(_COMPLETE)

    def _read(self, prompt: str) -> str:
        self.is_asked = True
        try:
            typed = self._ask(prompt)
        except (EOFError, OSError):  # OSError: the terminal is gone
            raise PersonLeftError from None
        self.is_asked = False
        return " ".join(typed.split())

    def _show_hint(self, state: State) -> None:
        try:
            plan = self._hint(state)
        except TurnwiseError as error:
            plain(f"No hint: {error}")
            return
        except Exception as error:  # planners of users can fail in any way; the person must not lose by it
            plain(f"No hint: the planner failed: {type(error).__name__}: {error}{failing_line(error)}")
            return
        value = "" if plan.value is None else f" (value {plan.value:.6g})"
        plain(f"Hint{value}: {'; '.join(plan.actions)}")


class _Turn:
    """A turn that is being entered."""

    def __init__(self, state: State) -> None:
        self._game = GameInProgress(state)
        self.codes: list[int] = []
        self._listed: LegalList | None = None

    @property
    def now(self) -> State:
        """The state after what has been entered."""
        return self._game.now

    @property
    def prompt(self) -> str:
        """The player to move, and the progress of the turn; the board above shows its number as the game counts."""
        first = self._game.states[0]
        done = f", {len(self.codes)} played" if self.codes else ""
        return f"{first.game.seat_name(first.to_move)}{done}, actions 1 to {len(self.legal.codes)}"

    @property
    def help(self) -> str:
        """The commands, and how actions are given, with examples from the legal actions."""
        beginning, subject = example_beginning(self.legal.texts), example_subject(self.legal.texts)
        return _HELP.format(
            undo=_COUNTS if self.now.game.reveals_in_turn else _TAKE_BACK,
            beginning=f' ("{beginning}")' if beginning else "",
            subject=f" (info {subject})" if subject else "",
        )

    @property
    def is_complete(self) -> bool:
        """Whether the turn has ended."""
        return self._game.is_turn_complete

    @property
    def is_to_be_confirmed(self) -> bool:
        """Whether to ask before the turn is played: it ended without an explicit action for the end of the turn.

        In games whose turns are single actions, an action is played at once: a question after each would be tedious.
        """
        game = self.now.game
        return game.max_turn > 1 and (not self.codes or self.codes[-1] != game.end_action)

    def play(self, code: int) -> None:
        """Try an action, with chance outcomes that need not be those of the game."""
        text = self._game.play(code).action
        self.codes.append(code)
        self._listed = None
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
        self._game.rewind(len(self.codes))
        self._listed = None
        show_board(self.now)
        plain(f"Took back {self.now.text(code)}.")

    @property
    def legal(self) -> LegalList:
        """What can be played now."""
        if self._listed is None:
            self._listed = LegalList(self.now)
        return self._listed


def planner_hint(planner: Planner, budget: Budget) -> Hint:
    """Hints by a planner with the same budget as in the game."""
    return lambda state: planner.plan(state, budget)
