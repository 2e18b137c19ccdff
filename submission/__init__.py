"""The upload: an agent for the board games of the Jidi (及第) evaluation site.

Read submission.py first: the platform calls it. Then read controller.py, player.py (memory between calls), engine.py
and search/alphabeta.py. Each family of games has a folder with its board, evaluation and move order.
The code needs Python 3.7 or newer and only the standard library.
"""
