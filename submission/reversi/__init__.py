"""Reversi on an n x n board, n even from 4 to 26."""
