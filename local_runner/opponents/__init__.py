"""Agents to play against. Each file is a complete agent and is loaded by its path, like an uploaded one.

They run under the platform's contract and interpreter: Python 3.7 syntax, standard library, relative imports only.
"""
