"""Writes the log of a game as a JSON file in the platform's format, for the platform's replay page.

The keys are the platform's. Two entries are added for the replay page. Without `joint_action` in k-in-a-row games, the
page's board stays empty. Without an action in `info_after` on a pass, the page stops.
"""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from env_adapter import Cell, Game, Step, answer
from local_runner.language.languages import _
from local_runner.system.files import write_new

TIME = "%Y-%m-%d %H:%M:%S"
FILE_TIME = "%Y%m%d%H%M"


class GameLog:
    """The log of one game. Callers call `add` after every step, and `finished` at the end."""

    def __init__(self, env_name: str, env: Game) -> None:
        self._steps: list[dict[str, Any]] = []
        self._head = {
            "game_name": env_name,
            "n_player": env.n_player,
            "board_height": env.board_height,
            "board_width": env.board_width,
            "init_info": env.init_info,
            "start_time": time.strftime(TIME),
            "mode": "terminal",
            "seed": env.seed,
            "map_size": None,
        }

    def add(self, env: Game, mover: int, answers: Sequence[Any], step: Step) -> None:
        """Add the step that player `mover` (0 or 1) has just made in `env`. `answers`: both players' answers."""
        entry: dict[str, Any] = {"time": time.strftime(TIME), "info_before": step.info_before, "reward": step.reward}
        entry["info_after"] = dict(step.info_after) if step.info_after else _pass(env, mover)
        if not env.turns_discs:
            # The replay page draws the mover's answer, so an illegal answer is replaced by the move that was played.
            played = answer(step.info_after["action"], env.board_height, env.board_width)
            entry["joint_action"] = [played if player == mover else _kept(each) for player, each in enumerate(answers)]
        self._steps.append(entry)

    def turned(self) -> list[list[Cell]]:
        """For each step the discs that it turned over; [] for a pass, and in a game that turns no discs."""
        return [step["info_after"].get("reverse_positions", []) for step in self._steps]

    def finished(self, env: Game, **more: Any) -> dict[str, Any]:
        """The whole log. `more` adds or replaces entries of the top level."""
        winner = env.check_win()  # called first, because check_win() may set `won` and `n_return`
        log = {
            **self._head,
            "steps": self._steps,
            "winner": winner,
            "winner_information": env.won,
            "n_return": env.n_return,
            "end_time": time.strftime(TIME),
        }
        return {**log, **more}


def _pass(env: Game, mover: int) -> dict[str, Any]:
    """A pass as `info_after` of the log: a move onto an own disc that flips nothing, which the site's page can draw."""
    cells = ((r, c) for r, row in enumerate(env.stones()) for c, stone in enumerate(row) if stone == mover + 1)
    return {"action": next(cells), "reverse_positions": [], "pass": True}


def _kept(given: Any) -> Any:
    """A copy of an answer as JSON has it, since the agent may change the answer later; None if JSON cannot hold it."""
    with suppress(Exception, SystemExit):  # the answer may be an object of a class that the agent defines
        return json.loads(json.dumps(given, allow_nan=False, default=plain))
    return None


def write_log(log: dict[str, Any], folder: Path, stem: str | None = None) -> Path:
    """Write a log into `folder` under `stem`, or a name like the platform's if `stem` is None. Returns the path.

    No file is overwritten: if the name exists, `_2`, `_3` and so on is added. Raises RunnerError if writing fails.
    """
    text = json.dumps(log, allow_nan=False, default=plain)  # ASCII, since an answer may hold lone surrogates
    stem = stem or f"{time.strftime(FILE_TIME)}_{log['game_name']}"
    return write_new(folder, stem, ".json", text, _("choose another --out"))


def plain(value: Any) -> Any:
    """A number or array of numpy, or a set, as a type that JSON has. Raises TypeError for any other value."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} cannot be written into a log")
