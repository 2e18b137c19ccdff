"""Programs for Reversi as agents: the manager's side of GTP, and games with gtp-rhino where it is there."""

import random
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from local_runner.agents.opponents import gtp
from local_runner.agents.opponents.program import EngineAnswer, EngineFault
from local_runner.agents.spec import parse_agent
from local_runner.game.session import GameSession, play_game
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text
from local_runner.matches.openings.books import Purpose, book
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tests.conftest import NO_RHINO
from tests.local_runner.agents.scripted import Script, answers

SPECIMEN = Path(__file__).parents[1] / "specimens" / "reversi_engine.py"
RHINO = shutil.which("gtp-rhino") or shutil.which("/usr/games/gtp-rhino")
ENV = "reversi_8x8_1v1"


def after(moves, size=8):
    """A session after moves that are written one after the other."""
    session = GameSession(GameSetup(ENV, board_size=None if size == 8 else size))
    for at in range(0, len(moves), 2):
        session.play((int(moves[at + 1]) - 1, ord(moves[at]) - ord("a")))
    return session


def asked(manager, session, player):
    """The cell that a manager answers to a player's observation."""
    size = session.env.board_height
    row, col = manager.answer(session.observations[player], action_space(size, size, 0))
    return row.index(1), col.index(1)


# ---- the game from the observations


@pytest.mark.parametrize(("size", "moves"), [(8, ""), (8, "e6f6g6e7d8h6g5c4"), (10, "g6e7d5g4e4e3f7g7f3d6")])
def test_the_moves_of_an_opening_are_found(size, moves):
    session, again = after(moves, size), after("", size)
    for colour, cell in gtp.moves_to(session.env.stones()):
        assert again.to_move == colour - 1
        again.play(cell)
    assert again.env.stones() == session.env.stones()


