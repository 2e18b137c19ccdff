"""The opponents: the moves of whole games, one table of positions, the reports' figures, options and turns."""

import copy
import hashlib
import importlib
import itertools
import json
import multiprocessing
import random
import sys
from dataclasses import replace
from functools import partial

import pytest

from env_adapter import answer, make
from local_runner.agents.catalogue import BUILT_INS, SUBMISSION
from local_runner.agents.opponents import seed001
from local_runner.agents.spec import parse_agent
from local_runner.game.session import GameSession, play_game
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.deal import random_opening
from local_runner.matches.run_log import play
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.agent_side.loading import Unusable, load_agent
from local_runner.processes.process import AgentProcess
from tests.conftest import ROOT
from tests.local_runner.agents.references import Board, drawn, has_won, positions, put, solved

GOLDEN = ROOT / "tests" / "data" / "rule_golden.json"


@pytest.fixture
def load(forgotten):
    """Loads an opponent, named as on the command line, as a separate module, which is removed after the test."""

    def loaded(agent):
        spec = parse_agent(agent)
        return load_agent(str(spec.path), spec.path.stem, spec.options)

    return loaded


def observed(board, player, reversi=False):
    shown = {"chess_player_idx": player, "board_height": len(board), "board_width": len(board[0])}
    if not reversi:
        return {**shown, "state_map": [[[stone] for stone in row] for row in board]}
    cells = [(r, c, stone) for r, row in enumerate(board) for c, stone in enumerate(row)]
    return {**shown, **{colour: {(r, c) for r, c, stone in cells if stone == colour} for colour in (1, 2)}}


def ask(agent, board, player, reversi=False):
    """The cell of the agent's answer. Checks that the answer is two one-hot lists and the observation is unchanged."""
    observation = observed(board, player, reversi)
    untouched = copy.deepcopy(observation)
    answer = agent.my_controller(observation, action_space(len(board), len(board[0]), 0))
    assert observation == untouched
    assert [type(part) for part in answer] == [list, list]
    assert {type(entry) for part in answer for entry in part} == {int}
    assert [sorted(part) for part in answer] == [[0] * (len(board) - 1) + [1], [0] * (len(board[0]) - 1) + [1]]
    return tuple(part.index(1) for part in answer)


UNLIMITED = "seconds=none,game_seconds=none"
R4, R6, R8 = (("reversi_1v1", size) for size in (4, 6, 8))
G5, G7, G11, TICTACTOE = *(("gobang_1v1", size) for size in (5, 7, 11)), ("tictactoe_1v1", None)
# An agent, games by board size, and a hash of its moves in them: a refactoring must keep them.
GAMES = [
    ("random:seed=3", [G7, TICTACTOE, R4, R8], "63191cdd8545"),
    ("greedy", [G7, G11, TICTACTOE, R4, R8], "e072101ab41e"),
    ("montecarlo:playouts=8,seed=1", [G7, TICTACTOE, R4, R8], "1d1922cad0cc"),
    ("montecarlo:playouts=30,seed=1,exploration=0.2", [TICTACTOE, R4], "8f183a15076d"),
    ("seed000:seconds=none,depth=4,width=3", [R4, R6], "3b691d88d21e"),
    ("seed000:seconds=none,depth=2,stability=on", [R8], "6ff192a4387a"),
    ("seed000:variant=annealing,seed=1", [R8, R4], "f0a9fd0ed4b6"),
    *((f"seed001:{UNLIMITED},{options}", games, signature) for options, games, signature in (
        ("depth=3", [R8], "e3db5a5a42f8"), ("depth=2,bad_moves=on", [R8, R4], "42961b4897bd"),
        ("depth=2,bad_leaves=on,factor=7", [R8], "30cf8524c2b3"),
        ("depth=3,width=2,corners=off", [R8], "b2ae4d63f168"),
        ("depth=2,vanishing=random,seed=1", [R8], "e8241d72529b"),
        ("depth=2,vanishing=off,stability=off,history=off", [R8], "bd9c994ef3d0"),
        ("depth=2,cores=2", [R4], "db32aaff427d"))),
    ("seed002:seconds=1000", [G7, TICTACTOE], "02c0c4217979"),
    ("seed002:seconds=1000,depth=2,ratio=1.0,reach=1,bonus=off", [G11], "36cf84d22971"),
    ("seed002:seconds=1000,depth=4", [G5], "c72f8b0b2847"),
    *((f"seed003:search={name}", [TICTACTOE, G7], "f4541ffade89") for name in ("minimax", "negamax", "alphabeta")),
    ("seed003:search=deepening,depth=9", [TICTACTOE], "efc228bec304"),
    ("seed003:search=quiescence,depth=2", [TICTACTOE], "31cce421f5f5"),
    ("seed004", [G7, G11, TICTACTOE], "25ebce3823de"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "games", "signature"), GAMES, ids=str)
