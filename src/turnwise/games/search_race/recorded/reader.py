"""Reader of recorded play of the contest's referee (rules 8 and 10): kinds of files, and their comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import ConformanceReader, Document, JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError, NotationError
from turnwise.games.search_race.recorded.engine import LOST_TEXT, MOVES_ARE_TEN, Position, game_on, read_points
from turnwise.games.search_race.recorded.traces import verify_trace
from turnwise.games.search_race.scenario import HEIGHT, WIDTH, selection, start_angle, track_points, track_title, tracks

if TYPE_CHECKING:
    from turnwise.games.search_race.game import SearchRace

NAMES = ("search_race", "search-race")
DEEPEST_PERFT = 8
MOST_STATES = 200_000


class SearchRaceReader(ConformanceReader):
    """Traces, perft, lines that programs answer, test cases.

    Args:
        game_class: The game, which makes the scenarios that were recorded.
    """

    def __init__(self, game_class: type[SearchRace]) -> None:
        self._game_class = game_class

    def kind(self, document: Document) -> str:
        """See :meth:`ConformanceReader.kind`."""
        first = document.first
        if not isinstance(first, dict):
            return ""
        if first.get("game") in NAMES:
            return next((kind for key, kind in _KINDS.items() if key in first), "")
        cases = first.get("cases")
        lines = isinstance(cases, list) and cases and isinstance(cases[0], dict) and {"line", "result"} <= set(cases[0])
        return "answers" if lines and first.get("case") in tracks() else ""

    def verify(self, document: Document, tally: Mismatches) -> None:
        """See :meth:`ConformanceReader.verify`."""
        _VERIFIERS[self.kind(document)](self._game_class, document, tally)


# ------------------------------------------------------------------------------------------------------- answers


def verify_answers(game_class: type[SearchRace], document: Document, tally: Mismatches) -> None:
    """Lines given at the start of a race: which are accepted, and what becomes of them (rules 4)."""
    whole = JSONRecord(document.source, document.first)
    game = game_on(game_class, track_points(whole.get("case", str)))
    for number, data in enumerate(whole.get("cases", list)):
        record = JSONRecord(f"{document.source}, case {number + 1}", data)
        line = record.get("line", str)
        tally.step(record.where, line)
        position = Position(game, game.start().to_dict())
        try:
            code = position.answer(line)
        except NotationError:
            tally.compare("result", record.get("result", str), LOST_TEXT)
            if "state" in record:
                tally.compare("state", record.data["state"], LOST_TEXT)
            continue
        tally.compare("result", record.get("result", str), "ok")
        position.apply(code)
        recorded, own = record.data.get("state"), position.fields()
        tally.states = (recorded if isinstance(recorded, dict) else None, own)
        tally.compare("state", recorded, own)


# --------------------------------------------------------------------------------------------------------- perft


def verify_perft(game_class: type[SearchRace], document: Document, tally: Mismatches) -> None:
    """Sequences of the thesis' ten moves: their number, the sums over their last states, and the distinct states."""
    whole = JSONRecord(document.source, document.first)
    for number, data in enumerate(whole.get("positions", list)):
        record = JSONRecord(f"{document.source}, position {number + 1}", data)
        tally.at(record.where)
        game = game_on(game_class, read_points(record.get("checkpoints", str), record.where), **MOVES_ARE_TEN)
        _compare_track(record.get("case", str), game.options.points, tally)
        position = Position(game, game.start().to_dict())
        for action in record.get("prefix", list):
            if not isinstance(action, str) or position.is_over:
                raise DamagedFileError(f"{record.where}: expected moves of an unfinished race, got {action!r}.")
            position.play(action, record.where)
        _compare_depths(position, record, tally)


def _compare_track(case: str, points: Any, tally: Mismatches) -> None:
    """A track of the contest must be the one that is shipped under its name."""
    if case in tracks():
        tally.compare("checkpoints", [list(p) for p in points], [list(p) for p in track_points(case)])


def _compare_depths(position: Position, record: JSONRecord, tally: Mismatches) -> None:
    """Widen the tree level by level over distinct states."""
    depths = [JSONRecord(f"{record.where}, depth", data) for data in record.get("depths", list)]
    recorded = {depth.get("depth", int): depth for depth in depths}
    if not recorded or min(recorded) < 1 or max(recorded) > DEEPEST_PERFT:
        raise DamagedFileError(f"{record.where}: expected depths from 1 to {DEEPEST_PERFT}, got {sorted(recorded)}.")
    level = position.first_level()
    for depth in range(1, max(recorded) + 1):
        level = level.next()
        if len(level) > MOST_STATES:
            tally.notes.append(f"{record.where}: depths from {depth + 1} on were skipped: there are too many states.")
            return
        if depth in recorded:
            tally.step(f"{record.where}, depth {depth}")
            tally.compare("sequences", recorded[depth].get("sequences", int), level.sequences)
            tally.compare("ended_earlier", recorded[depth].get("ended_earlier", int), level.ended_earlier)
            tally.compare("sums", recorded[depth].get("sums", list), level.sums())
            tally.compare("distinct_states", recorded[depth].get("distinct_states", int), len(level))


# ---------------------------------------------------------------------------------------------------- test cases


def verify_test_cases(game_class: type[SearchRace], document: Document, tally: Mismatches) -> None:
    """The contest's tracks against those that are shipped."""
    whole = JSONRecord(document.source, document.first)
    cases = [JSONRecord(f"{document.source}, case {i + 1}", data) for i, data in enumerate(whole.get("cases", list))]
    tally.at(whole.where)
    tally.compare("ids", [case.get("id", str) for case in cases], list(tracks()))
    tally.compare("map_width", whole.get("map_width", int), WIDTH)
    tally.compare("map_height", whole.get("map_height", int), HEIGHT)
    tally.compare("suggested_15", whole.get("suggested_15", list), list(selection()))
    for case in cases:
        name = case.get("id", str)
        tally.step(case.where)
        if name not in tracks():
            tally.compare("id", name, "not a track that is shipped")
            continue
        points = track_points(name)
        game = game_on(game_class, points)
        tally.compare("title", case.get("title", str), track_title(name))
        tally.compare("checkpoints", case.get("checkpoints", list), [list(point) for point in points])
        tally.compare("laps", case.get("laps", int), game.options.laps)
        tally.compare("total_checkpoints", case.get("total_checkpoints", int), game.total)
        tally.compare("start_angle", case.get("start_angle", int), start_angle(points))
        tally.compare("in_suggested_15", case.get("in_suggested_15", bool), name in selection())
    tally.notes.append(
        f"{document.source}: features and reference times are not compared: the rules do not determine them."
    )


_KINDS = {"config": "trace", "positions": "perft", "cases": "testcases"}
_VERIFIERS: dict[str, Callable[[type[SearchRace], Document, Mismatches], None]] = {
    "trace": verify_trace,
    "perft": verify_perft,
    "answers": verify_answers,
    "testcases": verify_test_cases,
}
