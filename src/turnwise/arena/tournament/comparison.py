"""Which of two planners is stronger: a tournament of two that ends when a sequential test decides, and its verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.results.reading import open_results
from turnwise.arena.tournament.failed_games import FailedGames, failed_games
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.arena.tournament.stopping import Stopping, scores_of
from turnwise.core.errors import OptionError, counted
from turnwise.registry import make, planner
from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.ratings import score_to_elo

_MOST_GAMES = 10**7


@dataclass(frozen=True, slots=True)
class ComparisonVerdict:
    """What the games of a comparison show.

    Attributes:
        players: Names of both players.
        game: The scenario.
        tally: The games from the first player's point of view, without those that errors ended.
        score: Its score with a 95 % interval.
        difference: The test's Elo difference.
        llr: Its log-likelihood ratio of "the first is that much stronger" over "the second is".
        bound: The test has decided where the ratio leaves the range from -bound to bound.
        failed: Games that errors in the players' code ended. With any of them there is no verdict: the others may be
            the ones that a player was winning.
    """

    players: tuple[str, str]
    game: str
    tally: Tally
    score: Interval
    difference: float
    llr: float
    bound: float
    failed: tuple[FailedGames, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether the test has decided."""
        return not self.failed and abs(self.llr) >= self.bound

    @property
    def stronger(self) -> str:
        """Name of the stronger player; empty if the test has not decided."""
        return "" if not self.is_decided else self.players[0 if self.llr > 0 else 1]

    @property
    def elo(self) -> float | None:
        """The Elo difference that explains the score; None if one player has all points."""
        return score_to_elo(self.score.estimate) if 0 < self.score.estimate < 1 else None

    @property
    def games_to_decide(self) -> int | None:
        """How many games in all would decide at this score; None if the score is even, or errors ended games."""
        if self.failed or not self.tally.games or abs(self.llr) * _MOST_GAMES < self.bound * self.tally.games:
            return None
        return math.ceil(self.tally.games * self.bound / abs(self.llr))

    def words(self) -> str:
        """One sentence; with failed games, another one on each player that failed."""
        if self.failed:
            return self._no_verdict()
        if not self.tally.games:
            return "No game has been played."
        first, second = self.players
        if self.is_decided:
            winner = self.stronger
            other = second if winner == first else first
            begin = f"{winner} is stronger than {other} in {self.game}"
        else:
            begin = f"Undecided between {first} and {second} in {self.game}"
        score, low, high = (f"{100 * value:.1f}" for value in (self.score.estimate, self.score.low, self.score.high))
        elo = "" if self.elo is None else f", {self.elo:+z.0f} Elo points"
        games = counted(self.tally.games, "game", ",")
        return f"{begin}: {first} scores {score} % ({low} to {high}) in {games}{elo} ({self._results})."

    @property
    def _results(self) -> str:
        return f"{self.tally.wins} won, {self.tally.draws} drawn, {self.tally.losses} lost"

    def _no_verdict(self) -> str:
        lost, others = sum(each.games for each in self.failed), self.tally.games
        share = f"{lost:,} of {counted(lost + others, 'game', ',')} ended by an error"
        rest = f" Results of {self.players[0]} in the others: {self._results}." if others else ""
        errors = " ".join(each.words() for each in self.failed)
        return f"No verdict on {self.players[0]} and {self.players[1]} in {self.game}: {share}.{rest} {errors}"


def comparison_spec(
    game: str, players: tuple[str, str], budgets: tuple[str, str], difference: float, games: int, seed: int = 0
) -> TournamentSpec:
    """The tournament of a comparison.

    Args:
        game: The scenario, for two players.
        players: Both planners' texts.
        budgets: Their budgets.
        difference: Elo points that the test decides between, one way or the other.
        games: Largest number of games; an odd number counts as the next even one.
        seed: Seed of all starts and choices.

    Raises:
        UnknownNameError: A game or planner does not exist.
        OptionError: The game is not for two players, both players are the same, or an argument is invalid.
    """
    scenario = make(game)
    if scenario.players != 2:
        raise OptionError(
            f"{scenario.spec} has {counted(scenario.players, 'seat')}; a comparison by a sequential test needs a game "
            "for two. 'turnwise tournament' compares players in games of any number of seats."
        )
    specs = [planner(text).spec for text in players]
    if specs[0] == specs[1] and budgets[0] == budgets[1]:
        raise OptionError(
            f"Both players are {specs[0]} with the same budget; give one of them other parameters or another budget."
        )
    names = list(players) if players[0] != players[1] else [f"{players[0]} ({budget})" for budget in budgets]
    return make_spec(
        name=f"{names[0]} against {names[1]}",
        games=(game,),
        players=dict(zip(names, players, strict=True)),
        budget=budgets[0],
        budgets={} if budgets[0] == budgets[1] else {names[1]: budgets[1]},
        games_per_pair=games + games % 2,
        sprt={"elo0": -difference, "elo1": difference},
        seed=seed,
        replays=20,
    )


def verdict_of(spec: TournamentSpec, path: str | Path) -> ComparisonVerdict:
    """What the games in a comparison's results file show.

    Raises:
        DamagedGamesError: Games are damaged.
        DamagedFileError: The file is damaged, or is not a results file.
        OptionError: The specification is not that of a comparison.
    """
    if spec.sprt is None or len(spec.players) != 2:
        raise OptionError("expected a tournament of two players with a sequential test, as comparison_spec makes it.")
    first, second = spec.players
    jobs = list(make_schedule(spec).jobs())
    keys = {job.key for job in jobs}
    with open_results(path) as results:
        records = [record for record in results if record.key in keys]
    failed = failed_games(records)
    scores = {record.key: {} if record.is_failed else scores_of(record) for record in records}
    test = spec.sprt.test()
    (report,) = Stopping(test, jobs, scores).reports()
    tally = Tally.of(found[first] for found in scores.values() if found)
    return ComparisonVerdict(
        players=(first, second),
        game=spec.games[0],
        tally=tally,
        score=wilson_interval(tally.points, tally.games) if tally.games else Interval(0.5, 0.0, 1.0, 0.95, "none"),
        difference=test.elo1,
        llr=0.0 if report is None else report.llr,
        bound=test.bounds[1],
        failed=failed,
    )