def test_whole_games(agent, games, signature, load):
    """One module plays both colours, as on the platform, and makes no illegal move."""
    found = hashlib.sha256()
    for number, (env, size) in enumerate(games):
        controller = load(agent).my_controller
        setup = GameSetup(env, "stated", number, board_size=size)
        session = GameSession(replace(setup, opening=random_opening(setup, 2, number)))
        play(session, [partial(legal_or_idle, session.env, player, controller) for player in (1, 2)])
        assert session.env.is_over()
        found.update(str(session.cells).encode())
    assert found.hexdigest()[:12] == signature


def legal_or_idle(env, player, controller, *call):
    answer, legal = controller(*call), env.legal_moves()
    if player == env.chess_player and legal:
        assert tuple(part.index(1) for part in answer) in legal
    return answer


@pytest.mark.parametrize("name", sorted({agent.path.stem for agent in BUILT_INS.values() if agent.path != SUBMISSION}))
def test_a_row_before_any_position_gets_a_valid_answer(name, load):
    answer = load(name).my_controller([[0], [0], [0], [0]], action_space(4, 4, 0))
    assert [sum(part) for part in answer] == [1, 1]


# The agent, k (in a row) or r (Reversi), the player, the board, and the move.
MOVES = [
    ("greedy", "k", 1, "XXXX.... OOOO.... ........ ........ ........ ........ ........ ........", (0, 4)),  # wins
    ("greedy", "k", 1, "........ OOOO.... ........ ...X.... ........ ........ ........ ........", (1, 4)),  # blocks
    ("greedy", "k", 2, "OO.OO... XXXX.... ........ ........ ........ ........ ........ ........", (0, 2)),
    ("greedy", "k", 1, "........ .....X.. ....X... ...X.... ........ ........ .......O .......O", (4, 2)),  # lengthens
    ("greedy", "k", 1, "........ ........ ........ ........ ........ ........ ........ ........", (3, 3)),
    ("greedy", "k", 1, "XX. OO. ...", (0, 2)),
    ("greedy", "k", 1, "X.. OO. ..X", (1, 2)),
    ("greedy", "r", 1, ".OOX ..O. XOO. ....", (2, 3)),  # turns two discs like (0, 0), but is nearer the centre
    ("greedy", "r", 2, ".... .OX. .XO. ....", (0, 2)),
    ("greedy", "r", 1, "XOO. ..O. ..O. ..X.", (0, 3)),
    ("montecarlo:playouts=1,seed=1", "k", 1, "XXXX.... OOOO.... ........ ........ ........ ........ ........ ........",
     (0, 4)),  # the only cell that wins or blocks needs no playouts
    ("montecarlo:playouts=1,seed=1", "k", 1, "X....... OOOO.... ......X. ...X.... ........ ........ X....... ........",
     (1, 4)),
    # seed000's own choices in the game that its report prints; of these moves the report prints the first and the third
    ("seed000:seconds=none", "r", 2, "........ ...X.... .OOX.... ...XO... ...OX... ........ ........ ........", (0, 3)),
    ("seed000:seconds=none", "r", 2, "...O.... .X.O.... .OXO.... ...XO... ...OX... ........ ........ ........", (3, 2)),
    ("seed000:seconds=none", "r", 2, ".O.O.... .O.O.... .OXXX... ...XX... ...OX... ........ ........ ........", (2, 5)),
    ("seed000:seconds=none", "r", 2, ".O.O.... .O.O.... .OOOOO.. ...XXX.. ...OX... ........ ........ ........", (5, 4)),
    ("seed000:seconds=none", "r", 2, ".XOO.... ........ ........ ...OX... ...XO... ........ ........ .XXO....", (0, 0)),
    ("seed000:variant=annealing,seed=1", "r", 1, "XXO. X... X... X...", (0, 3)),
    ("seed001", "r", 1, ".OX..XO. ........ ........ ...OX... ...XO... ........ ........ .OX..XO.", (0, 0)),  # corners
    ("seed001", "r", 1, "XXX..XO. ........ ........ ...OX... ...XO... ........ ........ .OX..XO.", (7, 0)),
    # the positions and moves of two rounds of a game that seed002's report prints
    ("seed002", "k", 1, "........... " * 5 + "....OXX.... .....O..... " + "........... " * 4, (7, 6)),
    ("seed002:seconds=60", "k", 1, "....... ....... ....... ....... ....... ....... .......", (3, 3)),
    ("seed002:seconds=60", "k", 1, "....... .XXXX.. ..OOO.. .O..... ....... ....... .......", (1, 5)),  # the last best
    ("seed002:seconds=60", "k", 1, "....... ....... ..OOO.. ....X.. ....X.. ....... X......", (2, 5)),
    ("seed002:seconds=60", "k", 2, "XXXXO OOOOX XOX.X XXOOX OO.XO", (4, 2)),
    ("seed002", "k", 2, "... .X. ...", (0, 0)),
    ("seed002", "r", 1, ".... .OX. .XO. ....", (0, 1)),  # not its game: the centre, or the first free cell
    ("seed003", "k", 2, "... .X. ...", (0, 0)),
    ("seed003:depth=9", "k", 1, "... ... ...", (1, 1)),
    ("seed003", "k", 1, "X.. .X. OO.", (2, 2)),  # a diagonal, which the report's shortcut misses
    ("seed003", "k", 1, "... ..X OOX", (0, 2)),  # wins at once, although (0, 0) wins later
    ("seed003", "k", 1, "X.. OO. .X.", (1, 2)),
    ("seed003", "k", 2, "X.X O.. O.X", (0, 1)),  # all moves lose: the first free cell
    # If White takes a corner, Black gets a fork of corners. A search of two plies misses the fork, quiescence finds it.
    ("seed003:depth=2", "k", 2, "X.. .O. ..X", (0, 2)),
    ("seed003:depth=2,search=quiescence", "k", 2, "X.. .O. ..X", (0, 1)),
    ("seed003", "k", 1, "....... " * 6, (3, 3)),
    ("seed004", "k", 2, "... .X. ...", (0, 0)),  # the centre is occupied: the first free cell
    ("seed004", "k", 1, "....... ....... ....... ....... ....... .......", (3, 3)),
    ("seed004", "k", 1, "......... ......... ......... ......... ..XXX.... ......... .........", (4, 1)),  # first
]  # fmt: skip


