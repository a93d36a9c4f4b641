"""Games and planners written without numba."""
