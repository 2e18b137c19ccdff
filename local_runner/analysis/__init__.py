"""Analysis of positions and games by our engine, which runs in a process of its own."""
