"""What games say about strength, as pure functions of plain values; knows no agent and no file."""
