"""Files with the signature of Kaggle's environments, `agent(observation, configuration)`, play here as they are."""

import pytest

from local_runner.agents import source_reader
from local_runner.agents.opponents import observed
from local_runner.agents.source import unusable_advice
from local_runner.game.faults import Fault, FaultKind
from local_runner.processes.agent_side import loading
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.agent_side.guests import KaggleController
from local_runner.processes.agent_side.loading import Unusable, load_agent

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
    module = load_agent(str(file), "kaggle_test", {}, guests=True)
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
        load_agent(str(file), f"kaggle_{len(text)}", {}, guests=True)
    assert str(unusable_advice(Fault(FaultKind(refused.value.kind), refused.value.fields), file)).startswith(advice)
