"""The setup of a game, its record, and the session that plays it."""
