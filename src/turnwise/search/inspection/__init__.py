"""What a search has left, for people: its tree or its population, made on request."""