@pytest.mark.parametrize(("agent", "family", "player", "board", "cell"), MOVES)
def test_moves(agent, family, player, board, cell, load):
    assert ask(load(agent), drawn(board), player, reversi=family == "r") == cell


def test_random_plays_everywhere_and_repeats_itself(load):
    agent = load("random")

    def moves(seed):
        agent.configure(seed=seed)
        return [ask(agent, drawn("X.O ... OX."), 1) for _ in range(60)]

    assert set(moves(1)) == {(0, 1), (1, 0), (1, 1), (1, 2), (2, 2)}
    assert moves(1) == moves(1) != moves(2)


def test_seed004_finds_every_golden_value_and_move(load):
    agent = load("seed004")
    cases = json.loads(GOLDEN.read_text())["cases"]
    assert len(cases) == 120
    for case in cases:
        board = drawn(" ".join(case["board"]))
        totals = agent.all_totals(board, case["player"])
        assert [[r, c, value] for (r, c), value in totals.items() if value > 0] == case["values"]
        assert ask(agent, board, case["player"]) == tuple(case["move"])


def test_seed002_reports_the_scores_that_its_report_prints(load):
    """On turn, the score comes from the search; off turn, from the board."""
    agent, rows = load("seed002"), [["."] * 11 for _ in range(11)]

    def scored(*stones):
        for (row, col), mark in stones:
            rows[row][col] = mark
        ask(agent, drawn(" ".join(map("".join, rows))), 1)
        return agent.last_thought()["score"]

    assert scored(((5, 5), "X"), ((5, 6), "X"), ((5, 4), "O"), ((6, 5), "O")) == 500.0
    assert scored(((7, 6), "X")) == 0.0 and scored(((4, 3), "O")) == 150.0 and scored(((3, 2), "X")) == 0.0


