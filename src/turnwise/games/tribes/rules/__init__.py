"""The rules of Tribes."""
