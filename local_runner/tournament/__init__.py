"""Many games between several agents, kept one by one in a file, so that whatever ends a tournament loses none."""
