"""Agents in their own processes: start, calls, time and memory limits, and the killing of all descendants."""
