"""What an agent costs: `speed` in fixed positions, `latency` call by call over whole games, `gobang` inside our engine.

Nothing of strength.
"""
