"""Whether a published result was reproduced: one rule, three verdicts, and the reason in words.

A published rate counts as **reproduced** when both hold:

1. *the number agrees*: ``|p_rep - p_pub| <= 1.96 sqrt(p (1 - p) (1/n_pub + 1/n_rep)) + 0.05``, where p is
   the rate of both samples pooled. The root allows for chance in both, the 5 points for another machine,
   evaluation and random numbers. Draws count half and the variance is that of coin flips, since
   publications rarely state their draws;
2. *the stated direction holds*: our score lies on the stated side of the reference (0.5 unless stated
   otherwise) with a two-sided p-value below 0.05.

It is **undecided** when the games cannot settle it:

- the number agrees, but more than 15 points are allowed for chance: samples that small agree with almost any
  number. (With as few games a number can still disagree, by more than is allowed.) For a claim without a number:
  the 95 % Wilson interval of our score is wider than ±15 points;
- or the number agrees, but the direction is not significant, and fewer games were played than would show it
  with a probability of 95 % if the published rate, moved 5 points towards the reference, were the truth. A
  published rate within those 5 points, or a claim without a number, can never be refuted this way and stays
  undecided.

It is **not reproduced** when the number disagrees, or the opposite direction is significant, or the direction is
not significant in a sample that is large enough to show it.

Where a sequential test ended the games, its answer is the verdict (`judge_sequential`), since the rule above assumes
that the number of games did not depend on their results.

A judgement's `reason` is one line: what was measured with its interval, what is published, and which part of the
rule decided. Scores and their intervals are written in percent, differences of scores in points.

A claim that was measured with far less effort than the published one is **not judged**: studies decide this, and the
rule is not applied. A study that does judge at a part of the effort states that part next to every verdict.

The verdict is about one claim. Several claims that are judged together need corrected p-values
(`turnwise.statistics.tests.holm`), which can be passed as arguments.
"""

import math
from dataclasses import dataclass
from enum import Enum, StrEnum
from statistics import NormalDist

from turnwise.statistics.intervals import Interval, Tally, normal_quantile, wilson_interval
from turnwise.statistics.ratings import elo_to_score
from turnwise.statistics.sprt import Sprt
from turnwise.statistics.tests import score_test

__all__ = [
    "COARSEST",
    "SLACK",
    "Direction",
    "Judgement",
    "Verdict",
    "agreement_tolerance",
    "games_to_show",
    "judge_even",
    "judge_range",
    "judge_rate",
    "judge_sequential",
]

SLACK = 0.05
"""Points per game allowed for differences that are not chance: machine, evaluation, random numbers."""

COARSEST = 0.15
"""What chance may account for, in points per game, where a claim is decided: more shows agreement with anything."""

_LEVEL = 0.05
_POWER = 0.95


class Verdict(StrEnum):
    """The verdict on one published claim; "not judged" if the effort was too small for the rule."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"
    NOT_JUDGED = "not judged"


class Direction(Enum):
    """The side of its reference on which a claim puts the score."""

    ABOVE = 1
    BELOW = -1
    NOT_STATED = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the numbers and the reasons that led to it.

    Attributes:
        verdict: The verdict.
        facts: What was measured and what is published.
        why: Which part of the rule decided.
        measured: Our estimate with its 95 % interval.
        published: The published value, if the claim has one.
        tolerance: Largest difference that counts as agreement, if the claim has a value.
        p_value: Two-sided p-value against the reference, if a direction is claimed.
    """

    verdict: Verdict
    facts: str
    why: str
    measured: Interval
    published: float | None = None
    tolerance: float | None = None
    p_value: float | None = None

    @property
    def reason(self) -> str:
        """Facts and decision in one line."""
        return f"{self.facts}; {self.why}"


def agreement_tolerance(
    published: float, published_games: int, measured: float, measured_games: int, slack: float = SLACK
) -> float:
    """Returns the largest difference of two rates, in points per game, that counts as agreement (rule 1).

    Raises:
        ValueError: If a rate is not within [0, 1] or a number of games is below 1.
    """
    if not (0 <= published <= 1 and 0 <= measured <= 1):
        raise ValueError(f"rates lie within [0, 1], so 62 % is 0.62; got {published} and {measured}")
    if min(published_games, measured_games) < 1:
        raise ValueError(f"expected at least one game each; got {published_games} and {measured_games}")
    pooled = (published * published_games + measured * measured_games) / (published_games + measured_games)
    variance = max(0.0, pooled * (1 - pooled)) * (1 / published_games + 1 / measured_games)
    return normal_quantile(1 - _LEVEL) * math.sqrt(variance) + slack


def games_to_show(published: float, reference: float = 0.5, slack: float = SLACK) -> int | None:
    """Returns how many games show a direction with 95 % probability if the published rate is nearly true.

    Nearly true means moved by ``slack`` towards the reference. Returns None if that leaves no difference.
    Source: the normal approximation of the power of a two-sided test of one proportion.
    """
    distance = abs(published - reference) - slack
    if distance <= 1e-12:
        return None
    true = reference + math.copysign(distance, published - reference)
    spread = normal_quantile(1 - _LEVEL) * math.sqrt(reference * (1 - reference))
    spread += NormalDist().inv_cdf(_POWER) * math.sqrt(true * (1 - true))
    return math.ceil((spread / distance) ** 2)


