"""What several tests of the command line use."""

TINY = "hero-academy:map=a-tiny,deck=tiny,turn-limit=6"
