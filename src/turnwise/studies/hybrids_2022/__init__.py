"""*Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI* (2022), run again."""
