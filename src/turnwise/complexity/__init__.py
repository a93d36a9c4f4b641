"""How large a game is: branching, lengths, turn outcomes."""