@pytest.mark.parametrize(("colour", "depth", "winners"), [(1, 3, {0, 1}), (2, 3, {0, 1, 2}), (2, 9, {0, 2})])
def test_seed003_against_every_answer(colour, depth, winners, load):
    """With a full search, seed003 never loses. With three plies it may lose as White, as the report says."""
    agent, results, known = load(f"seed003:depth={depth}"), set(), {}

    def play_on(cells, mover):
        won = [side for side, mark in ((1, "X"), (2, "O")) if has_won(cells, mark)]
        if won or "." not in cells:
            results.add(won[0] if won else 0)
            return
        moves = [at for at in range(9) if cells[at] == "."]
        if mover == colour:
            if cells not in known:
                row, col = ask(agent, drawn(" ".join((cells[:3], cells[3:6], cells[6:]))), mover)
                known[cells] = 3 * row + col
            moves = [known[cells]]
        for at in moves:
            play_on(put(cells, at, " XO"[mover]), 3 - mover)

    play_on("." * 9, 1)
    assert results == winners


def test_montecarlo_plays_tic_tac_toe_without_a_mistake(load):
    """The start positions have two or three stones, and a mistake is possible."""
    agent = load("montecarlo:playouts=600,seed=1")
    starts = {put(put(".........", i, "X"), j, "O") for i in range(9) for j in range(9) if i != j}
    starts |= {put(start, i, "X") for start in starts for i in range(9) if start[i] == "."}
    asked = 0
    for start in sorted(starts)[::12]:
        mover = "XO"[start.count("X") > start.count("O")]
        values = {divmod(i, 3): -solved(put(start, i, mover), "XO"[mover == "X"]) for i in range(9) if start[i] == "."}
        if len(set(values.values())) > 1:
            board = drawn(" ".join((start[:3], start[3:6], start[6:])))
            assert values[ask(agent, board, " XO".index(mover))] == max(values.values()), board
            asked += 1
    assert asked > 5


# ---- seed001 on the Mo platform, its processes and its time

GIVEN_START = "..XXXX.. ..XXXX.. XXXXXXXX XXXXXXXX XXXOXXXX XXX.XXXX ...OOO.. .....O.."  # a game of its report


def test_seed001_plays_a_game_on_the_board_of_mo():
    board, color, stuck = Board(GIVEN_START), "X", 0
    players = {color: seed001.AIPlayer(color, depth=3) for color in "XO"}
    while stuck < 2:
        move, legal = players[color].get_move(board), list(board.get_legal_actions(color))
        assert move in legal or (move is None and not legal)
        stuck = 0 if move else stuck + 1
        if move:
            board.play(move, color)
        color = "O" if color == "X" else "X"
    assert board.count("X") + board.count("O") > 50


@pytest.mark.parametrize("options", ["cores=2", pytest.param("cores=64,bad_moves=on", marks=pytest.mark.slow)])
def test_seed001_on_several_cores_finds_the_same_move_and_leaves_no_process(options, load):
    alone = f"seed001:{UNLIMITED},depth=3,corners=off,history=off"
    one, several = load(alone + ",bad_moves=on" * ("bad" in options)), load(f"{alone},{options}")
    for stones, player in positions(8, 2, seed=9):
        assert ask(several, stones, player, reversi=True) == ask(one, stones, player, reversi=True)
        assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("agent", "looks"), [
    ("montecarlo:seconds=0.2", (200, 240)), ("seed000:seconds=0.2,depth=30", (200, 240)),
    ("seed001:game_seconds=6,depth=30,corners=off", (200, 1100)), ("seed002:seconds=0.2,depth=9", (200, 260)),
])  # fmt: skip
def test_a_limit_of_time_is_kept(agent, looks, load, monkeypatch):
    module, ticks = load(agent), itertools.count()
    searchers = importlib.import_module(f"{module.__package__}.searchers")
    monkeypatch.setattr(searchers, "perf_counter", lambda: next(ticks) * 0.001)
    gobang = "seed002" in agent
    board = drawn("........... " * 11) if gobang else drawn("........ " * 3 + "...OX... ...XO... " + "........ " * 3)
    if gobang:
        board[5][5], board[5][6] = 1, 2
    ask(module, board, 1, reversi=not gobang)
    assert looks[0] <= next(ticks) <= looks[1]


# ---- whose turn it is


@pytest.fixture
def look(load):
    """The function `look` of an agent's module observed.py, which has seen nothing yet."""
    return sys.modules[f"{load('greedy').__package__}.observed"].look


