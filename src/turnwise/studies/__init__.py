"""Studies, one file a publication: its experiment, its claims, the verdicts."""
