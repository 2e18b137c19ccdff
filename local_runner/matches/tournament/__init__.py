"""Tournaments between two or more agents. Each finished game is stored at once, so an interruption loses none."""
