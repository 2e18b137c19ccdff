def first_free(board):
    return next(((r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell[0] == 0), (0, 0))
