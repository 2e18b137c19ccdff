"""The opponents: what they play, that it is legal where they can play, and seed 004's table against golden values."""

import copy
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from env_adapter import make
from local_runner.agents import OPPONENTS, parse_agent
from local_runner.hosts.loading import load_agent
from local_runner.processes.interpreters import find_python37
from local_runner.run_log import play
from tests.conftest import NO_PYTHON37

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "data" / "rule_golden.json"

GAMES = [("gobang_1v1", {}), ("gomoku_11x11_1v1", {}), ("tictactoe_1v1", {}), ("gobang_1v1", {"board_size": 7})]
REVERSI = [("reversi_1v1", {}), ("reversi_8x8_1v1", {}), ("reversi_1v1", {"board_size": 4})]
MARKS = ".XO"


@pytest.fixture
def load():
    """Loads an opponent as a module of its own, which is forgotten afterwards."""
    before = set(sys.modules)
    yield lambda name: load_agent(str(OPPONENTS / f"{name}.py"), name, {})
    for name in set(sys.modules) - before:
        del sys.modules[name]


def stones(*rows):
    return [[MARKS.index(mark) for mark in row.replace(" ", "")] for row in rows]


def observed(board, player, reversi=False):
    shown = {"chess_player_idx": player, "board_height": len(board), "board_width": len(board[0])}
    if not reversi:
        return {**shown, "state_map": [[[stone] for stone in row] for row in board]}
    cells = [(r, c, stone) for r, row in enumerate(board) for c, stone in enumerate(row)]
    return {**shown, **{colour: {(r, c) for r, c, stone in cells if stone == colour} for colour in (1, 2)}}


class Space:
    """All that an agent may rely on."""

    def __init__(self, n):
        self.n = n


def ask(agent, board, player, reversi=False):
    """The cell of the agent's answer, which must be plain; the observation must be left alone."""
    observation = observed(board, player, reversi)
    untouched = copy.deepcopy(observation)
    answer = agent.my_controller(observation, [Space(len(board)), Space(len(board[0]))])
    assert observation == untouched
    assert [type(part) for part in answer] == [list, list]
    assert {type(entry) for part in answer for entry in part} == {int}
    assert [sorted(part) for part in answer] == [[0] * (len(board) - 1) + [1], [0] * (len(board[0]) - 1) + [1]]
    return tuple(part.index(1) for part in answer)


@pytest.mark.parametrize(
    ("name", "games"), [("random", GAMES + REVERSI), ("greedy", GAMES + REVERSI), ("seed004", GAMES)]
)
def test_whole_games_without_an_illegal_move(name, games, load):
    """Both colours by one module, as on the platform; under the stated rules an illegal move would raise."""
    agents = [parse_agent(name)] * 2
    controller = load(name).my_controller
    for env_name, size in games:
        for seed in range(2):
            random.seed(seed)
            for rules in ("stated", "platform"):
                env = make(env_name, rules=rules, seed=seed, **size)
                checked = [lambda *call, env=env: legal_or_idle(env, controller(*call), call[0])] * 2
                log = play(env_name, env, checked, agents)
                assert log["steps"] and env.is_over()


def legal_or_idle(env, answer, observation):
    """The answer, which on turn must be legal: under the platform's rules nobody else would notice."""
    on_turn = not isinstance(observation, dict) or observation["chess_player_idx"] == env.chess_player
    legal = env.legal_moves()
    if on_turn and legal and isinstance(observation, dict):
        assert tuple(part.index(1) for part in answer) in legal
    return answer


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("colours", [(1,), (2,), (1, 2)], ids=["black", "white", "both"])
def test_after_a_pass_the_position_is_remembered(name, colours, load):
    """White has just passed; Black is shown a row of the board, and can only play (0, 3)."""
    before = stones("XXO.", "X...", "X...", "X...")
    agent = load(name)
    spaces = [Space(4), Space(4)]
    for player in colours:
        ask(agent, before, player, reversi=True)
    answers = [agent.my_controller([[1], [1], [2], [0]], spaces) for _ in colours]
    cells = [tuple(part.index(1) for part in answer) for answer in answers]
    assert cells == [(0, 3) if player == 1 else (0, 0) for player in colours]


