"""How a game ended, in words for the person who played it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord


def ending_words(record: GameRecord, person: int) -> str:
    """One sentence: who won, who shares the first place, a draw, a player's error, or a single player's result.

    Args:
        record: The finished game.
        person: Seat of the person, from 0.
    """
    from turnwise.arena.records import FORFEITS, Ending
    from turnwise.report.words import result_words

    if len(record.seats) == 1:
        return f"The game is over: {result_words(record)}."
    why = f" ({record.detail})" if record.detail else ""
    if record.ending in FORFEITS:
        return f"{_forfeit(record, person)}: {record.detail or record.ending}."
    if record.ending is Ending.WON or record.ending is Ending.SHARED:
        return f"{_winners(record, person)}{why}."
    return f"A draw{'' if record.ending is Ending.DRAWN_BY_RULE else ' by a limit'}{why}."


def _winners(record: GameRecord, person: int) -> str:
    best = [seat for seat in record.seats if seat.rank == 1]
    others = " and ".join(seat.player for seat in best if seat.seat != person)
    if record.seats[person].rank == 1:
        return f"You share the first place with {others}" if others else "You won"
    who = f"{others} {'won' if len(best) == 1 else 'share the first place'}"
    return f"You lost: {who}" + (f", your place is {_place(record, person)}" if len(record.seats) > 2 else "")


def _place(record: GameRecord, person: int) -> str:
    ranks = [seat.rank for seat in record.seats]
    rank = ranks[person]
    shared = " (shared)" if ranks.count(rank) > 1 else ""
    return f"{rank}{shared} of {len(ranks)}"


def _forfeit(record: GameRecord, person: int) -> str:
    """Who lost by its own fault; all others share the win."""
    from turnwise.arena.records import Ending

    fault = {Ending.ILLEGAL_ACTION: "an illegal action", Ending.TIME_OVERRUN: "an overrun"}.get(
        record.ending, "an error"
    )
    faulty = max(record.seats, key=lambda seat: seat.rank)
    if faulty.seat == person:
        return f"You lost by {fault}"
    shared = ", with all others" if len(record.seats) > 2 else ""
    return f"You won{shared}, since {faulty.player} lost by {fault}"