@pytest.mark.parametrize("rules", ["platform", "stated"])
@pytest.mark.parametrize("colours", [(1,), (2,), (1, 2)], ids=["black", "white", "both"])
@pytest.mark.parametrize(("env", "sizes", "least"), [("reversi_1v1", (4, 6), 3), ("tictactoe_1v1", (3,), 0)])
def test_whose_turn_it_is(rules, colours, env, sizes, least, look):
    """In Reversi at least `least` passes occur in the games. A player without a legal move is never to move."""
    passes, unknown = 0, set()
    for seed in range(8):
        rng, game = random.Random(seed), make(env, rules=rules, board_size=sizes[seed % len(sizes)], seed=seed)
        shown = game.all_observes
        while not game.is_terminal():
            legal = game.legal_moves()
            for player in colours:
                seen = look(shown[player - 1])
                assert (seen.player, seen.stones) == (player, game.stones())  # also after a pass
                unknown |= {game.step_cnt} if seen.to_move == 0 else set()
                assert seen.to_move in (0, game.chess_player if legal else 3 - game.chess_player)
                assert seen.idle == (seen.to_move not in (0, player))
            passes += not legal
            shown = game.step([answer(rng.choice(legal or [(0, 0)]), *(game.board_height,) * 2)] * 2).all_observes
    # The side to move is unknown only at the first position of a game of Reversi.
    assert passes >= least and unknown == ({1} if least else set())


@pytest.mark.parametrize("shown", ["dict", "row"])
def test_a_turn_that_was_lost(shown, look):
    """A waiting player who sees the same board again is to move if it has a legal move."""
    for text, player, to_move in (
        (".... .OX. .XO. ....", 2, 0), (".X.. .XX. .XO. ....", 2, 2), ("OX.. .OX. .XO. ....", 2, 1),
    ):  # fmt: skip
        assert look(observed(drawn(text), player, reversi=True)).to_move == to_move
    again = look(observed(drawn(text), 2, reversi=True) if shown == "dict" else [[2], [1], [0], [0]])
    assert (again.to_move, again.idle, again.stones) == (2, False, drawn(text))
    stuck = drawn("XXO. X... X... X...")
    assert [look(observed(stuck, 2, reversi=True)).to_move for _ in range(2)] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("agent", [
    "montecarlo:playouts=5,seed=1", "seed000:seconds=none,depth=3", "seed002:seconds=1000", "seed003", "seed004",
    "seed001:seconds=none,game_seconds=none,depth=2,cores=2",
])  # fmt: skip
def test_a_game_under_the_platforms_python(agent, python37, tmp_path):
    """Python 3.7 plays the same game as this Python."""
    spec, played = parse_agent(agent), []
    env = {"montecarlo": "reversi_1v1", "seed003": "tictactoe_1v1"}.get(
        spec.path.stem, "reversi_8x8_1v1" if spec.path.stem < "seed002" else "gomoku_11x11_1v1"
    )
    for python in (python37, sys.executable):
        with AgentProcess(spec, tmp_path / "out", python=python) as one, \
             AgentProcess(parse_agent("random:seed=1"), tmp_path / "other") as other:  # fmt: skip
            played.append(play_game(GameSetup(env), (one, other)))
    assert played[0].cells == played[1].cells and played[0].result.fault is None


@pytest.mark.parametrize("agent", [
    "montecarlo:seconds=0", "montecarlo:playouts=0", "montecarlo:play=1", "seed000:variant=x", "seed000:width=0",
    "seed000:depth=0", "seed000:deep=3", "seed001:depth=0", "seed001:cores=0", "seed001:width=0",
    "seed001:vanishing=x", "seed001:deep=1", "seed002:depth=1", "seed002:reach=0", "seed002:ratio=-1",
    "seed002:seconds=0", "seed002:seconds=none", "seed002:dept=3", "seed003:search=mtdf", "seed003:depth=0",
    "seed003:dept=3"])  # fmt: skip
def test_options_that_there_are_not(agent, load):
    with pytest.raises(Unusable):
        load(agent)


@pytest.mark.parametrize("name", ["seed002", "seed003"])
def test_a_fraction_is_no_depth(name, load):
    """The command line refuses a fraction before; other callers may pass one to `configure`."""
    with pytest.raises(ValueError, match="depth must be a whole number of at least"):
        load(name).configure(depth=2.5)
