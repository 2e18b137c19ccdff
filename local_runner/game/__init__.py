"""One game: its setup, its moves, its record, and the session that plays it."""
