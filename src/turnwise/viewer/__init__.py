"""The browser viewer: people play, watch and analyse any game against any planner (``turnwise serve``)."""
