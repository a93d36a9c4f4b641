"""Replays of recorded games (rules 11.3): everything that a trace holds, compared step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.core.game import Game
from turnwise.games.hero_academy.notation import engine_dict
from turnwise.games.hero_academy.recorded.engine import Position, draws_between, engine_hash, tape_of
from turnwise.games.hero_academy.scenario import CARDS, DECKS, MAPS, HeroSetup, map_name
from turnwise.games.hero_academy.state import bit

if TYPE_CHECKING:
    from turnwise.games.hero_academy.game import HeroAcademy

TOLERANCE = 1e-9  # rules 8.2: the order of summation is undefined in the engine


def verify_trace(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Replay a game; after a wrong state, continue from the recorded one, so that each step is judged separately."""
    records = document.records()
    header = next(records)
    game = _game_of(game_class, header.part("config"), tally)
    initial = header.get("initial_state", dict)
    tally.at(header.where)
    position = _first_position(game, header, initial, tally)
    if position is None:
        return
    state = position.to_dict()
    for number, record in enumerate(records):
        state = _verify_step(position, state, record, number, tally)


# ------------------------------------------------------------------------------------------------------- header


def _game_of(game_class: type[HeroAcademy], config: JSONRecord, tally: Mismatches) -> HeroAcademy:
    """The scenario that was recorded.

    Raises:
        DamagedFileError: Impossible options.
    """
    rows, name = config.get("rows", list), config.get("map", str)
    tally.at(config.where)
    if name in MAPS:
        tally.compare("rows", rows, list(MAPS[name]))
    else:
        name = map_name(tuple(str(row) for row in rows))
    try:
        return game_class(
            map=name,
            deck=config.get("deck", str, type(None)),
            draws=config.get("draw", str),
            action_points=config.get("action_points", int),
            first_turn_points=config.get("starting_ap", int),
            turn_limit=config.get("turn_limit", int),
        )
    except OptionError as error:
        raise DamagedFileError(f"{config.where}: {error}") from None


def _first_position(
    game: HeroAcademy, header: JSONRecord, initial: Mapping[str, Any], tally: Mismatches
) -> Position | None:
    """The recorded first state, compared with the one dealt from the deck seeds; None if it is impossible."""
    config = header.part("config")
    position = readable_position(game, initial, "initial_state", tally)
    if config.get("custom_start", bool):
        if config.data.get("deck_seeds") is not None:
            raise DamagedFileError(
                f"{config.where}: expected deck_seeds null for a custom start, got {config.data['deck_seeds']}."
            )
    elif position is not None:
        outcomes = config.get("deck_seeds", list) + (_deal_tape(game, initial) if game.is_stochastic else [])
        compare_start(game, outcomes, initial, tally)
    return position


def _deal_tape(game: HeroAcademy, initial: Mapping[str, Any]) -> list[int]:
    """Chance outcomes that deal the recorded hands, player 1's first."""
    deck = DECKS[game.options.deck_name]
    hands = [
        [player + 1, card]
        for player in range(2)
        for card, count in zip(CARDS, initial["hands"][player], strict=True)
        for _ in range(count)
    ]
    return tape_of(hands, {"player": 1, "decks": [deck, deck]}) or []


def compare_start(game: Game, outcomes: list[Any], initial: Mapping[str, Any], tally: Mismatches) -> None:
    """Compare a recorded first state with the one that the rules deal for its outcomes (deck seeds, random draws)."""
    dealt: Any
    try:
        dealt = engine_dict(game.setup, game.start(outcomes=outcomes).row)
        tally.states = (initial, dealt)
    except (NotationError, OverflowError, TypeError, ValueError):
        dealt = f"no deal: the rules draw other numbers of cards, or the deck seeds are not from 0 to 999 ({outcomes})"
    tally.compare("initial_state", initial, dealt)


def readable_position(game: Game, state: Mapping[str, Any], kind: str, tally: Mismatches) -> Position | None:
    """A recorded state as a position, and its round trip through the row compared; None if it is impossible."""
    try:
        position = Position(game, state)
    except NotationError as error:
        tally.states = (state, None)
        tally.compare(kind, state, str(error))
        return None
    own = game.state_dict_like(position.row, state)
    tally.states = (state, own)
    tally.compare(kind, state, own)
    return position


# -------------------------------------------------------------------------------------------------------- steps


def _verify_step(
    position: Position, state: dict[str, Any], record: JSONRecord, number: int, tally: Mismatches
) -> dict[str, Any]:
    """Compare one recorded action; returns the state that the next one starts from."""
    action = record.get("action", str)
    tally.step(record.where, action, state)
    tally.compare("n", record.get("n", int), number)
    tally.compare("player", record.get("player", int), state["player"])
    _compare_lists(position, record, action, tally)
    recorded = record.get("state", dict)
    own = _play(position, state, record, action, tally)
    tally.states = (recorded, own)
    agrees = tally.compare("state", recorded, own)
    _compare_after(position, record, own, tally)
    if not agrees:
        try:
            position.set(recorded)
            own = position.to_dict()
        except NotationError:
            pass  # impossible as recorded: counted above; continue from our own
    return own


