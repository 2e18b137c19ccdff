"""A human at the keyboard: what may be typed, what is shown, and how a game ends."""

import doctest
import json
import re

import pytest
from rich.console import Console
from typer.testing import CliRunner

from local_runner import coordinates, languages
from local_runner.cli import app
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, writing
from local_runner.game_setup import GameSetup
from local_runner.human import keeping, thoughts
from local_runner.human.reading import Order, Verb, read_line
from local_runner.human.showing import Shown
from local_runner.session import GameSession, Unplayable
from tests.local_runner.naughty import path_of, written

TICTACTOE = ("--env", "tictactoe_1v1")


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Runs `tengen play` with typed lines; returns the exit code and the output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(*arguments, typed=()):
        done = CliRunner().invoke(app, ["play", *arguments], input="".join(f"{line}\n" for line in typed))
        if not isinstance(done.exception, SystemExit | None):
            raise done.exception
        return done.exit_code, done.output

    return run


@pytest.mark.parametrize("typed", ["0 2", "0,2", " 0 , 2 ", "(0, 2)", "0  2", "00 02", "c1", "C1", " c1 ", "ｃ１"])
def test_cells(typed):
    assert read_line(typed, GameSession(GameSetup("tictactoe_1v1"))) == (0, 2)


def test_a_number_of_a_choice_is_a_cell_only_at_reversi():
    session = GameSession(GameSetup("reversi_1v1", board_size=4))
    assert [read_line(typed, session) for typed in ("0", "b1", "0 1")] == [(0, 1)] * 3


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("undo", Order(Verb.UNDO)),
        (" Hint ", Order(Verb.HINT)),
        ("q", Order(Verb.QUIT)),
        ("?", Order(Verb.HELP)),
        ("save", Order(Verb.SAVE)),
        ("save My Game.sgf", Order(Verb.SAVE, "My Game.sgf")),
        ("pass", Order(Verb.PASS)),
    ],
)
def test_commands(typed, order):
    assert read_line(typed, GameSession(GameSetup("tictactoe_1v1"))) == order


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "that is no cell: ''; type a cell such as c1, or help"),
        ("a0", "that is no cell: 'a0'"),
        ("02", "that is no cell: '02'"),
        ("0 1 2", "that is no cell"),
        ("0.5 1", "that is no cell"),
        ("undo 2", "that is no cell"),
        ("\x1b[2J", r"that is no cell: '\\x1b[2J'"),
        ("hnit", "unknown command 'hnit'; did you mean hint?"),
        ("-1 0", "-1 0 is off the board, whose cells are from a1 to c3, or 0 0 to 2 2"),
        ("0 3", "0 3 is off the board"),
        ("d1", "d1 is off the board"),
        ("999 0", "999 0 is off the board"),
        ("1 1", "1 1 holds a stone of Black's"),
        ("b2", "b2 holds a stone of Black's"),
    ],
)
def test_what_is_no_move_gets_a_sentence(typed, sentence):
    with pytest.raises(Unplayable, match="^" + re.escape(sentence)):
        read_line(typed, GameSession(GameSetup("tictactoe_1v1"), cells=[(1, 1)]))


def test_at_reversi_a_move_must_turn_a_disc():
    with pytest.raises(Unplayable, match="a1 turns no disc over"):
        read_line("a1", GameSession(GameSetup("reversi_1v1", board_size=4)))


def test_the_rounds_that_report_002_prints(play):
    """The agent moves first; the scores after each ply are those of the report."""
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
    assert "5 5 holds a stone of Black's" in out and "unknown command 'nowhere'" in out
    assert out.rstrip().endswith("you have left the game")


def test_a_game_won_by_the_agent_with_one_board_a_round(play):
    code, out = play("seed003", *TICTACTOE, typed=["b2", "0 2", "2 1"])
    assert code == 0
    assert out.count("   a  b  c\n 1") == 4  # before each of the human's moves, and at the end
    board = "   a  b  c\n 1 ○  ·  ●  1\n 2(○) ●  ·  2\n 3 ○  ●  ·  3\n   a  b  c\n"
    assert out.endswith(board + "White (seed003) wins: 3 in a row from (0, 0) to (2, 0)\n")


def test_a_game_won_by_the_human_on_a_board_of_another_size(play):
    typed = ["3 0", "3 1", "3 2", "3 3", "3 4"]
    code, out = play(path_of("first_free"), "--board-size", "6", "--rules", "stated", typed=typed)
    assert code == 0
    assert out.endswith("Black (you) wins: 5 in a row from (3, 0) to (3, 4)\n")
    assert "says" not in out  # the agent has no last_thought


