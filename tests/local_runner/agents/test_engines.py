"""Other people's engines as agents: what we send them by each protocol; engines that crash, lie or do not answer."""

import random
import re
import shutil
import sys
import tempfile
from collections import deque
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_runner.agents.opponents import gomocup, gtp
from local_runner.agents.opponents.program import EngineAnswer, EngineEnded, EngineFault
from local_runner.agents.spec import parse_agent
from local_runner.game.coordinates import cell as cell_named
from local_runner.game.faults import FaultKind
from local_runner.game.session import GameSession, play_game
from local_runner.game.setup import GameSetup
from local_runner.game.wording import fault_text
from local_runner.matches.openings.books import Purpose, book
from local_runner.play.engine_side import Line
from local_runner.play.gomocup import Brain
from local_runner.play.gtp import Engine
from local_runner.processes.agent_side.action_space import action_space
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tests.local_runner.play.test_protocols import First

SPECIMEN = Path(__file__).parents[1] / "specimens" / "engine.py"
RHINO = shutil.which("gtp-rhino") or shutil.which("/usr/games/gtp-rhino")
ENV = "reversi_8x8_1v1"
SLOW = pytest.mark.slow
OK = "={}"
PROTOCOLS = {  # protocol -> the manager, the game, and what a program answers at its start
    "gomocup": (gomocup.GomocupManager, "gobang_1v1", ["OK", "name=x"]),
    "gtp": (gtp.GtpManager, ENV, [OK] * 4),
}


class Script:
    """A program that answers with given lines and keeps what it is sent. {}: the command's number. None: too late."""

    def __init__(self, answers):
        self.answers, self.sent = deque(answers), []

    def send(self, line):
        self.sent.append(line)

    def line(self, until=None):
        if not self.answers:
            raise EngineEnded("no more lines")
        answer = self.answers.popleft()
        assert answer is not None or until is not None
        return answer and answer.replace("{}", self.sent[-1].split()[0])

    def refused(self, answer, why=""):
        return EngineAnswer(f"{self.sent[-1]} | {answer} | {why}")

    def end(self, farewell):
        self.sent.append(farewell)


def begun(protocol, answers, *, started=True, **options):
    """A manager whose program has given the usual answers at its start, or begins by these answers."""
    make, _env, start = PROTOCOLS[protocol]
    manager, program = make(options, 1.0, 500.0), Script([*(start if started else []), *answers])
    manager.begin(program)
    if started:
        program.sent.clear()
    return manager


def sent(manager):
    return [re.sub(r"^\d+ (?=[a-z])", "", line) for line in manager.program.sent]


def after(moves, env, size=None):
    cells = [cell_named(name) for name in re.findall(r"[a-z]\d+", moves)]
    return GameSession(GameSetup(env, board_size=size), cells=cells)


def asked(manager, session, player):
    size = session.env.board_height
    row, col = manager.answer(session.observations[player], action_space(size, size, 0))
    return row.index(1), col.index(1)