@pytest.mark.parametrize(("env", "seed"), [(ENV, 3), pytest.param("reversi_1v1", 2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", ["platform", pytest.param("stated", marks=pytest.mark.slow)])
def test_the_side_to_move_is_known_throughout_a_game(env, seed, rules):
    """The side to move that each player's board tells agrees with the referee's, also at passes."""
    deal, session = random.Random(seed), GameSession(GameSetup(env, rules))
    seen = [gtp.Watched(), gtp.Watched()]
    while session.result is None:
        turns = [watched.see(session.observations[player]) for player, watched in enumerate(seen)]
        assert turns == [player == session.to_move and not session.must_pass for player in (0, 1)]
        session.play(None if session.must_pass else deal.choice(session.env.legal_moves()))
    discs = [cell for cell in session.cells if cell is not None]
    for watched in seen:  # no observation follows the last move
        assert [cell for _colour, cell in watched.moves] == discs[: len(watched.moves)]
        assert len(watched.moves) >= len(discs) - 1


def test_a_board_without_known_moves_is_given_whole():
    watched = gtp.Watched()
    board = {1: {(0, 0)}, 2: {(0, 1)}, "chess_player_idx": 1, "board_width": 8, "board_height": 8}
    assert watched.see(board) and watched.base is not None and watched.moves == []
    assert watched.see({**board, 1: {(0, 0), (0, 1), (0, 2)}, 2: set()}) is False
    assert watched.moves == [(1, (0, 2))]


# ---- GTP


def gtp_manager(*answers, seconds=None):
    return gtp.GtpManager(Script(*answers), seconds)


def commands(manager):
    """The lines sent to a program, without the numbers."""
    return [line.partition(" ")[2] for line in manager.program.sent]


OK = "={}"


def test_a_gtp_game_is_play_and_genmove():
    one = gtp_manager(OK, OK, OK, "={} D3", OK, "={} C5", seconds="4")
    assert asked(one, after(""), 0) == (2, 3)
    asked(one, after("d3"), 0)  # off turn
    assert asked(one, after("d3c3"), 0) == (4, 2)
    assert commands(one) == ["boardsize 8", "clear_board", "time_settings 0 4 1", "genmove black", "play white c3",
                             "genmove black"]  # fmt: skip
    one.answer(None, action_space(1, 1, 0))
    assert one.program.sent[-1] == "quit"


def test_an_opening_is_told_and_another_game_begins_anew():
    one = gtp_manager(*[OK] * 4, "={} E3", OK, OK, "= d3")
    assert asked(one, after("d3c3"), 0) == (2, 4)
    assert asked(one, after(""), 0) == (2, 3)
    assert commands(one) == ["boardsize 8", "clear_board", "play black d3", "play white c3", "genmove black",
                             "boardsize 8", "clear_board", "genmove black"]  # fmt: skip


@pytest.mark.parametrize("taken", [OK, "?{} syntax error"])
def test_a_pass_is_told_and_may_be_refused(taken):
    one = gtp_manager(OK, OK, "?{} unknown command", OK, "={} c1", taken, "={} e1")
    board = {1: {(0, 0)}, 2: {(0, 1), (0, 3)}, "chess_player_idx": 1, "board_width": 8, "board_height": 8}
    space = action_space(8, 8, 0)
    one.answer(board, space)
    board.update({1: {(0, 0), (0, 1), (0, 2)}, 2: {(0, 3)}})
    one.answer(board, space)  # off turn
    one.answer([[1]], space)  # White has passed
    assert commands(one)[-3:] == ["genmove black", "play white pass", "genmove black"]
    assert commands(one)[2] == f"grhino-setup_board XO.O{'.' * 60} black" and commands(one)[3].startswith("loadsgf ")


def test_a_board_as_sgf():
    assert gtp.sgf([[1, 2, 0, 0]] + [[0] * 4] * 3, 2) == "(;GM[2]FF[4]SZ[4]AB[aa]AW[ba]PL[W])\n"


@pytest.mark.parametrize(("answers", "said"), [
    (["={} a1b"], "a1b"), (["={} resign"], "resign"), (["={} i1"], "no cell of the board"),
    (["={} a9"], "no cell of the board"), (["={} pass"], "there are legal moves"), (["={}"], "genmove black |"),
    (["?{} unknown command"], "? unknown command"), (["noise", "", "=99 d3", "={} \u0663\u0663"], "\u0663"),
])  # fmt: skip
def test_a_wrong_gtp_answer_is_a_fault(answers, said):
    one = gtp_manager(OK, OK, *answers)
    with pytest.raises(EngineAnswer) as fault:
        asked(one, after(""), 0)
    assert said in str(fault.value)


@pytest.mark.parametrize(("size", "refused"), [(8, False), (6, True)])
def test_an_engine_without_boardsize_has_the_usual_board(size, refused):
    one = gtp_manager("?{} unknown command", OK, "={} D3")
    if refused:
        with pytest.raises(EngineAnswer, match="boardsize 6"):
            asked(one, after("", size), 0)
    else:
        assert asked(one, after("", size), 0) == (2, 3)


def test_the_start_chooses_the_game_and_its_board_needs_no_second_clearing():
    one = gtp_manager("loading", "={} quarry", "info", "={} true", *[OK] * 3, "info", "={} d3")
    one.start()
    assert asked(one, after(""), 0) == (2, 3)
    assert commands(one) == ["name", "known_command set_game", "set_game Othello", "boardsize 8", "clear_board",
                             "genmove black"]  # fmt: skip


# ---- random answers

SESSIONS = [after(""), after("d3c3"), after("d3c3c4")]
WORDS = ["=", "?", "={} ", "d3", "D3/1/2", "pass", "resign", "9" * 400,
         "x" * 5000, "\u0663\u0663", "\xb2", "\x1b[2J", "-1.5", "a99"]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(obeyed=strategies.integers(0, 8), lines=answers([*WORDS, OK, "={} d3"]))
def test_random_answers_are_a_move_or_a_fault(obeyed, lines):
    one = gtp_manager(*[OK] * obeyed, *lines)
    with suppress(EngineFault):
        one.start()
    for session in SESSIONS:
        with suppress(EngineFault):
            row, col = asked(one, session, session.to_move)
            assert 0 <= row < 8 and 0 <= col < 8


# ---- real processes; test_program_processes.py tests the faults of programs


@pytest.mark.slow
def test_our_engine_is_an_agent_by_gtp(tmp_path):
    """Both sides of the protocol over a pipe, on the site's board, from an opening, up to the end of the game."""
    limits = AgentLimits(seconds=5, sandbox=SandboxMode.OFF)  # in a sandbox, this Python may not read its own packages
    spec = parse_agent(f"gtp:{sys.executable} -m local_runner gtp --seconds 0:time=0")
    setup = GameSetup("reversi_1v1", opening=tuple(after("g6e7d5g4", 10).cells))
    other = parse_agent("random")
    with AgentProcess(spec, tmp_path / "printed", limits) as ours, AgentProcess(other, tmp_path / "other") as theirs:
        record = play_game(setup, (ours, theirs))
    assert record.result.fault is None, fault_text(record.result.fault)


@pytest.fixture
def rhino():
    """The program gtp-rhino of Debian's package grhino."""
    if RHINO is None:
        pytest.skip(NO_RHINO)
    return RHINO


@pytest.mark.slow
def test_games_with_rhino(rhino, tmp_path):
    """Ours and rhino's idea of the position agree throughout games from openings, with passes, in both colours."""
    rhinos, random_one = parse_agent(f"gtp:{rhino} -l 1"), parse_agent("random:seed=3")
    for number, opening in enumerate(random.Random(2).sample(book(ENV, Purpose.TEST), 4)):
        with AgentProcess(rhinos, tmp_path / f"{number}") as one, AgentProcess(random_one, tmp_path / "o") as other:
            seats = (one, other) if number % 2 else (other, one)
            record = play_game(GameSetup(ENV, opening=opening), seats)
        assert record.result.fault is None


@pytest.mark.slow
@pytest.mark.parametrize("plies", [29, 30])
def test_rhino_takes_over_a_game(rhino, plies, tmp_path):
    """A new process begins in the middle of a game, as after an undone move on the page."""
    session, deal = GameSession(GameSetup(ENV)), random.Random(5)
    while len(session.cells) < plies:
        session.play(None if session.must_pass else deal.choice(session.env.legal_moves()))
    mover = session.to_move
    with AgentProcess(parse_agent(f"gtp:{rhino} -l 1"), tmp_path / "printed") as agent:
        agent.start()
        for _move in range(3):
            reply = agent.act(session.observations[mover], 8, 8)
            assert reply.fault is None
            session.play(reply.cell)
            agent.act(session.observations[mover], 8, 8)
            session.play(deal.choice(session.env.legal_moves()))


@pytest.mark.slow
def test_rhino_refuses_another_board(rhino, tmp_path):
    with AgentProcess(parse_agent(f"gtp:{rhino}"), tmp_path / "printed") as agent:
        fault = agent.start().fault or agent.act(GameSession(GameSetup("reversi_1v1")).observations[0], 10, 10).fault
    assert "boardsize 10" in fault_text(fault) and "unacceptable size" in fault_text(fault)