def judge_rate(
    measured: Tally,
    published: float | None,
    published_games: int | None = None,
    *,
    direction: Direction = Direction.NOT_STATED,
    reference: float = 0.5,
    p_value: float | None = None,
    slack: float = SLACK,
) -> Judgement:
    """Judges a published score, a stated direction, or both, by the rule in the module's docstring.

    Args:
        measured: Our games; at least one.
        published: The published score in [0, 1], or None if only a direction is claimed.
        published_games: Number of games that it is based on; required with ``published``.
        direction: The side of the reference on which the score is claimed to lie.
        reference: The score the direction is measured from, strictly between 0 and 1.
        p_value: Two-sided p-value of the direction from a better test than the one made here, which assumes
            independent games: a paired test over groups, or a value corrected for several claims.
        slack: Points per game allowed in addition to chance.

    Raises:
        ValueError: If neither score nor direction is claimed, a score comes without its games or lies
            on the other side of the reference than its direction, or a number is out of range.
    """
    if published is None and direction is Direction.NOT_STATED:
        raise ValueError("nothing to judge: expected a published score, a stated direction, or both")
    if p_value is not None and not 0 <= p_value <= 1:
        raise ValueError(f"a p-value lies within [0, 1]; got {p_value!r}")
    if published is not None and (published - reference) * direction.value < 0:
        raise ValueError(f"expected the published {published} {direction.name.lower()} {reference}, as claimed")
    interval = wilson_interval(measured.points, measured.games)
    tolerance = side = None
    facts = f"{_shares(interval)} of {measured.games} game{'' if measured.games == 1 else 's'}"
    if published is not None:
        if published_games is None:
            raise ValueError("a published score is compared by its sample size: expected published_games as well")
        tolerance = agreement_tolerance(published, published_games, interval.estimate, measured.games, slack)
        facts += f"; paper {_percent(published)} of {published_games}"
    if direction is not Direction.NOT_STATED:
        p_value = score_test(measured, reference).p_value if p_value is None else p_value
        side = _side(interval.estimate - reference, p_value, direction)
        if published is None:
            facts += f"; claimed {direction.name.lower()} {_percent(reference)}"
    else:
        p_value = None
    case = _Case(measured.games, interval, published, tolerance, direction, side, reference, p_value, slack)
    verdict, why = _decide(case)
    return Judgement(verdict, facts, why, interval, published, tolerance, p_value)


def judge_range(
    measured: Interval, low: float = -math.inf, high: float = math.inf, *, stated: str = "", share: bool = False
) -> Judgement:
    """Judges a claim of the form "lies between": a rate, a mean, a ratio.

    Reproduced if the whole interval lies within the range (bounds included), not reproduced if all of it
    lies outside on one side, undecided if it straddles a bound.

    Args:
        measured: Our estimate.
        low: Lower bound of the claim.
        high: Upper bound of the claim.
        stated: What the publication states, for the reason ("paper 4.86"); empty if the range itself is the claim.
        share: Whether the values are shares, written in percent.

    Raises:
        ValueError: If ``low`` lies above ``high``.
    """
    if low > high:
        raise ValueError(f"expected low <= high; got {low} and {high}")
    word = _percent if share else _number
    spread = f"{word(measured.low)} to {word(measured.high)}" if measured.half_width else "no spread"
    found = _shares(measured) if share else f"{word(measured.estimate)} ({spread})"
    bounds = f"{word(low).removesuffix(' %')} to {word(high)}"
    if math.isinf(high):
        bounds = f"at least {word(low)}"
    elif math.isinf(low):
        bounds = f"at most {word(high)}"
    facts = f"{found}; {stated + ', accepted' if stated else 'claimed'} {bounds}"
    if low <= measured.low and measured.high <= high:
        return Judgement(Verdict.REPRODUCED, facts, "all of the interval is in this range", measured)
    if measured.high < low or measured.low > high:
        return Judgement(Verdict.NOT_REPRODUCED, facts, "none of the interval is in this range", measured)
    return Judgement(Verdict.UNDECIDED, facts, "the interval is partly in this range: more games needed", measured)


def judge_even(measured: Interval, reference: float = 0.5, *, coarsest: float = COARSEST) -> Judgement:
    """Judges a claim of no difference between scores: our interval has to contain the reference.

    Not reproduced if it does not. Undecided if it does but is wider than ``±coarsest``, since a wide interval
    contains almost any reference.

    Args:
        measured: Our estimate of the score.
        reference: The score under no difference.
        coarsest: Largest half-width, in points per game, of an interval that may decide the claim.
    """
    facts = f"{_shares(measured)}; claimed no difference from {_percent(reference)}"
    if reference not in measured:
        return Judgement(Verdict.NOT_REPRODUCED, facts, f"the interval is off {_percent(reference)}", measured)
    if measured.half_width > coarsest:
        return Judgement(Verdict.UNDECIDED, facts, _too_few(coarsest), measured)
    return Judgement(Verdict.REPRODUCED, facts, f"the interval contains {_percent(reference)}", measured)


