"""Verification: replay recorded play, compare every field, count by kind, and show the first difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.conformance import ConformanceReader, Document, Mismatch, Mismatches
from turnwise.core.errors import (
    DamagedFileError,
    IllegalActionError,
    NotationError,
    OptionError,
    TurnwiseError,
    brief,
    counted,
)
from turnwise.core.state import State
from turnwise.registry import GAMES
from turnwise.testing.recorded.files import find_files, read_document
from turnwise.testing.recorded.side_by_side import mismatch_lines

Progress = Callable[[str, int, int], None]
_REPLAY_KEYS = {"game", "rules", "start", "steps"}
_STATE_KEYS = {"game", "rules", "options", "state"}


@dataclass
class FileResult:
    """The result for one file.

    Attributes:
        path: The file.
        game: Registry name of its game; empty if it was not recognised.
        kind: Kind of the file ("trace", "perft", ...).
        tally: The comparisons.
        damage: Why it could not be read to its end; empty if it could.
    """

    path: str
    game: str = ""
    kind: str = ""
    tally: Mismatches = field(default_factory=Mismatches)
    damage: str = ""


@dataclass
class VerificationReport:
    """The results for all files.

    Attributes:
        results: One entry per file, in order.
    """

    results: list[FileResult] = field(default_factory=list)

    @property
    def files(self) -> int:
        """Number of files."""
        return len(self.results)

    @property
    def steps(self) -> int:
        """Number of recorded steps processed: actions, probes, deals, positions, depths."""
        return sum(result.tally.steps for result in self.results)

    @property
    def compared(self) -> Counter[str]:
        """Kind of field -> number of compared fields."""
        return sum((result.tally.compared for result in self.results), Counter())

    @property
    def wrong(self) -> Counter[str]:
        """Kind of field -> number of fields that differed."""
        return sum((result.tally.wrong for result in self.results), Counter())

    @property
    def mismatches(self) -> int:
        """Number of fields that differed."""
        return self.wrong.total()

    @property
    def first(self) -> Mismatch | None:
        """The first field that differed."""
        return next((result.tally.first for result in self.results if result.tally.first), None)

    @property
    def damaged(self) -> list[str]:
        """One message for each file that could not be read to its end."""
        return [result.damage for result in self.results if result.damage]

    @property
    def notes(self) -> list[str]:
        """What was left out and why."""
        return [note for result in self.results for note in result.tally.notes]

    @property
    def ok(self) -> bool:
        """Whether all files were read and everything agrees."""
        return not self.mismatches and not self.damaged

    @property
    def exit_code(self) -> int:
        """0 without a difference, 1 if a field differs, 2 if none differs but a file could not be read."""
        return 1 if self.mismatches else (2 if self.damaged else 0)

    def summary_lines(self) -> list[str]:
        """The report as text; the last line is ``N files, M steps, K mismatches``."""
        lines = [f"{kind + ':':<24}{count:>10,} compared" + self._wrong_text(kind) for kind, count in self._sorted()]
        lines += self.notes + self.damaged
        if self.first is not None:
            lines += ["", *mismatch_lines(self.first), ""]
        counts = ((self.files, "file"), (self.steps, "step"), (self.mismatches, "mismatch"))
        return [*lines, ", ".join(counted(number, thing) for number, thing in counts)]

    def _sorted(self) -> list[tuple[str, int]]:
        return sorted(self.compared.items(), key=lambda item: (-item[1], item[0]))

    def _wrong_text(self, kind: str) -> str:
        return f", {self.wrong[kind]:,} WRONG" if self.wrong[kind] else ""

    def to_dict(self) -> dict[str, Any]:
        """The report for ``--json``."""
        first = self.first
        return {
            "files": self.files,
            "steps": self.steps,
            "mismatches": self.mismatches,
            "compared": dict(self._sorted()),
            "wrong": dict(self.wrong),
            "damaged": self.damaged,
            "notes": self.notes,
            "first_mismatch": None
            if first is None
            else {
                "kind": first.kind,
                "where": first.where,
                "action": first.action,
                "expected": first.expected,
                "got": first.got,
                "recorded_state": first.recorded_state,
                "own_state": first.own_state,
            },
        }


def verify_files(paths: Iterable[str | Path], progress: Progress | None = None) -> VerificationReport:
    """Verify files; a damaged file gets a message in the report, and the others are still verified.

    Args:
        paths: Files, or folders of JSON files.
        progress: Called with (name, files done, total files) before each file and once at the end.

    Raises:
        DamagedFileError: A path does not exist.
    """
    files = list(find_files(paths))
    report = VerificationReport()
    for number, file in enumerate(files):
        if progress is not None:
            progress(str(file), number, len(files))
        report.results.append(verify_file(file))
    if progress is not None:
        progress("", len(files), len(files))
    return report


def verify_file(path: str | Path) -> FileResult:
    """Verify one file, whose kind is detected."""
    result = FileResult(str(path))
    try:
        document = read_document(Path(path))
        _verify_document(document, result)
    except TurnwiseError as error:
        result.damage = str(error) if str(path) in str(error) else f"{path}: {error}"
    return result


def _verify_document(document: Document, result: FileResult) -> None:
    first = document.first
    if isinstance(first, dict) and set(first) >= _REPLAY_KEYS:
        result.game, result.kind = str(first["game"]), "replay"
        _verify_replays(document, result.tally)
        return
    if isinstance(first, dict) and set(first) == _STATE_KEYS:
        result.game, result.kind = str(first["game"]), "state"
        _verify_states(document, result.tally)
        return
    for name, reader in _readers(document):
        kind = reader.kind(document)
        if kind:
            result.game, result.kind = name, kind
            reader.verify(document, result.tally)
            return
    raise DamagedFileError(
        f"{document.source}: expected recorded play of one of {', '.join(GAMES.names())}, or a turnwise replay; "
        f"got {_description(first)}. If it is recorded play, its first line is damaged."
    )


def _readers(document: Document) -> list[tuple[str, ConformanceReader]]:
    """Readers that may know a document: that of the game that it names, also with a mode ("game_mode"), else all."""
    first = document.first
    named = first.get("game") if isinstance(first, dict) else None
    names = GAMES.names()
    if isinstance(named, str):
        name = named.replace("_", "-")
        names = [known for known in names if name == known or name.startswith(f"{known}-")] or [name]
    found = []
    for name in names:
        try:
            reader = GAMES.get(name).conformance()
        except TurnwiseError:
            if named is not None:
                raise
            continue  # a game of another package that does not load; the file may be of a different game
        if reader is not None:
            found.append((name, reader))
    return found


def _description(value: Any) -> str:
    if isinstance(value, dict):
        keys = ", ".join(map(str, list(value)[:8]))
        return f"an object with the fields {keys or 'none'}"
    return f"a list of {len(value)}" if isinstance(value, list) else f"the value {str(value)[:40]!r}"


# -------------------------------------------------------------------------------------- turnwise's own recordings


def _verify_replays(document: Document, tally: Mismatches) -> None:
    """Replay games that turnwise recorded: players to move, legality, chance outcomes, results."""
    from turnwise.replay import read_replay

    for text, number in zip(document.lines, document.numbers, strict=True):
        where = f"{document.source}, line {number}"
        replay = read_replay(text, where)
        tally.at(where)
        state = replay.make_game().from_dict(replay.start)
        own_start = state.game.state_dict_like(state.row, replay.start)
        tally.states = (replay.start, own_start)
        tally.compare("start", dict(replay.start), own_start)
        for index, step in enumerate(replay.steps):
            tally.step(f"{where}, step {index + 1}", step.action)
            tally.states = (None, state.to_dict())
            tally.compare("player", step.player, state.to_move)
            before = state
            try:
                state = before.play(step.action, step.outcomes)
            except (IllegalActionError, NotationError) as error:
                tally.compare("action", step.action, str(error))
                return
            tally.compare("action", step.action, before.text(before.code(step.action)))  # a text is of its state
        tally.at(where)
        tally.states = (None, state.to_dict())
        if replay.returns:
            tally.compare("returns", list(replay.returns), list(state.returns))
        _verify_result(replay.result, state, where, tally)


def _verify_result(result: str, end: State, where: str, tally: Mismatches) -> None:
    """Compare the recorded ending of a game with its last state; only a game that the arena stopped may not be over.

    Raises:
        DamagedFileError: There is no such ending.
    """
    from turnwise.arena.match import ended
    from turnwise.arena.records import FORFEITS, Ending

    if not result:
        return  # an unfinished game
    if result not in tuple(Ending):
        raise DamagedFileError(
            f"{where}: expected result to be one of {', '.join(Ending)}; got {brief(result)}. The file is damaged; "
            "record it again."
        )
    if not end.is_over:
        may_stop = result in (*FORFEITS, Ending.ABANDONED, Ending.DRAWN_BY_LIMIT)
        own = result if may_stop else "the game goes on after the last step"
        if may_stop:
            tally.notes.append(
                f"{where}: recorded as {result}, not over after the last step; missing steps cannot show."
            )
    elif result in FORFEITS:
        own = "the game is over"
    else:
        own = ended(end).ending.value
        if own == Ending.SHARED and result in (Ending.DRAWN_BY_RULE, Ending.DRAWN_BY_LIMIT):
            own = result  # shared wins had no name of their own in earlier replays
    tally.compare("result", result, own)


def _verify_states(document: Document, tally: Mismatches) -> None:
    """Check states that turnwise saved: each must be valid and read back unchanged."""
    for record in document.records():
        tally.step(record.where)
        try:
            game = GAMES.get(record.get("game", str))(**record.get("options", dict))
        except OptionError as error:
            raise DamagedFileError(f"{record.where}: {error}") from None
        recorded = record.get("state", dict)
        try:
            own: Any = game.state_dict_like(game.from_dict(recorded).row, recorded)
        except NotationError as error:
            own = str(error)
        tally.states = (recorded, own if isinstance(own, dict) else None)
        tally.compare("state", recorded, own)
