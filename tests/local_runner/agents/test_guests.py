"""Agents of other platforms: our bundle for the Mo platform, and players of Mo and of Kaggle in matches here."""

import json

import pytest

from local_runner.agents import source_reader
from local_runner.agents.opponents import observed
from local_runner.agents.source import unusable_advice
from local_runner.game.faults import Fault, FaultKind
from local_runner.processes.agent_side import loading
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.agent_side.guests import KaggleController
from local_runner.processes.agent_side.launcher import load_beside
from local_runner.processes.agent_side.loading import Unusable, load_agent
from local_runner.upload import bundle
from submission import ai_player
from submission.ai_player import AIPlayer
from submission.engine import Engine
from submission.search import clock
from submission.search.deepening import Thought
from tests.local_runner.agents.references import Board
from tests.submission.search_games import Clock

MINE = """\
class AIPlayer:
    def __init__(self, color, first=True):
        self.color, self.first, self.asked = color, first, 0

    def get_move(self, board):
        self.asked += 1
        assert board.count("X") > 2 or self.color == "X"
        moves = list(board.get_legal_actions(self.color))
        assert moves and board.count("X") + board.count("O") >= 4 + self.asked - 1
        flipped = board._move(moves[0], self.color)
        board.backpropagation(moves[0], flipped, self.color)
        assert list(board.get_legal_actions(self.color)) == moves
        return moves[0 if self.first else -1]
"""
CHECKED = """\
from . import ai_player
ai_player.GAME_SECONDS = 1.0
class AIPlayer(ai_player.AIPlayer):
    def get_move(self, board):
        before, legal = [row[:] for row in board._board], list(board.get_legal_actions(self.color))
        move = super().get_move(board)
        assert board._board == before and move in legal and self.fault is None, self.fault
        return move
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Our player gets one second for a whole game, by a clock that advances by 2 ms at every reading."""
    counting = Clock(0.002)
    for module in (ai_player, clock):
        monkeypatch.setattr(module, "time", counting)
    monkeypatch.setattr(ai_player, "GAME_SECONDS", 1.0)
    return counting


# ---- our player on the Mo platform


@pytest.mark.slow
@pytest.mark.parametrize(("other", "games", "wins"), [("random:seed=5", 2, {2}), ("submission.py", 1, {0, 1})])
def test_whole_games_of_the_one_file(other, games, wins, tengen, tmp_path, python):
    bundle.write(bundle.build(platform="mo"), tmp_path / "ai_player.py")
    (tmp_path / "submission.py").write_text(CHECKED)
    code, out, err = tengen("match", "submission.py", other, "--env", "reversi_8x8_1v1", "--games", games, "--quiet",
                            "--python", python, "--json", "-")  # fmt: skip
    assert (code, err.count("lost game")) == (0, 0), err
    [ours, _other] = json.loads(out)["agents"]
    assert ours["as_black"]["wins"] + ours["as_white"]["wins"] in wins


def test_neither_platforms_file_carries_the_other():
    made = {platform: bundle.build(platform=platform) for platform in bundle.MAINS}
    assert made["mo"].modules[0] == "ai_player.py" and made["jidi"].modules[0] == "submission.py"
    assert made["mo"].modules[1:] == made["jidi"].modules[1:]
    assert not {"ai_player.py", "submission.py"} & set(made["mo"].modules[1:])
    assert "class AIPlayer" not in made["jidi"].text and "def my_controller" not in made["mo"].text


@pytest.mark.parametrize(("rows", "color", "set_to", "move", "sides"), [
    ("XXXXXXXX " * 8, "O", "", {None}, []),
    ("XXXXXXXX " * 7 + "XXXXXXO.", "X", "", {"H8"}, []),  # the only move needs no search
    ("........ " * 3 + "...OX... ...XO... " + "........ " * 3, "X", "O", {"E3", "F4", "C5", "D6"}, [1]),
    ("........? ........ ........ ...OX... ...XO... ........ ........ ........", "X", "", {"D3"}, [None]),
])  # fmt: skip
def test_moves_of_our_player(rows, color, set_to, move, sides, monkeypatch):
    """`set_to`: the colour that the platform sets later; `sides`: the side to move of each thought of our engine."""
    asked, think = [], Engine.think
    monkeypatch.setattr(Engine, "think", lambda self, *given: asked.append(given[1]) or think(self, *given))
    player, board = AIPlayer(color), Board(rows)
    player.color = set_to or color
    found = player.get_move(board)
    if sides == [None]:  # an exception inside is stored in `fault`, and the answer is a legal move
        assert found in Board().get_legal_actions(color) and "Traceback" in player.fault
        return
    assert found in move and asked == sides and player.fault is None


