"""A human at the keyboard: the lines that may be typed, the output, saved games, opinions, and how a game ends."""

import re
import shlex
from unittest.mock import Mock

import pytest
from rich.console import Console

from local_runner.errors import RunnerError, Unplayable
from local_runner.formats import SavedGame, writing
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.language.languages import speaking
from local_runner.play import showing, table
from local_runner.play.prompt import TypedCommand, Verb, read_line
from local_runner.play.showing import TerminalView
from tests.local_runner.processes.naughty import path_of, written

TICTACTOE, GOMOKU = ("--env", "tictactoe_1v1"), ("--env", "gomoku_11x11_1v1")


C1 = ("0 2", "0,2", " 0 , 2 ", "(0, 2)", "0  2", "00 02", "c1", "C1", " c1 ", "ｃ１", "1. c1", "c1.", "（0，2）",
      "0、2", "0-2", "[0, 2]", "c01")  # fmt: skip


@pytest.mark.parametrize(("typed", "read"), [
    *((typed, (0, 2)) for typed in C1),
    ("undo", TypedCommand(Verb.UNDO)), (" Hint ", TypedCommand(Verb.HINT)), ("q", TypedCommand(Verb.QUIT)),
    ("?", TypedCommand(Verb.HELP)), ("save", TypedCommand(Verb.SAVE)),
    ("save My Game.sgf", TypedCommand(Verb.SAVE, "My Game.sgf")),
    *((word, TypedCommand(Verb.PASS)) for word in ("pass", "PA", "ps", "--", "@@", "ＰＡＳＳ", "弃权")),
    ("", "that is no cell: ''; type a cell such as c1, or help"), ("a0", "that is no cell: 'a0'"),
    ("02", "that is no cell: '02'"), ("0 1 2", "that is no cell"), ("0.5 1", "that is no cell"),
    ("undo 2", "that is no cell"), ("\x1b[2J", r"that is no cell: '\\x1b[2J'"),
    ("hnit", "unknown command 'hnit'; did you mean hint?"), ("-1 0", "(-1, 0) is off the 3x3 board"),
    ("d1", "d1 is off the 3x3 board"), ("999 0", "a1000 is off the 3x3 board"),
    ("1 1", "b2 holds a stone of Black's"), ("c1 c2", "that is no cell: 'c1 c2'"),
    ("pss", "unknown command 'pss'; choose one of: undo, hint, save, moves, board, resign, help, quit"),
])  # fmt: skip
def test_what_a_line_means(typed, read):
    session = GameSession(GameSetup("tictactoe_1v1"), cells=[(1, 1)])
    if not isinstance(read, str):
        assert read_line(typed, session) == read
        return
    with pytest.raises(Unplayable, match="^" + re.escape(read)):
        read_line(typed, session)


def test_a_number_of_a_choice_is_a_cell_only_at_reversi():
    session = GameSession(GameSetup("reversi_1v1", board_size=4))
    assert [read_line(typed, session) for typed in ("0", "b1", "0 1")] == [(0, 1)] * 3
    with pytest.raises(Unplayable, match="a1 turns no disc over"):
        read_line("a1", session)


