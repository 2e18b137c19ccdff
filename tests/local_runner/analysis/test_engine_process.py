"""The engine's process: answers, looks, features of positions, stop, crash, close; no process outlives its runner."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import legal_flips
from local_runner.analysis.shown import move_name, opinion
from local_runner.errors import RunnerError
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.processes.agent_side.engine_worker import stable
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from submission.boards import Variant
from submission.engine import engine_for
from submission.native.library import available
from submission.search.clock import Limits
from tests.conftest import ROOT
from tests.local_runner.agents.references import exact, legal, positions, sets
from tests.local_runner.processes.naughty import ended

ORPHAN = """
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.game.setup import GameSetup
engine = EngineProcess()
engine.start()
print(engine.pid, flush=True)
engine.ask(Question(GameSetup("gobang_1v1"), ((7, 7),)))
"""


@pytest.mark.parametrize(("env", "moves", "best"), [
    ("gobang_1v1", "", "h8"),
    ("gobang_1v1", "h8a1h9a2h10a3h11a4", "h7 h12"),     # either end completes five
    ("gomoku_11x11_1v1", "h6a1i6b1", "j6"),             # with the stones of the start: f6 g6 h6 i6
    ("reversi_8x8_1v1", "", "d3 c4 f5 e6"),
])  # fmt: skip
def test_the_best_move(engine, game, env, moves, best):
    setup, cells = game(env, moves)
    look = engine.ask(Question(setup, cells, nodes=3000))
    assert move_name(look.lines[0].moves[0], setup.make().board_width) in best.split()
    assert look.finished and 0 <= look.chance <= 1


def test_the_compiled_engine_thinks_where_it_works_and_python_if_asked(engine, game, monkeypatch):
    question = Question(*game("gobang_1v1", "h8i9h9"), lines=2, nodes=3000)
    here, there = engine.ask(question), engine.ask(replace(question, compiled=False))
    monkeypatch.setenv("TENGEN_ENGINE", "python")
    assert [look.compiled for look in (here, there, engine.ask(question))] == [available(), False, False]
    assert [line.moves for line in here.lines] == [line.moves for line in there.lines] and here.nodes == there.nodes


def test_of_several_proved_wins_the_shortest_is_first(engine, game):
    look = engine.ask(Question(*game("gobang_1v1", "h8h7h9a2h10a3i9o1"), lines=3, nodes=20_000))
    assert [line.exact for line in look.lines] == ["win"] * 3
    plies = [line.plies for line in look.lines]
    assert plies == sorted(plies) and plies[0] < plies[-1] and len({line.moves[0] for line in look.lines}) == 3


def test_the_nodes_of_a_solved_endgame_count_once(engine):
    session = GameSession(GameSetup("reversi_8x8_1v1", "stated"))
    while sum(row.count(0) for row in session.env.stones()) > 6:
        session.ply(next(iter(session.env.legal_moves()), None))
    stones = bytes(stone for row in session.env.stones() for stone in row)
    alone = engine_for(Variant("reversi", 8, 8), engine="native")
    nodes = [alone.think(stones, session.to_move, Limits(depth=depth)).nodes for depth in (6, None)]
    assert engine.ask(Question(session.setup, tuple(session.cells), seconds=20.0)).nodes == sum(nodes)


@pytest.mark.slow
def test_looks_come_at_most_ten_times_a_second_with_growing_counts(engine, game):
    looks = []
    last = engine.ask(Question(*game("gobang_1v1", "h8i9"), lines=2, seconds=1.0), looks.append)
    assert 1 <= len(looks) <= 11
    assert [look.nodes for look in looks] == sorted(look.nodes for look in looks)
    assert not any(look.finished for look in looks) and last.finished
    assert looks[-1].features == last.features and last.features.heat


def test_stop_ends_a_thought_without_limits(engine, game):
    searched, told = threading.Event(), []

    def stop():
        searched.wait(60)
        told.append(time.perf_counter())
        engine.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    look = engine.ask(Question(*game("reversi_1v1")), lambda look: look.depth and searched.set())
    latency = time.perf_counter() - told[0]
    thread.join()
    assert look.finished and look.depth and latency < 1.0


def test_a_stop_before_the_question_is_sent_ends_a_thought_without_limits(game):
    class Stopped(EngineProcess):
        def start(self):
            super().start()
            self.stop()  # called while the process starts, as another thread may do

    with Stopped() as engine:
        assert engine.ask(Question(*game("gobang_1v1", "h8i9"))).finished


def test_a_stop_that_arrives_together_with_its_question_ends_the_thought(engine, game):
    found: list[EngineInfo] = []
    engine.start()
    os.kill(engine.pid, signal.SIGSTOP)
    thread = threading.Thread(target=lambda: found.append(engine.ask(Question(*game("gobang_1v1", "h8i9")))))
    thread.start()
    time.sleep(0.3)  # then the question is in the pipe
    engine.stop()
    os.kill(engine.pid, signal.SIGCONT)
    thread.join(60)
    assert found and found[0].finished


def test_stop_at_once_and_without_a_thought(engine, game):
    setup, cells = game("gobang_1v1", "h8i9")
    engine.stop()
    assert engine.ask(Question(setup, cells), lambda look: engine.stop()).finished
    assert engine.ask(Question(setup, cells, nodes=100)).finished


def test_an_error_of_the_caller_ends_the_thought_and_the_engine_goes_on(engine, game):
    setup, cells = game("gobang_1v1", "h8i9")

    def fail(look):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        engine.ask(Question(setup, cells), fail)
    look = engine.ask(Question(setup, cells[:1], nodes=500))
    assert look.finished and look.lines[0].moves[0] != cells[0][0] * 15 + cells[0][1]


def test_a_killed_process_gives_an_error_and_a_new_one_starts(game):
    setup, cells = game("gobang_1v1", "h8")
    with EngineProcess() as engine:
        engine.start()
        first = engine.pid
        threading.Timer(0.3, os.kill, (first, signal.SIGKILL)).start()
        with pytest.raises(RunnerError, match="process has ended"):
            engine.ask(Question(setup, cells))
        assert engine.ask(Question(setup, cells, nodes=500)).finished
        assert engine.pid != first and ended([first])


def test_close_ends_a_thought_from_another_thread(game):
    setup, cells = game("gobang_1v1", "h8")
    engine = EngineProcess()
    engine.start()
    pid = engine.pid
    threading.Timer(0.3, engine.close).start()
    with pytest.raises(RunnerError, match="closed"):
        engine.ask(Question(setup, cells))
    engine.close()
    assert ended([pid])
    with pytest.raises(RunnerError, match="closed"):
        engine.ask(Question(setup, cells, nodes=10))


def test_a_process_outlives_the_thread_that_asked_first(game):
    with EngineProcess() as engine:
        thread = threading.Thread(target=engine.start)
        thread.start()
        thread.join()
        time.sleep(0.2)
        assert engine.ask(Question(*game("gobang_1v1", "h8"), nodes=500)).finished


@pytest.mark.slow
def test_no_process_outlives_a_runner_that_is_killed():
    runner = subprocess.Popen([sys.executable, "-c", ORPHAN], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    pid = int(runner.stdout.readline())
    time.sleep(0.3)
    runner.kill()
    runner.wait()
    assert ended([pid])


@pytest.mark.parametrize("index", range(4))
def test_a_solved_endgame_has_the_discs_of_minimax(engine, index):
    stones, player = [each for each in positions(4, 60) if sum(row.count(0) for row in each[0]) <= 8][index]
    marks = ".XO" if player == 1 else ".OX"  # a given board has Black to move
    rows = tuple("".join(marks[stone] for stone in row) for row in stones)
    expected = exact(stones, player)
    for lines in (1, 9):
        setup = GameSetup("reversi_8x8_1v1", "stated", board=rows)
        best = engine.ask(Question(setup, (), lines=lines, seconds=20)).lines[0]
        assert best.exact == ("win" if expected > 0 else "loss" if expected else "draw")
        assert best.discs in (expected, None) and (lines == 1 or best.discs == expected)


def test_the_book_is_asked_only_if_wanted(engine, game):
    setup, cells = game("gobang_1v1", "h8")
    sources = [engine.ask(Question(setup, cells, nodes=500, use_book=book)).source for book in (True, False)]
    assert sources[0] == "book" and sources[1] != "book"


def test_a_prepared_move_of_the_proof_is_a_win_of_unknown_length(engine, game):
    moves = "h8a1"
    for white in ("o15", ""):
        look = engine.ask(Question(*game("gobang_1v1", moves), nodes=500, use_book=True))
        line = look.lines[0]
        assert (look.source, look.chance, line.exact, line.plies) == ("proof", 1.0, "win", None)
        assert opinion(look, 0, 15) == f"a forced win for Black, expects {move_name(line.moves[0], 15)}"
        moves += move_name(line.moves[0], 15) + white


def test_thinking_ahead_fills_the_tables(game):
    """After thinking ahead, the next question of the same depth needs fewer nodes."""
    setup, cells = game("reversi_8x8_1v1", "d3")
    nodes = []
    for ahead in (False, True):
        with EngineProcess() as engine:
            if ahead:
                assert engine.ask(Question(setup, cells, depth=7)).lines
            nodes.append(engine.ask(Question(setup, (*cells, (2, 2)), depth=6)).nodes)
    assert nodes[1] < nodes[0]


# ---- features: threats, mobility, stable discs and heat


@pytest.mark.parametrize(("moves", "side", "expected"), [
    ("h8a1h9a15h10", 0, ("", "h11 h7", "h12 h6", "")),
    ("h8a1h9a15h10o1h11", 0, ("h12 h7", "", "", "")),
    ("h8g7i9f6o1e5", 1, ("", "", "c3 d4", "")),
    ("h8a1i9a15", 0, ("", "", "", "f6 g7 j10 k11")),
])  # fmt: skip
def test_the_strongest_threat_of_each_cell(engine, game, moves, side, expected):
    """The patterns themselves are compared with their definitions in tests/submission/test_position.py."""
    threats = engine.ask(Question(*game("gobang_1v1", moves), nodes=20)).features.threats[side]
    found = (threats.fives, threats.open_fours, threats.fours, threats.open_threes)
    assert tuple(" ".join(sorted(move_name(cell, 15) for cell in kind)) for kind in found) == expected


def test_the_forced_win_of_the_other_side_is_shown(engine, game):
    """White, to move, has no forced win; Black would win by an open four if it were Black's turn."""
    setup, cells = game("gobang_1v1", "h8a1h9a15h10")
    black, white = engine.ask(Question(setup, cells, seconds=1.0)).features.threats
    assert black.win and not white.win
    board = [[[stone] for stone in row] for row in GameSession(setup, cells=cells).env.stones()]
    for number, cell in enumerate(black.win):
        board[cell // 15][cell % 15] = [1 + number % 2]
    assert find_line(board, 5)


def test_a_proved_win_is_counted_down(engine, game):
    setup, cells = game("gobang_1v1", "h8a1h9a15h10o1")
    left = []
    for _ in range(3):
        look = engine.ask(Question(setup, cells, nodes=2000))
        left.append(look.lines[0].plies)
        assert look.features.threats[0].win == look.lines[0].moves and len(look.lines[0].moves) == left[-1]
        if left[-1] == 1:
            break
        cells += tuple(divmod(cell, 15) for cell in look.lines[0].moves[:2])
    assert left == [3, 1]


def test_heat_is_of_free_cells_and_the_best_has_1(engine, game):
    setup, cells = game("gobang_1v1", "h8i9h9i8")
    heat = engine.ask(Question(setup, cells, nodes=20)).features.heat
    assert heat[0][1] == 1.0 and all(0 < share <= 1 for _, share in heat)
    assert not {cell for cell, _ in heat} & {row * 15 + col for row, col in cells}


def masks(own_and_foe, size):
    return [sum(1 << row * size + col for row, col in cells) for cells in own_and_foe]


@pytest.mark.parametrize("seed", (2, 6))
def test_mobility_is_that_of_the_referee(engine, seed):
    stones = positions(8, 20, seed)[-1][0]
    rows = tuple("".join(".XO"[stone] for stone in row) for row in stones)
    look = engine.ask(Question(GameSetup("reversi_8x8_1v1", board=rows), (), nodes=50))
    assert look.features.mobility == (len(legal(stones, 1)), len(legal(stones, 2)))
    assert [list(cells) for cells in look.features.stable] == stable(*masks(sets(stones, 1), 8), 8)


def test_no_line_of_play_on_4x4_turns_a_stable_disc_over():
    """The lines are all continuations of late random positions. A side may also lose its turn."""
    checked = 0
    for stones, _player in [each for each in positions(4, 60) if sum(row.count(0) for row in each[0]) <= 6]:
        black, white = sets(stones, 1)
        safe = [{divmod(cell, 4) for cell in cells} for cells in stable(*masks((black, white), 4), 4)]
        checked += sum(map(len, safe))
        states, seen = [(frozenset(black), frozenset(white))], set()
        while states:
            state = states.pop()
            if state in seen:
                continue
            seen.add(state)
            assert safe[0] <= state[0] and safe[1] <= state[1]
            for mover in (0, 1):
                own, foe = state[mover], state[1 - mover]
                for cell, turned in legal_flips(own, foe, 4).items():
                    after = (own | {cell} | set(turned), foe - set(turned))
                    states.append(after if mover == 0 else after[::-1])
    assert checked > 5


def test_a_corner_is_stable_and_a_full_board_too():
    assert stable(1, 0, 8) == [[0], []]
    assert stable(1 << 9, 0, 8) == [[], []]
    assert stable((1 << 64) - 1 - 2, 2, 8) == [[0, *range(2, 64)], [1]]
