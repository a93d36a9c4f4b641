"""Recorded races (rules 10): everything that a trace holds, compared turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError, NotationError
from turnwise.games.search_race.recorded.engine import FIELDS, Position, game_on, read_points
from turnwise.games.search_race.scenario import Point, track_points, tracks

if TYPE_CHECKING:
    from turnwise.games.search_race.game import SearchRace

TOLERANCE = 1e-9  # for collision times (rules 6, K8) and for values computed with a logarithm


def verify_trace(game_class: type[SearchRace], document: Document, tally: Mismatches) -> None:
    """Replay a race; after a wrong state, continue from the recorded one, so that each turn is judged separately."""
    records = document.records()
    header = next(records)
    position = _start(game_class, header, tally)
    state = position.fields()
    for number, record in enumerate(records, 1):
        if position.is_over:
            raise DamagedFileError(f"{record.where}: the race was over before this turn.")
        state = _verify_turn(position, state, record, number, tally)


def _start(game_class: type[SearchRace], header: JSONRecord, tally: Mismatches) -> Position:
    """The scenario and its first state, compared with the recorded ones."""
    config = header.part("config")
    points = read_points(config.get("checkpoints", str), config.where)
    laps = config.get("laps", int)
    tally.at(config.where)
    case = config.get("case", str)
    if case in tracks():
        tally.compare("checkpoints", [list(p) for p in points], [list(p) for p in track_points(case)])
    tally.compare("init_input", config.get("init_input", list), first_input(points, laps))
    game = game_on(game_class, points, laps=laps)
    position = Position(game, game.start().to_dict())
    tally.at(header.where)
    own, recorded = position.fields(), header.get("initial_state", dict)
    tally.states = (recorded, own)
    if not tally.compare("initial_state", recorded, own):
        _go_on_from(position, recorded, None)
    return position


def first_input(points: list[Point], laps: int) -> list[str]:
    """What the contest sends a program at the start: the number of targets, then each target (rules 5)."""
    targets = [*points[1:], points[0]] * laps
    return [str(len(targets)), *(f"{x} {y}" for x, y in targets)]


def _go_on_from(position: Position, recorded: Mapping[str, Any], col_time: Any) -> None:
    with suppress(NotationError):  # impossible as recorded: counted already; continue from our own
        position.set(recorded, col_time)


def _verify_turn(
    position: Position, state: dict[str, Any], record: JSONRecord, number: int, tally: Mismatches
) -> dict[str, Any]:
    """Compare one recorded turn; returns the state that the next one starts from."""
    action = record.get("action", str)
    tally.step(record.where, action, state)
    tally.compare("n", record.get("n", int), number)
    tally.compare("player", record.get("player", int), 0)
    sent = " ".join(str(state[name]) for name in ("cp", "x", "y", "vx", "vy", "angle"))
    tally.compare("input_before", record.get("input_before", str), sent)
    try:
        position.apply(position.answer(action))
        tally.compare("action", action, action)
    except NotationError as error:
        tally.compare("action", action, str(error))
        return state
    recorded, own = record.get("state", dict), position.fields()
    tally.states = (recorded, own)
    agrees = tally.compare("state", recorded, own)
    if not isinstance(recorded.get("done"), bool) or list(recorded) != list(FIELDS):
        raise DamagedFileError(f"{record.where}: expected a state with the fields {', '.join(FIELDS)}.")
    _compare_hits(position, record, tally)
    _compare_end(position, record, tally)
    if not agrees:
        _go_on_from(position, recorded, record.get("col_time"))
    return position.fields()


def _compare_hits(position: Position, record: JSONRecord, tally: Mismatches) -> None:
    """Number of hits exactly, their times within the tolerance."""
    times = record.get("collision_times", list)
    if tally.compare("hits", len(times), len(position.hits)):
        for expected, got in zip(times, position.hits, strict=True):
            tally.compare_close("collision_times", expected, got, TOLERANCE)
    tally.compare_close("col_time", record.get("col_time"), position.col_time, TOLERANCE)


def _compare_end(position: Position, record: JSONRecord, tally: Mismatches) -> None:
    """The state of the race after the turn, and its value by the heuristic of the thesis."""
    over = position.is_over
    winner = (0 if position.is_won else -1) if over else None
    tally.compare("terminal", record.get("terminal", bool), over)
    tally.compare("winner", record.get("winner", int, type(None)), winner)
    tally.compare("time", record.get("time", int, float, type(None)), position.time if over else None)
    tally.compare_close("h", record.part("eval").get("h"), position.value("progress"), TOLERANCE)
