"""Agents to play against, loaded by path like uploads; docs/en/reference/opponents.md lists them.

seedNNN rebuilds student report NNN.
Agents must run on the platform: Python 3.7 syntax, standard library, relative imports only.
"""