def test_it_searches_though_the_other_had_to_pass(monkeypatch):
    """On Jidi, an unchanged board would mean that the opponent is to move; Mo calls only the side to move."""
    asked, think = [], Engine.think
    monkeypatch.setattr(Engine, "think", lambda self, *given: asked.append(given[1]) or think(self, *given))
    player, board = AIPlayer("X"), Board("...X.X.. .OOOOOO. ..OXXOO. ..OOOO.. ..OOO... ....O... ....O... ........")
    assert player.get_move(board)
    board.play("E1", "X")
    assert not list(board.get_legal_actions("O")) and player.get_move(board) in board.get_legal_actions("X")
    assert asked == [0, 0] and player.fault is None


@pytest.mark.parametrize("color", ["x", "", None, 1])
def test_colors_that_there_are_not(color):
    with pytest.raises(ValueError, match="a color is 'X' or 'O', not"):
        AIPlayer(color)


def test_a_new_game_has_all_its_time(quick, monkeypatch):
    """The first search takes 100 seconds, more than a game's time."""
    player, asked = AIPlayer("X"), []
    thought = Thought(19, 0, 1, 1, [19], 0.0)

    def think(self, *given):
        asked.append(given[2].seconds)
        quick.now += 100
        return thought

    monkeypatch.setattr(Engine, "think", think)
    full = Board("........ ........ ........ .OOOX... ...XO... ........ ........ ........")
    player.get_move(full)
    player.get_move(full)
    player.get_move(Board())
    assert asked == [pytest.approx(1 / 29), 0.0, pytest.approx(1 / 30)]


# ---- Mo players in matches here


def test_the_boards_own_rules_are_the_referees():
    def perft(board, color, depth):
        if not depth:
            return 1
        other, total = "O" if color == "X" else "X", 0
        for move in list(board.get_legal_actions(color)):
            flipped = board.play(move, color)
            total += perft(board, other, depth - 1)
            board.backpropagation(move, flipped, color)
        return total

    assert [perft(Board(), "X", depth) for depth in range(1, 5)] == [4, 12, 56, 244]


@pytest.mark.slow
def test_matches_of_mo_players(tengen, tmp_path):
    """The assertions in get_move fail, with exit code 1, if it is called without a legal move, or first for White."""
    (tmp_path / "theirs.py").write_text(MINE)
    game = ("--env", "reversi_8x8_1v1", "--games", 2, "--quiet", "--json", "out.json")
    for other in ("theirs.py:first=off", "greedy"):
        code, _, err = tengen("match", "theirs.py", other, *game)
        assert (code, err) == (0, ""), err
    assert any(None in game["cells"] for game in json.loads((tmp_path / "out.json").read_text())["games"])  # a pass


MATCH = ("match", "theirs.py", "random", "--games", "1", "--quiet", "--env")


@pytest.mark.usefixtures("without_vermin")
@pytest.mark.parametrize(("text", "command", "code", "sentence"), [
    (MINE, (*MATCH, "gobang_1v1"), 2, "plays reversi_8x8_1v1 (8x8 only), not gobang"),
    (MINE, (MATCH[0], "theirs.py:depth=3", *MATCH[2:], "reversi_8x8_1v1"), 2, "cannot be made: TypeError"),
    (MINE.replace("return", "return 'Z9' #"), (*MATCH, "reversi_8x8_1v1"), 1, "answered 'Z9'; it must answer a move"),
    ("class AiPlayer: pass\n", (*MATCH, "reversi_8x8_1v1"), 2, "has no function my_controller"),
    (MINE, ("run-log", "--black", "theirs.py", "--white", "random", "--env", "reversi_8x8_1v1"), 2,
     "has no function my_controller"),
])  # fmt: skip
def test_what_is_wrong_with_a_mo_player_is_said(text, command, code, sentence, tengen, tmp_path):
    (tmp_path / "theirs.py").write_text(text)
    found, out, err = tengen(*command)
    assert found == code and sentence in out + err and "reversi_1v1" not in out, out + err


