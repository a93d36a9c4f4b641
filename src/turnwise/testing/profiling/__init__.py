"""Where the time of searches goes: meters in a game's function table, clocks around a Python game's methods."""
