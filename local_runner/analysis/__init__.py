"""What our engine says of positions and games: it runs in a process of its own."""
