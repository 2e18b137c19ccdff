"""Output on a terminal: tables, boards, progress, and output that nobody reads."""
