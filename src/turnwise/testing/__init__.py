"""The public conformance kit: for our games and for the user's own."""