# Protocol, the program's answers, positions (moves, size of the board, player) with the cells that are answered, and
# what the program was sent.
INFO = gomocup.info_lines({}, 1.0, 500.0)
NEW = ["START 15", *("INFO " + each for each in INFO)]
GAMES = [
    ("gomocup", ["7,7", "MESSAGE depth 3", "8,8"], [("", 15, 0, (7, 7)), ("h8f7", 15, 0, (8, 8))],
     ["BEGIN", "TURN 5,6"]),
    ("gomocup", ["0,0"], [("h8", 15, 1, (0, 0))], ["TURN 7,7"]),
    ("gomocup", ["0,0"], [("h8i8g7", 15, 1, (0, 0))], ["BOARD", "6,6,2", "8,7,1", "7,7,2", "DONE"]),
    ("gomocup", ["0,0"], [("h8i8", 15, 0, (0, 0))], ["BOARD", "7,7,1", "8,7,2", "DONE"]),
    ("gomocup", ["OK", "0,0"], [("h8", 20, 1, (0, 0))], ["START 20", *NEW[1:], "TURN 7,7"]),
    ("gomocup", ["7,7", "OK", "0,0", "OK", "3,3"],  # another game, and the other colour
     [("", 15, 0, (7, 7)), ("h8", 15, 1, (0, 0)), ("", 15, 0, (3, 3))],
     ["BEGIN", *NEW, "BOARD", "7,7,2", "DONE", *NEW, "BEGIN"]),
    ("gomocup", ["SUGGEST 3,4", "3,4"], [("", 15, 0, (4, 3))], ["BEGIN", "PLAY 3,4"]),
    ("gomocup", ["UNKNOWN", "name=late", "ERROR", "1,2,3", "3,3"], [("", 15, 0, (3, 3))], ["BEGIN"]),
    ("gtp", ["= {} d3", OK, "={} C5"], [("", 8, 0, (2, 3)), ("d3", 8, 0, (0, 0)), ("d3c3", 8, 0, (4, 2))],
     ["genmove black", "play white c3", "genmove black"]),
    ("gtp", [OK, OK, "={} E3", OK, OK, "= d3"], [("d3c3", 8, 0, (2, 4)), ("", 8, 0, (2, 3))],
     ["play black d3", "play white c3", "genmove black", "boardsize 8", "clear_board", "genmove black"]),
    ("gtp", [OK, OK, "={} J10"], [("", 10, 0, (9, 9))], ["boardsize 10", "clear_board", "genmove black"]),
    ("gtp", ["noise", "", "=99 d4", "={} D3/", "= d3"], None, "D3/"),
    *(("gomocup", [answer, None], None, f"BEGIN | {answer}")
      for answer in ("UNKNOWN", "ERROR no", "OK", "h8", "15,0", "0,99", "1,2,3", "-1,0", "7.5,3", "²,1")),
    *(("gtp", [answer], None, said) for answer, said in (
        ("={} a1b", "a1b"), ("={} resign", "resign"), ("={} i1", "no cell of the board"),
        ("={} a9", "no cell of the board"), ("={} pass", "there are legal moves"), (OK, "genmove black |"),
        ("?{} unknown command", "? unknown command"), ("={} \u0663\u0663", "\u0663"))),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "answers", "positions", "told"), GAMES)
def test_games(protocol, answers, positions, told):
    """Each answer is the expected move. If `positions` is None, asking for a move is a fault whose text has `told`."""
    manager, env = begun(protocol, answers), PROTOCOLS[protocol][1]
    if positions is None:
        with pytest.raises(EngineAnswer, match=re.escape(told)):
            asked(manager, after("", env), 0)
        return
    for moves, size, player, cell in positions:
        assert asked(manager, after(moves, env, size), player) == cell
    assert sent(manager) == told
    manager.answer(None, action_space(1, 1, 0))
    assert manager.program.sent[-1] in ("END", "quit")


@pytest.mark.parametrize(("protocol", "answers", "told"), [
    ("gomocup", ["OK - everything is good", "UNKNOWN", "name=x"], ["START 15", *NEW[1:], "ABOUT"]),
    ("gomocup", ["x 1.0", "name=x", "OK", "MESSAGE a name=x", "name = x"], ["START 15", *NEW[1:], "ABOUT"]),
    ("gomocup", ["OK", None, "name=x", "OK"], ["START 15", *NEW[1:], "ABOUT", "START 15"]),  # ABOUT comes late
    ("gomocup", ["ERROR size"], "ERROR size"),
    ("gtp", ["loading", "={} quarry", "info", "={} true", OK, OK, OK],
     ["name", "known_command set_game", "set_game Othello", "boardsize 8", "clear_board"]),
    ("gtp", [OK, OK, "?{} unknown command", OK], ["name", "known_command set_game", "boardsize 8", "clear_board"]),
    ("gtp", ["?{} no"], "? no"),
])  # fmt: skip
def test_the_start_of_a_program(protocol, answers, told):
    if isinstance(told, str):
        with pytest.raises(EngineAnswer, match=re.escape(told)):
            begun(protocol, answers, started=False)
    else:
        assert sent(begun(protocol, answers, started=False)) == told


def test_settings():
    assert {"timeout_turn 800", "max_memory 450000000", "rule 0"} < set(INFO)
    given = gomocup.info_lines({"Rule": 4, "max_node": 9, "fast": True}, 1.0, 500.0)
    assert {"rule 4", "max_node 9", "fast 1"} < set(given)
    assert sent(begun("gtp", [*[OK] * 4, "?{}"], started=False, time=0.5))[-1] == "time_settings 0 0.5 1"
    with pytest.raises(EngineAnswer, match="boardsize 6"):
        asked(begun("gtp", ["?{} unknown command"]), after("", ENV, 6), 0)
    for protocol, options in (("gtp", {"rule": 0}), ("gtp", {"time": "x"}), ("gomocup", {"pause": -1})):
        with pytest.raises((TypeError, ValueError)):
            begun(protocol, [], **options)


