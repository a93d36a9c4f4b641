"""The maximum of a log-likelihood that has a single one: where its slope is zero."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_LARGEST_SLOPE = 1e-3  # points; fits that succeed leave far less

Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def likeliest(
    falling_slope: Function, information: Function, start: NDArray[np.float64], tolerance: float
) -> NDArray[np.float64]:
    """Finds the strengths at which the slope of a log-likelihood is zero.

    The information is positive definite everywhere, so the squared slope has no other minimum, and Levenberg's and
    Marquardt's method finds this one from any start.

    Args:
        falling_slope: Strengths, float64[n] -> expected less actual points, the negative slope, float64[n].
        information: Strengths -> the observed information, float64[n, n].
        start: Strengths to begin with, float64[n].
        tolerance: Relative tolerance.

    Raises:
        ArithmeticError: The method has not found them.
    """
    from scipy import optimize

    found = optimize.root(falling_slope, start, jac=information, method="lm", tol=tolerance)
    slope = float(np.max(np.abs(found.fun)))
    if not found.success or not slope <= _LARGEST_SLOPE:
        raise ArithmeticError(
            f"expected ratings that explain the results; the best ones found differ from them by {slope:.3g} points "
            f"({' '.join(str(found.message).split())}). Use a larger prior (prior_games)."
        )
    strengths: NDArray[np.float64] = found.x
    return strengths
