"""Search for whole turns: *Online Evolutionary Planning Versus Tree Search* (Justesen et al. 2018), turn-maximin."""

from turnwise.studies.base import Study

STUDY = Study(
    name="turn-search",
    title="Playing Multi-Action Adversarial Games: Online Evolutionary Planning Versus Tree Search, and turn-maximin",
    source="Justesen, Mahlmann, Risi & Togelius 2018; turnwise",
    summary="How much does a look at the reply bring? Turn maximin against all planners, by time and game.",
    package=__name__,
    efforts={
        "paper": "the work per turn that is published for 6 s, and parts of it; times per turn in full",
        "hour": "a tenth of the work, a quarter of the times",
        "quick": "2 % of the work, a fortieth of the times",
    },
    parts=(
        "table-2",
        "action-points",
        "turn-maximin",
        "field",
        "runners-up",
        "evaluations",
        "factors",
        "time-sweep",
        "more-time",
        "ablations",
        "regret",
        "islands",
    ),
    games="games per pair of Table II, rounded up to an even number (default: 2; with --effort hour 10, paper 100); "
    "other parts have up to four times as many, and regret has as many positions",
    readings={
        "sound": ("sound",),
        "as-published": ("as-published",),
        "both": ("sound", "as-published"),
    },
    default_reading="sound",
)
