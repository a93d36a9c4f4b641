"""Reproduction of *Portfolio Search and Optimization for General Strategy Game-Playing* (Dockhorn et al. 2021)."""

from turnwise.studies.base import Study

STUDY = Study(
    name="portfolio-2021",
    title="Portfolio Search and Optimization for General Strategy Game-Playing",
    source="Dockhorn, Hurtado-Grueso, Jeurissen, Xu & Perez-Liebana 2021",
    summary="Which portfolio planner wins when NTBEA tunes them? Kings, Healers and Pushers of Stratega.",
    package=__name__,
    efforts={
        "paper": "2,000 forward-model calls for every action, as in the published code",
        "quick": "a tenth of that",
    },
    parts=(
        "round-robin",
        "rule-agents",
        "usage",
        "tuning",
        "tuned-round-robin",
        "tuned-rule-agents",
        "added",
        "directions",
    ),
    sound_only=("added", "directions"),
    games="games per pair, rounded up to an even number (default: 4; with --effort paper 200)",
    readings={
        "sound": ("sound",),
        "as-published": ("as-published",),
        "as-coded": ("as-coded",),
        "legal": ("legal",),
        "all": ("sound", "as-published", "as-coded", "legal"),
    },
    default_reading="sound",
    no_time="forward-model calls",
)
