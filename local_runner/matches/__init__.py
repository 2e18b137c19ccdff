"""Plays many games: matches and tournaments of pairs of games, their openings and their statistics."""
