"""The search: iterative deepening, alpha-beta, clock, transposition table. It knows no game."""