@pytest.mark.parametrize(("said", "thought"), [
    ("depth 5 value -12 nodes 900 time 3 line 7,7 8,7", (5, -12, 900, [[7, 7], [7, 8]])),
    ("Depth 6-14 | Eval 31 | Node 12K | Bestline [7,7] [8,7]", (6, 31, 12000, [[7, 7], [7, 8]])),
    ("d=4 ev: +0.5 n 1.5m pv H8 I8", (4, 0.5, 1500000, [[7, 7], [7, 8]])),
    ("hello", (None, None, None, None)), ("pv 7,7 99,1", (None, None, None, None)),
])  # fmt: skip
def test_figures_of_a_message(said, thought):
    manager = begun("gomocup", [f"MESSAGE {said}", "7,7"])
    asked(manager, after("", "gobang_1v1"), 0)
    assert tuple(manager.thought.get(key) for key in ("depth", "value", "nodes", "pv")) == thought
    assert (manager.thought["source"], manager.thought["messages"]) == (said, [said])


@pytest.mark.parametrize(("size", "moves"), [(8, ""), (8, "e6f6g6e7d8h6g5c4"), (10, "g6e7d5g4e4e3f7g7f3d6")])
def test_the_moves_of_an_opening_are_found(size, moves):
    session, again = after(moves, ENV, size), after("", ENV, size)
    for colour, cell in gtp.moves_to(session.env.stones()):
        assert again.to_move == colour - 1
        again.play(cell)
    assert again.env.stones() == session.env.stones()


class Ours:
    def __init__(self, side):
        self.side, self.lines = side(First), []

    def send(self, line):
        self.lines += filter(None, self.side.answer(Line(line, 0.0)))

    def line(self, until=None):
        return self.lines.pop(0)


@pytest.mark.parametrize(("protocol", "side", "env", "plies"), [
    ("gtp", Engine, ENV, 0), ("gtp", Engine, ENV, 13), pytest.param("gtp", Engine, "reversi_1v1", 0, marks=SLOW),
    ("gomocup", Brain, "gobang_1v1", 0), ("gomocup", Brain, "gomoku_11x11_1v1", 5),
])  # fmt: skip
@pytest.mark.parametrize("rules", ["platform", pytest.param("stated", marks=SLOW)])
def test_a_program_knows_the_position_throughout_a_game(protocol, side, env, plies, rules):
    """The game may begin with an opening. The program also knows passes, which the observation does not show."""
    passes = 0
    for seed in range(6):
        deal, session = random.Random(seed), GameSession(GameSetup(env, rules))
        while len(session.cells) < plies:
            session.play(deal.choice(session.env.legal_moves()))
        manager, player = PROTOCOLS[protocol][0]({}, 1.0, 500.0), seed % 2
        manager.begin(Ours(side))
        while session.result is None:
            cell, legal, turn = asked(manager, session, player), session.env.legal_moves(), player == session.to_move
            assert not (turn and legal) or cell == legal[0]
            passes += not legal
            session.play(None if not legal else cell if turn else deal.choice(legal))
    assert passes > 2 or protocol == "gomocup"


@pytest.mark.parametrize("taken", [OK, "?{} syntax error"])
def test_a_board_without_known_moves_is_set_up_and_a_pass_is_told(taken):
    one = begun("gtp", ["?{} unknown command", OK, "={} c1", taken, "={} e1"])
    board = {1: {(0, 0)}, 2: {(0, 1), (0, 3)}, "chess_player_idx": 1, "board_width": 8, "board_height": 8}
    space = action_space(8, 8, 0)
    one.answer(board, space)
    board.update({1: {(0, 0), (0, 1), (0, 2)}, 2: {(0, 3)}})
    one.answer(board, space)  # off turn
    one.answer([[1]], space)  # White has passed
    assert sent(one)[0] == f"grhino-setup_board XO.O{'.' * 60} black" and sent(one)[1].startswith("loadsgf ")
    assert sent(one)[2:] == ["genmove black", "play white pass", "genmove black"]
    assert gtp.sgf([[1, 2, 0, 0]] + [[0] * 4] * 3, 2) == "(;GM[2]FF[4]SZ[4]AB[aa]AW[ba]PL[W])\n"


