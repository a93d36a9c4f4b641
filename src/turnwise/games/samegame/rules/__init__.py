"""The rules of SameGame."""
