"""Size of a game: branching, lengths, turn outcomes."""
