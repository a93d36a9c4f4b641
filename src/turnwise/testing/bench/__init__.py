"""Speed of a game and of planners on it."""
