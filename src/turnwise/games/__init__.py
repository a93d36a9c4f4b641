"""Games, one folder each."""
