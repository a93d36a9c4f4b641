"""Recorded games (rules 11): every state, legal list, value, view, and what scripts and rule-based players chose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import NotationError
from turnwise.core.state import State
from turnwise.games.stratega.recorded.engine import Recorded, number_of, seen_rows
from turnwise.games.stratega.recorded.scripts import Deciding, compare_scripts

if TYPE_CHECKING:
    from turnwise.games.stratega.game import Stratega

TOLERANCE = 1e-12  # of recorded values, which are printed with all their digits


def verify_trace(game_class: type[Stratega], document: Document, tally: Mismatches) -> None:
    """Replay a game; after a wrong state, continue from the recorded one, so that each step is judged separately."""
    records = document.records()
    header = next(records)
    initial = header.part("initial_state")
    recorded = Recorded(game_class, header, len(initial.get("can_play", list)))
    tally.at(header.where)
    state = _state_of(recorded.game, initial.data) or recorded.game.start()
    own = state.to_dict()  # made once a state, since it takes longer than anything else
    tally.states = (initial.data, own)
    tally.compare("initial_state", initial.data, own)
    refused, deciding = 0, Deciding(header)
    for number, record in enumerate(records):
        if record.data.get("not_in_legal"):
            refused += 1
        state, own = _verify_step(recorded, deciding, state, own, record, number, tally)
    if refused:
        tally.notes.append(
            f"{document.source}: {refused} recorded actions are not in the legal list; they were played without strict "
            "rules, and strict rules refuse them."
        )


def _state_of(game: Stratega, data: dict[str, Any]) -> State | None:
    """A recorded state; None if it is impossible."""
    try:
        return game.from_dict(data)
    except NotationError:
        return None


def _verify_step(
    recorded: Recorded,
    deciding: Deciding,
    before: State,
    own: dict[str, Any],
    record: JSONRecord,
    number: int,
    tally: Mismatches,
) -> tuple[State, dict[str, Any]]:
    """Compare one recorded action; returns the state that the next one starts from, and its canonical form."""
    action = record.get("action", str)
    tally.step(record.where, action, own)
    tally.compare("n", record.get("n", int), number)
    tally.compare("player", record.get("player", int), before.to_move)
    strict = State._made(recorded.strict, before.row, before.chance)
    legal = strict.legal_actions()
    tally.compare("legal_count", record.get("legal_count", int), len(legal))
    if "legal" in record:
        tally.compare("legal", record.get("legal", list), sorted(legal))
    if "legal_generation_order" in record:
        tally.compare("legal_generation_order", record.get("legal_generation_order", list), legal)
    is_listed = action in legal
    tally.compare("not_in_legal", bool(record.data.get("not_in_legal", False)), not is_listed)
    if not is_listed:
        tally.compare("refused", True, _code_of(strict, action) is None)
    if "fog" in record:
        _compare_view(before, record.part("fog"), tally)
    if "scripts" in record:
        compare_scripts(before, record.part("scripts"), tally)
    deciding.compare(before, action, bool(record.data.get("agent_used_rng", False)), tally)
    return _after(recorded, before, action, record, tally)


def _code_of(state: State, action: str) -> int | None:
    """Code of a legal action; None for others."""
    try:
        code = state.game.parse_action(state.row, action)
    except NotationError:
        return None
    return code if state.is_legal(code) else None


def _after(
    recorded: Recorded, before: State, action: str, record: JSONRecord, tally: Mismatches
) -> tuple[State, dict[str, Any]]:
    """Play the recorded action and compare what follows."""
    code = _code_of(before, action)
    after = before if code is None else before.play(code)  # an impossible action changes nothing
    expected = record.get("state", dict)
    own = after.to_dict()
    tally.states = (expected, own)
    agrees = tally.compare("state", expected, own)
    tally.compare("terminal", record.get("terminal", bool), after.is_over)
    tally.compare("winner", record.get("winner", int), expected.get("winner"))
    values = record.part("eval")
    for player, value in enumerate(values.get("linear_sum", list)):
        tally.compare_close("linear_sum", value, after.evaluate(player, "linear-sum"), TOLERANCE)
    for player, value in enumerate(values.get("min_distance", list)):
        _compare_distance(recorded.game, after, player, number_of(value), tally)
    if not agrees and (proper := _state_of(recorded.game, expected)):
        return proper, proper.to_dict()
    return after, own


def _compare_distance(game: Stratega, state: State, player: int, expected: Any, tally: Mismatches) -> None:
    from turnwise.games.stratega.recorded.engine import distance_function

    found = distance_function()(game.setup, state.row, player)
    if isinstance(expected, float) and math.isnan(expected):
        tally.compare("min_distance", "nan", "nan" if math.isnan(found) else found)
    else:
        tally.compare_close("min_distance", expected, found, TOLERANCE)


def _compare_view(state: State, fog: JSONRecord, tally: Mismatches) -> None:
    """What the player to move sees."""
    game: Any = state.game
    view = state.view(state.to_move)
    tally.compare("seen units", fog.get("units", list), [unit[0] for unit in view.to_dict()["units"]])
    tally.compare("seen board", fog.get("board", list), seen_rows(game, view.row))
    compare_scripts(view, fog.part("scripts"), tally)
