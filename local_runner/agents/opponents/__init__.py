"""Agents to play against, loaded by path like uploads. seedNNN rebuilds student report NNN (docs/opponents.md).

They run under the platform's contract and interpreter: Python 3.7 syntax, standard library, relative imports only.
"""
