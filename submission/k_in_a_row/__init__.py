"""k in a row on m x n boards: gobang 15x15 and gomoku 11x11 with k = 5, 3x3 with k = 3. More than k also win."""
