"""`tengen gtp`: every command and every wrong line has the protocol's answer, limits are kept."""

import os
import random
import re
import subprocess
import sys
import time
from threading import Event
from typing import ClassVar

import pytest

from env_adapter.reversi import legal_flips
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.play import gtp
from local_runner.play.console import Line
from local_runner.play.our_engine import Analysed, Found


class FirstLegal:
    """An engine that plays the first legal cell, row by row, and keeps the seconds that it is given."""

    asked: ClassVar = []

    def __init__(self, family, rows, cols, in_a_row):
        self.rows = rows
        self.asked.clear()

    def new_game(self):
        pass

    def _legal(self, stones, side):
        own, foe = ({divmod(at, self.rows) for at, stone in enumerate(stones) if stone == who}
                    for who in (side + 1, 2 - side))  # fmt: skip
        return [row * self.rows + col for row, col in legal_flips(own, foe, self.rows)]

    def find(self, stones, side, seconds, line):
        self.asked.append(round(seconds, 2))
        cells = self._legal(stones, side)
        return Found(cells[0], 5, 2, 30, cells[:1], 0.001) if cells else None

    def analyse(self, stones, side, lines, line, every):
        cells = self._legal(stones, side)[:lines]
        yield Analysed([{"moves": [cell], "value": 64, "depth": 3, "exact": "", "discs": None} for cell in cells], 9)


def line(text):
    """A line after which another has arrived, so that no answer waits."""
    stopped = Event()
    stopped.set()
    return Line(text, time.perf_counter(), stopped)


ANSWER = re.compile(r"([=?])(\d*)( .*)?", re.DOTALL)
START = ". . . O X . . ."


def asked(*texts):
    """The answers to commands: without sign if they were obeyed, else with `? `."""
    engine = gtp.Engine(FirstLegal)
    said = []
    for text in texts:
        *lines, end = list(engine.answer(line(text))) or [""]
        assert end == "" and "" not in lines
        if lines:
            sign, _number, rest = ANSWER.fullmatch("\n".join(lines)).groups("")
            said.append(("? " if sign == "?" else "") + rest.strip())
    return said


GTP = [
    (["protocol_version", "name"], ["2", "tengen"]),
    (["known_command genmove", "known_command foo", "known_command"], ["true", "false", "false"]),
    (["foo", "genmove", "genmove red", "play b", "play b z", "play b d333", "play b d3 d4"],
     ["? unknown command", *["? syntax error"] * 6]),
    (["boardsize 10", "boardsize 26", "boardsize 4", "boardsize 7", "boardsize 28", "boardsize 2", "boardsize x",
      "boardsize", "boardsize nan"],
     ["", "", "", *["? unacceptable size"] * 3, *["? syntax error"] * 3]),
    (["komi 6.5", "komi -3", "komi", "komi six"], ["", "", "? syntax error", "? syntax error"]),
    (["genmove b", "genmove W", "GENMOVE b", "reg_genmove black", "reg_genmove black"],
     ["D3", "C3", "? unknown command", "B3", "B3"]),
    (["play b D3", "PLAY w c3", "play w c3", "play white c3", "undo", "undo", "undo"],
     ["", "? unknown command", "", "? illegal move", "", "", "? cannot undo"]),
    (["play b a1", "play b i3", "play b z26", "play b pass", "play w pass"], ["? illegal move"] * 5),
    (["play b d3", "play b e6", "undo", "undo", "undo"], ["", "", "", "", "? cannot undo"]),  # White loses a turn
    (["play w d6", "undo", "genmove w", "genmove b"], ["", "", "E3", "D3"]),
    (["final_score", "time_settings 0 1 1", "time_settings 0 1", "time_left b 1", "time_left b 10 0",
      "time_left x 1 0"],
     ["? cannot score", "", "? syntax error", "? syntax error", "", "? syntax error"]),
    (["list_games", "set_game Othello", "set_game Go"], ["Othello", "", "? unsupported game"]),
    (["loadsgf", "loadsgf /no/such", "loadsgf /no/such 3"], ["? syntax error", *["? cannot load file"] * 2]),
    (["", "  # a comment", "\x01\x02"], []),
    (["name # comment", "\tname\t", "n\x07ame"], ["tengen"] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "answers"), GTP, ids=lambda texts: texts[0] if texts else "-")
def test_gtp_answers(texts, answers):
    assert asked(*texts) == answers


def test_a_number_is_repeated():
    engine = gtp.Engine(FirstLegal)
    assert list(engine.answer(line("12 name"))) == ["=12 tengen", ""]
    assert list(engine.answer(line("7 foo"))) == ["?7 unknown command", ""]
    assert list(engine.answer(line("3"))) == ["? unknown command", ""]


def test_every_listed_command_is_known():
    names = asked("list_commands")[0].split()
    assert asked(*(f"known_command {name}" for name in names)) == ["true"] * len(names)


def test_the_board_is_shown():
    (board,) = asked("showboard")
    assert board.splitlines()[0].split() == list("abcdefgh") and board.splitlines()[4] == f" 4 {START} 4"
    assert board.endswith("Black (X) to move")


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


