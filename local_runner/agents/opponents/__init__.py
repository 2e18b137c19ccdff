"""Agents to play against, loaded by path like uploads; docs/en/reference/opponents.md lists them.

seedNNN rebuilds student report NNN. A module with the literal PROTOCOL = {"about": ..., "options": {...}} plays by a
program of others (agents/spec.py); the other modules with AGENTS are agents themselves.
Agents must run on the platform: Python 3.7 syntax, standard library, relative imports only.
"""
