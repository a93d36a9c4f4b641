"""Recorded play that the tests reproduce: a selection in the repository, and whole collections if available.

``TURNWISE_CONFORMANCE`` names the folder of the whole collections, one folder a game; it is ``../shared/conformance``,
seen from the project's root, unless set. What is not there is skipped, and the end of a test run says so.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COLLECTIONS = Path(os.environ.get("TURNWISE_CONFORMANCE") or ROOT.parent / "shared" / "conformance")
_COMPILED_ONLY = pytest.mark.compiled_only("counts of all lines to a depth, thousands of deals and probes")


def selection(game):
    """The project's own selection of a game's recorded play."""
    return ROOT / "tests" / "data" / game


def collections(game, minutes_uncompiled=True):
    """Both folders as parameters of a test.

    The whole collection is skipped where it is missing. With ``TURNWISE_COMPILE=0`` it is skipped, too, and so is the
    selection, if that takes minutes then; the traces of all selections agree uncompiled in ``tests/testing``.
    """
    whole = COLLECTIONS / game
    reason = f"{whole} is missing: set TURNWISE_CONFORMANCE to the folder that holds {game}'s whole collection"
    few = [_COMPILED_ONLY] if minutes_uncompiled else []
    return [
        pytest.param(selection(game), id="selection", marks=few),
        pytest.param(whole, id="whole", marks=[pytest.mark.skipif(not whole.is_dir(), reason=reason), _COMPILED_ONLY]),
    ]
