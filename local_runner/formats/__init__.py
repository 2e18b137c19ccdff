"""Files of games: those that are read, and those that are written."""
