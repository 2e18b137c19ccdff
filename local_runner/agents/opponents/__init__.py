"""Agents to play against, loaded by path like uploads. seedNNN rebuilds student report NNN (docs/opponents.md).

Agents must run on the platform: Python 3.7 syntax, standard library, relative imports only.
"""
