"""Scripts that make the data files of the other folders, and scripts that measure. notebook/ holds the findings.

The docstring of each module says what the module writes and how to run it.
"""
