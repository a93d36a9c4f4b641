"""What every game and every planner agree on; knows no particular game."""
