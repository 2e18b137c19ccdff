"""Scripts that run under an agent's own interpreter: Python 3.7 syntax and the standard library only."""