SMALL = ("--env", "reversi_1v1", "--board-size", "4", "--openings", "mine.pos", "--colour", "white")
LOST = "   a  b  c\n 1 ○  ·  ●  1\n 2(○) ●  ·  2\n 3 ○  ●  ·  3\n   a  b  c\n"
# The agent and its game, the lines that are typed, and patterns: how often each is found in the output.
DIALOGUES = [
    ((path_of("first_free"), *TICTACTOE), ["undo", "b2", "c3", "undo", "moves", "undo", "moves", "q"],
     {"there is no move of yours to take back": 1, r"   1  b2 a1\n": 1, "no move was made yet": 1, "kept": 0,
      r"you have left the game\s*\Z": 1}),
    (("greedy", *SMALL), ["a1", "moves", "undo", "moves"],  # after White's move in the corner Black must pass
     {"^   1  b1 c1 d3 a1 pass$": 1, "^   1  b1 c1 d3$": 1, "^   1  ": 2}),
    (("greedy", *TICTACTOE), ["b2", "hint", "q"], {"^hint: [abc][123]; [A-Zt].+$": 1}),
    (("greedy", *TICTACTOE), ["resign", "n", "pass", "resign", "y"],
     {r"White \(greedy\) wins: Black resigns\n\Z": 1, "you have a move, so you may not pass": 1}),
    (("--level", 1, "--env", "gobang_1v1"), ["h8", "a1", "q"],
     {"○ level1: ": 2, "^level1 says: .+": 2, "tengen play level1 --resume": 1}),
    (("seed003", *TICTACTOE), ["b2", "0 2", "2 1"],  # a board before each of the human's moves, and at the end
     {"   a  b  c\n 1": 4, re.escape(LOST) + r"White \(seed003\) wins: 3 in a row from a1 to a3\n\Z": 1}),
    ((path_of("first_free"), "--board-size", "6", "--rules", "stated"), ["3 0", "3 1", "3 2", "3 3", "3 4"],
     {r"^Black \(you\) wins: 5 in a row from a4 to e4\n\Z": 1, "says": 0}),
    ((path_of("first_free"), *TICTACTOE, "--rules", "stated"), ["0 1", "1 0", "1 1", "2 0", "2 2"],
     {r"^a draw: full board\n\Z": 1, "says": 0}),
    (("seed003", *TICTACTOE, "--again"), ["b2", "0 2", "2 1", "undo", "q"],
     {r"White \(seed003\) wins": 1, "● your move": 4}),
    (("tengen:depth=3", "--env", "gobang_1v1"), ["a1", "b1", "q"],
     {"^tengen:depth=3 says: .*(even|better|winning), expects [a-o][0-9]+ in reply$": 2}),
    *(pytest.param((agent, *TICTACTOE), ["b2", "undo", "b1", "undo", "c3", "moves", "q"], {"^   1  c3 [abc][123]$": 1},
                   marks=pytest.mark.slow) for agent in ("tengen:depth=1", "level1")),
    pytest.param(("seed002", *GOMOKU, "--colour", "ask"), ["n", "q"],
                 {r"\Ado you want Black, who begins\? \(Y/n\)": 1, "● seed002: g8": 1}, marks=pytest.mark.slow),
    pytest.param(("seed002", *GOMOKU, "--colour", "ask"), ["b", "Y", "q"],
                 {"do you want Black": 2, "seed002:": 0}, marks=pytest.mark.slow),
    (("seed004",), [], {r"you have left the game\n\Z": 1, "kept": 0}),
    (("corner.py", *SMALL), ["0 0"], {"^● corner: passes$": 1, r"   a  b  c  d\n 1 ·  ●  ○  ·  1\n": 1}),
    (("seed000:depth=1", "--env", "reversi_8x8_1v1", "--strict", "--colour", "white"), ["0", "none"] * 40,
     {r"^(.+ wins|a draw): .+, [0-9]+ to [0-9]+\n\Z": 1, "your turn is lost": 3, "unknown command 'none'": 3}),
    pytest.param(("greedy", *TICTACTOE, "--again"),
                 ["resign", "y", "what", "moves", "s", "resign", "y", "y", "resign", "y", "n"],
                 {"type y, s or n": 1, r"^White \(greedy\) wins: Black resigns": 1, "Type a cell:": 1,
                  r"^Black \(greedy\) wins: White resigns": 2}, marks=pytest.mark.slow),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "typed", "found"), DIALOGUES)
def test_dialogues(arguments, typed, found, play, tmp_path):
    (tmp_path / "mine.pos").write_text("b1c1d3\n", encoding="ascii")
    written(tmp_path, "return [[1, 0, 0, 0], [1, 0, 0, 0]]", "corner")
    before = {*tmp_path.iterdir()}
    code, out = play(*arguments, typed=typed)
    counts = {pattern: len(re.findall(pattern, out, re.MULTILINE)) for pattern in found}
    assert (code, counts) == (0, found), out
    assert typed or {*tmp_path.iterdir()} == before  # the agent's output is deleted


def test_an_agent_at_fault_loses_and_its_output_is_kept(play, tmp_path):
    """The agent plays only the corner, so its next move is a fault."""
    (tmp_path / "mine.pos").write_text("b1c1d3\n", encoding="ascii")
    corner = written(tmp_path, "return [[1, 0, 0, 0], [1, 0, 0, 0]]", "corner")
    code, out = play(corner, *SMALL[:-1], "black")
    assert code == 1 and "● you: passes" in out.splitlines()
    code, out = play(path_of("raiser"), *TICTACTOE, typed=["1 1"])
    assert code == 1
    assert "raiser lost game 1 as White by crash: raised ValueError: no idea" in " ".join(out.split())
    assert len(list(tmp_path.glob("tengen-play-*/agent.txt"))) == 2


