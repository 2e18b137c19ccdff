"""The games that agents declare, the refusal of agents that do not play a game, the list of games, and Mo's limit."""

import re

import pytest

from env_adapter import make, names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import games_of, in_words, players, plays, refuse_misfits, seconds_for
from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup

pytestmark = pytest.mark.usefixtures("without_vermin")
ALL = ("gobang_1v1", "gomoku_11x11_1v1", "tictactoe_1v1", "reversi_8x8_1v1", "reversi_1v1")
LINES, REVERSI = ALL[:3], ALL[3:]
PLAYED = {
    **dict.fromkeys(("tengen", "tengen-native", "montecarlo", "greedy", "random"), ALL),
    "scorer": LINES,
    "tengen:engine=scorer": LINES,
    "tengen:depth=3": ALL,
    **dict.fromkeys(("seed000", "seed001", "alphabeta", "minimax", "seed001:pruning=off"), REVERSI),
    **dict.fromkeys(("seed002", "seed004"), LINES[:2]),
    "seed003": LINES[2:],
}
AGENT = "def my_controller(observation, action_space, is_act_continuous=False):\n    return [[1], [1]]\n"


@pytest.mark.parametrize("agent", {**PLAYED, **dict.fromkeys(BUILT_INS)})
def test_the_games_of_the_built_in_agents(agent):
    declared = games_of(parse_agent(agent))
    assert {env for env in names() if plays(declared, make(env))} == set(PLAYED[agent])
    assert all((agent in players(make(env))) == (agent in BUILT_INS) for env in PLAYED[agent])


@pytest.mark.long
@pytest.mark.parametrize("agent", [*BUILT_INS, "seed000:variant=annealing"])
@pytest.mark.parametrize("games", [20, 2], ids=["quick", "at its own pace"])
def test_an_agent_plays_its_games_without_a_fault(agent, games, tengen):
    options = BUILT_INS[agent].options if agent in BUILT_INS else {}
    quick = [f"{key}=0.02" for key in ("seconds", "off_turn_seconds") if key in options and games == 20]
    named = f"{agent}:{','.join(quick)}" if quick else agent
    for env in names():
        if plays(games_of(parse_agent(agent)), make(env)):
            code, _, err = tengen("match", named, "random", "--env", env, "--games", games, "--quiet")
            assert code == 0, err


@pytest.mark.parametrize(("declared", "env", "size", "covered"), [
    (("reversi",), "reversi_1v1", 6, True),
    (("reversi_1v1",), "reversi_8x8_1v1", 10, True),  # the same board by another name
    (("reversi_8x8_1v1",), "reversi_1v1", 8, True),
    (("tictactoe_1v1",), "tictactoe_1v1", 9, False),
    (("five_in_a_row",), "gobang_1v1", 9, True),
    (("five_in_a_row",), "tictactoe_1v1", 9, False),  # three in a row on 9x9
    (("gobang_1v1",), "gomoku_11x11_1v1", 15, True),
    ((), "gobang_1v1", 15, False),
    (None, "gobang_1v1", 9, True),  # an agent without a declaration may be tried on every game
])  # fmt: skip
def test_boards_are_respected(declared, env, size, covered):
    assert plays(declared, make(env, board_size=size)) == covered


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("text", "declared"), [
    ("", None),
    ("GAMES = ('gobang_1v1', 'reversi')\n", ("gobang_1v1", "reversi")),
    ("GAMES = ['reversi_1v1']\n", ("reversi_1v1",)),
    ("GAMES = 'reversi_1v1'\n", ("reversi_1v1",)),
    ("GAMES: tuple = ('reversi_1v1',)\n", ("reversi_1v1",)),
    ("GAMES = 17\n", None),
    ("GAMES = load()\n", None),
    ("def f():\n    GAMES = ('reversi_1v1',)\n", None),
    ("this is no Python\n", None), ("GAMES: " + "a|" * 100_000 + "b = ()\n", None),
    (r"GAMES = ('reversi_1v1',); ESCAPE = '\d'", ("reversi_1v1",)),  # which Python warns of
])  # fmt: skip
def test_what_a_file_declares(text, declared, tmp_path):
    (tmp_path / "mine.py").write_text(f"{text}\n{AGENT}")
    assert games_of(parse_agent(str(tmp_path / "mine.py"))) == declared


