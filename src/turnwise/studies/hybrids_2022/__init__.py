"""Reproduction of *Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI* (2022)."""

from turnwise.studies.base import Study

STUDY = Study(
    name="hybrids-2022",
    title="Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI",
    source="Kowalczyk & Stefaniak 2022",
    summary="Does it pay to combine rolling-horizon evolution and MCTS? SameGame and Search Race.",
    package=__name__,
    efforts={
        "thesis": "the simulator steps that correspond to the thesis' time limits",
        "tenth": "a tenth of them",
        "quick": "a thousandth",
    },
    parts=(
        "samegame",
        "samegame-seeds",
        "peers",
        "peers-beam",
        "peers-nrpa",
        "search-race",
        "search-race-splits",
        "search-race-genes",
        "search-race-genes-hybrids",
        "search-race-steps",
        "headline-samegame",
        "headline-search-race",
    ),
    on_request=("samegame-seeds", "headline-samegame", "headline-search-race"),
    games="seeds per board and track (default: 2; with --effort tenth 5, thesis 3)",
    one_reading="as the publication comes without a program that could differ from its text",
    no_time="simulator steps",
)
