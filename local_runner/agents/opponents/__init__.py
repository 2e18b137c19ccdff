"""Agents to play against, loaded by path like uploads; docs/en/reference/opponents.md lists them.

seedNNN plays as student report NNN describes. A module with the literal PROTOCOL = {"about": ..., "options": {...}}
gets its moves from an engine, a program of others (agents/spec.py). A module with AGENTS is itself an agent.
Agents must run on the platform: Python 3.7 syntax, standard library, relative imports only.
"""
