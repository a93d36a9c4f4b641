"""Bradley-Terry ratings of many players on the Elo scale.

The model gives every player a rating R; the expected score of i against j is
``1 / (1 + 10^((R_j - R_i) / 400))``. A draw counts as half a win for both. Each player also has
``prior_games`` drawn games (one by default) against an imaginary player of average strength. This weak
prior keeps the rating of a player that won everything finite and links players that never met, even
indirectly; with some hundred real games its effect is negligible.

Intervals come from the observed Fisher information with that prior. They treat games as independent coin
flips; draws make them too wide rather than too narrow. Games of more than two players are rated from their
rankings (:mod:`turnwise.statistics.plackett_luce`). Only differences of ratings have a meaning, so ratings are
stated relative to the mean of all players (0) or to a named player; an interval is that of the difference to this
anchor.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952);
A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), for the scale; D. R. Hunter, "MM
algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), for when a maximum exists.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from turnwise.statistics import arguments
from turnwise.statistics.fit import likeliest
from turnwise.statistics.intervals import Interval, Tally, normal_quantile

__all__ = ["Rating", "RatingTable", "bradley_terry", "elo_to_score", "rating_table", "score_to_elo"]

_ELO = 400 / math.log(10)
"""Elo points of one unit of the logarithm of a strength."""

_NONE: NDArray[np.float64] = np.empty(0)
_TOLERANCE = 1e-14
"""Relative tolerance of the fit."""

_METHOD = "Bradley-Terry, observed information"


def elo_to_score(difference: float) -> float:
    """Returns the expected score, in [0, 1], of a player rated ``difference`` Elo points above the other."""
    return 0.5 * (1 + math.tanh(difference / (2 * _ELO)))


def score_to_elo(score: float) -> float:
    """Returns the Elo difference at which a score is expected; infinite for 0 and 1.

    Raises:
        ValueError: If the score is not within [0, 1].
    """
    if not 0 <= arguments.real(score, "a score") <= 1:
        raise ValueError(f"a score is a share of points within [0, 1]; got {score!r}")
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return _ELO * (math.log(score) - math.log1p(-score))


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's rating.

    Attributes:
        player: Name.
        elo: Rating and interval in Elo points relative to the anchor.
        tally: The player's results against all others; a game of n players counts as n - 1.
        games: Number of games of the player.
    """

    player: str
    elo: Interval
    tally: Tally
    games: int


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings of all players of a tournament.

    Attributes:
        ratings: Best first; equal ones by name.
        anchor: The player at 0, or None if the mean of all players is 0.
        confidence: Nominal coverage of the intervals.
        connected: Whether games link all players. If not, only the prior relates players without a link.
        covariance: Covariance of the ratings before anchoring, in squared Elo points, in the order of
            ``ratings``.
        method: The model and the method of the intervals.
        samples: For each player, in the order of ``ratings``, its ratings in resampled tournaments before
            anchoring; empty: nothing was resampled.
    """

    ratings: tuple[Rating, ...]
    anchor: str | None
    confidence: float
    connected: bool
    covariance: tuple[tuple[float, ...], ...]
    method: str
    samples: tuple[tuple[float, ...], ...] = ()

    @property
    def model(self) -> str:
        """Name of the model: "Bradley-Terry", "Plackett-Luce"."""
        return self.method.partition(",")[0]

    def __getitem__(self, player: str) -> Rating:
        """Returns a player's rating.

        Raises:
            KeyError: If the player is not in the table.
        """
        return self.ratings[self._index(player)]

    def difference(self, first: str, second: str) -> Interval:
        """Returns how many Elo points the first player stands above the second, with its interval.

        Raises:
            KeyError: If a player is not in the table.
        """
        i, j = self._index(first), self._index(second)
        estimate = self.ratings[i].elo.estimate - self.ratings[j].elo.estimate
        variance = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        samples = np.subtract(self.samples[i], self.samples[j]) if self.samples else _NONE
        return _interval(estimate, variance, samples, self.confidence, self.method)

    def _index(self, player: str) -> int:
        for index, rating in enumerate(self.ratings):
            if rating.player == player:
                return index
        raise KeyError(f"no player {player!r}; the table has {', '.join(r.player for r in self.ratings)}")


def bradley_terry(
    results: Mapping[tuple[str, str], Tally],
    *,
    anchor: str | None = None,
    confidence: float = 0.95,
    prior_games: float = 1.0,
) -> RatingTable:
    """Rates players by the games they played against each other.

    Args:
        results: For each pair of players the games from the first player's side. Both orders of a pair may
            occur; they are added.
        anchor: Player whose rating is 0; None puts the mean of all players at 0.
        confidence: Nominal coverage of the intervals.
        prior_games: Drawn games of each player against an imaginary average player; more than 0.

    Raises:
        ValueError: If the results have another form, there are no players, a player meets itself, the prior is not
            positive, or the anchor is unknown.
        ArithmeticError: The fit has failed.
    """
    if not isinstance(results, Mapping) or not all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(name, str) for name in pair) for pair in results
    ):
        raise ValueError(
            "expected results as a table of two players' names to their Tally, as in {('ada', 'bob'): Tally(3, 1, 2)}; "
            f"got {arguments.shown(results)}"
        )
    wrong = next((tally for tally in results.values() if not isinstance(tally, Tally)), None)
    if wrong is not None or None in results.values():
        raise ValueError(f"expected Tally(wins, draws, losses) for each pair of players; got {arguments.shown(wrong)}")
    arguments.real(prior_games, "prior_games")
    names = sorted({name for pair in results for name in pair})
    if not names or any(first == second for first, second in results):
        raise ValueError("expected results of at least one pair of two different players")
    if not prior_games > 0:
        raise ValueError(f"expected prior_games > 0, so that ratings stay finite; got {prior_games!r}")
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} played no game; players are {', '.join(names)}")
    points, tallies = _point_matrix(names, results)
    strengths, information = _fit(points, prior_games)
    return rating_table(
        names,
        strengths,
        information,
        tallies=tallies,
        games=[tally.games for tally in tallies],
        connected=_is_connected(points + points.T),
        anchor=anchor,
        confidence=confidence,
        method=_METHOD,
    )


def rating_table(
    names: Sequence[str],
    strengths: NDArray[np.float64],
    information: NDArray[np.float64],
    *,
    tallies: Sequence[Tally],
    games: Sequence[int],
    connected: bool,
    anchor: str | None,
    confidence: float,
    method: str,
    samples: NDArray[np.float64] | None = None,
) -> RatingTable:
    """Returns the table of fitted ratings.

    Args:
        names: The players.
        strengths: Strengths before anchoring, float64[players], in natural units.
        information: The observed information about them, float64[players, players].
        tallies: Results of each player against all others.
        games: Number of games of each player.
        connected: Whether games link all players.
        anchor: Player whose rating is 0; None puts the mean of all players at 0.
        confidence: Nominal coverage of the intervals.
        method: The model and the method of the intervals.
        samples: Strengths in resampled tournaments, float64[resamples, players]; None: none.
    """
    to_anchor = np.eye(len(names)) - (_unit(names, anchor) if anchor else 1 / len(names))
    covariance = np.linalg.inv(information) * _ELO**2
    variances = np.diag(to_anchor @ covariance @ to_anchor.T)
    drawn = np.empty((0, len(names))) if samples is None else samples * _ELO
    anchored, elo = drawn @ to_anchor.T, to_anchor @ (strengths * _ELO)
    order = sorted(range(len(names)), key=lambda i: (-elo[i], names[i]))
    ratings = tuple(
        Rating(
            names[i],
            _interval(float(elo[i]), float(variances[i]), anchored[:, i], confidence, method),
            tallies[i],
            games[i],
        )
        for i in order
    )
    ordered = tuple(tuple(float(covariance[i, j]) for j in order) for i in order)
    columns = tuple(tuple(drawn[:, i].tolist()) for i in order) if drawn.size else ()
    return RatingTable(ratings, anchor, confidence, connected, ordered, method, columns)


def _interval(
    estimate: float, variance: float, samples: NDArray[np.float64], confidence: float, method: str
) -> Interval:
    """Returns the normal interval of a variance, widened to the quantiles of resampled values if there are any.

    Args:
        estimate: The estimate.
        variance: Its variance by the observed information.
        samples: The estimate in resampled tournaments, float64[resamples].
        confidence: Nominal coverage.
        method: Name of the formula.
    """
    half = normal_quantile(confidence) * math.sqrt(max(0.0, variance))
    low, high = estimate - half, estimate + half
    if samples.size:
        side = (1 - confidence) / 2
        low = min(low, float(np.quantile(samples, side)))
        high = max(high, float(np.quantile(samples, 1 - side)))
    return Interval(estimate, low, high, confidence, method)


def _unit(names: Sequence[str], anchor: str) -> NDArray[np.float64]:
    """Returns the unit vector of the anchor, float64[players]."""
    return np.array([name == anchor for name in names], dtype=np.float64)


def _point_matrix(
    names: list[str], results: Mapping[tuple[str, str], Tally]
) -> tuple[NDArray[np.float64], list[Tally]]:
    """Returns the points row player took from column player, float64[players, players], and each player's games."""
    index = {name: i for i, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    tallies = [Tally(0, 0, 0) for _ in names]
    for (first, second), tally in results.items():
        i, j = index[first], index[second]
        points[i, j] += tally.points
        points[j, i] += tally.reversed().points
        tallies[i] += tally
        tallies[j] += tally.reversed()
    return points, tallies


def _fit(points: NDArray[np.float64], prior_games: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Finds the likeliest strengths: where the slope of the log-likelihood is zero.

    Args:
        points: Points row player took from column player, float64[players, players].
        prior_games: Drawn games of each player against the imaginary average player.

    Returns:
        Strengths in natural units, float64[players], and the observed information there, float64[players, players].

    Raises:
        ArithmeticError: The fit has failed.
    """
    from scipy.special import expit

    games = points + points.T

    def loss(x: NDArray[np.float64]) -> float:
        prior = np.logaddexp(0.0, x) - x / 2
        return float(np.sum(points * np.logaddexp(0.0, x[None, :] - x[:, None])) + prior_games * prior.sum())

    def falling_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
        surplus = games * expit(x[:, None] - x[None, :]) - points
        slope: NDArray[np.float64] = surplus.sum(axis=1) + prior_games * (expit(x) - 0.5)
        return slope

    def information(x: NDArray[np.float64]) -> NDArray[np.float64]:
        expected, level = expit(x[:, None] - x[None, :]), expit(x)
        weight: NDArray[np.float64] = games * expected * (1 - expected)
        return np.diag(weight.sum(axis=1) + prior_games * level * (1 - level)) - weight

    strengths = likeliest(loss, falling_slope, information, np.zeros(len(points)), _TOLERANCE)
    return strengths, information(strengths)


def _is_connected(games: NDArray[np.float64]) -> bool:
    """Returns whether chains of games link all players; ``games`` is float64[players, players]."""
    from scipy.sparse import csgraph

    components, _ = csgraph.connected_components(games, directed=False)
    return components == 1
