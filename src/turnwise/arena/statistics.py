"""The names of ``turnwise.statistics`` that ``turnwise.arena`` exports: its stub can name only modules of the arena."""

from turnwise.statistics.intervals import Interval, Tally, score_interval, wilson_interval
from turnwise.statistics.plackett_luce import plackett_luce
from turnwise.statistics.ratings import bradley_terry
from turnwise.statistics.sprt import Sprt

__all__ = ["Interval", "Sprt", "Tally", "bradley_terry", "plackett_luce", "score_interval", "wilson_interval"]