def test_the_rounds_that_report_002_prints(play):
    """The agent moves first. The score after each ply equals the report's score."""
    code, out = play("seed002", *GOMOKU, "--colour", "white", typed=["5 5", "4 3", "nowhere", "2 1", "q"])
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


# A row for each move of report 000's player, Black, from its second move on: the move; the score that the report prints
# (None: no score); the cells offered to the human; the index of the human's choice among them; the score after it.
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


def test_help_names_every_command(play):
    _, out = play("greedy", *TICTACTOE, typed=["help", "board"])
    assert "Type a cell: c2 is column c, row 2 from the top. Or its row and column counted from 0: 1 2." in out
    assert all(re.search(f"^  {verb.value}", out, re.MULTILINE) for verb in Verb if verb not in (Verb.HELP, Verb.PASS))
    assert out.count("   a  b  c\n 1") == 2
    assert "  pass" not in out and "  pass" in play("greedy", "--env", "reversi_8x8_1v1", typed=["help", "q"])[1]


@pytest.mark.parametrize(("ending", "readable"), [("sgf", True), ("svg", False)])
def test_a_saved_game_is_kept_again_unless_its_file_can_be_read(ending, readable, play, tmp_path):
    code, out = play("greedy", *TICTACTOE, typed=["b2", f"save game.{ending}", "q"])
    assert code == 0 and f"saved: game.{ending}" in out and (tmp_path / f"game.{ending}").stat().st_size
    assert ("kept" in out) != readable


def test_save_names_a_file_by_itself_and_overwrites_none(play, tmp_path):
    (tmp_path / "mine.sgf").write_text("precious")
    typed = ["b2", "save", "save", "save mine", "save mine.sgf", "save mine.doc", "save no/where.sgf"]
    code, out = play("greedy", *TICTACTOE, typed=typed)
    names = {"tengen-tictactoe_1v1.json", "tengen-tictactoe_1v1_2.json", "mine.json", "mine.sgf"}
    assert code == 0 and {path.name for path in tmp_path.iterdir()} == names
    assert "mine.sgf exists already; give another name" in out and "cannot be written as 'doc'" in out
    assert (tmp_path / "mine.sgf").read_text() == "precious" and "--out" not in out
    assert "cannot write no/where.sgf: its folder does not exist; save FILE with another file name" in out


def test_an_unfinished_game_is_kept_and_goes_on(play, tmp_path):
    code, out = play(path_of("first_free"), *TICTACTOE, "--rules", "stated", typed=["b2", "c3"])
    assert code == 0 and (tmp_path / "tengen-tictactoe_1v1.json").is_file()
    command = re.search("go on with: tengen play (.+)", out)[1]
    assert shlex.split(command)[1:] == ["--resume", "tengen-tictactoe_1v1.json", "--colour", "black"]
    code, out = play(*shlex.split(command), typed=["moves", "a3", "c1"])
    assert code == 0 and "   1  b2 a1 c3 b1\n" in out and "wins: 3 in a row from" in out


def test_a_resumed_game_knows_its_players(play, tmp_path):
    play("greedy", *TICTACTOE, "--colour", "white", typed=["a1", "q"])
    code, out = play("--resume", "tengen-tictactoe_1v1.json", typed=["moves"])
    assert code == 0 and "○ your move" in out and re.search("^   1  [abc][123] a1 [abc][123]$", out, re.MULTILINE)
    assert len(list(tmp_path.iterdir())) == 1  # nothing was played, so the file still has the game


@pytest.mark.parametrize(
    ("cells", "told"),
    [([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)], "is over; tengen replay game.json shows it"), ([(0, 0)], "name your")],
)
def test_what_cannot_be_resumed(cells, told, tengen, tmp_path):
    game = SavedGame(GameSetup("tictactoe_1v1"), tuple(cells), ("you", "nobody"))
    (tmp_path / "game.json").write_bytes(writing.write(game, "json"))
    code, _, err = tengen("play", "--resume", "game.json")
    assert code == 2 and told in err


@pytest.mark.parametrize(("typed", "told"), [([], "the game was interrupted"),
                                             (["b2"], "the game is kept in tengen-tictactoe_1v1.json")])  # fmt: skip
