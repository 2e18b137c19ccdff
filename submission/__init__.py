"""The upload: an agent for the board games of the Jidi (及第) evaluation site.

Start at submission.py (what the platform calls); it leads to player.py (what is remembered between calls), alphabeta.py
(how a move is searched) and one folder per family of games. Python 3.7, standard library only.
"""
