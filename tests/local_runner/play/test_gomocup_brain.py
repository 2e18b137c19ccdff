"""`tengen gomocup`: every command and every wrong line has the protocol's answer, and limits are kept."""

import os
import random
import re
import subprocess
import sys
import time
from io import BytesIO
from typing import ClassVar

import pytest

from local_runner.play.console import Line, run
from local_runner.play.gomocup import Brain
from local_runner.play.our_engine import Found, share_of_time

CELL = re.compile(r"\d+,\d+")
ANSWER = re.compile(r"OK|\d+,\d+|ERROR .+|UNKNOWN.*|MESSAGE .+|name=.+")


class FirstFree:
    """An engine that plays the first free cell, and keeps what it is asked."""

    too_small = False

    asked: ClassVar = []

    def __init__(self, family, rows, cols, in_a_row, memory=0):
        self.memory = memory
        self.asked.clear()

    def new_game(self):
        pass

    def limit_memory(self, most):
        self.memory, self.too_small = most, 0 < most < 10_000_000

    def find(self, stones, side, seconds, nodes, depth, found, line):
        self.asked.append((side, round(seconds, 3), nodes, depth))
        return Found(stones.find(0), 5, 2, 30, [stones.find(0)], 0.001) if 0 in stones else None

    def value_after(self, stones, side, cell):
        return 7

    def stop(self):
        pass


def told(*lines):
    """The answers to lines, without MESSAGE."""
    brain = Brain(FirstFree)
    answers = [answer for text in lines for answer in brain.answer(Line(text, time.perf_counter()))]
    assert all(ANSWER.fullmatch(answer) for answer in answers), answers
    return [answer for answer in answers if not answer.startswith("MESSAGE")]


NO_GAME = "ERROR there is no game yet; send START first"
OFF = "ERROR TURN takes X,Y on the board, from 0,0 to 14,14"
RULE = "ERROR rule 1 is not supported; this brain plays freestyle, rule 0"
DIALOGUES = [
    (["START 15", "BEGIN"], ["OK", "0,0"]),
    (["start 20", "turn 0,0", "Turn 2 , 0"], ["OK", "1,0", "3,0"]),
    (["START 3"], ["ERROR START takes the size of the board, 5 to 26"]),
    (["START"], ["ERROR START takes the size of the board, 5 to 26"]),
    (["START 99999999999999999999999999"], ["ERROR START takes the size of the board, 5 to 26"]),
    (["RECTSTART 10,15"], ["ERROR rectangular board is not supported"]),
    (["BEGIN"], [NO_GAME]), (["TURN 7,7"], [NO_GAME]), (["RESTART"], [NO_GAME]), (["TAKEBACK 1,1"], [NO_GAME]),
    (["BOARD", "7,7,1", "DONE"], [NO_GAME]),
    (["START 15", "TURN 15,0"], ["OK", OFF]), (["START 15", "TURN"], ["OK", OFF]),
    (["START 15", "TURN -1,3"], ["OK", OFF]), (["START 15", "TURN 1;3"], ["OK", OFF]),
    (["START 15", "TURN 7,7", "TURN 7,7"], ["OK", "0,0", "ERROR there is a stone on 7,7"]),
    (["START 15", "TURN 7,7", "TURN 0,0"], ["OK", "0,0", "ERROR there is a stone on 0,0"]),
    (["START 15", "TURN 7,7", "BEGIN"], ["OK", "0,0", "ERROR BEGIN needs an empty board; send RESTART first"]),
    (["START 15", "BEGIN", "RESTART", "BEGIN"], ["OK", "0,0", "OK", "0,0"]),
    (["START 15", "BEGIN", "TAKEBACK 0,0", "BEGIN"], ["OK", "0,0", "OK", "0,0"]),
    (["START 15", "TAKEBACK 0,0"], ["OK", "ERROR there is no stone on 0,0"]),
    (["START 15", "BOARD", "0,0,1", "1,0,2", "DONE", "TURN 3,0"], ["OK", "2,0", "4,0"]),
    (["START 15", "BOARD", "0,0,1", "0,0,2", "DONE"], ["OK", "ERROR cannot read the line '0,0,2' of BOARD"]),
    (["START 15", "BOARD", "0,0,3", "DONE"], ["OK", "ERROR cannot read the line '0,0,3' of BOARD"]),
    (["START 15", "BOARD", "0,99,1", "DONE"], ["OK", OFF.replace("TURN", "BOARD")]),
    (["START 15", "BOARD", "1,1,1", "BEGIN"], ["OK", "0,0"]),
    (["START 15", "BOARD", "DONE"], ["OK", "0,0"]),
    (["DONE"], ["UNKNOWN DONE"]), (["PLAY 3,3"], ["UNKNOWN PLAY"]), (["1,1,1"], ["UNKNOWN 1,1,1"]), ([""], []),
    (["SWAP2BOARD", "7,7,1", "DONE"], ["UNKNOWN SWAP2BOARD"]),
    (["INFO rule 1", "START 15"], [RULE]), (["START 15", "INFO rule 1", "BEGIN"], ["OK", RULE]),
    (["START 15", "INFO rule 2", "BEGIN"], ["OK", "0,0"]),
    (["INFO folder /tmp", "INFO game_type 1", "INFO nonsense", "INFO", "INFO timeout_turn soon"], []),
    (["START 15", "INFO max_memory 1000", "BEGIN"], ["OK", "ERROR max_memory 1000 is too small for this brain"]),
    (["YXSTOP"], []), (["END"], []),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "answers"), DIALOGUES, ids=[";".join(lines)[:60] for lines, _ in DIALOGUES])
