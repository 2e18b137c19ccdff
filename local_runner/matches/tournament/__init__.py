"""Many games between two or more agents. Each is stored as it ends, so an interrupted tournament loses no game."""
