"""What a sequential test says of the games of two players."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.errors import counted
from turnwise.statistics.sprt import Sprt


@dataclass(frozen=True, slots=True)
class SequentialVerdict:
    """State of the sequential test of one meeting.

    Attributes:
        players: Both players; the test's hypotheses are about the first.
        scenario: The scenario's ``spec``.
        games: Number of games that the test has judged, without abandoned ones.
        test: The test.
        llr: Log-likelihood ratio of H1 over H0.
        is_decided: Whether the test has decided.
        errors: Games among them that an error in a player's code ended; with any of them there is no verdict on
            strength.
    """

    players: tuple[str, str]
    scenario: str
    games: int
    test: Sprt
    llr: float
    is_decided: bool
    errors: int = 0

    @property
    def accepted(self) -> float | None:
        """The Elo difference for the first player that the test accepts; None: it has none, or errors ended games."""
        if not self.is_decided or self.errors:
            return None
        return self.test.elo1 if self.llr > 0 else self.test.elo0

    def outcome(self) -> str:
        """The verdict in a few words."""
        if self.errors:
            return f"none: {counted(self.errors, 'game', ',')} ended by an error"
        if self.accepted is None:
            return "open"
        rejected = self.test.elo0 + self.test.elo1 - self.accepted
        if rejected == -self.accepted:
            better = self.players[0] if self.accepted > 0 else self.players[1]
            return f"{better} is stronger: {abs(self.accepted):g} Elo points rather than {-abs(self.accepted):g}"
        return f"{self.accepted:g} Elo points for {self.players[0]} rather than {rejected:g}"

    def words(self) -> str:
        """One sentence."""
        meeting = f"{self.players[0]} against {self.players[1]} in {self.scenario}"
        games = counted(self.games, "game", ",")
        if self.errors:
            return f"{meeting}: no verdict after {games}, of which {self.errors} ended by an error."
        if self.accepted is None:
            return f"{meeting}: the sequential test has not decided after {games}."
        return f"{meeting}: decided after {games}, {self.outcome()}."
