"""Statistics of games, as pure functions of plain values. Knows no agent and no file."""
