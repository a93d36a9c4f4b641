"""Reader of the reference engine's recorded play (rules 10): kinds of files, and their comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import ConformanceReader, Document, JSONRecord, Mismatches
from turnwise.core.errors import CapacityError, DamagedFileError, IllegalActionError, NotationError, OptionError
from turnwise.core.state import State
from turnwise.games.samegame.notation import ENGINE_KEYS, STATE_KEYS, AnswerError, counts_of, parse_answer
from turnwise.games.samegame.scenario import named_boards
from turnwise.games.samegame.state import SameGameState
from turnwise.search.enumeration import Layer, Layers

if TYPE_CHECKING:
    from turnwise.games.samegame.game import SameGame

TOLERANCE = 1e-12  # the recorded evaluation is one division, printed with all its digits
DEEPEST_PERFT = 100


class SameGameReader(ConformanceReader):
    """Traces, perft, answers of the contest, the standard boards, single states.

    Args:
        game_class: The game, which makes the scenarios that were recorded.
    """

    def __init__(self, game_class: type[SameGame]) -> None:
        self._game_class = game_class

    def kind(self, document: Document) -> str:
        """See :meth:`ConformanceReader.kind`."""
        first = document.first
        if not isinstance(first, dict):
            return ""
        if first.get("game") == "samegame":
            return next((kind for key, kind in _BY_KEY.items() if key in first), "")
        if {"board", "first_actions", "state", "cases"} <= set(first):
            return "answers"
        if {"uniform", "tabu_fixed"} <= set(first):
            return "statistics"
        if {"note", "tables", "nrpa_anytime_board1"} <= set(first):
            return "literature"
        return "states" if set(first) in (set(STATE_KEYS), set(ENGINE_KEYS)) else ""

    def verify(self, document: Document, tally: Mismatches) -> None:
        """See :meth:`ConformanceReader.verify`."""
        _VERIFIERS[self.kind(document)](self._game_class, document, tally)


_BY_KEY = {"config": "trace", "positions": "perft", "boards": "boards"}


def _scenario(game_class: type[SameGame], where: str, **options: Any) -> SameGame:
    try:
        return game_class(**options)
    except OptionError as error:
        raise DamagedFileError(f"{where}: {error}") from None


def _compare_rows(name: str, rows: Any, game: SameGame, tally: Mismatches) -> None:
    """Compare a recorded board with the one that turnwise has under the same name, if any."""
    known = named_boards().get(name.removeprefix("standard-"))
    if known is not None:
        tally.compare("rows", [list(row) for row in known], [list(row) for row in game.options.start_board])


def tabu_colour(counts: list[int]) -> int:
    """The most frequent colour; ties: the smallest (rules 9)."""
    return counts.index(max(counts))


# -------------------------------------------------------------------------------------------------------- traces


def verify_trace(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """Replay a game; after a wrong state, continue from the recorded one, so that each step is judged separately."""
    records = document.records()
    header = next(records)
    config = header.part("config")
    game = _scenario(game_class, config.where, rows=config.get("rows", list))
    state = game.start()
    tally.at(config.where)
    _compare_rows(config.get("board", str), config.data["rows"], game, tally)
    recorded = header.get("initial_state", dict)
    tally.states = (recorded, _like(state, recorded))
    if not tally.compare("initial_state", recorded, _like(state, recorded)):
        state = _state_of(game, recorded) or state
    own = tabu_colour(state.to_dict()["counts"])
    tally.compare("tabu_color_at_start", config.get("tabu_color_at_start", int), own)
    for number, record in enumerate(records, 1):
        state = _verify_step(state, record, number, tally)


def _state_of(game: SameGame, data: Mapping[str, Any]) -> State | None:
    """A recorded state; None if it is impossible."""
    try:
        return game.from_dict(data)
    except NotationError:
        return None


def _like(state: State, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """A state in the form that a recorded one has: recordings do not count moves."""
    return state.game.state_dict_like(state.row, recorded)


def _verify_step(before: State, record: JSONRecord, number: int, tally: Mismatches) -> State:
    """Compare one recorded action; returns the state that the next one starts from."""
    action, raw = record.get("action", str), record.get("raw", str)
    tally.step(record.where, action, before.to_dict())
    tally.compare("n", record.get("n", int), number)
    tally.compare("player", record.get("player", int), before.to_move)
    legal = before.legal_actions()
    tally.compare("legal", record.get("legal", list), legal)
    tally.compare("legal_count", record.get("legal_count", int), len(legal))
    after = _played(before, action)
    by_raw = _played(before, raw)
    recorded = record.get("state", dict)
    if after is None or by_raw is None or action not in legal:
        tally.compare("action", action, "not in the legal list" if after is None or action not in legal else action)
        tally.compare("raw", raw, "not legal" if by_raw is None else raw)
        return _state_of(before.game, recorded) or before  # type: ignore[arg-type]
    own = _like(after, recorded)
    tally.compare("action", action, action)
    tally.compare("raw", own, _like(by_raw, recorded))
    _compare_removal(before, after, action, record, tally)
    tally.states = (recorded, own)
    agrees = tally.compare("state", recorded, own)
    tally.compare("terminal", record.get("terminal", bool), after.is_over)
    tally.compare("winner", record.get("winner", int, type(None)), None)
    tally.compare_close("h", record.part("eval").get("h", int, float), after.evaluate(0, "score"), TOLERANCE)
    return after if agrees else _state_of(before.game, recorded) or after  # type: ignore[arg-type]


def _played(state: State, action: str) -> State | None:
    try:
        return state.play(action)
    except (IllegalActionError, NotationError):
        return None


def _compare_removal(before: State, after: State, action: str, record: JSONRecord, tally: Mismatches) -> None:
    """Size and colour of the region that was removed, and its points with the bonus."""
    first, second = before.to_dict(), after.to_dict()
    x, y = map(int, action.split())
    colour = int(first["board"][-1 - y][x])
    tally.compare("size", record.get("size", int), first["counts"][colour] - second["counts"][colour])
    tally.compare("color", record.get("color", int), colour)
    tally.compare("points", record.get("points", int), second["score"] - first["score"])


# --------------------------------------------------------------------------------------------------------- perft


def verify_perft(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """Action sequences, scores over them, distinct states and boards per depth."""
    for data in JSONRecord(document.source, document.first).get("positions", list):
        record = JSONRecord(document.source, data)
        name = record.get("board", str)
        game = _scenario(game_class, f"{document.source}, {name}", rows=record.get("rows", list))
        tally.at(f"{document.source}, {name}")
        _compare_rows(name, record.data["rows"], game, tally)
        depths = [JSONRecord(f"{document.source}, {name}", row) for row in record.get("depths", list)]
        _compare_depths(game.start(), {depth.get("depth", int): depth for depth in depths}, tally)


def _compare_depths(start: State, recorded: dict[int, JSONRecord], tally: Mismatches) -> None:
    if not recorded or min(recorded) < 1 or max(recorded) > DEEPEST_PERFT:
        raise DamagedFileError(f"{tally.where}: expected depths from 1 to {DEEPEST_PERFT}, got {sorted(recorded)}.")
    where, ended = tally.where, 0
    deepest = max(recorded)
    reached = 0
    try:
        for layer in Layers(start.game).from_row(start.row):
            reached, ended = layer.depth, ended + layer.dead_end_sequences
            if reached in recorded:
                _compare_depth(where, recorded[reached], layer, ended, tally)
            if reached == deepest:
                return
    except CapacityError as error:
        tally.notes.append(f"{where}: depths from {reached + 1} on were skipped. {error}")
        return
    for depth in sorted(number for number in recorded if number > reached):
        tally.at(f"{where}, depth {depth}")
        tally.compare("sequences", recorded[depth].get("sequences", int), 0)


def _compare_depth(where: str, record: JSONRecord, layer: Layer, ended: int, tally: Mismatches) -> None:
    tally.step(f"{where}, depth {layer.depth}")
    fields = layer.rows.view(SameGameState.dtype)[:, 0]
    boards = {row.tobytes() for row in fields["planes"]}
    scores = int((fields["score"].astype("i8") * layer.ways).sum())
    tally.compare("sequences", record.get("sequences", int), layer.sequences)
    tally.compare("ended_earlier", record.get("ended_earlier", int), ended)
    tally.compare("sum_score_over_sequences", record.get("sum_score_over_sequences", int), scores)
    tally.compare("distinct_states", record.get("distinct_states", int), layer.distinct)
    tally.compare("distinct_boards", record.get("distinct_boards", int), len(boards))


# ------------------------------------------------------------------------------------------------ answers, boards


def verify_answers(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """Answer lines of the contest, valid and invalid (rules 4)."""
    record = JSONRecord(document.source, document.first)
    game = _scenario(game_class, document.source, board=record.get("board", str))
    state = game.start()
    tally.at(document.source)
    for action in record.get("first_actions", list):
        state = _played(state, str(action)) or state
    recorded = record.get("state", dict)
    tally.states = (recorded, _like(state, recorded))
    tally.compare("state", recorded, _like(state, recorded))
    for number, data in enumerate(record.get("cases", list), 1):
        case = JSONRecord(f"{document.source}, case {number}", data)
        line = case.get("line", str)
        tally.step(case.where, line, state.to_dict())
        tally.compare("result", case.get("result", str), _judged(state, line))


def _judged(state: State, line: str) -> str:
    """What the referee says about an answer, in the words of the recordings."""
    try:
        code = parse_answer(state.row, line)
    except AnswerError as error:
        return f"lost: {error}"
    cells = sum(state.to_dict()["counts"]) - sum(state.play(code).to_dict()["counts"])
    return f"ok, region size {cells}"


def verify_boards(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """The standard boards: those shipped with turnwise, and what is recorded about each."""
    for number, data in enumerate(JSONRecord(document.source, document.first).get("boards", list), 1):
        record = JSONRecord(f"{document.source}, board {number}", data)
        tally.step(record.where)
        game = _scenario(game_class, record.where, rows=record.get("rows_top_to_bottom", list))
        _compare_rows(record.get("name", str), record.data["rows_top_to_bottom"], game, tally)
        counts = counts_of(game.options.start_board)
        tally.compare("color_counts", record.get("color_counts", list), counts)
        tally.compare("tabu_color_at_start", record.get("tabu_color_at_start", int), tabu_colour(counts))
        legal = len(game.start().legal_codes())
        tally.compare("legal_moves_at_start", record.get("legal_moves_at_start", int), legal)


def verify_states(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """Single states: each must be possible, and its row must give it back unchanged."""
    game = _scenario(game_class, document.source)
    for record in document.records():
        tally.step(record.where)
        try:
            own: Any = _like(game.from_dict(record.data), record.data)
        except NotationError as error:
            own = str(error)
        tally.states = (record.data, own if isinstance(own, dict) else None)
        tally.compare("state", record.data, own)


def nothing_to_verify(game_class: type[SameGame], document: Document, tally: Mismatches) -> None:
    """Playout statistics and published scores: the rules determine none of these values exactly."""
    tally.notes.append(f"{document.source}: statistics or published scores; the rules give nothing to compare with it.")


_VERIFIERS: dict[str, Callable[[type[SameGame], Document, Mismatches], None]] = {
    "trace": verify_trace,
    "perft": verify_perft,
    "answers": verify_answers,
    "boards": verify_boards,
    "states": verify_states,
    "statistics": nothing_to_verify,
    "literature": nothing_to_verify,
}