@pytest.mark.parametrize(("settings", "seconds"), [
    ([], [4.75]),
    (["time_settings 600 0 0"], [20.0]), (["time_settings 0 5 1"], [4.75]), (["time_settings 0 10 2"], [4.75]),
    (["time_settings 0 1 0"], [4.75]), (["time_settings 0 0 0"], [0.0]), (["time_settings 60 5 1"], [4.75]),
    (["time_left b 30 0"], [1.0]), (["time_left b 20 4"], [4.75]),
    (["time_settings 600 0 0", "time_left w 3 0"], [20.0]),
    (["time_settings 0 0.5 1"], [0.47]), (["time_settings 1e99 0 0"], [333333.33]),
])  # fmt: skip
def test_the_time_of_a_move(settings, seconds):
    asked(*settings, "reg_genmove b")
    assert FirstLegal.asked == seconds


def test_a_clock():
    clock = gtp.Clock(10.0, 6.0, 3)
    shares = [round(clock.share(30), 2)]
    for spent in (4.0, 7.0, 1.0, 1.0, 1.0):
        clock.spend(spent)
        shares.append(round(clock.share(30), 2))
    assert shares == [1.9, 1.9, 1.9, 2.38, 3.8, 1.9]


def test_a_whole_game_is_scored():
    moves = ["genmove b", "genmove w"] * 8
    said = asked("boardsize 4", *moves, "final_score", "genmove b", "play w pass", "undo", "undo")
    assert re.fullmatch(r"[BW]\+\d+|0", said[17]) and said[18:] == ["pass", "", "", ""]


@pytest.mark.parametrize("text", ["lz-analyze", "analyze b 20", "lz-analyze white interval 50 maxmoves 3"])
def test_an_analysis_has_leelas_form(text):
    engine = gtp.Engine(FirstLegal)
    first, info, end = engine.answer(line("4 " + text))
    moves = info.split("info ")[1:]
    assert (first, end, len(moves)) == ("=4", "", 4)
    pattern = r"move [A-H]\d visits 9 winrate \d{1,5} prior 0 lcb \d{1,5} order \d pv( [A-H]\d)+ ?"
    assert all(re.fullmatch(pattern, move) for move in moves)


def test_an_analysis_ends_with_the_next_line():
    engine, command = gtp.Engine(FirstLegal), Line("analyze", time.perf_counter())
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


def test_a_file_of_another_game_or_with_a_wrong_move_is_not_loaded(tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text(SGF.replace("GM[2]", "GM[4]").replace("SZ[8]", "SZ[15]"))
    assert asked(f"loadsgf {path}") == ["? cannot load file"]
    path.write_text(SGF.replace("dc", "aa"))
    assert asked(f"loadsgf {path}") == ["? cannot load file"]


# ---- random lines

WORDS = ["b", "white", "d3", "c5", "f4", "pass", "4", "6", "8", "10", "0", "1", "300", "-1", "nan", "1e999", "/", "d3",
         "/dev/null", "#", "12", "\0", "\xb2", "\u0663", "e6", "9" * 30, "x" * 200]  # fmt: skip
LINE = re.compile(r"[=?]\d*( .*)?|info move .*|", re.DOTALL)


@pytest.mark.parametrize("lines", [100, pytest.param(5_000, marks=pytest.mark.slow)])
def test_random_lines_have_answers_of_the_protocol(lines):
    deal, engine, answers = random.Random(lines), gtp.Engine(FirstLegal), 0
    commands = [*asked("list_commands")[0].split(), "d3", "foo"]
    for _ in range(lines):
        text = " ".join([deal.choice(commands), *deal.choices(WORDS, k=deal.randint(0, 4))])
        if deal.random() < 0.2:
            text = "".join(map(chr, deal.choices(range(1, 600), k=deal.randint(0, 30))))
        for answer in engine.answer(line(text.strip())):
            assert LINE.fullmatch(answer) and "internal" not in answer, (text, answer)
            answers += 1
    assert answers > 20


@pytest.mark.slow
def test_the_real_gtp_engine_keeps_its_limits():
    words = [sys.executable, "-m", "local_runner", "gtp", "--seconds", "30"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    engine = subprocess.Popen(
        words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def ask(text, end):
        """The lines up to one that starts with `end`, and the seconds that they took."""
        engine.stdin.write(text)
        began, lines = time.monotonic(), []
        while not lines or not lines[-1].startswith(end):
            lines.append(engine.stdout.readline().rstrip())
        return lines, time.monotonic() - began

    try:
        ask("1 name\r\nboards", "=1")
        ask("ize 10\r\n2 time_settings 0 0.4 1\r\n", "=2")
        for number in range(3, 9):
            lines, seconds = ask(f"{number} genmove {'wb'[number % 2]}\n", f"={number}")
            assert re.fullmatch(r"=\d+ [A-J]\d+", lines[-1]) and seconds < 0.8
        assert ask("20 lz-analyze 10\n", "info move")[1] < 2
        assert ask("21 name\n", "=21")[1] < 1
        assert ask("22 quit\n", "=22")[1] < 1 and engine.wait(5) == 0
    finally:
        engine.kill()
        engine.communicate()
