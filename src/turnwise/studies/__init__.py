"""One package per publication: its exact experiment, its claims, the verdicts."""

from __future__ import annotations

import importlib

from turnwise.core.errors import TurnwiseError, unknown_name
from turnwise.studies.base import Study

STUDIES = {
    "oe-2016": "turnwise.studies.oe_2016",
    "hybrids-2022": "turnwise.studies.hybrids_2022",
    "portfolio-2021": "turnwise.studies.portfolio_2021",
    "tribes-2021": "turnwise.studies.tribes_2021",
    "turn-search": "turnwise.studies.turn_search",
}
"""Name -> package, whose ``STUDY`` is the :class:`~turnwise.studies.base.Study`; imported on request."""


def get_study(name: str) -> Study:
    """Look up a study by name.

    Raises:
        UnknownNameError: There is no study of that name.
        TurnwiseError: Its package cannot be imported.
    """
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    try:
        found: Study = importlib.import_module(STUDIES[name]).STUDY
    except (ImportError, AttributeError) as error:
        raise TurnwiseError(f"The study {name!r} cannot be loaded from {STUDIES[name]!r}: {error}.") from error
    return found


def all_studies() -> list[Study]:
    """All studies, in the order of the list."""
    return [get_study(name) for name in STUDIES]
