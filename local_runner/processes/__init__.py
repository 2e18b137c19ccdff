"""Runs agents in their own processes: starts and calls them, limits time and memory, and kills all descendants."""
