"""The upload: an agent for the board games of the Jidi (及第) evaluation site.

Start at submission.py, which the platform calls. From there: controller.py, player.py (memory between calls),
engine.py, alphabeta.py (the search), and one folder per family of games, with its board, evaluation and move order.
Python 3.7, standard library only.
"""
