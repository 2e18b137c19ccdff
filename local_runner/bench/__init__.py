"""What an agent costs: `speed` in fixed positions, `latency` call by call over whole games. Nothing of strength."""
