"""Has a controller only while there is a file named "memory" beside it; then it plays the first free cell."""

import os

if os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory")):

    def my_controller(observation, action_space, is_act_continuous=False):
        board = observation["state_map"]
        cells = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell[0] == 0]
        row, col = cells[0] if cells else (0, 0)
        return [[int(i == row) for i in range(action_space[0].n)], [int(i == col) for i in range(action_space[1].n)]]
