"""What planners share: the forward model, the problem record, planners and sessions, rollouts, tables."""
