"""The rules of Search Race."""
