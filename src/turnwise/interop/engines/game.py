"""A game whose rules run in another program: ``process-game:COMMAND``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import attrgetter
from sys import getsizeof
from typing import Any, ClassVar

from turnwise.core.errors import GameFunctionError, NotationError, brief
from turnwise.core.game import GameOptions, Row
from turnwise.interop.engines.game_program import GameProgram, ProcessGameOptions
from turnwise.interop.engines.messages import ChanceNode, GameAnswer, KnownState, Refusal, Text
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.game import PythonGame
from turnwise.plain_python.pickling import AsJson

_MOST_OUTCOMES = 64  # of chance after one action; each sends the message again
_STATE_BYTES = 1000  # of a state without its texts
_ACTION_BYTES = 150  # of a legal action without its letters


@dataclass(frozen=True, slots=True)
class ExternalState:
    """A state of a game in another program; equal if its JSON is.

    Attributes:
        key: Its JSON, with sorted names.
        to_move: The player to move; -1: the game is over.
        turn: Number of the turn.
        legal: Texts of the legal actions.
        returns: Result for each player; empty: not known yet.
        values: Value for each player; empty: the game does not evaluate.
    """

    key: str
    to_move: int = field(compare=False)
    turn: int = field(compare=False)
    legal: tuple[str, ...] = field(compare=False, repr=False)
    returns: tuple[float, ...] = field(compare=False, repr=False)
    values: tuple[float, ...] = field(compare=False, repr=False)

    @property
    def size(self) -> int:
        """About the bytes that it takes, with what turnwise keeps of it."""
        return _STATE_BYTES + getsizeof(self.key) + getsizeof("".join(self.legal)) + _ACTION_BYTES * len(self.legal)


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
        self._program = GameProgram(read)
        rules = self._program.rules()
        self.program = self._program.name
        self.players, self.max_turn, self.max_actions = rules.players, rules.max_turn, rules.max_actions
        self.bounds, self.is_stochastic, self.rules_version = rules.bounds, rules.stochastic, rules.rules
        self.reveals_in_turn, self.shares_goal = rules.stochastic, rules.shares_goal
        self._evaluates = rules.evaluates
        super().__init__(**options)
        self._table.limit_bytes(attrgetter("size"), read.max_megabytes * 10**6)

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
        return state.legal

    def play(self, state: ExternalState, action: str, random: Chance) -> ExternalState:
        """See :meth:`PythonRules.play`."""
        return self._settled({"type": "apply", "state": json.loads(state.key), "action": action}, random)

    def to_move(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.to_move`."""
        return state.to_move

    def turn(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.turn`."""
        return state.turn

    def returns(self, state: ExternalState) -> Sequence[float]:
        """See :meth:`PythonRules.returns`."""
        return state.returns or [0.0] * self.players

    def evaluate(self, state: ExternalState, player: int) -> float:
        """See :meth:`PythonRules.evaluate`."""
        return state.values[player]

    def evaluate_all(self, state: ExternalState) -> Sequence[float]:
        """See :meth:`PythonRules.evaluate_all`."""
        return state.values

    def fingerprint(self, state: ExternalState) -> int:
        """See :meth:`PythonRules.fingerprint`."""
        return int.from_bytes(blake2b(state.key.encode(), digest_size=8).digest(), "little")

    # --------------------------------------------------------------------------------------------------- notation

    def show(self, state: ExternalState) -> str:
        """See :meth:`PythonRules.show`: the program's text, or the state's JSON if it has none."""
        answer = self.ask({"type": "show", "state": json.loads(state.key)})
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
            raise NotationError(f"Not a state of {self.program}: {answer.message}; got {brief(data)}.")
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
            raise GameFunctionError(f"{self.name}: {self.program} has refused a message: {answer.message}")
        if not isinstance(answer, KnownState):
            raise self._program.garbage(f"has sent another message: expected 'state'; got {answer.type!r}")
        trouble = self._trouble(answer)
        if trouble:
            raise self._program.garbage(f"has sent a state in which {trouble}: {brief(answer.state)}")
        try:
            key = _key(answer.state)
        except (ValueError, RecursionError) as error:
            raise self._program.garbage(f"has sent a state that is not JSON: {error}") from None
        return ExternalState(key, answer.to_move, answer.turn, answer.legal, answer.returns, answer.values)

    def _trouble(self, answer: KnownState) -> str:
        """What contradicts the rules of the protocol; empty: nothing."""
        is_over, players = answer.to_move == -1, self.players
        if not -1 <= answer.to_move < players:
            return f"to_move is {answer.to_move}, not a player from 0 to {players - 1}, or -1"
        if bool(answer.legal) == is_over:
            mover = "-1, since the game is over" if is_over else f"player {answer.to_move}"
            return f"legal has {len(answer.legal)} actions, but to_move is {mover}"
        if len(set(answer.legal)) < len(answer.legal):
            text, times = Counter(answer.legal).most_common(1)[0]
            return f"legal has the action {brief(text)} {times} times"
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
