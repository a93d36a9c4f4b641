"""Publications run again: each study is the exact experiment, its claims and the verdicts."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from turnwise.core.errors import TurnwiseError, unknown_name

STUDIES = {
    "oe-2016": "turnwise.studies.oe_2016.experiment:run_study",
    "hybrids-2022": "turnwise.studies.hybrids_2022.experiment:run_study",
}
"""Name -> ``module:function``, imported when it is asked for."""


def get_study(name: str) -> Callable[..., Any]:
    """The function that runs a study.

    It is called as ``run_study(effort, time_ms, games, workers, out, reading, progress, say=say)``: the effort's name,
    wall time per turn in milliseconds or None, games per pair or None, number of worker processes, folder or None, the
    reading's name, ``progress(done, total, text)``, and ``say(text)`` for what the user should know.

    Raises:
        UnknownNameError: There is no study of that name.
        TurnwiseError: Its module cannot be imported.
    """
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    module, _, function = STUDIES[name].partition(":")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise TurnwiseError(f"The study {name!r} cannot be loaded from {module!r}: {error}.") from error
    return found
