"""Agents to play against: each file is a submission of its own, loaded by path as anybody's would be.

They run under the platform's contract and interpreter: Python 3.7 syntax, standard library, relative imports only.
"""
