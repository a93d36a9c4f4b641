"""Beam search over lines of actions: the layers, one pass, and passes that fill a budget."""
