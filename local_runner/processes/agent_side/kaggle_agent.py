"""A controller that runs agents with the signature of Kaggle's environments: `agent(observation, configuration)`.

As in Kaggle's tictactoe, `observation.board` is the board row by row (0 free, 1 the first player, 2 the second),
`observation.mark` the agent's own number, and the answer a cell, row * columns + column. `configuration` has rows,
columns and, in k in a row, inarow. Both also are dicts. For a file that has an `agent` and neither my_controller nor
AIPlayer, `loading.py` makes a `KaggleController`.
"""

from types import ModuleType
from typing import Any, Callable, List

ROW = 5  # stones in a row that win; on a smaller board as many as a side has cells


class Struct(dict):  # type: ignore[type-arg]
    """A dict whose values are attributes, too."""

    __getattr__ = dict.__getitem__


class KaggleController:
    """A `my_controller` that calls an agent on turn, if it has a legal move. `observed`: opponents/observed.py."""

    def __init__(self, agent: Callable[..., Any], observed: ModuleType) -> None:
        self.agent = agent
        self.observed: Any = observed

    def __call__(self, observation: Any, action_space: Any, is_act_continuous: bool = False) -> List[List[int]]:
        """Answer an observation. Raises ValueError if the agent answers anything but the number of a cell."""
        seen = self.observed.look(observation)
        waits = seen is None or seen.idle or not self.observed.legal_cells(seen)
        rows, columns = (space.n for space in action_space)
        cell = 0 if waits else self._ask(seen, rows, columns)
        return self.observed.one_hots(divmod(cell, columns), action_space)  # type: ignore[no-any-return]

    def _ask(self, seen: Any, rows: int, columns: int) -> int:
        board = [stone for row in seen.stones for stone in row]
        configuration = Struct(rows=rows, columns=columns)
        if not seen.reversi:
            configuration["inarow"] = min(ROW, rows, columns)
        observation = Struct(board=board, mark=seen.player, step=len(board) - board.count(0))
        taken = getattr(getattr(self.agent, "__code__", None), "co_argcount", 2)  # Kaggle drops the others
        answer = self.agent(*(observation, configuration)[:taken])
        if isinstance(answer, bool) or not hasattr(answer, "__index__") or not 0 <= answer < len(board):
            raise ValueError(f"agent answered {answer!r}; it must answer a cell: row * columns + column, from 0")
        return int(answer)
