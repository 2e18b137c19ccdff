"""A human at the keyboard: the accepted input, the output, and the end of a game."""

import re

import pytest

from local_runner.errors import Unplayable
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.play.prompt import TypedCommand, Verb, read_line
from tests.local_runner.processes.naughty import path_of, written

TICTACTOE = ("--env", "tictactoe_1v1")


@pytest.mark.parametrize("typed", ["0 2", "0,2", " 0 , 2 ", "(0, 2)", "0  2", "00 02", "c1", "C1", " c1 ", "ｃ１",
                                   "1. c1", "c1.", "（0，2）", "0、2", "0-2", "[0, 2]", "c01"])  # fmt: skip
def test_cells(typed):
    assert read_line(typed, GameSession(GameSetup("tictactoe_1v1"))) == (0, 2)


def test_a_number_of_a_choice_is_a_cell_only_at_reversi():
    session = GameSession(GameSetup("reversi_1v1", board_size=4))
    assert [read_line(typed, session) for typed in ("0", "b1", "0 1")] == [(0, 1)] * 3
    with pytest.raises(Unplayable, match="a1 turns no disc over"):
        read_line("a1", session)


@pytest.mark.parametrize(("typed", "order"), [
    ("undo", TypedCommand(Verb.UNDO)), (" Hint ", TypedCommand(Verb.HINT)), ("q", TypedCommand(Verb.QUIT)),
    ("?", TypedCommand(Verb.HELP)), ("save", TypedCommand(Verb.SAVE)),
    ("save My Game.sgf", TypedCommand(Verb.SAVE, "My Game.sgf")),
    *((word, TypedCommand(Verb.PASS)) for word in ("pass", "PA", "ps", "--", "@@", "ＰＡＳＳ", "弃权")),
])  # fmt: skip
def test_commands(typed, order):
    assert read_line(typed, GameSession(GameSetup("tictactoe_1v1"))) == order


@pytest.mark.parametrize(("typed", "sentence"), [
    ("", "that is no cell: ''; type a cell such as c1, or help"), ("a0", "that is no cell: 'a0'"),
    ("02", "that is no cell: '02'"), ("0 1 2", "that is no cell"), ("0.5 1", "that is no cell"),
    ("undo 2", "that is no cell"), ("\x1b[2J", r"that is no cell: '\\x1b[2J'"),
    ("hnit", "unknown command 'hnit'; did you mean hint?"), ("-1 0", "(-1, 0) is off the 3x3 board"),
    ("d1", "d1 is off the 3x3 board"), ("999 0", "a1000 is off the 3x3 board"),
    ("1 1", "b2 holds a stone of Black's"), ("c1 c2", "that is no cell: 'c1 c2'"),
    ("pss", "unknown command 'pss'; choose one of: undo, hint, save, moves, board, resign, help, quit"),
])  # fmt: skip
def test_what_is_no_move_gets_a_sentence(typed, sentence):
    with pytest.raises(Unplayable, match="^" + re.escape(sentence)):
        read_line(typed, GameSession(GameSetup("tictactoe_1v1"), cells=[(1, 1)]))


def test_the_rounds_that_report_002_prints(play):
    """The agent moves first. The score after each ply equals the report's score."""
    code, out = play(
        "seed002", "--env", "gomoku_11x11_1v1", "--colour", "white", typed=["5 5", "4 3", "nowhere", "2 1", "q"]
    )
    assert code == 0
    told = [line for line in out.splitlines() if re.match(r"[●○] \w+: [a-k]|\w+ says: ", line)]
    scores = [re.sub("says: .*score (-?[0-9.]+).*", r"says \1", line) for line in told]
    assert scores[:8] == [
        "● seed002: g8", "seed002 says 500.0",
        "○ you: d5", "seed002 says 0.0",
        "● seed002: c4", "seed002 says 150.0",
        "○ you: b3", "seed002 says 0.0",
    ]  # fmt: skip
    assert "f6 holds a stone of Black's" in out and "unknown command 'nowhere'" in out
    assert out.rstrip().endswith("you have left the game")


@pytest.mark.parametrize(
    ("colour", "typed", "told", "code"), [("white", ["0 0"], "● corner: passes", 0), ("black", [], "● you: passes", 1)]
)
def test_a_pass_is_told_and_not_asked_for(colour, typed, told, code, play, tmp_path):
    """After White's corner Black must pass. The agent plays only the corner, so its next move is a fault."""
    (tmp_path / "mine.pos").write_text("b1c1d3\n", encoding="ascii")
    corner = written(tmp_path, "return [[1, 0, 0, 0], [1, 0, 0, 0]]", "corner")
    small = ("--env", "reversi_1v1", "--board-size", "4", "--openings", "mine.pos")
    found, out = play(corner, *small, "--colour", colour, typed=typed)
    assert found == code and told in out.splitlines()
    assert colour == "black" or "   a  b  c  d\n 1 ·  ●  ○  ·  1\n" in out  # the board after the opening


