"""The maximum of a log-likelihood that has a single one: where its slope is zero."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

_LARGEST_SLOPE = 1e-3  # points; fits that succeed leave far less

Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def likeliest(
    loss: Callable[[NDArray[np.float64]], float],
    falling_slope: Function,
    information: Function,
    start: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.float64]:
    """Finds the strengths at which the slope of a log-likelihood is zero.

    Levenberg's and Marquardt's method finds them in a few steps, as a rule. But it makes the squared slope smaller,
    which far from all results is nearly flat. From there it does not come back; the negative log-likelihood itself,
    which is convex, is then made smaller within a region of trust first.

    Args:
        loss: Strengths, float64[n] -> the negative log-likelihood, up to a constant.
        falling_slope: Strengths -> expected less actual points, its slope, float64[n].
        information: Strengths -> the observed information, its curvature, float64[n, n].
        start: Strengths to begin with, float64[n].
        tolerance: Relative tolerance.

    Raises:
        ArithmeticError: Neither method has found them.
    """
    from scipy import optimize

    found = optimize.root(falling_slope, start, jac=information, method="lm", tol=tolerance)
    if not _is_zero(found):
        with contextlib.suppress(ValueError):  # the slope is no number
            near = optimize.minimize(
                loss,
                np.zeros(len(start)),
                method="trust-exact",
                jac=falling_slope,
                hess=information,
                options={"gtol": 1e-6},
            )
            found = optimize.root(falling_slope, near.x, jac=information, method="lm", tol=tolerance)
    if not _is_zero(found):
        raise ArithmeticError(
            f"expected ratings that explain the results; the best ones found differ from them by "
            f"{np.max(np.abs(found.fun)):.3g} points ({' '.join(str(found.message).split())}). Use a larger prior "
            "(prior_games)."
        )
    strengths: NDArray[np.float64] = found.x
    return strengths


def _is_zero(found: OptimizeResult) -> bool:
    """Whether a slope is as good as zero; a slope that is no number is not."""
    return bool(found.success and np.max(np.abs(found.fun)) <= _LARGEST_SLOPE)