@pytest.mark.parametrize("name", ["random", "greedy", "seed004"])
def test_a_row_out_of_nowhere_gets_a_well_shaped_answer(name, load):
    answer = load(name).my_controller([[0], [0], [0], [0]], [Space(4), Space(4)])
    assert [sum(part) for part in answer] == [1, 1]


def test_random_plays_everywhere_and_repeats_itself(load):
    dice = load("random")
    board = stones("X.O", "...", "OX.")

    def moves(seed):
        dice.configure(seed=seed)
        return [ask(dice, board, 1) for _ in range(60)]

    assert set(moves(1)) == {(0, 1), (1, 0), (1, 1), (1, 2), (2, 2)}
    assert moves(1) == moves(1) != moves(2)


GREEDY = [
    ("completes its own five", 1, "XXXX.... OOOO.... ........ ........ ........ ........ ........ ........", (0, 4)),
    ("blocks the other's five", 1, "........ OOOO.... ........ ...X.... ........ ........ ........ ........", (1, 4)),
    ("completes a split five", 2, "OO.OO... XXXX.... ........ ........ ........ ........ ........ ........", (0, 2)),
    ("lengthens its longest", 1, "........ .....X.. ....X... ...X.... ........ ........ .......O .......O", (4, 2)),
    ("begins in the middle", 1, "........ ........ ........ ........ ........ ........ ........ ........", (3, 3)),
    ("wins at tic-tac-toe", 1, "XX. OO. ...", (0, 2)),
    ("saves itself at tic-tac-toe", 1, "X.. OO. ..X", (1, 2)),
]


@pytest.mark.parametrize(("player", "board", "cell"), [row[1:] for row in GREEDY], ids=[row[0] for row in GREEDY])
def test_greedy_in_lines(player, board, cell, load):
    assert ask(load("greedy"), stones(*board.split()), player) == cell


@pytest.mark.parametrize(
    ("player", "board", "cell"),
    [
        (1, ".OOX ..O. XOO. ....", (2, 3)),  # two discs, like (0, 0), and nearer the centre
        (2, ".... .OX. .XO. ....", (0, 2)),
        (1, "XOO. ..O. ..O. ..X.", (0, 3)),
    ],
)
def test_greedy_at_reversi(player, board, cell, load):
    assert ask(load("greedy"), stones(*board.split()), player, reversi=True) == cell


def test_seed004_finds_every_golden_value_and_move(load):
    agent = load("seed004")
    cases = json.loads(GOLDEN.read_text())["cases"]
    assert len(cases) == 120
    for case in cases:
        board = stones(*case["board"])
        totals = agent.all_totals(board, case["player"])
        assert [[r, c, value] for (r, c), value in totals.items() if value > 0] == case["values"]
        assert ask(agent, board, case["player"]) == tuple(case["move"])


@pytest.mark.parametrize(
    ("player", "board", "cell"),
    [
        (1, "... ... ...", (1, 1)),  # no pattern fits in so small a board: the centre
        (2, "... .X. ...", (0, 0)),  # taken: the first free cell
        (2, "XOX OXO OXO", (1, 1)),  # off turn on a full board: anything
        (1, "....... ....... ....... ....... ....... .......", (3, 3)),
        (1, "......... ......... ......... ......... ..XXX.... ......... .........", (4, 1)),  # like (4, 5): the first
    ],
)
def test_seed004_on_other_boards(player, board, cell, load):
    assert ask(load("seed004"), stones(*board.split()), player) == cell


def test_seed004_under_the_platforms_python():
    old = find_python37()
    if old is None:
        pytest.skip(f"{NO_PYTHON37}: seed004 was not run by it")
    program = (
        "import json, sys\n"
        "from local_runner.hosts.loading import load_agent\n"
        "agent = load_agent(sys.argv[1], 'seed004', {})\n"
        "for case in json.load(open(sys.argv[2]))['cases'][::10]:\n"
        "    board = [['.XO'.index(mark) for mark in row] for row in case['board']]\n"
        "    assert list(agent.choose(board, case['player'])) == case['move']\n"
        "print('all')"
    )
    command = [str(old.path), "-c", program, str(OPPONENTS / "seed004.py"), str(GOLDEN)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("all\n", "")
