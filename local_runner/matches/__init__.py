"""Many games: pairs, matches, tournaments, their openings and statistics."""