def judge_sequential(measured: Tally, test: Sprt, accepts_claim: bool | None, *, claimed: str) -> Judgement:
    """Judges a claim by a sequential test whose H1 is the claim.

    Reproduced if the test accepted H1, not reproduced if it accepted H0, undecided if the games ended before it did.
    The measured score is biased away from the middle of the hypotheses, since the games ended when it was far enough
    away.

    Args:
        measured: Our games.
        test: The test.
        accepts_claim: Whether it accepted H1 rather than H0; None: neither.
        claimed: The claim, for the reason ("above 50 %").
    """
    interval = wilson_interval(measured.points, measured.games)
    low, high = (_percent(elo_to_score(elo)) for elo in (test.elo0, test.elo1))
    facts = f"{_shares(interval)} of {measured.games} games; claimed {claimed}"
    if accepts_claim is None:
        why = f"the sequential test of {low} against {high} needs more games"
        return Judgement(Verdict.UNDECIDED, facts, why, interval)
    verdict, accepted, other = (Verdict.REPRODUCED, high, low) if accepts_claim else (Verdict.NOT_REPRODUCED, low, high)
    error = _percent(test.alpha if accepts_claim else test.beta)
    why = f"the sequential test accepts {accepted} rather than {other} (error {error})"
    return Judgement(verdict, facts, why, interval)


class _Side(Enum):
    HOLDS = 1
    OPEN = 2
    OPPOSITE = 3


def _side(effect: float, p_value: float, direction: Direction) -> _Side:
    if p_value >= _LEVEL or effect == 0:
        return _Side.OPEN
    return _Side.HOLDS if (effect > 0) == (direction is Direction.ABOVE) else _Side.OPPOSITE


@dataclass(frozen=True, slots=True)
class _Case:
    """The numbers that decide a verdict of `judge_rate`."""

    games: int
    interval: Interval
    published: float | None
    tolerance: float | None
    direction: Direction
    side: _Side | None
    reference: float
    p_value: float | None
    slack: float


def _decide(case: _Case) -> tuple[Verdict, str]:
    """Returns the verdict and the part of the rule that gives it."""
    size = ""
    if case.published is not None and case.tolerance is not None:
        difference = abs(case.interval.estimate - case.published)
        if difference > case.tolerance + 1e-12:
            return Verdict.NOT_REPRODUCED, f"{_points(difference)} points apart, {_points(case.tolerance)} allowed"
        size = f"within the allowed {_points(case.tolerance)} points"
        if case.tolerance > COARSEST + case.slack + 1e-12:
            return Verdict.UNDECIDED, f"{size}: too few games to tell numbers apart"
    elif case.interval.half_width > COARSEST:
        return Verdict.UNDECIDED, _too_few(COARSEST)
    if case.side is None:
        return Verdict.REPRODUCED, size
    p = "p < 0.001" if (case.p_value or 0.0) < 0.001 else f"p = {case.p_value:.2g}"
    claimed = f"{case.direction.name.lower()} {_percent(case.reference)}"
    if case.side is not _Side.OPEN and case.interval.low < case.reference < case.interval.high:
        p += "; the test leaves draws out, which the interval counts as half"
    if case.side is _Side.OPPOSITE:
        other = "below" if case.direction is Direction.ABOVE else "above"
        return Verdict.NOT_REPRODUCED, f"significantly {other} {_percent(case.reference)} ({p})"
    if case.side is _Side.HOLDS:
        return Verdict.REPRODUCED, ", ".join(filter(None, (size, f"significantly {claimed} ({p})")))
    needed = None if case.published is None else games_to_show(case.published, case.reference, case.slack)
    unclear = f"not significantly {claimed} ({p})"
    if needed is None:
        return Verdict.UNDECIDED, f"{unclear}, and the claimed difference is too small to be refuted"
    if case.games < needed:
        return Verdict.UNDECIDED, f"{unclear}; needs about {needed} games"
    return Verdict.NOT_REPRODUCED, f"{unclear}, though {needed} games are enough to show it"


def _too_few(coarsest: float) -> str:
    return f"too few games (interval wider than ±{_points(coarsest)} points)"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}".removesuffix(".0") + " %"


def _points(difference: float) -> str:
    return f"{100 * difference:.1f}".removesuffix(".0")


def _shares(interval: Interval) -> str:
    low, high = (_percent(bound) for bound in (interval.low, interval.high))
    return f"{_percent(interval.estimate)} ({low.removesuffix(' %')} to {high})"


def _number(value: float) -> str:
    if math.isinf(value):
        return "unbounded"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
