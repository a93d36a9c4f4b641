"""Rule-based agents of Tribes."""