def test_ctrl_c_keeps_a_game_with_a_move(typed, told, play, monkeypatch, tmp_path):
    answers = Mock(side_effect=[*typed, KeyboardInterrupt])
    monkeypatch.setattr("rich.console.Console.input", answers)
    code, out = play("greedy", *TICTACTOE)
    assert code == 130 and told in out and len(list(tmp_path.glob("*.json"))) == len(typed)


@pytest.mark.parametrize(
    ("refused", "told"), [([""], "the game is kept in "), (["", "/"], "no file can be written here; these are the")]
)
def test_a_game_is_kept_elsewhere_if_the_folder_cannot_be_written(refused, told, play, monkeypatch):
    def write_new(folder, *arguments, write=table.write_new):
        if folder.root in refused:
            raise RunnerError("no")
        return write(folder, *arguments)

    monkeypatch.setattr(table, "write_new", write_new)
    code, out = play("greedy", *TICTACTOE, typed=["b2", "q"])
    assert code == 0 and told in out and ("   1  b2" in out) == ("/" in refused)


GOBANG, REVERSI = GameSession(GameSetup("gobang_1v1"), cells=[(7, 7)]), GameSession(GameSetup("reversi_8x8_1v1"))
SOLVED = {"depth": 3, "pv": [[2, 4]], "source": "solver"}


@pytest.mark.parametrize(("session", "thought", "told"), [
    (GOBANG, {"value": 300, "depth": 4, "pv": [[0, 0], [7, 7]]}, "White is .*better, expects h8 in reply"),
    (GOBANG, {"value": -300, "depth": 4, "pv": [[0, 0]]}, "Black is .*better"),
    (GOBANG, {"value": 0, "depth": 4, "pv": [[0, 0], [1, 1]]}, "the game is even, expects b2 in reply"),
    (GOBANG, {"value": 999_995, "depth": 4, "pv": [[0, 0], [1, 1]]}, "White wins in 3 moves, expects b2 in reply"),
    (GOBANG, {"value": -999_996, "depth": 0, "pv": [[0, 0], [1, 1]]}, "Black wins in 2 moves, expects b2 in reply"),
    (GOBANG, {"value": 999_780, "depth": 0, "pv": [[0, 0]], "source": "proof"}, "a forced win for White"),
    (GOBANG, {"value": 999_990, "depth": 10, "pv": [[0, 0]], "source": "proof"}, "White wins in 5 moves"),
    (GOBANG, {"value": 0, "depth": 0, "pv": [[0, 0]]}, ""),
    (GOBANG, {"value": 5, "depth": 1, "pv": [[0, 0]], "engine": "scorer"}, ""),
    (GOBANG, {"value": "5", "depth": 1, "pv": [[0, 0]]}, ""),
    (REVERSI, {"value": 104_000, **SOLVED}, "Black wins by 4 discs"),
    (REVERSI, {"value": -100_000, **SOLVED}, "a forced win for White"),
    (REVERSI, {"value": 0, **SOLVED}, "it will be a draw"),
])  # fmt: skip
def test_the_opinion_in_our_agents_thought(session, thought, told):
    assert re.fullmatch(told, showing.opinion_in(thought, session))


@pytest.mark.parametrize(("columns", "size", "across"), [(80, 15, 3), (40, 15, 2), (40, 20, 1), (80, 26, 2)])
def test_the_board_fits_into_the_terminal(columns, size, across):
    console = Console(width=columns, file=open("/dev/null", "w"), record=True)  # noqa: SIM115
    session = GameSession(GameSetup("gobang_1v1", board_size=size), cells=[(2, 1)])
    TerminalView(session, 0, console).draw()
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= columns and len(lines) == size + 2
    assert lines[3] == " 3" + {3: " · (●)", 2: " ·>●", 1: " ·●"}[across] + lines[3][2 + 2 * across + (across == 1) :]


def test_colours_where_the_terminal_has_them():
    console = Console(width=80, file=open("/dev/null", "w"), record=True, force_terminal=True,  # noqa: SIM115
                      color_system="truecolor")  # fmt: skip
    TerminalView(GameSession(GameSetup("reversi_1v1")), 0, console).draw()
    assert "48;2;46;125;70" in console.export_text(styles=True)


def test_chinese(play):
    with speaking("zh"):
        code, out = play("seed003", *TICTACTOE, typed=["b2", "help", "hint", "undo", "q"])
    assert code == 0 and not re.search("your|Type|take back|left the game", out) and "● 你" in out
