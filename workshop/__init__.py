"""Scripts that make the data files of the other folders, measure and compare; notebook/ says what was found.

Each module says what it writes and how to run it.
"""