POSITIONS = {"gomocup": ("", "a1b1", "a1b1c1d1"), "gtp": ("", "d3c3", "d3c3c4")}
WORDS = ["OK", "7,7", "0,0", "14,14", "MESSAGE", "DEBUG", "depth", "9" * 400, "ERROR", "UNKNOWN", "SUGGEST", "pv",
         "1e9", "[3,3]", "a1", "\u0663,\u0663", "²,1", "\x1b[2J", "x" * 5000, "15,15", "line", "nodes", "=", "?",
         "={} ", "d3", "D3/1/2", "pass", "resign", "\xb2", "-1.5", OK, "={} d3"]  # fmt: skip
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=20)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=100, deadline=None)
@given(obeyed=st.integers(0, 8), lines=LINES)
def test_random_answers_are_a_move_or_a_fault(protocol, obeyed, lines):
    make, env, _start = PROTOCOLS[protocol]
    one = make({}, 1.0, 500.0)
    with suppress(EngineFault):
        one.begin(Script([*["OK" if protocol == "gomocup" else OK] * obeyed, *lines]))
    for moves in POSITIONS[protocol]:
        with suppress(EngineFault):
            session = after(moves, env)
            row, col = asked(one, session, session.to_move)
            assert 0 <= row < 15 and 0 <= col < 15


LIMITS = AgentLimits(seconds=0.5, margin=0.3, memory_mb=150, load_seconds=5)
OTHER_LIMITS = {  # mode -> limits; filling memory takes seconds on a busy machine
    "slow start": AgentLimits(seconds=0.5, margin=0.3, memory_mb=150, load_seconds=1.5),
    "big": AgentLimits(seconds=10, margin=0.3, memory_mb=150, load_seconds=5),
}
FAULTS = [
    ("gomocup", "off", FaultKind.ENGINE_ANSWER, "broke its protocol: answered 'BEGIN' with '77,3'"),
    ("gtp", "off", FaultKind.ENGINE_ANSWER, "no cell of the board"),
    ("gomocup", "floods", FaultKind.ENGINE_ANSWER, "without an answer"),
    ("gomocup", "dead", FaultKind.ENGINE_ENDED, "ended with exit code 4 after 'START 15'"),
    ("gtp", "dead", FaultKind.ENGINE_ENDED, "ended with exit code 4"),
    ("gomocup", "dies", FaultKind.ENGINE_ENDED, "ended with exit code 3 after 'BEGIN'"),
    ("gtp", "dies", FaultKind.ENGINE_ENDED, "ended with exit code 3"),
    *((each, "silent", FaultKind.NO_ANSWER, "of 0.5 s; killed") for each in PROTOCOLS),
    *((each, "late", FaultKind.NO_ANSWER, "of 0.5 s; killed") for each in PROTOCOLS),
    *((each, "slow start", FaultKind.NO_ANSWER, "of 1.5 s; killed") for each in PROTOCOLS),
    ("gomocup", "big", FaultKind.KILLED_TOO_LARGE, "MB of 150 MB; killed"),
]


def command(protocol, mode, folder):
    home = folder / "engine"
    home.mkdir(exist_ok=True)
    return f"{protocol}:{sys.executable} {shutil.copy(SPECIMEN, home)} {mode!r}"


def reply(agent, protocol, moves=""):
    game = after(moves, PROTOCOLS[protocol][1])
    return agent.act(game.observations[0], game.env.board_height, game.env.board_width)


@SLOW
@pytest.mark.parametrize(("protocol", "mode", "kind", "said"), FAULTS)
def test_every_fault_has_its_name(protocol, mode, kind, said, tmp_path):
    spec = parse_agent(command(protocol, mode, tmp_path))
    with AgentProcess(spec, tmp_path / "printed", OTHER_LIMITS.get(mode, LIMITS)) as agent:
        fault = agent.start().fault or reply(agent, protocol).fault
    assert fault is not None and (fault.kind, said in fault_text(fault)) == (kind, True), fault_text(fault)


@SLOW
@pytest.mark.parametrize(("protocol", "mode", "first", "moves", "second"), [
    ("gomocup", "plain", (0, 0), "a1b1", (0, 2)), ("gomocup", "stays", (0, 0), "a1b1", (0, 2)),
    ("gtp", "plain", (2, 3), "d3c3", (2, 3)),
])  # fmt: skip
def test_an_engine_plays_and_ends(protocol, mode, first, moves, second, tmp_path):
    with AgentProcess(parse_agent(command(protocol, mode, tmp_path)), tmp_path / "printed", LIMITS) as agent:
        assert agent.start().fault is None
        played = reply(agent, protocol)
        assert (played.cell, played.fault) == (first, None)
        if protocol == "gomocup":
            assert played.thought["depth"] == 3 and played.thought["pv"] == [[7, 7], [6, 7]]
        assert reply(agent, protocol, moves).cell == second and agent.report().peak_mb < 150


