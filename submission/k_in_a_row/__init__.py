"""k in a row on m x n boards; the site's are 15x15 and 11x11 with k = 5, 3x3 with k = 3. More than k also win."""
