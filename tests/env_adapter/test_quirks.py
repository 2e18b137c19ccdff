"""One test for each quirk: the platform's rules with the quirk, and without this quirk alone."""

import inspect
import re
import sys

import numpy as np
import pytest

from env_adapter import (
    PLATFORM,
    STATED,
    ActionError,
    FullBoard,
    Game,
    GameOver,
    IllegalMove,
    OptionError,
    Quirk,
    answer,
    make,
)
from env_adapter.endings import Ending, EndingKind, Outcome, Payment

from .games import BLACK_FIVE, BLACK_WINS_4X4, DOUBLE_PASS_4X4, NO_LINE_3X3, PASS_6X6, WHITE_FIVE, play

GOBANG, REVERSI, TICTACTOE = "gobang_1v1", "reversi_1v1", "tictactoe_1v1"


def pair(name: str, quirk: Quirk, **overrides: object) -> tuple[Game, Game]:
    """The game under platform rules, and the same game without the quirk."""
    return make(name, PLATFORM, seed=1, **overrides), make(name, PLATFORM - {quirk}, seed=1, **overrides)


def test_every_quirk_has_a_test_of_its_name() -> None:
    tests = {name for name, _ in inspect.getmembers(sys.modules[__name__], inspect.isfunction)}
    assert [quirk.name for quirk in Quirk if f"test_{quirk.name.lower()}" not in tests] == []


def test_rules_are_all_quirks_or_none() -> None:
    assert (make(GOBANG, "platform").quirks, make(GOBANG, "stated").quirks) == (PLATFORM, STATED)
    assert set(Quirk) == PLATFORM and not STATED
    with pytest.raises(OptionError, match=r"'strict'.*platform, stated"):
        make(GOBANG, "strict")


def test_live_observation() -> None:
    live, copied = pair(GOBANG, Quirk.LIVE_OBSERVATION)
    for env, changed in ((live, 2), (copied, 0)):
        env.all_observes[0]["state_map"][3][4][0] = 2
        assert env.stones()[3][4] == changed
        assert (env.all_observes[1]["state_map"][3][4][0] == 2) == (changed == 2)
    live, copied = pair(REVERSI, Quirk.LIVE_OBSERVATION)
    for env, n_black in ((live, 6), (copied, 4)):
        env.all_observes[0][1].update({(0, 0), (1, 1, "more than a cell")})
        play(env, [(3, 4)])
        assert env.won[1] == n_black


def test_live_sets_are_replaced_by_a_move() -> None:
    env = make(REVERSI)
    before = env.all_observes[0]
    play(env, [(3, 4)])
    assert (len(before[1]), len(before[2])) == (2, 2)
    before[1].add((0, 0))
    assert env.get_all_observes()[0][1] == {(3, 4), (4, 4), (4, 5), (5, 4)}


@pytest.mark.parametrize("name", [GOBANG, REVERSI])
def test_illegal_move_replaced(name: str) -> None:
    replacing, refusing = pair(name, Quirk.ILLEGAL_MOVE_REPLACED)
    first = replacing.legal_moves()[0]
    for env in (replacing, refusing):
        play(env, [first])
    legal = replacing.legal_moves()
    step = play(replacing, [(0, 0)])[0]
    assert step.info_after["action"] in legal and (0, 0) not in legal and replacing.step_cnt == 3
    before, some = refusing.text(), ", ".join(map(str, legal[:12]))
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    with pytest.raises(IllegalMove, match=re.escape(f"White may not play (0, 0); accepted: {some}{more}") + "$"):
        play(refusing, [(0, 0)])
    assert refusing.text() == before


def test_replacements_follow_the_seed() -> None:
    def replaced(seed: int) -> list[object]:
        env = make(GOBANG, seed=seed)
        return [step.info_after["action"] for step in play(env, [(7, 7)] * 20)]

    assert replaced(1) == replaced(1) != replaced(2)
    assert len(set(replaced(1))) == 20


HOT = [0] * 7 + [1] + [0] * 7  # index 7 as a one-hot list of 15
COLD = [0] * 15


@pytest.mark.parametrize(("row", "blind", "strict"), [
    ([0, 0, 1] + [0] * 12, 2, 2),
    ([1.0] + [0] * 14, 0, 0),
    ([0, 0, 1] + [0] * 11 + [1], 2, ActionError),  # two ones
    ([5] * 14 + [1], 14, ActionError),  # no zeros
    (COLD, ValueError, ActionError),
    ([0.5] * 15, ValueError, ActionError),
    (np.eye(15, dtype=int)[7], AttributeError, ActionError),
])  # fmt: skip
def test_answer_read_blindly(row: object, blind: object, strict: object) -> None:
    platform, stated = pair(GOBANG, Quirk.ANSWER_READ_BLINDLY)
    for env, expected in ((platform, blind), (stated, strict)):
        if isinstance(expected, int):
            assert env.step([[row, HOT], [COLD, COLD]]).info_after == {"action": (expected, 7)}
            continue
        with pytest.raises(expected, match="row answer must" if env is stated else None) as caught:
            env.step([[row, HOT], [COLD, COLD]])
        assert (caught.type is ActionError) == (env is stated)


