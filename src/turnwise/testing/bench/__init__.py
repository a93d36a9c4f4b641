"""Speed of a game and of the planners on it."""