def _compare_lists(position: Position, record: JSONRecord, action: str, tally: Mismatches) -> None:
    """What is recorded about the choice before the action."""
    codes = position.codes()
    listed = [position.text(int(code)) for code in codes]
    tally.compare("legal_count", record.get("legal_count", int), len(listed))
    if "legal" in record:
        tally.compare("legal", record.data["legal"], sorted(listed))
    gave_up = action == "end" and listed not in ([], ["end"])
    tally.compare("unlisted", record.data.get("unlisted", False), gave_up)
    known = action in listed or action == "end"
    tally.compare("action", action, action if known else "not in the legal list")
    if "legal_native" in record:
        tally.compare("legal_native", record.data["legal_native"], listed)
    if "score_native" in record:
        tally.compare("score_native", record.data["score_native"], position.scores(codes))
    if {"pruned", "pruned_count", "pruned_inferno_targets"} & set(record.data):
        _compare_pruned(position, position.pruned(codes), record, tally)


def _compare_pruned(position: Position, kept: list[int], record: JSONRecord, tally: Mismatches) -> None:
    texts = [position.text(code) for code in kept]
    if "pruned_count" in record:
        tally.compare("pruned_count", record.data["pruned_count"], len(kept))
    if "pruned" in record:
        others = sorted(text for text in texts if not text.startswith("drop IN>"))
        tally.compare("pruned", record.data["pruned"], others)
    if "pruned_inferno_targets" in record:
        centres = [code & 0xFF for code, text in zip(kept, texts, strict=True) if text.startswith("drop IN>")]
        sets = sorted(_covered(position, centre) for centre in centres)
        tally.compare("pruned_inferno_targets", record.data["pruned_inferno_targets"], sets)


def _covered(position: Position, centre: int) -> str:
    """Squares of the enemy pieces that an Inferno covers, "x,y x,y ..." in x,y order."""
    setup, head = position.game.setup.view(HeroSetup.dtype)[0], position.head
    covered = int(setup["area"][centre]) & int(head["owned"][1 - int(head["player"])])
    squares = [square for square in range(int(setup["squares"])) if covered & int(bit(square))]
    return " ".join(f"{int(setup['x'][square])},{int(setup['y'][square])}" for square in squares)


def _play(
    position: Position, state: dict[str, Any], record: JSONRecord, action: str, tally: Mismatches
) -> dict[str, Any]:
    """Apply the recorded action, following recorded random draws; compares the draws. Returns the state after it."""
    try:
        code = position.game.parse_action(position.row, action)
    except NotationError as error:
        tally.compare("action", action, str(error))
        return state
    chance = record.part("chance").get("draws", list) if "chance" in record else []
    if any(not (isinstance(draw, list) and len(draw) == 2) for draw in chance):
        raise DamagedFileError(f"{record.where}: expected draws as [player, card], got {chance}.")
    misfit = 0
    if position.game.is_stochastic and action == "end":
        outcomes = tape_of(chance, state)
        misfit = position.apply(code, outcomes or [])
    else:
        position.apply(code)
    own = position.to_dict()
    if action == "end" or chance:
        drawn = draws_between(state, own) if action == "end" else []
        tally.compare("draws", chance, drawn if not misfit else f"{drawn}, and {misfit} draws do not fit")
    return own


def _compare_after(position: Position, record: JSONRecord, own: Mapping[str, Any], tally: Mismatches) -> None:
    """What is recorded about the state after the action."""
    tally.compare("terminal", record.get("terminal", bool), position.is_over)
    tally.compare("winner", record.get("winner", int, type(None)), position.winner)
    values = record.part("eval")
    heuristic = [position.value(player, "heuristic-as-coded") for player in range(2)]
    tally.compare("heuristic", values.get("heuristic", list), heuristic)
    if "heuristic_win" in values:
        tally.compare("heuristic_win", values.data["heuristic_win"], _win_form(position, heuristic))
    for name in ("balance", "mean"):
        if name in values:
            both = values.get(name, list)
            for player in range(2):
                recorded = both[player] if len(both) == 2 else None
                tally.compare_close(name, recorded, position.value(player, name), TOLERANCE)
    if "hash" in record:
        tally.compare("hash", record.data["hash"], str(engine_hash(own)))


def _win_form(position: Position, heuristic: list[float]) -> list[float]:
    """The heuristic's "win" form (rules 8.1)."""
    if position.is_over:
        return [position.value(player, "win-lose") for player in range(2)]
    return [(value + 60000.0) / 120000.0 for value in heuristic]