def test_every_line_has_its_answer(lines, answers):
    assert told(*lines) == answers


def test_about_and_message():
    brain = Brain(FirstFree)
    assert [*brain.answer(Line("START 15", 0.0))] == ["OK"]
    assert next(brain.answer(Line("about", 0.0))).startswith('name="tengen", version="')
    assert next(brain.answer(Line("BEGIN", 0.0))) == "MESSAGE depth 2 value 5 nodes 30 time 1 line 0,0"
    assert [*brain.answer(Line("INFO evaluate 3,4", 0.0))] == ["MESSAGE evaluate 3,4 value 7"]


@pytest.mark.parametrize(("info", "asked"), [
    (["timeout_turn 1000"], (0, 0.95, None, None)),
    (["timeout_turn 0"], (0, 0.0, None, None)),
    (["timeout_turn 1000", "time_left 1000000"], (0, 0.95, None, None)),
    (["timeout_turn 1000", "timeout_match 4000"], (0, 0.099, None, None)),
    (["timeout_turn 1000", "time_left 400"], (0, 0.009, None, None)),
    (["timeout_turn 1000", "time_left 2147483647"], (0, 0.95, None, None)),
    (["timeout_turn 1000", "time_left -5"], (0, 0.0, None, None)),
    (["timeout_turn 1000", "MAX_NODE 500", "max_depth 3"], (0, 0.95, 500, 3)),
    (["timeout_turn 1000", "max_node 0", "max_depth -1"], (0, 0.95, None, None)),
])  # fmt: skip
def test_limits_reach_the_engine(info, asked):
    told("START 15", *(f"INFO {each}" for each in info), "BEGIN")
    assert FirstFree.asked == [asked]


def test_the_time_of_a_game_suffices():
    left, moves = 10.0, 0
    while moves < 113:
        left, moves = left - share_of_time(5.0, left, max(12, 40 - moves)) - 0.001, moves + 1
    assert left > 0


def test_a_command_to_stop_counts_although_the_search_has_not_begun():
    stopped = []

    class Slow(FirstFree):
        def find(self, stones, side, seconds, nodes, depth, found, line):
            stopped.append(line.stopped.wait(1))
            return super().find(stones, side, seconds, nodes, depth, found, line)

    run(Brain(Slow), BytesIO(b"START 15\nTURN 3,3\nYXSTOP\n"), BytesIO())
    assert stopped == [True]


def test_lines_in_parts_and_bytes_that_are_no_text():
    sink = BytesIO()
    run(Brain(FirstFree), BytesIO(b"\xef\xbb\xbfSTART 15\r\n\xff\xfe\x00\nturn 3,3\r\n\r\nBEGI"), sink)
    first, *rest = sink.getvalue().decode().splitlines()
    assert (first, rest[0][:7], rest[2], rest[3]) == ("OK", "UNKNOWN", "0,0", "UNKNOWN BEGI")


WORDS = ["START", "15", "20", "BEGIN", "TURN", "7,7", "0,0", "BOARD", "DONE", "1,1,1", "2,2,2", "INFO", "rule", "1",
         "max_node", "timeout_turn", "time_left", "TAKEBACK", "RESTART", "SWAP2BOARD", "RECTSTART", "ABOUT", "PLAY",
         "\0", "9" * 30, "x" * 200, "YXSTOP", "max_memory", "0", ",", "evaluate", "٣,٣", "²,1", "-1"]  # fmt: skip


@pytest.mark.parametrize("lines", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_lines_have_answers_of_the_protocol(lines):
    deal, brain, answers = random.Random(lines), Brain(FirstFree), 0
    for _ in range(lines):
        text = deal.choice(" ,").join(deal.choices(WORDS, k=deal.randint(1, 4)))
        if deal.random() < 0.2:
            text = "".join(map(chr, deal.choices(range(1, 600), k=deal.randint(0, 30))))
        for answer in brain.answer(Line(text.strip(), 0.0)):
            assert ANSWER.fullmatch(answer) and "internal" not in answer, (text, answer)
            answers += 1
    assert answers > 300


@pytest.mark.slow
def test_the_real_engine_keeps_its_limits_over_a_pipe():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    brain = subprocess.Popen([sys.executable, "-m", "local_runner", "gomocup"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env=environment)  # fmt: skip

    def answer(text):
        brain.stdin.write(text)
        brain.stdin.flush()
        began = time.monotonic()
        line = brain.stdout.readline().decode().strip()
        while line.startswith("MESSAGE"):
            line = brain.stdout.readline().decode().strip()
        return line, time.monotonic() - began

    assert answer(b"TURN 1,1\r\nSTA")[0].startswith("ERROR")
    for size in (15, 20):
        begin = b"RT" if size == 15 else b"START"
        assert answer(begin + b" %d\r\nINFO timeout_turn 400\r\nINFO max_memory 150000000\r\n" % size)[0] == "OK"
        for number in range(3):
            move, seconds = answer(b"turn %d,%d\n" % (2 + 3 * number, 3))
            assert CELL.fullmatch(move) and seconds < 1.0
    brain.stdin.write(b"INFO timeout_turn 60000\nTURN 17,17\n")
    brain.stdin.flush()
    time.sleep(0.3)
    assert answer(b"YXSTOP\n")[1] < 2
    brain.stdin.write(b"TURN 18,1\nEND\n")
    brain.stdin.flush()
    assert brain.wait(5) == 0