# ---- Kaggle: files with the signature `agent(observation, configuration)`


EMPTY = {"state_map": [[[0]] * 3] * 3, "chess_player_idx": 1, "board_width": 3, "board_height": 3}
START = {1: {(1, 2), (2, 1)}, 2: {(1, 1), (2, 2)}, "chess_player_idx": 1, "board_width": 4, "board_height": 4}
WIPED = {1: set(), 2: {(1, 1)}, "chess_player_idx": 1, "board_width": 4, "board_height": 4}
OFF_TURN = {**EMPTY, "chess_player_idx": 2}


@pytest.mark.parametrize(("observation", "board", "mark", "inarow"), [
    (EMPTY, [0] * 9, 1, 3), (START, [0, 0, 0, 0, 0, 2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0], 1, None),
])  # fmt: skip
def test_what_an_agent_is_shown(observation, board, mark, inarow):
    def agent(seen, configuration):
        assert (seen.board, seen["mark"], seen.step) == (board, mark, len(board) - board.count(0))
        assert (seen.remainingOverageTime, configuration.episodeSteps) == (0, len(board) + 1)
        assert (configuration.actTimeout, configuration.agentTimeout, configuration.runTimeout) == (1, 30, 1200)
        assert configuration.rows * configuration.columns == len(board) and configuration.get("inarow") == inarow
        return configuration.columns + 2

    side = observation["board_width"]
    row, col = KaggleController(agent, observed)(observation, action_space(side, side, 0))
    assert (row.index(1), col.index(1)) == (1, 2)


@pytest.mark.parametrize("observation", [OFF_TURN, WIPED])
def test_an_agent_is_asked_only_if_it_can_move(observation):
    side = observation["board_width"]
    answer = KaggleController(None, observed)(observation, action_space(side, side, 0))
    assert [len(each) for each in answer] == [side, side] and sum(map(sum, answer)) == 2


@pytest.mark.parametrize("answer", [None, 9, -1, 1.0, True, "4"])
def test_a_wrong_answer_is_named(answer):
    with pytest.raises(ValueError, match="row \\* columns \\+ column"):
        KaggleController(lambda seen: answer, observed)(EMPTY, action_space(3, 3, 0))


@pytest.mark.parametrize(("text", "found"), [
    ("def agent(seen): ...", True), ("def agent(seen): ...\ndef my_controller(a, b, c): ...", False),
    ("class AIPlayer: ...\ndef agent(seen): ...", False), ("from a import *\ndef agent(seen): ...", False),
    ("agent = 3", False),
])  # fmt: skip
def test_which_file_is_kaggles(text, found):
    read = source_reader.read({"a.py": text.encode()}, loading)["a.py"]
    assert (read.platform == "kaggle") is found


def test_only_matches_take_such_a_file(tmp_path):
    file = tmp_path / "kaggle.py"
    file.write_text("def agent(observation, configuration):\n    return observation.board.index(0)\n")
    module = load_agent(str(file), "kaggle_test", {}, load_beside)
    assert module.my_controller(EMPTY, action_space(3, 3, 0)) == [[1, 0, 0], [1, 0, 0]]
    with pytest.raises(Unusable, match="no controller"):
        load_agent(str(file), "kaggle_test_2", {})


@pytest.mark.parametrize(("text", "advice"), [
    ("def helper(x): ...\ndef my_agent(seen, configuration): ...\nclass Net: ...", "If my_agent is an agent"),
    ("play = lambda seen: 0\nfrom math import sqrt", "If play is an agent"),
    ("class Player:\n    def __call__(self, seen): ...\nplayer = Player()", "If player is an agent"),
    ("def my_controler(seen, space): ...", "The function my_controler in line 1 is probably meant"),
    ("def play(observation, space, continuous): ...", "The function play in line 1"), ("x = 3", "Define my_controller"),
])  # fmt: skip
def test_the_last_callable_of_another_name_is_named(text, advice, tmp_path):
    file = tmp_path / "named.py"
    file.write_text(text)
    with pytest.raises(Unusable) as refused:
        load_agent(str(file), f"kaggle_{len(text)}", {}, load_beside)
    assert str(unusable_advice(Fault(FaultKind(refused.value.kind), refused.value.fields), file)).startswith(advice)
