"""Whether a program that is a game keeps the protocol: what ``turnwise engine-check --as-game`` runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from turnwise.core.errors import GameFunctionError, NotationError
from turnwise.core.state import State
from turnwise.interop.engines.checks import checked
from turnwise.interop.engines.game import ProcessGame
from turnwise.interop.engines.messages import Refusal
from turnwise.interop.engines.player import greeted
from turnwise.interop.engines.process import EngineProcess
from turnwise.testing.checks.failures import Begun, Broken, Checked, unwatched
from turnwise.testing.checks.game import checked_game

_STATES = 60
_END = 5.0  # seconds to end in after the end of its input
_WRONG: tuple[dict[str, object], ...] = ({}, {"no": "state"}, {"board": []})


@dataclass(frozen=True)
class _Subject:
    """A program."""

    command: str
    seed: int
    startup: float

    def game(self) -> ProcessGame:
        """Its game, in a process of its own."""
        return ProcessGame(command=self.command, startup=self.startup)

    def start(self) -> State:
        """A state to show."""
        return self.game().start(self.seed)


def checked_game_program(command: str, seed: int = 0, startup: float = 60.0, begun: Begun = unwatched) -> Checked:
    """Check that a program answers as the protocol asks of a game, and that the game keeps turnwise's contract.

    Args:
        command: Its command line.
        seed: Seed of the positions.
        startup: Seconds that it may take to begin.
        begun: Called before each check.

    Returns:
        The checks that ran, and their failures.

    Raises:
        OptionError: The command cannot be read.
    """
    subject = _Subject(command, seed, startup)
    found = checked({name: partial(check, subject) for name, check in _CHECKS.items()}, begun)
    if found.failures:
        return found  # the kit would find the same again
    kit = checked_game(subject.game(), seed, _STATES, begun=begun)
    return Checked((*found.names, *kit.names), kit.failures)


def _hello(subject: _Subject) -> None:
    """It answers ``hello`` and ``new_game``."""
    subject.game()


def _states(subject: _Subject) -> None:
    """It gives states, and reads them back in another process, since it is to keep none."""
    state = subject.start()
    others = subject.game()
    for _ in range(_STATES):
        if state.is_over:
            return
        if others.from_dict(state.to_dict()).legal_actions() != state.legal_actions():
            raise Broken("a state has other legal actions when it is read back", state)
        state = state.play(state.legal_actions()[0])


def _refusals(subject: _Subject) -> None:
    """It answers what it cannot follow with ``error``, and goes on."""
    game, state = subject.game(), subject.start()
    for wrong in _WRONG:
        try:
            game.from_json(wrong)
        except NotationError:
            continue
        raise Broken(f"it takes {wrong} for a state; expected an answer of the type error", state)
    for message in ({"type": "unknown"}, {"type": "apply", "state": state.to_dict(), "action": "no action"}):
        if not isinstance(game.ask(message), Refusal):
            raise Broken(f"it follows {message!r:.200}; expected an answer of the type error", state)


def _end(subject: _Subject) -> None:
    """It ends when its input does."""
    process = EngineProcess(subject.command, "game")
    try:
        greeted(process, subject.startup, role="game")
        if not process.ends_with_its_input(_END):
            raise GameFunctionError(f"it goes on {_END:g} s after the end of its input")
    finally:
        process.close()


_CHECKS: dict[str, Callable[[_Subject], None]] = {
    "hello": _hello,
    "states": _states,
    "refusals": _refusals,
    "end-of-input": _end,
}
