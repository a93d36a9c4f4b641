"""Two implementations of one game, played in step."""
