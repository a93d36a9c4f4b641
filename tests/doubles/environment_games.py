"""The games whose environments are tested: all registered ones, with modes, hidden hands, fog and four players."""

GAMES = (
    "samegame",
    "search-race",
    "hero-academy",
    "hero-academy:map=a-tiny,deck=tiny,hands=hidden",
    "stratega:mode=kings",
    "stratega:mode=healers",
    "stratega:mode=pushers",
    "tribes:side=8",
    "tribes:players=4,side=10,fog=true",
)
TINY = "hero-academy:map=a-tiny,deck=tiny,turn_limit=20"