def test_a_draw(play):
    typed = ["0 1", "1 0", "1 1", "2 0", "2 2"]
    code, out = play(path_of("first_free"), *TICTACTOE, "--rules", "stated", typed=typed)
    assert (code, out.splitlines()[-1]) == (0, "a draw: full board")


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


# What report 000 prints from its player's second move on: the player's move and score, the cells offered to the human,
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


@pytest.mark.parametrize(
    "agent", ["seed000:depth=1", "seed001:depth=1", "montecarlo:playouts=5", "greedy", "tengen:depth=1"]
)
def test_agents_play_on_where_the_human_loses_turns(agent, play):
    """Every second answer loses the turn; the agents play to the end without a fault."""
    code, out = play(agent, "--env", "reversi_8x8_1v1", "--strict", "--colour", "white", typed=["0", "none"] * 40)
    assert code == 0 and re.search("^(.+ wins|a draw): .+, [0-9]+ to [0-9]+$", out.splitlines()[-1])
    assert out.count("your turn is lost") == out.count("unknown command 'none'") > 1


def test_no_choice_at_reversi_may_be_typed_again_otherwise(play):
    _, out = play("greedy", "--env", "reversi_1v1", "--board-size", "4", typed=["4", "0"])
    assert "there is no choice 4, only 0 to 3" in out and "● you: b1" in out
    assert "choices: 0: b1  1: a2  2: d3  3: c4\n" in out
    assert "discs: ● 2, ○ 2; score of greedy: 0\n" in out and "discs: ● 4, ○ 1; score of greedy: -3\n" in out


def test_only_reversi_can_do_without_a_turn(tengen):
    code, _, err = tengen("play", "greedy", "--env", "tictactoe_1v1", "--strict")
    assert code == 2 and "leave it out for tictactoe_1v1" in err


def test_nothing_typed_leaves_the_game(play, tmp_path):
    code, out = play("seed004")
    assert code == 0 and out.endswith("you have left the game\n")
    assert list(tmp_path.iterdir()) == []  # what the agent printed is gone


def test_ctrl_c(play, monkeypatch):
    monkeypatch.setattr("rich.console.Console.input", lambda *args, **options: raise_interrupt())
    code, out = play("seed004")
    assert code == 130 and "the game was interrupted" in out


def raise_interrupt():
    raise KeyboardInterrupt