@SLOW
def test_a_program_that_lies_in_the_folder_of_temporary_files_is_played_alone(tmp_path):
    """Under bubblewrap, agents have another folder in place of the folder of temporary files."""
    with tempfile.NamedTemporaryFile(dir="/tmp", suffix=".py") as file:
        spec = parse_agent(f"gomocup:{sys.executable} {shutil.copy(SPECIMEN, file.name)}")
        with AgentProcess(spec, tmp_path / "printed", LIMITS) as agent:
            assert agent.start().fault is None, (tmp_path / "printed").read_text()
            assert reply(agent, "gomocup").cell == (0, 0)


@SLOW
def test_programs_play_every_kind_of_contest(tengen, tmp_path):
    from tengen import play, tournament

    good, bad = (command("gomocup", mode, tmp_path) for mode in ("plain", "dies"))
    for result in (play(good, bad, game="gobang_1v1", games=2), tournament([good, bad], game="gobang_1v1", rounds=1)):
        assert (result.total().wins, result.faults(), result.faults(result.names[1])) == (2, 0, 2)
    code, out, err = tengen("sprt", good, bad, "--env", "gobang_1v1", "--rounds", "1", "--out", "s.jsonl")
    assert code == 1 and "2 / 0 / 0" in out and "Traceback" not in err  # 1: an agent has failed
    (tmp_path / "gone").write_text("#!/no/such/program\n")
    (tmp_path / "gone").chmod(0o755)
    with AgentProcess(parse_agent(f"gtp:{tmp_path / 'gone'}"), tmp_path / "printed", LIMITS) as agent:
        assert "does not start" in fault_text(agent.start().fault)


@SLOW
def test_our_engine_is_an_agent_by_gtp(tmp_path):
    """Both sides of the protocol over a pipe, on the site's board, from an opening, up to the end of the game."""
    limits = AgentLimits(seconds=5, sandbox=SandboxMode.OFF)  # in a sandbox, this Python may not read its own packages
    spec = parse_agent(f"gtp:{sys.executable} -m local_runner gtp --seconds 0:time=0")
    setup = GameSetup("reversi_1v1", opening=tuple(after("g6e7d5g4", "reversi_1v1").cells))
    other = parse_agent("random")
    with AgentProcess(spec, tmp_path / "printed", limits) as ours, AgentProcess(other, tmp_path / "other") as theirs:
        record = play_game(setup, (ours, theirs))
    assert record.result.fault is None, fault_text(record.result.fault)


@pytest.fixture
def rhino(tmp_path):
    """Makes an agent of gtp-rhino, a program of Debian's package grhino."""
    if RHINO is None:
        pytest.skip("no gtp-rhino (install grhino)")
    return lambda: AgentProcess(parse_agent(f"gtp:{RHINO} -l 1"), tmp_path / "printed")


@SLOW
def test_games_with_rhino(rhino, tmp_path):
    """Our referee and rhino have the same position throughout games from openings, with passes, in both colours."""
    for number, opening in enumerate(random.Random(2).sample(book(ENV, Purpose.TEST), 4)):
        with rhino() as one, AgentProcess(parse_agent("random:seed=3"), tmp_path / "o") as other:
            seats = (one, other) if number % 2 else (other, one)
            assert play_game(GameSetup(ENV, opening=opening), seats).result.fault is None


@SLOW
@pytest.mark.parametrize("plies", [29, 30])
def test_rhino_takes_over_a_game(rhino, plies):
    """A new process begins in the middle of a game, as after an undone move on the page."""
    session, deal = GameSession(GameSetup(ENV)), random.Random(5)
    while len(session.cells) < plies:
        session.play(None if session.must_pass else deal.choice(session.env.legal_moves()))
    mover = session.to_move
    with rhino() as agent:
        agent.start()
        for _move in range(3):
            answer = agent.act(session.observations[mover], 8, 8)
            assert answer.fault is None
            session.play(answer.cell)
            agent.act(session.observations[mover], 8, 8)
            session.play(deal.choice(session.env.legal_moves()))
