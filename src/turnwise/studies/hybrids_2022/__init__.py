"""*Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI* (2022), run again."""

from turnwise.studies.base import Study

STUDY = Study(
    name="hybrids-2022",
    title="Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI",
    source="Kowalczyk & Stefaniak 2022",
    package=__name__,
    efforts={
        "thesis": "the simulator steps that the thesis' time limits are worth",
        "tenth": "a tenth of them",
        "quick": "a thousandth",
    },
    parts=(
        "samegame",
        "peers",
        "peers-beam",
        "search-race",
        "search-race-splits",
        "search-race-genes",
        "search-race-steps",
        "headline-samegame",
        "headline-search-race",
    ),
    games="seeds per board and track",
    one_reading="as its publication comes with no program to be read beside its text",
    no_time="simulator steps",
)