BAD_LENGTHS = [[[1] + [0] * 13, HOT], [HOT, [*HOT, 0]], [HOT], [HOT, HOT, HOT], [], [7, 7], None]


@pytest.mark.parametrize("bad", BAD_LENGTHS, ids=repr)
def test_off_turn_shape_checked(bad: object) -> None:
    both, mover_only = pair(GOBANG, Quirk.OFF_TURN_SHAPE_CHECKED)
    for env in (both, mover_only):
        with pytest.raises(ActionError, match=r"player 1 must answer .* lengths 15 \(row\) and 15 \(column\)"):
            env.step([bad, [HOT, HOT]])
    with pytest.raises(ActionError, match=r"player 2 must answer"):
        both.step([[HOT, HOT], bad])
    assert both.step_cnt == 1
    assert mover_only.step([[HOT, HOT], bad]).info_after == {"action": (7, 7)}


@pytest.mark.parametrize("rules", ["platform", "stated"])
def test_the_off_turn_content_is_never_read_and_there_are_two_answers(rules: str) -> None:
    for content in (COLD, [9] * 15, "fifteen letters", np.zeros(15)):
        assert make(GOBANG, rules).step([[HOT, HOT], [content, content]]).info_after == {"action": (7, 7)}
    for joint in ([], [[HOT, HOT]], [[HOT, HOT]] * 3, None):
        with pytest.raises(ActionError, match="list of 2 answers"):
            make(GOBANG, rules).step(joint)


def test_shape_check_swaps_axes() -> None:
    swapped, straight = pair(GOBANG, Quirk.SHAPE_CHECK_SWAPS_AXES, board_height=5, board_width=7)
    assert [space.n for space in swapped.get_single_action_space(0)] == [5, 7]
    by_space, by_check = [answer((2, 3), 5, 7)] * 2, [answer((2, 3), 7, 5)] * 2
    assert straight.step(by_space).info_after == swapped.step(by_check).info_after == {"action": (2, 3)}
    with pytest.raises(ActionError, match=r"lengths 7 \(row\) and 5 \(column\)"):
        swapped.step(by_space)
    with pytest.raises(ActionError, match=r"lengths 5 \(row\) and 7 \(column\)"):
        straight.step(by_check)


def test_step_after_end_allowed() -> None:
    going_on, stopping = pair(GOBANG, Quirk.STEP_AFTER_END_ALLOWED)
    for env in (going_on, stopping):
        assert play(env, BLACK_FIVE)[-1].done
    step = play(going_on, [(14, 14)])[0]
    assert (step.done, step.reward, going_on.n_return) == (True, [0, 100], [1, 1])  # the last mover gets the 100 points
    assert going_on.check_win() == 1
    with pytest.raises(GameOver, match=r"5 in a row from \(7, 3\) to \(7, 7\).*reset\(\)"):
        play(stopping, [(14, 14)])


def test_reset_keeps_result() -> None:
    keeping, clearing = pair(GOBANG, Quirk.RESET_KEEPS_RESULT)
    for env, after_reset, after_second in ((keeping, [1, 0], [1, 1]), (clearing, [0, 0], [0, 1])):
        play(env, BLACK_FIVE)
        env.reset()
        assert (env.n_return, env.won, env.step_cnt, env.chess_player) == (after_reset, {}, 1, 1)
        play(env, WHITE_FIVE)
        assert (env.check_win(), env.n_return) == (2, after_second)
    keeping, clearing = pair(REVERSI, Quirk.RESET_KEEPS_RESULT, board_size=4)
    for env, n_return, won in ((keeping, [1, 0], {1: 10, 2: 6}), (clearing, [0, 0], {})):
        play(env, BLACK_WINS_4X4)
        env.reset()
        assert (env.n_return, env.won, env.reward) == (n_return, won, [0, 0])


def test_no_line_pays_last_mover() -> None:
    odd, drawn = pair(TICTACTOE, Quirk.NO_LINE_PAYS_LAST_MOVER)
    last = play(odd, NO_LINE_3X3)[-1]
    assert (last.done, last.reward, odd.n_return, odd.check_win(), odd.won) == (True, [100, 0], [1, 0], 0, {})
    assert odd.outcome() == Outcome(1, Ending(EndingKind.FULL_BOARD, paid=Payment.LAST_MOVER))
    last = play(drawn, NO_LINE_3X3)[-1]
    assert (last.done, last.reward, drawn.n_return, drawn.check_win()) == (True, [50, 50], [0.5, 0.5], 3)
    assert drawn.outcome() == Outcome(3, Ending(EndingKind.FULL_BOARD))


