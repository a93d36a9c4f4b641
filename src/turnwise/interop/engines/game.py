"""A game whose rules run in another program: ``process-game:COMMAND``."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar

from pydantic import Field

from turnwise.core.errors import GameFunctionError, NotationError, brief
from turnwise.core.game import GameOptions, Row
from turnwise.interop.engines.messages import ChanceNode, GameAnswer, KnownState, Refusal, Rules, Text
from turnwise.interop.engines.options import Value, checked_options
from turnwise.interop.engines.player import greeted
from turnwise.interop.engines.process import EngineError, EngineGarbage, EngineProcess
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.game import PythonGame, PythonGameOptions
from turnwise.plain_python.pickling import AsJson

_MOST_OUTCOMES = 1000  # of chance after one action


class ProcessGameOptions(PythonGameOptions):
    """Options of a game in another program."""

    command: str = Field(min_length=1, description="command line of the program; no shell reads it")
    options: Mapping[str, Value] = Field(
        default={}, description='options of the program, as a table: options={"size":5}; it declares them in hello'
    )
    startup: float = Field(default=60.0, gt=0, le=3600, description="seconds to answer hello and new_game in")
    patience: float = Field(default=10.0, gt=0, le=3600, description="seconds to answer any other message in")
    max_objects: int = Field(
        200_000, ge=1000, description="largest number of states kept at a time (some kB each); then a search stops"
    )


@dataclass(frozen=True, slots=True)
class ExternalState:
    """A state of a game in another program; equal if its JSON is.

    Attributes:
        key: Its JSON, with sorted names.
        position: What the program has said about it.
    """

    key: str
    position: KnownState = field(compare=False, repr=False)


class ProcessGame(PythonGame[ExternalState, str]):
    """Asks another program for the rules; see ``docs/reference/engines.md``.

    One message makes a state, with its legal actions, results and values. The program keeps no states, so it can be
    started again at any time. Every player sees everything.

    Attributes:
        program: Name and version of the program.
    """

    name: ClassVar[str] = "process-game"
    title: ClassVar[str] = "Game in another process"
    Options: ClassVar[type[GameOptions]] = ProcessGameOptions
    options: ProcessGameOptions

    def __init__(self, /, **options: Any) -> None:
        """Start the program, and ask what its game is like.

        Args:
            **options: See :class:`ProcessGameOptions`.

        Raises:
            OptionError: An option of turnwise or of the program is invalid.
            GameFunctionError: The program does not do what the protocol asks of it.
        """
        read: Any = self.read_options(**options)
        self._program = _Program(read)
        rules = self._program.rules()
        self.program = self._program.name
        self.players, self.max_turn, self.max_actions = rules.players, rules.max_turn, rules.max_actions
        self.bounds, self.is_stochastic, self.rules_version = rules.bounds, rules.stochastic, rules.rules
        self.reveals_in_turn = rules.stochastic
        self._evaluates = rules.evaluates
        super().__init__(**options)

    def overrides(self, name: str) -> bool:
        """Whether the game has a function; programs differ in whether they evaluate states."""
        return self._evaluates if name == "evaluate" else super().overrides(name)

    def ask(self, message: Mapping[str, Any]) -> GameAnswer:
        """The program's answer to a message.

        Raises:
            GameFunctionError: There is none in time, or no proper one.
        """
        return self._program.ask(message, self._program.deadline())

    def close(self) -> None:
        """End the program; it is started again when the game is used."""
        self._program.close()

    # ------------------------------------------------------------------------------------------------------ rules

    def first_state(self, random: Chance) -> ExternalState:
        """See :meth:`PythonRules.first_state`."""
        return self._settled({"type": "start"}, random)

    def legal_actions(self, state: ExternalState) -> Sequence[str]:
        """See :meth:`PythonRules.legal_actions`: the program's texts."""
        return state.position.legal

    def play(self, state: ExternalState, action: str, random: Chance) -> ExternalState:
        """See :meth:`PythonRules.play`."""
        return self._settled({"type": "apply", "state": state.position.state, "action": action}, random)

    def to_move(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.to_move`."""
        return state.position.to_move

    def turn(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.turn`."""
        return state.position.turn

    def returns(self, state: ExternalState) -> Sequence[float]:
        """See :meth:`PythonRules.returns`."""
        return state.position.returns or [0.0] * self.players

    def evaluate(self, state: ExternalState, player: int) -> float:
        """See :meth:`PythonRules.evaluate`."""
        return state.position.values[player]

    def evaluate_all(self, state: ExternalState) -> Sequence[float]:
        """See :meth:`PythonRules.evaluate_all`."""
        return state.position.values

    def fingerprint(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.fingerprint`."""
        return int.from_bytes(blake2b(state.key.encode(), digest_size=8).digest(), "little")

    # --------------------------------------------------------------------------------------------------- notation

    def show(self, state: ExternalState) -> str:
        """See :meth:`PythonRules.show`: the program's text, or the state's JSON if it has none."""
        answer = self.ask({"type": "show", "state": state.position.state})
        return answer.text if isinstance(answer, Text) else state.key

    def to_json(self, state: ExternalState) -> Any:
        """See :meth:`PythonRules.to_json`."""
        return json.loads(state.key)

    def from_json(self, data: Any) -> ExternalState:
        """See :meth:`PythonRules.from_json`; the program says whether it is a state.

        Raises:
            NotationError: It is none.
        """
        if not isinstance(data, dict):
            raise NotationError(f"Expected a state of {self.program} as a JSON object; got {brief(data)}.")
        given = _key(data)
        answer = self.ask({"type": "state", "state": data})
        if isinstance(answer, Refusal):
            raise NotationError(f"Not a state of {self.program}: {answer.message:.300}; got {brief(data)}.")
        found = self._state(answer)
        if found.key != given:
            raise NotationError(
                f"Not a state of {self.program}: expected the form that it writes, {found.key:.300}; got {given:.300}."
            )
        return found

    def packed_row(self, row: Row) -> AsJson:
        """See :meth:`Game.packed_row`: the JSON form, which any process of the program reads."""
        return AsJson(self.state_dict(row))

    # --------------------------------------------------------------------------------------------------- messages

    def _settled(self, message: Mapping[str, Any], random: Chance) -> ExternalState:
        """The state that a message leads to, once all that chance decides has been drawn."""
        outcomes: list[int] = []
        deadline = self._program.deadline()
        while True:
            answer = self._program.ask({**message, "outcomes": outcomes}, deadline)
            if not isinstance(answer, ChanceNode):
                return self._state(answer)
            if not self.is_stochastic or len(outcomes) >= _MOST_OUTCOMES:
                why = f"more than {_MOST_OUTCOMES} times" if outcomes else "in a game without chance"
                raise self._program.garbage(f"has asked for an outcome of chance {why}")
            outcomes.append(random.draw(answer.outcomes))

    def _state(self, answer: GameAnswer) -> ExternalState:
        """The state of an answer.

        Raises:
            GameFunctionError: It is none, or makes no sense.
        """
        if isinstance(answer, Refusal):
            raise GameFunctionError(f"{self.name}: {self.program} has refused a message: {answer.message:.300}")
        if not isinstance(answer, KnownState):
            raise self._program.garbage(f"has sent another message: expected 'state'; got {answer.type!r}")
        trouble = self._trouble(answer)
        if trouble:
            raise self._program.garbage(f"has sent a state in which {trouble}: {brief(answer.state)}")
        try:
            key = _key(answer.state)
        except (ValueError, RecursionError) as error:
            raise self._program.garbage(f"has sent a state that is not JSON: {error}") from None
        return ExternalState(key, answer)

    def _trouble(self, answer: KnownState) -> str:
        """What contradicts the rules of the protocol; empty: nothing."""
        is_over, players = answer.to_move == -1, self.players
        if not -1 <= answer.to_move < players:
            return f"to_move is {answer.to_move}, not a player from 0 to {players - 1}, or -1"
        if bool(answer.legal) == is_over or len(set(answer.legal)) < len(answer.legal):
            return f"legal has {len(answer.legal)} actions, some of them equal, or to_move is not as legal has it"
        if len(answer.returns) != players and (is_over or answer.returns):
            return f"returns has {len(answer.returns)} numbers, not one for each player"
        if self._evaluates and len(answer.values) != players:
            return f"values has {len(answer.values)} numbers, not one for each player"
        return ""


def _key(state: Mapping[str, Any]) -> str:
    """The JSON of a state, by which states are equal.

    Raises:
        ValueError: A number is not finite.
    """
    return json.dumps(state, sort_keys=True, separators=(",", ":"), allow_nan=False)


class _Program:
    """The program of a game; starts it when it is needed, and names what goes wrong with it."""

    def __init__(self, options: ProcessGameOptions) -> None:
        self.name = options.command
        self._options = options
        self._lock = threading.Lock()  # searches in several threads ask one program
        self._process: EngineProcess | None = None
        self._rules: Rules | None = None

    def rules(self) -> Rules:
        """What the game is like."""
        with self._lock:
            try:
                self._started()
            except EngineError as error:
                raise _failure(error) from error
        assert self._rules is not None
        return self._rules

    def deadline(self) -> float:
        """The time by which a question that is asked now must be answered; starts the program if it is not there."""
        self.rules()
        return time.monotonic() + self._options.patience

    def ask(self, message: Mapping[str, Any], deadline: float) -> GameAnswer:
        """The answer to a message, up to a time of ``time.monotonic``.

        Raises:
            GameFunctionError: There is none in time, or no proper one.
        """
        with self._lock:
            try:
                process = self._started()
                process.send(message, deadline - time.monotonic())
                return process.receive(GameAnswer, deadline - time.monotonic())
            except EngineError as error:
                raise _failure(error) from error
            except BaseException:  # Ctrl-C: an answer that comes later belongs to no question
                self.close()
                raise

    def garbage(self, what: str) -> GameFunctionError:
        """End the program; returns the error to raise."""
        self.close()
        return _failure(EngineGarbage(f"The game {brief(self._options.command)} {what}."))

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()

    def _started(self) -> EngineProcess:
        """The running program, which is started if it is not there."""
        if self._process is not None and self._process.is_running:
            return self._process
        options = self._options
        self._process = process = EngineProcess(options.command, "game")
        hello = greeted(process, options.startup, role="game")
        self.name = f"{hello.name} {hello.version}".strip()
        settings = checked_options(options.options, hello.options, f"The game {hello.name}")
        process.send({"type": "new_game", "options": settings}, options.startup)
        rules = process.receive(Rules, options.startup)
        if self._rules not in (None, rules):
            raise process.failed(EngineGarbage, "has other rules after it was started again")
        self._rules = rules
        return process


def _failure(error: EngineError) -> GameFunctionError:
    """The error of a game: ``game crash``, ``game hang``, ``game garbage`` or ``game flood``."""
    return GameFunctionError(f"{error.ending.replace('engine', 'game')}: {error}")
