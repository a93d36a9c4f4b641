"""The rules of Hero Academy."""
