"""Prints tables, boards and progress on a terminal, and handles output that cannot be written."""
