"""The conformance kit: checks of any game and any planner."""
