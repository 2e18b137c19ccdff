"""A good agent: plays the first free cell. The other agents of this folder use its answer."""


def my_controller(observation, action_space, is_act_continuous=False):
    board = observation["state_map"]
    cells = [(r, c) for r, row in enumerate(board) for c, cell in enumerate(row) if cell[0] == 0]
    row, col = cells[0] if cells else (0, 0)
    return [[int(i == row) for i in range(action_space[0].n)], [int(i == col) for i in range(action_space[1].n)]]
