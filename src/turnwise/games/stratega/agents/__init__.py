"""The original engine's rule-based players (rules 10), as scripts."""
