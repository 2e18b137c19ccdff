"""`tengen gomocup` and `tengen gtp`: every command and wrong line has the protocol's answer, and limits are kept."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import ClassVar

import pytest

from env_adapter.reversi import legal_flips
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.play import gtp
from local_runner.play.engine_side import Clock, Line, run, share_of_time
from local_runner.play.gomocup import Brain
from submission.search.deepening import Thought

SLOW = pytest.mark.slow
GTP_ANSWER = re.compile(r"([=?])(\d*)(\s.*)?", re.DOTALL)
LINES = {  # the lines of a protocol
    Brain: re.compile(r"OK|\d+,\d+|ERROR .+|UNKNOWN.*|MESSAGE .+|name=.+"),
    gtp.Engine: re.compile(r"[=?]\d*( .*)?|info move .*|play (pass|[A-Z]\d+)|", re.DOTALL),
}


class First:
    """An engine that plays the first legal cell, row by row, and records the questions."""

    too_small = False
    asked: ClassVar = []

    def __init__(self, family, rows, cols, in_a_row, memory=0):
        self.family, self.rows, self.memory = family, rows, memory
        self.asked.clear()

    def new_game(self):
        pass

    def limit_memory(self, most):
        self.memory, self.too_small = most, 0 < most < 10_000_000

    def _cells(self, stones, side):
        if self.family == "k_in_a_row":
            return [at for at, stone in enumerate(stones) if not stone]
        own, foe = ({divmod(at, self.rows) for at, stone in enumerate(stones) if stone == who}
                    for who in (side + 1, 2 - side))  # fmt: skip
        return [row * self.rows + col for row, col in legal_flips(own, foe, self.rows)]

    def find(self, stones, side, seconds, nodes=None, depth=None, **_watched):
        self.asked.append((side, seconds, nodes, depth))
        cells = self._cells(stones, side)
        return Thought(cells[0], 5, 2, 30, cells[:1], 0.001) if cells else None

    def analyse(self, stones, side, lines, every, stopped, seconds=None):
        self.asked.append((side, lines, every, seconds))
        cells = self._cells(stones, side)[:lines]
        found = [{"moves": [cell, -1], "value": 64, "depth": 3, "exact": "", "discs": 2} for cell in cells]
        yield SimpleNamespace(lines=found, nodes=lambda: 9)

    def value_after(self, stones, side, cell):
        return 7


class Pipe(subprocess.Popen):
    def __init__(self, *words):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        super().__init__([sys.executable, "-m", "local_runner", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, env=environment, text=True, bufsize=1)  # fmt: skip

    def ask(self, text, end):
        """The next line that `end` matches, and the seconds that it took."""
        self.stdin.write(text)
        self.stdin.flush()
        began, line = time.monotonic(), ""
        while not re.match(end, line):
            line = self.stdout.readline()
            assert line
        return line.rstrip(), time.monotonic() - began

    def __exit__(self, *error):
        self.kill()
        super().__exit__(*error)


def line(text):
    """A Line whose `stopped` is set, as if a later line had arrived: searches for it end at once."""
    stopped = Event()
    stopped.set()
    return Line(text, time.perf_counter(), stopped)


def answered(side, text):
    """The answer to a line without MESSAGE and without the sign of an obeyed command; "-" if there is none."""
    lines = list(side.answer(line(text)))
    assert all(LINES[type(side)].fullmatch(each) for each in lines), lines
    if isinstance(side, Brain):
        return " ".join(each for each in lines if not each.startswith("MESSAGE")) or "-"
    if not lines:
        return "-"
    assert lines[-1] == "" and "" not in lines[:-1]
    sign, _number, rest = GTP_ANSWER.fullmatch("\n".join(lines[:-1])).groups("")
    return ("? " if sign == "?" else "") + rest.strip()


def asked(*texts):
    engine = gtp.Engine(First)
    return [answered(engine, text) for text in texts]


# A dialogue a line, what a manager sends > the answer | ..., control characters escaped: the brain's, then GTP's.
DIALOGUES = Path(__file__).with_name("dialogues.txt").read_bytes().decode("unicode_escape").split("\n\n")


@pytest.mark.parametrize(("side", "dialogue"), [
    (side, dialogue) for side, text in zip(LINES, DIALOGUES, strict=True) for dialogue in text.strip("\n").split("\n")
])  # fmt: skip
def test_every_line_has_its_answer(side, dialogue):
    one = side(First)
    for turn in dialogue.split(" | "):
        text, _arrow, answer = turn.partition(" >")
        assert (text, answered(one, text)) == (text, answer.strip())


def test_answers_that_have_a_form():
    brain, engine = Brain(First), gtp.Engine(First)
    assert [*brain.answer(line("START 15"))] == ["OK"]
    assert next(brain.answer(line("about"))).startswith('name="tengen", version="')
    assert next(brain.answer(line("BEGIN"))) == "MESSAGE depth 2 value 5 nodes 30 time 1 line 0,0"
    assert [*brain.answer(line("INFO evaluate 3,4"))] == ["MESSAGE evaluate 3,4 value 7"]
    assert [[*engine.answer(line(text))] for text in ("12 name", "7 foo", "3")] == [
        ["=12 tengen", ""], ["?7 unknown command", ""], ["? unknown command", ""]]  # fmt: skip
    names = asked("list_commands")[0].split()
    assert asked(*(f"known_command {name}" for name in names)) == ["true"] * len(names)
    (board,) = asked("showboard")
    assert board.splitlines()[0].split() == list("abcdefgh") and board.splitlines()[4] == " 4 . . . O X . . . 4"
    assert board.endswith("Black (X) to move")


# ---- time


@pytest.mark.parametrize(("side", "lines", "asks"), [
    (Brain, ["timeout_turn 1000"], (0.95, None, None)), (Brain, ["timeout_turn 0"], (0.0, None, None)),
    (Brain, ["timeout_turn 1000", "time_left 1000000"], (0.95, None, None)),
    (Brain, ["timeout_turn 1000", "timeout_match 4000"], (0.1, None, None)),
    (Brain, ["timeout_turn 1000", "time_left 400"], (0.01, None, None)),
    (Brain, ["timeout_turn 1000", "time_left 2147483647"], (0.95, None, None)),
    (Brain, ["timeout_turn 1000", "time_left 4611686018427387903"], (0.95, None, None)),  # c-gomoku-cli's "no limit"
    (Brain, ["timeout_turn 1000", "time_left -5"], (0.0, None, None)),
    (Brain, ["timeout_turn 1000", "MAX_NODE 500", "max_depth 3"], (0.95, 500, 3)),
    (Brain, ["timeout_turn 1000", "max_node 0", "max_depth -1"], (0.95, None, None)),
    *((gtp.Engine, settings, (seconds, None, None)) for settings, seconds in (
        ([], 4.75), (["time_settings 600 0 0"], 20.0), (["time_settings 0 5 1"], 4.75),
        (["time_settings 0 10 2"], 4.75), (["time_settings 0 1 0"], 4.75), (["time_settings 0 0 0"], 0.0),
        (["time_settings 60 5 1"], 4.75), (["time_left b 30 0"], 1.0), (["time_left b 20 4"], 4.75),
        (["time_settings 600 0 0", "time_left w 3 0"], 20.0), (["time_settings 0 0.5 1"], 0.47),
        (["time_settings 600 20 5", "time_left b 0 0"], 3.8), (["time_settings 0 9 3", "time_settings 600 0 0"], 20.0),
        (["time_settings 1e99 0 0"], 333333.33))),
])  # fmt: skip
def test_limits_reach_the_engine(side, lines, asks):
    one, is_brain = side(First), side is Brain
    for text in ["START 15", *(f"INFO {each}" for each in lines), "BEGIN"] if is_brain else [*lines, "reg_genmove b"]:
        answered(one, text)
    assert [(side, round(seconds, 2), *rest) for side, seconds, *rest in First.asked] == [(0, *asks)]


def test_a_clock():
    clock = Clock(10.0, 6.0, 3)
    shares = [round(clock.share(30), 2)]
    for spent in (4.0, 7.0, 1.0, 1.0, 1.0):
        clock.spend(spent)
        shares.append(round(clock.share(30), 2))
    assert shares == [1.9, 1.9, 1.9, 2.38, 3.8, 1.9]
    left, moves = 10.0, 0
    while moves < 113:
        left, moves = left - share_of_time(5.0, left, max(12, 40 - moves)) - 0.001, moves + 1
    assert left > 0


# ---- both sides as processes


@pytest.mark.parametrize(("words", "text", "end", "later", "number"), [
    (["gomocup"], "START 15\n", "OK", "BOARD\n7,7,2\n8,8,1\n7,9,2\nDONE\n", signal.SIGTERM),
    pytest.param(["gomocup"], "START 15\n", "OK", "", signal.SIGINT, marks=SLOW),
    pytest.param(["gtp", "--seconds", "60"], "1 boardsize 10\n", "=1", "2 genmove b\n", signal.SIGINT, marks=SLOW),
    pytest.param(["gtp"], "1 lz-analyze 10\n", "info", "", signal.SIGHUP, marks=SLOW),
])  # fmt: skip
def test_a_signal_ends_a_search_silently(words, text, end, later, number):
    with Pipe(*words) as engine:
        engine.ask(text, end)
        engine.stdin.write(later)
        engine.stdin.flush()
        time.sleep(0.3)
        engine.send_signal(number)
        assert (engine.wait(3), engine.stderr.read()) == (130, "")


def test_a_command_to_stop_counts_although_the_search_has_not_begun():
    stopped = []

    class Slow(First):
        def find(self, *limits, **watched):
            stopped.append(watched["stopped"].wait(1))
            return super().find(*limits)

    run(Brain(Slow), BytesIO(b"START 15\nTURN 3,3\nYXSTOP\n"), BytesIO())
    assert stopped == [True]
    assert [Brain(First).interrupts(text) for text in ("stop", "end", None, "TURN 3,3")] == [True, True, True, False]


def test_lines_in_parts_and_bytes_that_are_no_text():
    sink = BytesIO()
    run(Brain(First), BytesIO(b"\xef\xbb\xbfSTART 15\r\n\xff\xfe\x00\nturn 3,3\r\n\r\nBEGI"), sink)
    first, *rest = sink.getvalue().decode().splitlines()
    assert (first, rest[0][:7], rest[2], rest[3]) == ("OK", "UNKNOWN", "0,0", "UNKNOWN BEGI")


def random_lines(deal, number, commands, words, between=" "):
    for _ in range(number):
        text = deal.choice(between).join([deal.choice(commands), *deal.choices(words, k=deal.randint(0, 4))])
        if deal.random() < 0.2:
            text = "".join(map(chr, deal.choices(range(1, 600), k=deal.randint(0, 30))))
        yield text.strip()


GOMOCUP_WORDS = [
    "START", "15", "20", "BEGIN", "TURN", "7,7", "0,0", "BOARD", "DONE", "1,1,1", "2,2,2", "INFO", "rule", "1",
    "max_node", "timeout_turn", "time_left", "TAKEBACK", "RESTART", "SWAP2BOARD", "RECTSTART", "ABOUT", "PLAY",
    "\0", "9" * 30, "x" * 200, "YXSTOP", "max_memory", "0", ",", "evaluate", "٣,٣", "²,1", "-1",
]  # fmt: skip
GTP_WORDS = ["b", "white", "d3", "c5", "f4", "pass", "4", "6", "8", "10", "0", "1", "300", "-1", "nan", "1e999", "/",
             "d3", "/dev/null", "#", "12", "\0", "\xb2", "\u0663", "e6", "9" * 30, "x" * 200]  # fmt: skip


@pytest.mark.parametrize(("side", "lines", "least"), [
    (Brain, 1000, 300), (gtp.Engine, 100, 20),
    pytest.param(Brain, 20_000, 300, marks=SLOW), pytest.param(gtp.Engine, 5_000, 20, marks=SLOW),
])  # fmt: skip
def test_random_lines_have_answers_of_the_protocol(side, lines, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # printsgf writes files
    one, answers = side(First), 0
    gtp_commands = [*asked("list_commands")[0].split(), "d3", "foo"]
    words = (GOMOCUP_WORDS, GOMOCUP_WORDS, " ,") if side is Brain else (gtp_commands, GTP_WORDS)
    for text in random_lines(random.Random(lines), lines, *words):
        answer = answered(one, text)
        assert "internal" not in answer, (text, answer)
        answers += answer != "-"
    assert answers > least


@pytest.mark.slow
def test_the_real_brain_keeps_its_limits():
    with Pipe("gomocup") as brain:
        assert brain.ask("TURN 1,1\r\nSTA", "ERROR")
        for begin, size in (("RT", 15), ("START", 20)):
            brain.ask(f"{begin} {size}\r\nINFO timeout_turn 400\r\nINFO max_memory 150000000\r\n", "OK")
            for number in range(3):
                assert brain.ask(f"turn {2 + 3 * number},3\n", r"\d+,\d+$")[1] < 1.0
        brain.ask("INFO timeout_turn 60000\nTURN 17,17\nABOUT\n", "MESSAGE")
        time.sleep(0.3)
        assert brain.ask("YXSTOP\n", r"\d+,\d+$")[1] < 2
        brain.ask("TURN 18,1\nEND\n", r"\d+,\d+$")
        assert brain.wait(5) == 0


# ---- GTP


def test_passes_may_be_told_or_left_out():
    """Random games on 4x4 up to the first pass, which the referee finds."""
    deal, session = random.Random(3), GameSession(GameSetup("reversi_8x8_1v1", board_size=4))
    while not session.must_pass:
        if session.result is not None:
            session = GameSession(session.setup)
        session.play(deal.choice(session.env.legal_moves()))
    told = [f"play {'bw'[ply % 2]} {coordinates.name(cell)}" for ply, cell in enumerate(session.cells)]
    passing, other = "bw"[session.to_move], "bw"[1 - session.to_move]
    session.play(None)
    move = f"play {other} {coordinates.name(session.env.legal_moves()[0])}"
    for plies in ([move], [f"play {passing} pass", move]):
        board = asked("boardsize 4", *told, *plies, "showboard")[-1]
        assert asked("boardsize 4", *told, *plies, *["undo"] * len(plies), *plies, "showboard")[-1] == board
        assert board.endswith("to move") or board.endswith("over")
    assert asked("boardsize 4", *told, f"play {passing} {coordinates.name((0, 0))}")[-1] == "? illegal move"


def test_a_whole_game_is_scored():
    moves = ["genmove b", "genmove w"] * 8
    said = asked("boardsize 4", *moves, "final_score", "genmove b", "play w pass", "undo", "undo")
    assert re.fullmatch(r"[BW]\+\d+|0", said[17]) and said[18:] == ["pass", "", "", ""]


LZ, KATA = r"winrate 5941 prior 0 lcb 5941", r"winrate 0\.594\d{3} scoreLead 2 prior 0 lcb 0\.594\d{3}"


@pytest.mark.parametrize(("text", "form", "asked"), [
    ("lz-analyze", LZ, (0, 5, 1.0)), ("analyze b 20", LZ, (0, 5, 0.2)), ("lz-analyze 10", LZ, (0, 5, 0.1)),
    ("lz-analyze white interval 50 maxmoves 3", LZ, (1, 3, 0.5)), ("lz-analyze B 100 minmoves 9", LZ, (0, 9, 1.0)),
    ("kata-analyze B 50 ownership true rootInfo true", KATA, (0, 5, 0.5)), ("kata-analyze 0", KATA, (0, 5, 0.01)),
    ("lz-genmove_analyze B 50", LZ, (0, 1, 0.5)), ("genmove_analyze b", LZ, (0, 1, 1.0)),
    ("kata-genmove_analyze maxmoves 5 interval 7", KATA, (0, 1, 0.07)),
    *((text, "", ()) for text in (
        "lz-analyze red", "lz-analyze b x", "lz-analyze b 10 maxmoves", "lz-analyze ownership true", "analyze avoid",
        "kata-analyze ownership 1", "kata-analyze 10 10", "lz-analyze \u0663", "genmove_analyze b nan", "analyze -1",
        "kata-analyze allow b d3 1")),
])  # fmt: skip
def test_an_analysis_has_the_form_of_leela_or_of_katago(text, form, asked):
    engine = gtp.Engine(First)
    First.asked.clear()
    *lines, end = engine.answer(line("4 " + text))
    assert end == ""
    if not form:
        assert (lines, First.asked) == (["?4 syntax error"], [])
        return
    assert lines[0] == "=4" and First.asked[0][:3] == pytest.approx(asked)
    form = form if asked[0] == 0 else form.replace("scoreLead 2", "scoreLead -2")
    assert re.fullmatch(rf"(info move ([A-H]\d) visits 9 {form} order \d pv \2 pass ?){{1,4}}", lines[1])
    assert (len(lines) == 3 and lines[2] == "play D3") if "genmove" in text else len(lines) == 2


def test_an_analysis_ends_with_the_next_line():
    engine, command = gtp.Engine(First), Line("analyze", time.perf_counter())
    answers = engine.answer(command)
    assert next(answers) == "=" and next(answers).startswith("info move") and not command.stopped.is_set()
    command.stopped.set()
    assert list(answers) == [""]
    assert engine.interrupts("name") and engine.interrupts(None)


SGF = "(;GM[2]FF[4]SZ[8]B[dc];W[cc];B[bc])"


@pytest.mark.parametrize(("command", "left"), [("", 3), (" 1", 0), (" 3", 2), (" 99", 3)])
def test_a_file_is_loaded(command, left, tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text(SGF)
    said = asked(f"loadsgf {path}{command}", *["undo"] * 4)
    assert said == ["", *[""] * left, *["? cannot undo"] * (4 - left)]


def test_a_game_is_printed(tmp_path):
    """The text has no empty line, which would end the answer. A file replaces one of its name, as managers expect."""
    path = tmp_path / "a game.sgf"
    path.write_text(SGF)
    _loaded, *texts, saved, move = asked(f"loadsgf {path}", "printsgf -", "printsgf", f"printsgf {path}", "genmove w")
    assert texts[0] == texts[1] and texts[0].endswith(";B[dc];W[cc];B[bc])") and path.read_text() == texts[0] + "\n"
    assert asked(f"loadsgf {path}", "genmove w", "printsgf /no/such") == [saved, move, "? cannot save file"]


def test_a_file_of_another_game_or_with_a_wrong_move_is_not_loaded(tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text(SGF.replace("GM[2]", "GM[4]").replace("SZ[8]", "SZ[15]"))
    assert asked(f"loadsgf {path}") == ["? cannot load file"]
    path.write_text(SGF.replace("dc", "aa"))
    assert asked(f"loadsgf {path}") == ["? cannot load file"]


@pytest.mark.slow
def test_the_real_engine_is_asked_as_sabaki_asks():
    """Sabaki looks the commands up, waits for the first lines, and ends an analysis by protocol_version."""
    with Pipe("gtp", "--seconds", "0.5") as engine:
        for text in ("name", "version", "protocol_version", "komi 0", "boardsize 8", "clear_board"):
            assert engine.ask(text + "\n", "=")[1] < 10 and engine.ask("", "$")
        for command, rate in (("analyze", r"\d+"), ("lz-analyze", r"\d+"), ("kata-analyze", r"[01]\.\d+")):
            line, seconds = engine.ask(f"{command} B 20\n", "info move")
            assert seconds < 5 and engine.ask("protocol_version\n", "= 2")[1] < 1
            moves = [each.partition(" pv ") for each in line.split("info move ")[1:]]
            heads = [dict(zip(*[iter(("move " + head).split())] * 2, strict=True)) for head, _pv, _line in moves]
            assert {head["move"] for head in heads} == {"D3", "C4", "F5", "E6"}
            assert all(re.fullmatch(rate, head["winrate"]) and int(head["visits"]) > 0 for head in heads)
            assert all(re.fullmatch(r"[A-H]\d( [A-H]\d)*", line.strip()) for _head, _pv, line in moves)
        assert re.fullmatch(r"play [A-H]\d", engine.ask("genmove_analyze B 20\n", "play")[0])
        assert engine.ask("undo\n", "=")[0] == "=" and re.fullmatch(r"= [A-H]\d", engine.ask("genmove B\n", "= ")[0])


@pytest.mark.slow
def test_the_real_gtp_engine_keeps_its_limits():
    with Pipe("gtp", "--seconds", "30") as engine:
        engine.ask("1 name\r\nboards", "=1")
        engine.ask("ize 10\r\n2 time_settings 0 0.4 1\r\n", "=2")
        for number in range(3, 9):
            found, seconds = engine.ask(f"{number} genmove {'wb'[number % 2]}\n", f"={number}")
            assert re.fullmatch(r"=\d+ [A-J]\d+", found) and seconds < 0.8
        assert engine.ask("20 lz-analyze 10\n", "info move")[1] < 2
        assert engine.ask("21 name\n", "=21")[1] < 1
        assert engine.ask("22 quit\n", "=22")[1] < 1 and engine.wait(5) == 0
