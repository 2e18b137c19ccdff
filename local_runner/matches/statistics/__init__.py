"""Statistics of games, as pure functions of plain values, without access to agents or files."""
