"""Rebuilding *Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games* (Singh 2021)."""

from turnwise.studies.base import Study

STUDY = Study(
    name="tribes-2021",
    title="Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games",
    source="Singh 2021",
    summary="Which planner suits turns of variable length? OEP and Evolutionary MCTS in Tribes.",
    package=__name__,
    efforts={
        "paper": "2,000 forward-model calls for every action, 25 levels",
        "hour": "500 calls, 10 levels",
        "quick": "200 calls, 2 levels",
    },
    parts=(
        "figures-5-6",
        "figures-7-8",
        "round-robin",
        "four-players",
        "improvements",
        "opponents",
        "controls",
        "stopping",
        "tuning",
        "tuned",
        "representations-tribes",
        "representations-hero-academy",
        "finalists-tribes",
        "finalists-hero-academy",
        "planners-tribes",
        "planners-hero-academy",
    ),
    games="games per pair in Figures 5 to 8, rounded up to an even number on every level (default: 8; with --effort "
    "hour 20, paper 500); other parts have as many, but at most 100 to 400",
    readings={
        "sound": ("sound",),
        "as-published": ("as-published",),
        "as-coded": ("as-coded",),
        "all": ("sound", "as-published", "as-coded"),
    },
    default_reading="sound",
    no_time="forward-model calls",
)
