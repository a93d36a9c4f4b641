"""``turnwise new``: packages with a game or planner of one's own, from templates."""