@pytest.mark.parametrize(("declared", "words"), [
    (["tictactoe_1v1"], "tictactoe_1v1 (3x3 only)"), ([], "no game"),
    (["five_in_a_row"], "gobang_1v1 and gomoku_11x11_1v1 (any size)"),
    (["gobang_1v1", "reversi"], "gobang_1v1 (15x15 only); reversi_1v1 and reversi_8x8_1v1 (any even size)"),
])  # fmt: skip
def test_a_declaration_in_words(declared, words):
    assert in_words(declared) == words


@pytest.mark.parametrize(("agent", "env", "size", "sentence"), [
    ("seed000", "gobang_1v1", None, "seed000 plays reversi_1v1 and reversi_8x8_1v1 (any even size), not gobang_1v1; "
     "agents that do: tengen, tengen-native, scorer, seed002, seed004, montecarlo, greedy, random"),
    ("scorer:depth=3", "reversi_1v1", None, "scorer:depth=3 plays gobang_1v1, gomoku_11x11_1v1 and tictactoe_1v1 (any "
     "size), not reversi_1v1; agents that do: tengen, tengen-native, seed000, "),
    ("seed003", "tictactoe_1v1", 9, "seed003 plays tictactoe_1v1 (3x3 only), not tictactoe_1v1 on 9x9; agents that do: "
     "tengen, tengen-native, scorer, montecarlo, greedy, random"),
    ("{}/mine.py", "gobang_1v1", None, "mine declares the game 'chess'; GAMES may have: gobang_1v1"),
])  # fmt: skip
def test_a_misfit_is_refused(agent, env, size, sentence, tmp_path):
    (tmp_path / "mine.py").write_text("GAMES = ('chess',)\n" + AGENT)
    with pytest.raises(AgentError, match=re.escape(sentence)):
        refuse_misfits([parse_agent("random"), parse_agent(agent.format(tmp_path))], GameSetup(env, board_size=size))


@pytest.mark.parametrize("command", [
    "match random seed000", "play seed000", "tournament random seed000 --out t.jsonl",
    "run-log --black seed000 --white random", "sprt seed000 random --out t.jsonl"])  # fmt: skip
def test_a_misfit_is_refused_before_any_game(command, tengen, tmp_path):
    code, out, err = tengen(*command.split(), "--env", "gobang_1v1")
    assert (code, out) == (2, "") and err.startswith("tengen: seed000 plays reversi_1v1 and")
    assert list(tmp_path.rglob("*.jsonl")) == [] and list(tmp_path.rglob("*.json")) == []


def test_the_list_of_games(tengen):
    rows = [line.split() for line in tengen("games")[1].splitlines()]
    assert [row[0] for row in rows if row and row[0] in names()] == names()
    [gobang] = [row for row in rows if row[:1] == ["gobang_1v1"]]
    assert gobang[1:5] == ["15x15", "5", "in", "a"] and gobang[-2:] == ["greedy,", "random"]


MO = "class AIPlayer:\n    def __init__(self, color): pass\n    def get_move(self, board): return 'D3'\n"


@pytest.mark.parametrize(("text", "seconds"), [
    (MO, 3.0), (AGENT, 1.0), (MO + AGENT, 1.0), ("from player import AIPlayer\n", 3.0), ("from x import *\n" + MO, 1.0),
])  # fmt: skip
def test_the_limit_is_the_platforms(text, seconds, tmp_path):
    (tmp_path / "mine.py").write_text(text)
    agents = [parse_agent(str(tmp_path / "mine.py")), parse_agent("random")]
    assert seconds_for(agents) == seconds_for(agents[::-1]) == seconds
