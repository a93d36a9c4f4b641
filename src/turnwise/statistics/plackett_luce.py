"""Plackett-Luce ratings from the rankings of games for any number of players, on the Elo scale.

The model explains a ranking as choices: the first place goes to player i with probability ``w_i / sum of w`` over all
players at the table, the second in the same way among the others, and so on, with ``w = 10^(R / 400)``. For two players
this is the Bradley-Terry model of :mod:`turnwise.statistics.ratings`, with the same ratings: the prior is the same, and
a tie counts as the mean over all orders that break it, as a draw counts half a win for both. That mean has 2^k terms
for k tied players; in ties of more than ten, each place counts as a choice among all tied players (Breslow's
approximation).

Intervals come from resampling whole blocks of games (bootstrap): games of one block share their start and their players
and are not independent, and within a game the places are not. Where all blocks agree, resampling shows no spread at all
(whoever won everything wins every resample). Therefore an interval is never narrower than the one from the observed
information, which treats games as independent.

Sources: R. L. Plackett, "The analysis of permutations", Applied Statistics 24 (1975); R. D. Luce, "Individual Choice
Behavior" (1959); D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004);
N. E. Breslow, "Covariance analysis of censored survival data", Biometrics 30 (1974), for large ties.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.statistics import arguments
from turnwise.statistics.fit import likeliest
from turnwise.statistics.intervals import Tally
from turnwise.statistics.ratings import RatingTable, rating_table

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["LARGEST_TIE", "Ranking", "plackett_luce"]

Ranking = Mapping[str, float]
"""Player -> place in one game; a smaller number is better, equal numbers are a tie."""

LARGEST_TIE = 10
"""Largest number of tied players whose orders are all counted."""

_TOLERANCE, _ROUGH = 1e-14, 1e-8  # relative tolerance of the fit, and of those of resampled tournaments
_METHOD = "Plackett-Luce, bootstrap"
_KEPT_CHOICES = 256  # ties whose choices are kept: most recur, and each takes up to 2^LARGEST_TIE entries

Choice = tuple[int, ...]
"""The players among whom a place was given, as indices in rising order."""


@dataclass(frozen=True, slots=True)
class _Games:
    """What the likelihood needs of the games.

    Attributes:
        members: Whether a player could be chosen, float64[choices, players], 0 or 1.
        weights: How often each choice was made in a block, float64[blocks, choices].
        taken: How often each player was chosen in a block, float64[blocks, players].
    """

    members: NDArray[np.float64]
    weights: sparse.csr_array
    taken: NDArray[np.float64]


def plackett_luce(
    blocks: Sequence[Sequence[Ranking]],
    *,
    anchor: str | None = None,
    confidence: float = 0.95,
    prior_games: float = 1.0,
    resamples: int = 1000,
    seed: int = 0,
) -> RatingTable:
    """Rates players by the places that they took.

    Args:
        blocks: Blocks of games; games of different blocks are independent.
        anchor: Player whose rating is 0; None puts the mean of all players at 0.
        confidence: Nominal coverage of the intervals.
        prior_games: Drawn games of each player against an imaginary average player; more than 0.
        resamples: Number of resampled tournaments; 0: intervals come from the observed information alone.
        seed: Seed of the resampling, any whole number; equal seeds give equal intervals.

    Raises:
        ValueError: The blocks have another form, there is no game, a game has fewer than two players or a place that
            is not finite, the prior is not positive, the resamples are no whole number from 0, the seed is none, or
            the anchor is unknown.
        ArithmeticError: The fit has failed.
    """
    _check_form(blocks)
    names = sorted({name for block in blocks for game in block for name in game})
    _check(names, blocks, anchor, prior_games, resamples)
    arguments.whole(seed, "the seed")
    games = _counted(blocks, {name: index for index, name in enumerate(names)})
    once = np.ones(len(blocks))
    weights, taken = games.weights.T @ once, once @ games.taken
    strengths = _fit(games.members, weights, taken, prior_games, np.zeros(len(names)), _TOLERANCE)
    information = _information(games.members, weights, prior_games, strengths)
    rankings = [game for block in blocks for game in block]
    return rating_table(
        names,
        strengths,
        information,
        tallies=[_tally(rankings, name) for name in names],
        games=[sum(name in game for game in rankings) for name in names],
        connected=_is_connected(games.members),
        anchor=anchor,
        confidence=confidence,
        method=_METHOD,
        samples=_resampled(games, prior_games, strengths, resamples, seed),
    )


def _check_form(blocks: object) -> None:
    """Check that blocks are lists of rankings."""
    wanted = "expected a list of blocks, each a list of rankings, as in [[{'ada': 1, 'bob': 2}]]"
    if not arguments.is_list(blocks):
        raise ValueError(f"{wanted}; got {arguments.shown(blocks)}")
    for block in blocks:  # type: ignore[attr-defined]
        if isinstance(block, Mapping):
            raise ValueError(
                f"{wanted}; got a ranking in place of a block: {arguments.shown(block)}. If the games are independent, "
                "make a block of each: [[game] for game in games]"
            )
        if not arguments.is_list(block):
            raise ValueError(f"{wanted}; got a block {arguments.shown(block)}")
        for game in block:
            if not isinstance(game, Mapping) or not all(isinstance(name, str) for name in game):
                raise ValueError(f"{wanted}; got a ranking {arguments.shown(game)}")
            for name, place in game.items():
                arguments.real(place, f"the place of {name!r}")


def _check(
    names: Sequence[str],
    blocks: Sequence[Sequence[Ranking]],
    anchor: str | None,
    prior_games: float,
    resamples: int,
) -> None:
    """Check the arguments of :func:`plackett_luce`."""
    if not names or any(len(game) < 2 for block in blocks for game in block):
        raise ValueError("expected rankings of at least two players each, and at least one ranking")
    if not arguments.real(prior_games, "prior_games") > 0:
        raise ValueError(f"expected prior_games > 0, so that ratings stay finite; got {prior_games!r}")
    arguments.whole(resamples, "resamples", 0)
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} played no game; players are {', '.join(names)}")


def _counted(blocks: Sequence[Sequence[Ranking]], index: Mapping[str, int]) -> _Games:
    """Counts choices and chosen players by block; ``index`` numbers the players."""
    from scipy import sparse

    number: dict[Choice, int] = {}
    taken = np.zeros((len(blocks), len(index)))
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, block in enumerate(blocks):
        made: dict[Choice, float] = {}
        for game in block:
            for tied, later in _ties(game, index):
                taken[row, list(tied)] += 1 if later else 1 - 1 / len(tied)
                for choice, share in _choices(tied, later).items():
                    made[choice] = made.get(choice, 0.0) + share
        for choice, weight in made.items():
            rows.append(row)
            columns.append(number.setdefault(choice, len(number)))
            values.append(weight)
    members = np.zeros((len(number), len(index)))
    for choice, place in number.items():
        members[place, list(choice)] = 1
    weights = sparse.csr_array((values, (rows, columns)), shape=(len(blocks), len(number)), dtype=np.float64)
    return _Games(members, weights, taken)


def _ties(game: Ranking, index: Mapping[str, int]) -> Iterator[tuple[Choice, Choice]]:
    """Yields the players of each place, best first, with all players of later places."""
    ranked = sorted(game, key=lambda name: (game[name], index[name]))
    placed = 0
    for _, group in groupby(ranked, key=lambda name: game[name]):
        tied = tuple(index[name] for name in group)
        placed += len(tied)
        yield tied, tuple(sorted(index[name] for name in ranked[placed:]))


@lru_cache(maxsize=_KEPT_CHOICES)
def _choices(tied: Choice, later: Choice) -> Mapping[Choice, float]:
    """The choices that give their places to tied players, each with its share of the orders that break the tie.

    Args:
        tied: Players of one place, in rising order.
        later: Players of later places, in rising order.
    """
    if len(tied) > LARGEST_TIE:
        return {tuple(sorted(tied + later)): len(tied) if later else len(tied) - 1}
    return {
        tuple(sorted(left + later)): 1 / math.comb(len(tied), size)
        for size in range(1, len(tied) + 1)
        for left in combinations(tied, size)
        if size + len(later) > 1
    }


def _fit(
    members: NDArray[np.float64],
    weights: NDArray[np.float64],
    taken: NDArray[np.float64],
    prior_games: float,
    start: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.float64]:
    """Finds the likeliest strengths: where the slope of the log-likelihood is zero.

    Args:
        members: See :class:`_Games`.
        weights: How often each choice was made, float64[choices].
        taken: How often each player was chosen, float64[players].
        prior_games: Drawn games of each player against the imaginary average player.
        start: Strengths to begin with, float64[players].
        tolerance: Relative tolerance.

    Returns:
        Strengths in natural units, float64[players].

    Raises:
        ArithmeticError: The fit has failed.
    """
    from scipy.special import expit, logsumexp

    def loss(x: NDArray[np.float64]) -> float:
        totals = logsumexp(np.where(members > 0, x, -np.inf), axis=1)
        prior = np.logaddexp(0.0, x) - x / 2
        return float(weights @ totals - taken @ x + prior_games * prior.sum())

    def falling_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
        slope: NDArray[np.float64] = weights @ _shares(members, x) - taken + prior_games * (expit(x) - 0.5)
        return slope

    def information(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return _information(members, weights, prior_games, x)

    return likeliest(loss, falling_slope, information, start, tolerance)


def _shares(members: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the probability of each player in each choice, float64[choices, players]."""
    strengths = members * np.exp(x - x.max())
    shares: NDArray[np.float64] = strengths / strengths.sum(axis=1, keepdims=True)
    return shares