# The rows of report 000 from its player's second move on: the player's move and score, the cells offered to the human,
# the human's answer, and the score after it. The report's player has Black here.
REPORT_000 = [
    ((2, 1), None, "[(1, 1), (1, 3), (2, 4), (3, 5), (4, 2), (5, 3)]", "1", 0),
    ((0, 3), 7, "[(1, 1), (2, 4), (4, 2)]", "0", 2),
    ((0, 1), 5, "[(0, 0), (0, 4), (2, 0), (2, 4), (3, 5), (4, 2), (5, 3)]", "3", 0),
    ((2, 5), 9, "[(0, 0), (1, 4), (1, 5), (3, 5), (4, 2), (5, 3)]", "3", 6),
    ((4, 2), 9, "[(0, 0), (0, 2), (1, 2), (1, 4), (1, 5), (1, 6), (3, 2), (4, 1), (5, 2)]", "9", 9),
    ((3, 6), 14, "[(0, 0), (1, 4), (2, 6), (4, 1)]", "oops", 14),
    ((4, 5), 17, None, None, None),
]


def test_the_game_that_report_000_prints(play, tmp_path):
    """The agent plays the printed moves, and the printed answers are typed; two of them lose the turn."""
    moves = [(2, 3), *(row[0] for row in REPORT_000)]
    scripted = written(
        tmp_path,
        "global calls\ncalls += 1\n"
        f"row, col = {moves}[(calls - 1) // 2]\n"
        "return [[int(i == row) for i in range(8)], [int(i == col) for i in range(8)]]",
        "scripted",
    )
    with open(scripted, "a", encoding="utf-8") as file:
        file.write("calls = 0\n")
    typed = ["2 2", *(row[3] for row in REPORT_000[:-1])]
    code, out = play(scripted, "--env", "reversi_8x8_1v1", "--colour", "white", "--strict", typed=typed)
    lines = out.splitlines()
    assert code == 0 and lines[-1] == "Black (scripted) wins: wipe-out, 17 to 0"
    scores = [int(line.rpartition(": ")[2]) for line in lines if line.startswith("discs:")][2:]
    expected = [score for row in REPORT_000 for score in (row[1], row[4])][:-1]
    assert len(scores) == len(expected)
    assert all(printed in (None, score) for printed, score in zip(expected, scores, strict=True))
    offered = [re.findall(r"[a-h][1-8]", line) for line in lines if line.startswith("choices:")][1:]
    cells = [[coordinates.cell(name) for name in names] for names in offered]
    assert [str(legal) for legal in cells] == [row[2] for row in REPORT_000[:-1]]
    assert "WARNING: there is no choice 9, only 0 to 8; your turn is lost" in out
    assert "WARNING: unknown command 'oops'" in out
    assert out.count("○ you: passes") == 2


def test_an_agent_plays_on_where_the_human_loses_turns(play):
    """Every second answer loses the turn; the agent plays to the end without a fault."""
    code, out = play(
        "seed000:depth=1", "--env", "reversi_8x8_1v1", "--strict", "--colour", "white", typed=["0", "none"] * 40
    )
    assert code == 0 and re.search("^(.+ wins|a draw): .+, [0-9]+ to [0-9]+$", out.splitlines()[-1])
    assert out.count("your turn is lost") == out.count("unknown command 'none'") > 1


def test_nothing_typed_leaves_the_game(play, tmp_path):
    code, out = play("seed004")
    assert code == 0 and out.endswith("you have left the game\n")
    assert list(tmp_path.iterdir()) == []  # the agent's output is deleted


def test_an_agent_at_fault_loses_and_its_output_is_kept(play, tmp_path):
    code, out = play(path_of("raiser"), *TICTACTOE, typed=["1 1"])
    assert code == 1
    assert "raiser lost game 1 as White by crash: raised ValueError: no idea" in " ".join(out.split())
    assert len(list(tmp_path.glob("tengen-play-*/agent.txt"))) == 1


@pytest.mark.parametrize("arguments", [
    ["nobody"], ["greedy", "--env", "go"], ["greedy", "--openings", "no.pos"], ["greedy", "--python", "./p"], [],
    ["level6"], ["--level", "0"], ["--resume", "no.json"],
])  # fmt: skip
def test_a_users_mistake_is_one_sentence(arguments, tengen):
    code, out, err = tengen("play", *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("tengen: ")
