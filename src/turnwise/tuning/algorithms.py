"""The algorithms by name."""

from __future__ import annotations

from turnwise.tuning.grid_search import GridSearch
from turnwise.tuning.ntbea import Ntbea, NtbeaSettings
from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.random_search import RandomSearch
from turnwise.tuning.rmhc import Rmhc, RmhcSettings
from turnwise.tuning.space import Space
from turnwise.tuning.swcga import Swcga, SwcgaSettings
from turnwise.tuning.tpe import Tpe, TpeSettings

SETTINGS: dict[str, type[ModelSettings]] = {
    "ntbea": NtbeaSettings,
    "random": ModelSettings,
    "rmhc": RmhcSettings,
    "swcga": SwcgaSettings,
    "grid": ModelSettings,
    "tpe": TpeSettings,
}
"""Algorithm -> the class of its settings."""


def make_optimiser(name: str, space: Space, seed: int, settings: ModelSettings) -> Optimiser:
    """Make a run of an algorithm.

    Args:
        name: One of the names in ``SETTINGS``.
        space: Where it searches.
        seed: Seed of its choices.
        settings: An object of the algorithm's class of settings.

    Raises:
        OptionError: The space is too large for it.
        TurnwiseError: A library that it needs is not installed.
    """
    if isinstance(settings, NtbeaSettings):
        return Ntbea(space, seed, settings)
    if isinstance(settings, TpeSettings):
        return Tpe(space, seed, settings)
    if isinstance(settings, RmhcSettings):
        return Rmhc(space, seed, settings)
    if isinstance(settings, SwcgaSettings):
        return Swcga(space, seed, settings)
    if name == "grid":
        return GridSearch(space, seed, settings)
    return RandomSearch(space, seed, settings)
