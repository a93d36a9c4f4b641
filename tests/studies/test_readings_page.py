"""The page about the readings of portfolio-2021 names presets that exist."""

import re

import pytest

from doubles.pages import ROOT
from turnwise.registry import PLANNERS

PAGE = (ROOT / "docs/studies/portfolio-2021-readings.md").read_text()
NAMED = sorted(set(re.findall(r"`((?:kings|pushers|healers)-(?:tuned|as-[a-z]+))`", PAGE)))


def test_presets_are_named():
    assert "kings-tuned" in NAMED


@pytest.mark.parametrize("planner", ["prhea", "mo-prhea", "s-prhea", "poe", "pgs"])
@pytest.mark.parametrize("mode", ["kings", "pushers", "healers"])
def test_every_planner_has_the_presets_that_the_page_promises(planner, mode):
    presets = PLANNERS.get(planner).all_presets()
    for name in NAMED:
        kind = name.partition("-")[2]
        has_it = planner != "pgs" or kind != "tuned"  # as the page says
        assert (f"{mode}-{kind}" in presets) == has_it
