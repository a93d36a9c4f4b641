"""Shortens a finished race as a whole, by successive linear programming.

A search drives turn by turn and sees some twenty turns ahead. Here every turn of a race may change at once: in a
*smooth* race headings and thrusts are real numbers, so that the final time has derivatives (:mod:`.smooth`). A linear
programme finds small changes of all of them that bring the finish forward; missing a target has a price. Applied again
and again it leads to a local optimum (:mod:`.descent`). Where that misses targets, the price rises. Then the moves are
rounded to whole numbers, a few turns at a time, and the rest of the race is adapted to where the real car is
(:mod:`.rounding`); :mod:`.passes` repeats all of this from the best race so far.

Successive linear programming with a penalty: R. Fletcher, E. Sainz de la Maza, *Nonlinear programming and
nonsmooth optimization by successive linear programming*, Mathematical Programming 43, 1989. Deviation: a step that
misses targets is followed by up to three shorter ones before it is judged, as a second-order correction.
"""

from turnwise.games.search_race.polish.passes import improved_races

__all__ = ["improved_races"]
