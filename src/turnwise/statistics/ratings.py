"""Bradley-Terry ratings of many players on the Elo scale.

The model gives every player a rating R; the expected score of i against j is
``1 / (1 + 10^((R_j - R_i) / 400))``. A draw counts as half a win for both. Each player also has
``prior_games`` drawn games (one by default) against an imaginary player of average strength. This weak
prior keeps the rating of a player that won everything finite and links players that never met, even
indirectly; with some hundred real games its effect is negligible.

Intervals come from the observed Fisher information with that prior. They treat games as independent coin
flips; draws make them too wide rather than too narrow. In a game of more than two players every pair of players
counts as a game, although the pairs of one game are not independent (whoever beats the first often beats the
second, too): there the intervals are too narrow, and reports say so. Only differences of ratings have a meaning,
so ratings are stated relative to the mean of all players (0) or to a named player; an interval is that of the
difference to this anchor.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952);
A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), for the scale; D. R. Hunter, "MM
algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), for when a maximum exists.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from turnwise.statistics.intervals import Interval, Tally, normal_quantile

__all__ = ["Rating", "RatingTable", "bradley_terry", "elo_to_score", "score_to_elo"]

_ELO = 400 / math.log(10)
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
    if not 0 <= score <= 1:
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
        tally: All games of the player.
    """

    player: str
    elo: Interval
    tally: Tally


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
    """

    ratings: tuple[Rating, ...]
    anchor: str | None
    confidence: float
    connected: bool
    covariance: tuple[tuple[float, ...], ...]

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
        half = normal_quantile(self.confidence) * math.sqrt(max(0.0, variance))
        return Interval(estimate, estimate - half, estimate + half, self.confidence, _METHOD)

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
        ValueError: If there are no players, a player meets itself, the prior is not positive, or the anchor
            is unknown.
    """
    names = sorted({name for pair in results for name in pair})
    if not names or any(first == second for first, second in results):
        raise ValueError("expected results of at least one pair of two different players")
    if not prior_games > 0 or not math.isfinite(prior_games):
        raise ValueError(f"expected prior_games > 0, so that ratings stay finite; got {prior_games!r}")
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} played no game; players are {', '.join(names)}")
    z = normal_quantile(confidence)
    points, tallies = _point_matrix(names, results)
    strengths, information = _fit(points, prior_games)
    covariance = np.linalg.inv(information) * _ELO**2
    elo = strengths * _ELO
    to_anchor = np.eye(len(names)) - (_unit(names, anchor) if anchor else 1 / len(names))
    elo, halves = to_anchor @ elo, z * np.sqrt(np.maximum(0, np.diag(to_anchor @ covariance @ to_anchor.T)))
    order = sorted(range(len(names)), key=lambda i: (-elo[i], names[i]))
    ratings = tuple(
        Rating(
            names[i],
            Interval(float(elo[i]), float(elo[i] - halves[i]), float(elo[i] + halves[i]), confidence, _METHOD),
            tallies[i],
        )
        for i in order
    )
    ordered = tuple(tuple(float(covariance[i, j]) for j in order) for i in order)
    return RatingTable(ratings, anchor, confidence, _is_connected(points + points.T), ordered)


def _unit(names: list[str], anchor: str) -> NDArray[np.float64]:
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

    The information is positive definite everywhere, so the squared slope has no other minimum, and Levenberg's and
    Marquardt's method finds this one from any start.

    Args:
        points: Points row player took from column player, float64[players, players].
        prior_games: Drawn games of each player against the imaginary average player.

    Returns:
        Strengths in natural units, float64[players], and the observed information there, float64[players, players].
    """
    from scipy import optimize
    from scipy.special import expit

    games = points + points.T

    def falling_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
        surplus = games * expit(x[:, None] - x[None, :]) - points
        slope: NDArray[np.float64] = surplus.sum(axis=1) + prior_games * (expit(x) - 0.5)
        return slope

    def information(x: NDArray[np.float64]) -> NDArray[np.float64]:
        expected, level = expit(x[:, None] - x[None, :]), expit(x)
        weight: NDArray[np.float64] = games * expected * (1 - expected)
        return np.diag(weight.sum(axis=1) + prior_games * level * (1 - level)) - weight

    strengths = optimize.root(falling_slope, np.zeros(len(points)), jac=information, method="lm", tol=_TOLERANCE).x
    return strengths, information(strengths)


def _is_connected(games: NDArray[np.float64]) -> bool:
    """Returns whether chains of games link all players; ``games`` is float64[players, players]."""
    from scipy.sparse import csgraph

    components, _ = csgraph.connected_components(games, directed=False)
    return components == 1
