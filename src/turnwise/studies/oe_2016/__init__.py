"""Reproduction of *Online Evolution for Multi-Action Adversarial Games* (Justesen, Mahlmann, Togelius 2016)."""

from turnwise.studies.base import Study

STUDY = Study(
    name="oe-2016",
    title="Online Evolution for Multi-Action Adversarial Games",
    source="Justesen, Mahlmann & Togelius 2016",
    summary="Does evolution beat tree search? Online evolution, MCTS and greedy players in Hero Academy.",
    package=__name__,
    efforts={"paper": "the work per turn that the paper reports for 6 s", "quick": "2 % of it"},
    parts=("table", "against-random", "turn-maximin", "variants", "longest", "rollouts", "tenth-of-effort"),
    on_request=("turn-maximin",),  # the study turn-search plays it with more detail
    sound_only=("turn-maximin",),
    games="games per pair, rounded up to an even number (default: 10; with --effort paper 100)",
    readings={
        "sound": ("sound",),
        "as-published": ("as-published",),
        "as-coded": ("as-coded",),
        "both": ("sound", "as-published"),
        "all": ("sound", "as-published", "as-coded"),
    },
    default_reading="both",
)
