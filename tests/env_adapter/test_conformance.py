"""check_env accepts all games under both rule sets, and finds the fault in environments broken on purpose."""

from collections.abc import Callable
from typing import Any

import pytest

from env_adapter import PLATFORM, ConformanceError, Game, Quirk, Step, make, names
from env_adapter.conformance import check_env
from env_adapter.game import other
from env_adapter.k_in_a_row import KInARow
from env_adapter.reversi import Reversi
from env_adapter.setup import Setup

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in names()),
    ("gobang_1v1", {"opening": ((7, 7), (6, 6), (3, 3)), "max_step": 30}),
    ("gobang_1v1", {"board_size": 4, "in_a_row": 4}),
    ("tictactoe_1v1", {"max_step": 20}),  # under platform rules a full board does not end it
    ("reversi_1v1", {"board_size": 4}),
    ("reversi_1v1", {"max_step": 20}),
]


@pytest.mark.parametrize("rules", ["platform", "stated"])
@pytest.mark.parametrize(("name", "overrides"), SETTINGS)
def test_ours_conform(name: str, overrides: dict[str, Any], rules: str) -> None:
    env = make(name, rules, seed=1, **overrides)
    games = 6 if env.max_step <= 20 else 1
    report = check_env(env, games=games, seed=2)
    assert report.games == games
    assert (report.replaced > 0) == (rules == "platform") and (report.refused > 0) == (rules == "stated")
    assert report.steps >= games * min(5, env.max_step)


# These two only work together: a late payment shows in the list that all steps share.
PAYING_LATE = {Quirk.SHARED_REWARD, Quirk.RESULT_WAITS_FOR_CHECK_WIN}
APART = [PAYING_LATE, *({quirk} for quirk in Quirk if quirk not in PAYING_LATE)]


@pytest.mark.slow
@pytest.mark.parametrize("quirks", APART, ids=lambda quirks: "+".join(sorted(quirk.name for quirk in quirks)))
def test_rule_sets_between_the_two_conform(quirks: set[Quirk]) -> None:
    for rules in (PLATFORM - quirks, quirks):
        for name, size in (("tictactoe_1v1", 3), ("reversi_1v1", 4)):
            assert check_env(make(name, rules, seed=1, board_size=size), games=6).games == 6


def test_report_counts() -> None:
    report = check_env(make("reversi_1v1", seed=3, board_size=4), games=20)
    assert report.passes > 5 and report.replaced > 5 and report.refused == 0
    assert sum(report.winners.values()) == report.games == 20


class Foreign:
    """An environment without our additions, like the platform's own."""

    OURS = frozenset({"legal_moves", "outcome", "text", "stones", "is_over", "quirks", "setup", "in_a_row", "seed"})

    def __init__(self, env: Game) -> None:
        self._env = env

    def __getattr__(self, name: str) -> Any:
        if name in self.OURS:
            raise AttributeError(name)
        return getattr(self._env, name)

    def step(self, joint_action: Any) -> Any:
        return tuple(self._env.step(joint_action))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gobang_1v1", "reversi_1v1"])
def test_a_foreign_environment_is_judged_by_the_platforms_surface(name: str) -> None:
    assert check_env(Foreign(make(name, seed=1)), games=1).replaced > 0


# ---- broken on purpose

GOBANG = Setup("gobang", 15, 15, in_a_row=5)
TICTACTOE = Setup("tictactoe", 3, 3, in_a_row=3)
REVERSI = Setup("reversi", 4, 4)


def overwrites(self: Any, joint_action: Any) -> Any:
    row, col = self.decode(joint_action[self.chess_player - 1])
    if self.current_state[row][col][0]:
        self.current_state[row][col][0] = 0
        self.all_grids.append((row, col))
    return KInARow.get_next_state(self, joint_action)


def resets_no_board(self: Any) -> Any:
    self.chess_player, self.step_cnt, self.won = 1, 1, {}
    return self.get_all_observes()


def one_flip_less(self: Any, cell: Any, flipped: list[Any]) -> None:
    Reversi._put(self, cell, flipped[1:])


def keeps_turn(self: Any, cell: Any) -> None:
    KInARow._place(self, cell)
    self.chess_player = other(self.chess_player)


def swapped_sets(self: Any, player_id: int) -> Any:
    seen = Reversi.get_dict_observation(self, player_id)
    return seen | {1: seen[2], 2: seen[1]}


def counts_passes(self: Any) -> None:
    Reversi._pass(self)
    self.step_cnt += 1


def ignores_double_pass(self: Any) -> None:
    self.last, self.chess_player = 1, other(self.chess_player)


def steps(change: Callable[[Step], Any]) -> Any:
    """A `step` whose result is changed."""
    return lambda self, joint_action: change(Game.step(self, joint_action))


# fault: the setup, the replaced method, its replacement, the message of the check
BROKEN: dict[str, tuple[Setup, str, Any, str]] = {
    "stone on stone": (TICTACTOE, "get_next_state", overwrites, "was replaced by .* illegal too"),
    "reset keeps the board": (TICTACTOE, "reset", resets_no_board, "same position every time"),
    "one flip less": (REVERSI, "_put", one_flip_less, "not the position that the rules give"),
    "turn kept": (TICTACTOE, "_place", keeps_turn, "player 2 is to move, not 1"),
    "sets swapped": (REVERSI, "get_dict_observation", swapped_sets, "current_state must be"),
    "pass counted": (REVERSI, "_pass", counts_passes, "step_cnt must be"),
    "not over at two": (REVERSI, "_pass", ignores_double_pass, "is to move|should be over"),
    "nobody paid": (TICTACTOE, "get_reward", lambda self, joint_action: [0, 0], "must end with"),
    "any lengths": (GOBANG, "is_not_valid_action", lambda self, joint_action: 0, "too long was accepted"),
    "four values": (GOBANG, "step", steps(lambda step: step[:4]), "five values"),
    "rows without a pass": (REVERSI, "step", steps(lambda step: step._replace(all_observes=[[[0]] * 4] * 4)),
                            "one observation per"),
    "never done": (TICTACTOE, "step", steps(lambda step: step._replace(done=False)), "should be over and is not"),
    "other action told": (REVERSI, "step", steps(lambda step: step._replace(info_after={"action": (0, 0)})),
                          r"\(0, 0\)"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_a_fault_is_found(fault: str) -> None:
    setup, method, replacement, sentence = BROKEN[fault]
    family: type[Game] = Reversi if setup is REVERSI else KInARow
    env = type("Broken", (family,), {method: replacement})(setup, PLATFORM, 1)
    with pytest.raises(ConformanceError, match=sentence):
        check_env(env, games=40)


def test_a_missing_attribute_is_named() -> None:
    env = make("gobang_1v1")
    del env.max_step
    with pytest.raises(ConformanceError, match="lacks 'max_step'"):
        check_env(env)
