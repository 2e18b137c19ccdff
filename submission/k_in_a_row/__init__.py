"""k in a row on an m x n board: 15x15 and 11x11 with five, 3x3 with three. More than k in a row also win."""
