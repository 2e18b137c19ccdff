"""The search: iterative deepening, alpha-beta, clock, transposition table. This package knows no game."""
