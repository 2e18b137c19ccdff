"""Agents in processes of their own: start, calls, limits of time and memory, and the end of all that they started."""
