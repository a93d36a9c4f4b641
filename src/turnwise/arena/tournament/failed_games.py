"""Games that an error in a player's code ended: how many, whose, and what was raised where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from turnwise.arena.records import GameRecord
from turnwise.core.errors import counted


@dataclass(frozen=True, slots=True)
class FailedGames:
    """The games that one player's errors ended.

    Attributes:
        player: Name of the player.
        games: Number of such games.
        first: What happened in the first of them, and where.
    """

    player: str
    games: int
    first: str

    def words(self) -> str:
        """One sentence."""
        ended = f"{counted(self.games, 'game', ',')} ended by an error of {self.player}"
        return f"{ended}{'; the first' if self.games > 1 else ''}: {self.first}."


def failed_games(records: Iterable[GameRecord]) -> tuple[FailedGames, ...]:
    """The games that errors ended, by player, in the order of their first ones.

    Args:
        records: Finished games.
    """
    found: dict[str, FailedGames] = {}
    for record in records:
        if record.is_failed:
            worst = max(record.seats, key=lambda seat: seat.rank)
            before = found.get(worst.player)
            games, first = (before.games, before.first) if before else (0, record.detail.rstrip("."))
            found[worst.player] = FailedGames(worst.player, games + 1, first)
    return tuple(found.values())


def remedy(failed: Iterable[FailedGames], results: object) -> str:
    """What to do about failed games; empty without any.

    Args:
        failed: The games.
        results: The results file, which keeps them.
    """
    names = " and ".join(each.player for each in failed)
    if not names:
        return ""
    return (
        f"Correct {names}, then play again into another results file (--out): {results} keeps these games, and they "
        "are not played again."
    )
