"""Recorded games and copies (rules 19): states, legal lists, values, and those decisions that can be replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core import calls
from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import NotationError
from turnwise.core.game import Row
from turnwise.games.tribes.recorded.agents import Deciding
from turnwise.games.tribes.recorded.engine import (
    Position,
    differences,
    digest_of_list,
    list_difference,
    scenario_of,
)
from turnwise.games.tribes.state_dict import digest, recorded_form

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes

TOLERANCE = 1e-9  # of recorded values, relative
EVALUATIONS = {"simple": "state-score", "diff": "diff", "entropy": "entropy", "diff_from_root": "diff"}
"""Recorded name of a value -> name of the evaluation."""


def verify_trace(game_class: type[Tribes], document: Document, tally: Mismatches) -> None:
    """Replay a recording. After a wrong state it goes on from the next recorded one; until then nothing is compared."""
    records = document.records()
    header = next(records)
    config, initial = header.part("config"), header.part("initial_state").data
    trace = _Trace(scenario_of(game_class, config, initial), header, initial, tally)
    for number, record in enumerate(records, 1):
        trace.step(record, number)
    trace.finish()


class _Trace:
    """One recording while it is replayed.

    Attributes:
        is_lost: Whether the own state differs from the recorded one, and what follows cannot be compared.
        deciding: The agents; None: their decisions can no longer be replayed.
        root: Row of the initial state; None: it is impossible.
    """

    def __init__(self, game: Tribes, header: JSONRecord, initial: Mapping[str, Any], tally: Mismatches) -> None:
        is_copy, config = header.data.get("kind") == "forward_model", header.part("config")
        self.position, self.tally = Position(game, is_copy=is_copy), tally
        self.where, self.skipped = header.where, 0
        self.deciding: Deciding | None = Deciding(game, config)
        self.root: Row | None = None
        tally.at(header.where)
        trouble = self.position.set(initial)
        tally.compare("initial state", "", trouble)
        self.is_lost = bool(trouble)
        if self.is_lost:
            return
        self._compare_state("initial state", initial)
        self.root = self.position.row.copy()
        if "map" in config and not config.data.get("extra_stars") and config.data.get("extra_tech", "none") == "none":
            self._compare_start(game, initial)
        if "native_state" in header:
            self._compare_copy(game, header, initial)

    def finish(self) -> None:
        """Note what was left out."""
        if self.skipped:
            self.tally.notes.append(
                f"{self.where}: {self.skipped} steps between a wrong state and the next recorded one were not compared."
            )

    def _compare_start(self, game: Tribes, initial: Mapping[str, Any]) -> None:
        """The first state of the recorded map."""
        own = recorded_form(game.start().to_dict())
        self.tally.compare("start", *differences(dict(initial), own))

    def _compare_copy(self, game: Tribes, header: JSONRecord, initial: Mapping[str, Any]) -> None:
        """The copy that an agent gets of a game's state (rules 15)."""
        from turnwise.games.tribes.recorded.copies import copy_of

        config = header.part("config")
        viewer = config.get("viewer", int) if config.get("view", str) == "player" else None
        own = copy_of(game, header.part("native_state").data, viewer)
        self.tally.compare("copy", *differences(dict(initial), own))

    def step(self, record: JSONRecord, number: int) -> None:
        """Compare a recorded action and what it leads to."""
        action = record.get("action", str)
        state = record.data.get("state")
        if self.is_lost:
            self.skipped += 1
            self.deciding = None  # how often the agents have drawn since then is unknown
            self._find_again(state)
            return
        tally, position = self.tally, self.position
        before = position.row.copy()
        tally.step(record.where, action)
        tally.compare("n", record.get("n", int), number)
        tally.compare("player", record.get("player", int), position.to_move())
        codes = self._compare_list(record)
        if self.deciding is not None and "agent_illegal" not in record:
            self.deciding.compare(position, codes, action, tally)
        try:
            code = position.game.parse_action(position.row, action)
        except NotationError as error:
            tally.compare("action", action, str(error))
            self.is_lost = True
            self._find_again(state)
            return
        outcomes = [value for _, value in record.data.get("chance", [])]
        tally.compare("chance", 0, position.apply(code, outcomes))
        self._compare_result(record, state)
        if "eval" in record and not self.is_lost:
            self._compare_values(before, record.part("eval"))
        if self.is_lost:
            self._find_again(state)

    def _find_again(self, state: Mapping[str, Any] | None) -> None:
        """Continue from a recorded state, if there is one."""
        if state is not None:
            self.is_lost = bool(self.position.set(state))

    def _compare_list(self, record: JSONRecord) -> list[int]:
        """The legal list: sorted, and in the engine's order; returns its codes."""
        position, tally = self.position, self.tally
        codes = position.codes()
        texts = position.texts(codes)
        tally.compare("legal_count", record.get("legal_count", int), len(texts))
        if "legal" in record:
            tally.compare("legal", *list_difference(record.get("legal", list), sorted(texts)))
        tally.compare("legal_sha", record.get("legal_sha", str), digest_of_list(sorted(texts)))
        if "order_sha" in record:
            agrees = record.get("order_sha", str) == digest_of_list(texts)
            tally.compare("order_sha", [] if agrees else record.data["order_sha"], [] if agrees else texts)
        wrong = [text for code, text in zip(codes, texts, strict=True) if not self._is_legal(code)]
        tally.compare("is_legal", [], wrong)
        return codes

    def _is_legal(self, code: int) -> bool:
        return bool(calls.call(self.position.game, "is_legal", self.position.row, code))

    def _compare_state(self, kind: str, state: Mapping[str, Any]) -> None:
        """A whole state."""
        self.is_lost |= not self.tally.compare(kind, *differences(dict(state), self.position.recorded()))

    def _compare_result(self, record: JSONRecord, state: Mapping[str, Any] | None) -> None:
        """The state after the action, whether the game is over, and who has won."""
        position, tally = self.position, self.tally
        own = position.recorded()
        expected, found = record.get("state_sha", str), digest(own)
        if state is not None:
            self.is_lost |= not tally.compare("state", *differences(state, own))
        else:
            self.is_lost |= expected != found
        tally.compare("state_sha", expected, found)
        terminal = record.get("terminal", bool)
        tally.compare("terminal", terminal, position.to_move() < 0)
        tally.compare("winner", record.get("winner", int, type(None)), position.winner())
        if not self.is_lost:
            again = position.game.state_row(position.game.state_dict(position.row))
            tally.compare("row", [], [int(word) for word in (again != position.row).nonzero()[0]])

    def _compare_values(self, before: Row, recorded: JSONRecord) -> None:
        """Values of the heuristics (rules 16)."""
        game = self.position.game
        for name in recorded.data:
            evaluation = EVALUATIONS.get(name)
            if evaluation is None or evaluation not in game.evaluations():
                continue
            root = self.root if name == "diff_from_root" else before
            if root is None:
                continue
            for player, expected in enumerate(recorded.get(name, list)):
                found = calls.value(game, game.evaluation(evaluation)[1], root, self.position.row, player)
                self.tally.compare_close(name, expected, found, TOLERANCE * max(1.0, abs(expected)))