def test_no_line_at_the_step_limit() -> None:
    odd, drawn = pair(GOBANG, Quirk.NO_LINE_PAYS_LAST_MOVER, max_step=4)
    assert [step.done for step in play(odd, BLACK_FIVE[:4])] == [False, False, False, True]
    ending = Ending(EndingKind.STEP_LIMIT, paid=Payment.LAST_MOVER)
    assert ending.text() == "step limit without a line, which the platform pays to the last mover"
    assert (odd.n_return, odd.check_win(), odd.outcome()) == ([0, 1], 0, Outcome(2, ending))
    assert play(drawn, BLACK_FIVE[:4])[-1].reward == [50, 50]
    assert drawn.outcome() == Outcome(3, Ending(EndingKind.STEP_LIMIT))


def test_full_board_goes_on() -> None:
    going_on, ending = pair(TICTACTOE, Quirk.FULL_BOARD_GOES_ON, max_step=20)
    assert not play(going_on, NO_LINE_3X3)[-1].done
    with pytest.raises(FullBoard, match="the board is full") as caught:
        play(going_on, [(0, 0)])
    assert isinstance(caught.value, TypeError)
    assert (going_on.step_cnt, going_on.outcome()) == (10, Outcome(0))
    assert play(ending, NO_LINE_3X3)[-1].done


def test_list_after_pass() -> None:
    listing, observing = pair(REVERSI, Quirk.LIST_AFTER_PASS, board_size=6)
    step = play(listing, PASS_6X6)[-1]
    assert step.all_observes is listing.current_state and step.info_after == {}
    assert step.all_observes[0] == [[v] for v in listing.stones()[0]]
    assert [type(seen) for seen in listing.all_observes] == [dict, dict]
    assert (listing.chess_player, listing.step_cnt, listing.last) == (2, 9, 1)
    step = play(observing, PASS_6X6)[-1]
    assert step.all_observes is observing.all_observes and step.info_after == {}
    assert (observing.chess_player, observing.step_cnt) == (2, 9)
    assert play(listing, [listing.legal_moves()[0]])[0].all_observes is listing.all_observes


@pytest.mark.parametrize("rules", ["platform", "stated"])
def test_a_pass_reads_no_answer_but_its_lengths(rules: str) -> None:
    env = make(REVERSI, rules, board_size=6)
    play(env, PASS_6X6[:-1])
    assert env.legal_moves() == []
    with pytest.raises(ActionError, match="player 1"):
        env.step([[[1], [1]], answer((0, 0), 6, 6)])
    assert env.step([[[0] * 6, [0] * 6]] * 2).info_after == {}


def test_shared_reward() -> None:
    shared, own = pair(REVERSI, Quirk.SHARED_REWARD, board_size=4)
    rewards = [step.reward for step in play(shared, BLACK_WINS_4X4)]
    assert all(reward is shared.reward for reward in rewards) and shared.reward == [100, 0]
    shared.reset()
    assert rewards[0] == [100, 0] and shared.reward == [0, 0]  # a new list for the new game
    assert [step.reward for step in play(own, BLACK_WINS_4X4)] == [[0, 0]] * 11 + [[100, 0]]


def test_result_waits_for_check_win() -> None:
    waiting, paying = pair(REVERSI, Quirk.RESULT_WAITS_FOR_CHECK_WIN, board_size=4)
    last = play(waiting, DOUBLE_PASS_4X4)[-1]
    assert (last.done, list(last.reward), waiting.n_return, waiting.chess_player) == (True, [0, 0], [0, 0], 1)
    assert waiting.outcome() == Outcome(1, Ending(EndingKind.DOUBLE_PASS, discs=(9, 1)))
    assert (waiting.check_win(), last.reward, waiting.n_return) == (1, [100, 0], [1, 0])
    last = play(paying, DOUBLE_PASS_4X4)[-1]
    assert (last.done, last.reward, paying.n_return, paying.won) == (True, [100, 0], [1, 0], {1: 9, 2: 1})


def test_step_limit_undecided() -> None:
    undecided, counted = pair(REVERSI, Quirk.STEP_LIMIT_UNDECIDED, max_step=1)
    assert play(undecided, [(3, 4)])[-1].done
    assert (undecided.check_win(), undecided.n_return, undecided.reward) == (0, [0, 0], [0, 0])
    assert undecided.outcome() == Outcome(0, Ending(EndingKind.STEP_LIMIT, paid=Payment.NOBODY))
    assert play(counted, [(3, 4)])[-1].done
    assert (counted.check_win(), counted.n_return, counted.reward) == (1, [1, 0], [100, 0])


def test_reset_keeps_legal_position() -> None:
    stale, fresh = pair(REVERSI, Quirk.RESET_KEEPS_LEGAL_POSITION)
    start = set(stale.legal_position)
    for env, kept in ((stale, {(3, 3), (3, 5), (5, 3)}), (fresh, start)):
        play(env, [(3, 4), (3, 3)])  # legal_position is White's, from before its move
        env.reset()
        assert set(env.legal_position) == kept
        play(env, [(3, 4)])
        assert set(env.legal_position) == start