def _information(
    members: NDArray[np.float64], weights: NDArray[np.float64], prior_games: float, x: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the observed information at strengths ``x``, float64[players, players]; see :func:`_fit`."""
    from scipy.special import expit

    shares, level = _shares(members, x), expit(x)
    weighted = weights[:, None] * shares
    found: NDArray[np.float64] = np.diag(weighted.sum(axis=0) + prior_games * level * (1 - level)) - weighted.T @ shares
    return found


def _resampled(
    games: _Games, prior_games: float, strengths: NDArray[np.float64], resamples: int, seed: int
) -> NDArray[np.float64]:
    """Returns strengths in resampled tournaments, float64[resamples, players]; none if there is only one block."""
    blocks = len(games.taken)
    if blocks < 2:
        return np.empty((0, len(strengths)))
    rng = np.random.Generator(np.random.PCG64(seed % 2**64))
    samples = np.empty((resamples, len(strengths)))
    for sample in samples:
        times = rng.multinomial(blocks, np.full(blocks, 1 / blocks)).astype(np.float64)
        weights, taken = games.weights.T @ times, times @ games.taken
        sample[:] = _fit(games.members, weights, taken, prior_games, strengths, _ROUGH)
    return samples


def _tally(rankings: Sequence[Ranking], name: str) -> Tally:
    """Returns a player's wins, draws and losses against every opponent."""
    leads = [place - game[name] for game in rankings if name in game for other, place in game.items() if other != name]
    return Tally(sum(lead > 0 for lead in leads), sum(lead == 0 for lead in leads), sum(lead < 0 for lead in leads))


def _is_connected(members: NDArray[np.float64]) -> bool:
    """Returns whether chains of games link all players; ``members`` is float64[choices, players]."""
    from scipy.sparse import csgraph

    components, _ = csgraph.connected_components(members.T @ members, directed=False)
    return components == 1