def test_an_agent_at_fault_loses_and_its_output_is_kept(play, tmp_path):
    code, out = play(path_of("raiser"), *TICTACTOE, typed=["1 1"])
    assert code == 1
    assert "raiser lost game 1 as White by crash: raised ValueError: no idea" in " ".join(out.split())
    assert len(list(tmp_path.glob("tengen-play-*/agent.txt"))) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nobody"], ["greedy", "--env", "go"], ["greedy", "--openings", "no.pos"], ["greedy", "--python", "./p"],
        [], ["level6"], ["--level", "0"], ["greedy", "--level", "1"], ["--resume", "no.json"],
    ],
)
def test_a_users_mistake_is_one_sentence(arguments, tengen):
    code, out, err = tengen("play", *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("tengen: ")


def test_the_example_in_its_docstring():
    assert doctest.testmod(thoughts) == (0, 1)


def test_colours(tengen):
    code, _, err = tengen("play", "greedy", "--colour", "red")
    assert code == 2 and "black" in err and "white" in err


# ---- commands


def test_undo_takes_back_the_move_and_the_answer(play):
    typed = ["undo", "b2", "c3", "undo", "moves", "undo", "moves", "q"]
    code, out = play(path_of("first_free"), *TICTACTOE, typed=typed)
    assert code == 0 and out.count("there is no move of yours to take back") == 1
    assert "   1  b2 a1\n" in out and "no move was made yet" in out
    assert out.rstrip().endswith("you have left the game") and "kept" not in out


def test_undo_takes_back_a_pass_too(play, tmp_path):
    """After White's corner Black must pass."""
    (tmp_path / "mine.pos").write_text("b1c1d3\n", encoding="ascii")
    small = ("--env", "reversi_1v1", "--board-size", "4", "--openings", "mine.pos")
    code, out = play("greedy", *small, "--colour", "white", typed=["a1", "moves", "undo", "moves"])
    lists = [line for line in out.splitlines() if line.startswith("   1  ")]
    assert code == 0 and lists == ["   1  b1 c1 d3 a1 pass", "   1  b1 c1 d3"]


@pytest.mark.parametrize("agent", ["seed003", "greedy", "montecarlo:playouts=5", "tengen:depth=1", "level1"])
def test_agents_play_on_after_undo(agent, play):
    code, out = play(agent, *TICTACTOE, typed=["b2", "undo", "b1", "undo", "c3", "moves", "q"])
    assert code == 0 and re.search(r"^   1  c3 [abc][123]$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("env", "moves", "sentence"),
    [
        ("tictactoe_1v1", ["b2"], "hint: [abc][123]; [A-Zt].+"),
        ("gobang_1v1", ["h8"], "hint: [a-o][0-9]+; (Black|White|the game).+"),
        ("reversi_1v1", ["0"], "hint: [a-j][0-9]+; .+"),
    ],
)
def test_a_hint(env, moves, sentence, play):
    code, out = play("greedy", "--env", env, typed=[*moves, "hint", "q"])
    assert code == 0 and re.search(f"^{sentence}$", out, re.MULTILINE)


def test_resigning_is_asked_for(play):
    code, out = play("greedy", *TICTACTOE, typed=["resign", "n", "pass", "resign", "y"])
    assert code == 0 and out.endswith("White (greedy) wins: Black resigns\n")
    assert "you have a move, so you may not pass" in out


def test_help_names_every_command(play):
    _, out = play("greedy", *TICTACTOE, typed=["help", "board"])
    assert "Type a cell: c2 is column c, row 2 from the top. Or its row and column counted from 0: 1 2." in out
    assert all(re.search(f"^  {verb.value}", out, re.MULTILINE) for verb in Verb if verb is not Verb.HELP)
    assert out.count("   a  b  c\n 1") == 2


@pytest.mark.parametrize("ending", list(writing.KINDS))
def test_save_in_every_format(ending, play, tmp_path):
    code, out = play("greedy", *TICTACTOE, typed=["b2", f"save game.{ending}", "q"])
    assert code == 0 and f"saved: game.{ending}" in out and (tmp_path / f"game.{ending}").stat().st_size
    readable = ending in ("json", "sgf", "psq", "txt")
    assert ("kept" in out) != readable  # a picture is no game that can go on


def test_save_names_a_file_by_itself_and_overwrites_none(play, tmp_path):
    (tmp_path / "mine.sgf").write_text("precious")
    typed = ["b2", "save", "save", "save mine", "save mine.sgf", "save mine.doc", "save no/where.sgf"]
    code, out = play("greedy", *TICTACTOE, typed=typed)
    names = {"tengen-tictactoe_1v1.json", "tengen-tictactoe_1v1_2.json", "mine.json", "mine.sgf"}
    assert code == 0 and {path.name for path in tmp_path.iterdir()} == names
    assert "mine.sgf exists already; give another name" in out and "cannot be written as 'doc'" in out
    assert (tmp_path / "mine.sgf").read_text() == "precious" and "cannot write no/where.sgf" in out


# ---- an unfinished game


def test_an_unfinished_game_is_kept_and_goes_on(play, tmp_path):
    code, out = play(path_of("first_free"), *TICTACTOE, "--rules", "stated", typed=["b2", "c3"])
    assert code == 0 and (tmp_path / "tengen-tictactoe_1v1.json").is_file()
    command = re.search("go on with: tengen play (.+)", out)[1]
    assert command.endswith("first_free.py --resume tengen-tictactoe_1v1.json --colour black")
    code, out = play(*command.split(), typed=["moves", "a3", "c1"])
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
    writing.write_path(game, tmp_path / "game.json")
    code, _, err = tengen("play", "--resume", "game.json")
    assert code == 2 and told in err


def test_ctrl_c_keeps_the_game(play, monkeypatch, tmp_path):
    lines = iter(["b2"])
    monkeypatch.setattr("rich.console.Console.input", lambda *args, **options: next(lines, None) or raise_interrupt())
    code, out = play("greedy", *TICTACTOE)
    assert code == 130 and "the game is kept in tengen-tictactoe_1v1.json" in out
    assert json.loads((tmp_path / "tengen-tictactoe_1v1.json").read_text())["setup"]["env"] == "tictactoe_1v1"


@pytest.mark.parametrize(
    ("refused", "told"), [([""], "the game is kept in "), (["", "/"], "no file can be written here; these are the")]
)
def test_a_game_is_kept_elsewhere_if_the_folder_cannot_be_written(refused, told, play, monkeypatch):
    def made_up(session, folder, write=keeping._made_up):
        if folder.root in refused:
            raise RunnerError("no")
        return write(session, folder)

    monkeypatch.setattr(keeping, "_made_up", made_up)
    code, out = play("greedy", *TICTACTOE, typed=["b2", "q"])
    assert code == 0 and told in out and ("   1  b2" in out) == ("/" in refused)


# ---- levels, colours, another game


@pytest.mark.parametrize("chosen", [["level1"], ["--level", "1"]])
def test_a_level_plays_and_says_what_it_thinks(chosen, play):
    code, out = play(*chosen, "--env", "gobang_1v1", typed=["h8", "h9", "q"])
    assert code == 0 and out.count("○ level1: ") == 2 and re.search("^level1 says: .+", out, re.MULTILINE)
    assert "tengen play level1 --resume" in out


def test_who_begins_is_asked(play):
    _, out = play("seed002", "--env", "gomoku_11x11_1v1", "--colour", "ask", typed=["n", "q"])
    assert out.startswith("do you want Black, who begins? (Y/n)") and "● seed002: g8" in out
    _, out = play("seed002", "--env", "gomoku_11x11_1v1", "--colour", "ask", typed=["Y", "q"])
    assert "seed002:" not in out


def test_again_with_swapped_colours(play):
    typed = ["resign", "y", "what", "moves", "s", "resign", "y", "y", "resign", "y", "n"]
    code, out = play("greedy", *TICTACTOE, "--again", typed=typed)
    assert code == 0 and "type y, s or n" in out
    wins = re.findall("^(.+) wins: (.+)$", out, re.MULTILINE)
    resigned = [("White (greedy)", "Black resigns"), *[("Black (greedy)", "White resigns")] * 2]
    assert wins == resigned and out.count("Type a cell:") == 1


def test_the_last_move_may_be_taken_back_after_the_end(play):
    typed = ["b2", "0 2", "2 1", "undo", "q"]
    code, out = play("seed003", *TICTACTOE, "--again", typed=typed)
    assert code == 0 and "White (seed003) wins" in out and out.count("● your move") == 4


# ---- opinions


@pytest.mark.parametrize(
    ("thought", "told"),
    [
        ({"value": 300, "depth": 4, "pv": [[0, 0], [7, 7]]}, "White is .*better, expects h8"),
        ({"value": -300, "depth": 4, "pv": [[0, 0]]}, "Black is .*better"),
        ({"value": 0, "depth": 4, "pv": [[0, 0], [1, 1]]}, "the game is even, expects b2"),
        ({"value": 999_995, "depth": 4, "pv": [[0, 0], [1, 1]]}, "White wins in 3 moves, expects b2"),
        ({"value": -999_996, "depth": 0, "pv": [[0, 0], [1, 1]]}, "Black wins in 2 moves, expects b2"),
        ({"value": 0, "depth": 0, "pv": [[0, 0]]}, ""),
        ({"value": 5, "depth": 1, "pv": [[0, 0]], "engine": "scorer"}, ""),
        ({"value": "5", "depth": 1, "pv": [[0, 0]]}, ""),
    ],
)
def test_the_opinion_in_our_agents_thought(thought, told):
    session = GameSession(GameSetup("gobang_1v1"), cells=[(7, 7)])
    assert re.fullmatch(told, thoughts.opinion_in(thought, session))


@pytest.mark.parametrize(
    ("value", "told"), [(104_000, "Black wins by 4 discs"), (-100_000, "White wins"), (0, "it will be a draw")]
)
def test_the_opinion_of_a_solved_end_of_reversi(value, told):
    thought = {"value": value, "depth": 3, "pv": [[2, 4]], "source": "solver"}
    assert thoughts.opinion_in(thought, GameSession(GameSetup("reversi_8x8_1v1"))) == told


def test_our_agent_says_who_is_better(play):
    _, out = play("tengen:depth=3", "--env", "gobang_1v1", typed=["a1", "b1", "q"])
    assert re.search("^tengen:depth=3 says: .*(even|better|winning), expects [a-o][0-9]+$", out, re.MULTILINE)


# ---- terminals


@pytest.mark.parametrize(("columns", "size", "across"), [(80, 15, 3), (40, 15, 2), (40, 20, 1), (80, 26, 2)])
def test_the_board_fits_into_the_terminal(columns, size, across):
    console = Console(width=columns, file=open("/dev/null", "w"), record=True)  # noqa: SIM115
    session = GameSession(GameSetup("gobang_1v1", board_size=size), cells=[(2, 1)])
    Shown(session, 0, console).draw()
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= columns and len(lines) == size + 2
    assert lines[3] == " 3" + {3: " · (●)", 2: " ·>●", 1: " ·●"}[across] + lines[3][2 + 2 * across + (across == 1):]


def test_colours_where_the_terminal_has_them():
    console = Console(width=80, file=open("/dev/null", "w"), record=True, force_terminal=True,  # noqa: SIM115
                      color_system="truecolor")  # fmt: skip
    Shown(GameSession(GameSetup("reversi_1v1")), 0, console).draw()
    assert "48;2;46;125;70" in console.export_text(styles=True)


def test_chinese(play):
    languages.use("zh")
    try:
        code, out = play("seed003", *TICTACTOE, typed=["b2", "help", "hint", "undo", "q"])
    finally:
        languages.use("en")
    assert code == 0 and not re.search("your|Type|take back|left the game", out) and "● 你" in out
