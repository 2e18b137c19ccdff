"""A mistake on the command line, or a path, is one sentence with exit code 2, before anything is written or played."""

import io
import os
import sys

import pytest
from rich.console import Console

from local_runner.matches import screens
from local_runner.play import prompt
from tests.local_runner.command_line.test_command_line import COMMANDS
from tests.local_runner.processes.naughty import path_of

USAGE = [  # command line -> the sentence, before "(see COMMAND -h)"
    ("match greedy", "B is missing"),
    ("match a b c d", "too many arguments: c d"),
    ("replay h8 i9 i8", "too many arguments: i9 i8; give one file, or all moves in quotation marks"),
    ("match a b --games 0", "--games must be a whole number from 1 to 100000, not '0'"),
    ("match a b --seed x", "--seed must be a whole number from 0 to 2147483647, not 'x'"),
    ("sprt a b --elo0 x", "--elo0 must be a number from -200 to 200, not 'x'"),
    ("match a b --time nan", "--time must be a number from 0.001 to 3600, not 'nan'"),
    ("match a b --time inf", "--time must be a number from 0.001 to 3600, not 'inf'"),
    ("match a b --games", "--games needs a value"),
    ("match a b --out=", "--out needs a value"),
    ("match a b --quiet=1", "--quiet takes no value"),
    ("match a b --time=1 --time 2", "--time is given twice; give it once"),
    ("match a b --gmaes 1", "unknown option '--gmaes'; did you mean --games?"),
    ("match a b -games=2", "unknown option '-games'; did you mean --games?"),
    ("match a b -gmaes 2", "unknown option '-gmaes'; did you mean --games?"),
    ("match a b --rounds 2", "unknown option '--rounds'; did you mean --games?"),
    ("match a b -x", "unknown option '-x'"),
    ("tournament a b -concurrency 2", "unknown option '-concurrency'; did you mean --jobs?"),
    ("sprt a b --model logistical", "unknown --model 'logistical'; did you mean logistic?"),
    ("match a b --sandbox onn", "unknown --sandbox 'onn'; did you mean on?"),
    ("games all.txt --json", "too many arguments: all.txt"),
    ("bundle my.py", "this packs our own agent; check yours with `tengen check my.py`, then upload it as it is"),
    ("help", "unknown command 'help'; did you mean -h?"),
    ("mtach", "unknown command 'mtach'; did you mean match?"),
    ("play --level 0", "--level must be a whole number from 1 to 5, not '0'"),
    ("bench nothing", "unknown command 'nothing'; choose one of: speed, latency"),
    ("-v", "unknown option '-v'; did you mean --version?"),
    ("-games 2", "--games stands after the command that has it: match"),
]
TICTACTOE = ("--env", "tictactoe_1v1")
WRONG = [  # the value of an option or an argument -> a part of the sentence
    (("sprt", "--resume", "my.db"), "a test goes on by another command: tengen tournament --resume my.db"),
    (("play", "a", "--colour", "whit"), "unknown colour 'whit'; did you mean white?"),
    (("play", "levle3"), "unknown agent 'levle3'; did you mean level3? (or give the path of a submission.py)"),
    (("match", "tengn", "greedy"), "unknown agent 'tengn'; did you mean tengen? (or give the path"),
    (("match", "./nobody.py", "greedy"), "there is no agent at ./nobody.py"),
    (("match", path_of("no_controller"), "greedy"), "has no function my_controller"),
    (("match", "greedy:depth=3", "greedy"), "takes no options"),
    (("match", "tengen:dept=3", "greedy"), "cannot be played: unknown option 'dept'; did you mean depth?"),
    (("match", "greedy", "greedy", "--env", "go"), "unknown game 'go'; choose one of: gobang_1v1, "),
    (("match", "greedy", "greedy", "--env", "井字棋", "--board-size", "2"), "3 in a row do not fit on a board of 2x2"),
    (("match", "greedy", "greedy", "--rules", "weird"), "unknown rules 'weird'; choose one of: platform, stated"),
    (("match", "greedy", "greedy", "--python", "./python9"), "./python9 was not found; give the path"),
    (("match", "greedy", "greedy", *TICTACTOE, "--games", "3", "--opening-plies", "9"), "fewer --opening-plies"),
    (("match", "greedy", "greedy", "--openings", "tset"), "unknown book of openings 'tset'; did you mean test?"),
    (("match", "greedy", "greedy", "--openings", "x.pos"), "cannot read openings from x.pos: No such file"),
    (("match", "greedy", "greedy", "--openings", path_of("raiser")), "raiser.py, line 1 cannot be read"),
    (("match", "greedy", "greedy", *TICTACTOE, "--out", os.devnull), f"{os.devnull} is no folder; choose another"),
    (("run-log", "--black", path_of("raiser"), "--white", "greedy", "--out", __file__), "is no folder; choose"),
    (("tournament", "greedy", "random", *TICTACTOE), "--out FILE"),
    (("tournament", "greedy", "--out", "t.jsonl", *TICTACTOE), "needs two agents or more, not 1"),
    (("tournament", "greedy", "random", "--out", "pool", "--schedule", "cup"), "one of: round-robin, gauntlet, swiss"),
    (("tournament", "greedy", path_of("bad_import"), "--out", "t.jsonl"), "cannot be loaded: it raised ModuleNotFound"),
    (("tournament", "greedy", "tengen", "--out", "t.jsonl", "--each", "nodes=3"), "was given nodes=3"),
    (("tournament", "tengen", "random", "--out", "pool", "--openings", "tune", "--board-size", 13), "give --openings"),
    (("tournament", "greedy", "random", "--out", "pool", "--python", "/bin/true"), "cannot be run (it is no Python)"),
    (("tournament", "greedy", "random", "--out", "pool", "--each", "foo"), "cannot read the option 'foo'; write key"),
    (("sprt", "greedy", "random", *TICTACTOE), "the games need a file: give --out FILE"),
    (("tournament", "--resume", "t.jsonl"), "there is no tournament file t.jsonl"),
    (("tournament", "greedy", "--resume", "t.jsonl"), "leave out the agents, or begin a new one"),
    (("sprt", "greedy", "random", "--elo0", 5, "--elo1", 5, "--out", "t.jsonl"), "elo0 < elo1"),
    (("tournament", "greedy", "random", "--out", "t.jsonl", "--executor", "cloud"), "unknown executor 'cloud'"),
    (("sprt", "greedy", "random", "--executor", "ray", "--jobs", 4), "--jobs is for one machine"),
]
GAME = "(;GM[2]FF[4]SZ[8];B[d3])"  # Reversi 8x8, unfinished
FILES = {"game.sgf": GAME, "two.sgf": GAME + GAME, "board.txt": "....\n.OX.\n.XO.\n....\n"}
USELESS = [  # a command line, such as one with an option that has no effect beside others -> a part of the sentence
    ("match greedy random --opening-plies 4", "so --opening-plies needs --openings random or more --games"),
    ("match greedy random --openings test --opening-plies 4", "not of test; leave it out"),
    ("match greedy random --env reversi_8x8_1v1 --board board.txt --opening-plies 4", "not of start; leave it out"),
    ("match greedy random --no-limits --time 5", "--no-limits switches the limits off: leave out --time"),
    ("match greedy random --no-limits --memory 500 --time 1", "leave out --time, --memory"),
    ("match greedy random --lenient --rules stated", "so it needs --rules platform"),
    ("match greedy random --board board.txt --env reversi_8x8_1v1 --board-size 4", "give --board or --board-size, not"),
    ("match greedy random --board board.txt", "--board is for reversi_1v1, reversi_8x8_1v1 only"),
    ("play greedy --resume game.sgf --env tictactoe_1v1", "and how it began: leave out --env"),
    ("play greedy --resume game.sgf --seed 3 --rules stated --openings random", "leave out --rules, --seed, --op"),
    ("play greedy --resume game.sgf --board-size 6 --board board.txt", "leave out --board-size, --board"),
    ("play level2 --time 2", "a level of our engine has its own limits: leave out --time"),
    ("play --level 2 --memory 100 --ponder --python python3", "leave out --python, --memory, --ponder"),
    ("play greedy --strict", "--strict takes turns away, which only reversi_1v1, reversi_8x8_1v1 allow"),
    ("play greedy --level 2", "give an agent or --level, not both"),
    ("replay two.sgf --ply 1", "the file has 2 games; choose one by --game"),
    ("replay two.sgf --out one.sgf", "the file has 2 games; choose one by --game"),
    ("replay game.sgf --env gobang_1v1", "holds a game of reversi_8x8_1v1, not of gobang_1v1; leave out --env"),
    ("replay game.sgf --env reversi_8x8_1v1 --board-size 6", "game.sgf names its own board; leave out --board-size"),
    ("replay game.sgf --board-size 6", "--board-size and --board need --env"),
    ("replay game.sgf --out a.sgf --out a.sgf", "a.sgf would be written twice; name another file"),
    ("replay game.sgf --out a.html --html ./a.html", "a.html would be written twice; name another file"),
    ("replay game.sgf --game 2", "there is no game 2; the file has 1"),
    ("replay h8i9 --ply 3", "the game has 2 plies; give --ply a smaller number"),
    ("analyse", "give a file of games, or moves such as h8h9i9, or --env and --board"),
    ("analyse h8i9 --game 2", "there is no game 2; the file has 1"),
    ("analyse h8i9 --ply 3", "the game has 2 plies; give --ply a smaller number"),
    ("play", "name whom you want to play: level1 to level5, or an agent that tengen opponents lists"),
    ("play level6", "there is no level 6; the levels are 1 to 5"),
    ("play greedy --python ./p", "./p was not found; give the path of a Python"),
    ("play greedy --openings no.pos", "cannot read openings from no.pos: No such file or directory"),
    ("analyse game.sgf --env gobang_1v1", "holds a game of reversi_8x8_1v1, not of gobang_1v1; leave out --env"),
    ("analyse game.sgf --env reversi_8x8_1v1 --board board.txt", "game.sgf names its own board; leave out"),
    ("analyse h8 --whole --ply 1", "give its moves, and leave out --ply"),
    ("analyse --env gobang_1v1 --whole", "--whole analyses each move of a game: give its moves"),
    ("analyse --env gobang_1v1 --game 2", "--game chooses a game of a file: give a file"),
    ("analyse h8 --board board.txt", "--board-size and --board need --env"),
    ("tournament greedy random --out t.jsonl --address localhost:1", "needs --executor ray"),
    ("tournament --resume t.jsonl --each nodes=3 --openings test", "leave out --openings, --each, or begin a new one"),
    ("tournament --resume t.jsonl --time 2 --seed 0 --quiet", "leave out --time, --seed, or begin a new one"),
    ("tournament --resume t.jsonl --env gobang_1v1 --out u.jsonl", "leave out --env, --out, or begin a new one"),
    ("sprt greedy random --out pool --resume pool", "a test goes on by another command: tengen tournament --resume"),
]


@pytest.mark.parametrize(("arguments", "line"), USAGE)
def test_usage(arguments, line, tengen):
    name = arguments.split()[0]
    command = f"tengen {name}" if (name,) in COMMANDS else "tengen"
    assert tengen(*arguments.split()) == (2, "", f"tengen: {line} (see {command} -h)\n")


@pytest.mark.parametrize(("arguments", "sentence"), [
    *WRONG, *((arguments.split(), sentence) for arguments, sentence in USELESS)
])  # fmt: skip
def test_a_mistake_is_one_sentence_and_leaves_nothing(arguments, sentence, tengen, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _, mode, **__: mode != os.R_OK)  # the parser, all English, refuses none
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    code, out, err = tengen(*arguments)
    assert (code, out, len(list(tmp_path.iterdir()))) == (2, "", len(FILES))
    last = err.splitlines()[-1]
    assert last.startswith("tengen: ") and sentence in last and "Traceback" not in err


def test_a_tournament_names_all_agents_that_cannot_be_played_and_can_skip_them(tengen, tmp_path):
    (tmp_path / "typo.py").write_text("def my_controller(a, b)\n")
    wrong = [path_of("bad_import"), "typo.py", "no_such_folder/", path_of("no_controller")]
    command = ["tournament", *wrong, "greedy", "random", "--names", "Q1,Q2,Q3,Q4,Q5,Q6", *TICTACTOE, "--out", "t.jsonl"]
    code, out, err = tengen(*command)
    assert (code, out) == (2, "") and not (tmp_path / "t.jsonl").exists()
    assert err.splitlines()[-1] == ("tengen: agents that cannot be played: 4; to play the other 2 without them, "
                                    "add --skip")  # fmt: skip
    for part in ("Q1 cannot be loaded", "Q2 cannot be played: ", "no agent at no_such_folder/", "Q4 cannot be played"):
        assert part in err, err
    code, out, skipped = tengen(*command, "--skip", "--quiet")
    assert code == 0 and skipped.splitlines() == err.splitlines()[:-1]
    assert [f"Q{number}" in out for number in range(1, 7)] == [False] * 4 + [True] * 2


def test_a_game_that_the_file_names_too_is_obeyed(tengen, tmp_path):
    (tmp_path / "game.sgf").write_text(GAME)
    named = tengen("replay", "game.sgf", "--env", "reversi_8x8_1v1")
    assert named == tengen("replay", "game.sgf") == tengen("replay", "game.sgf", "--env=reversi_8x8_1v1", "--game=1")
    assert named[0] == 0


def test_a_message_with_a_name_in_it_stays_one_line(tengen):
    code, out, err = tengen("match", "x\n\x1b[2Jtengen: all is well.py", "greedy")
    assert (code, out, err.count("\n")) == (2, "", 1) and "\x1b" not in err
    assert len(tengen("match", "x" * 9000, "greedy")[2]) < 2000


# ---- paths

LONG = "x" * 300
MATCH = "match greedy random --env tictactoe_1v1 --games 1"
TOURNAMENT = "tournament greedy random --env tictactoe_1v1"
UNREADABLE = {  # a command up to its path -> what the sentence says of a link to nowhere, a pipe, a folder, a long name
    "replay": ("is no file", "it is a pipe", "Is a directory", "is no file"),
    "analyse": ("is no file", "it is a pipe", "Is a directory", "is no file"),
    "play greedy --resume": ("No such file", "it is a pipe", "Is a directory", "File name too long"),
    "match greedy random --env reversi_1v1 --board": ("No such", "it is a pipe", "Is a directory", "name too long"),
    f"{MATCH} --openings": ("unknown book", "it is a pipe", "Is a directory", "unknown book"),
    "report": ("there is no tournament", "there is no tournament", "is a folder", "File name too long"),
    "tournament --resume": ("there is no tournament", "there is no", "is a folder", "File name too long"),
    "check": ("is a link to nowhere", "is no file that can be read", "has no submission.py", "there is no file"),
    "match greedy": ("is a link to nowhere", "is no file that", "has no submission.py", "unknown agent"),
    "bundle --source": (*["holds no submission.py"] * 3, "File name too long"),
}
UNWRITABLE = {  # a command up to its path -> what the sentence says of a folder, a missing folder, a pipe, a long name
    f"{MATCH} --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "analyse h8 --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "games --json": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    f"{TOURNAMENT} --out pool --json": ("it is a folder", "there is no folder", "it is a pipe", "name too long"),
    "replay f5d6c3 --out": (None, "there is no folder nodir", None, "File name too long"),
    "replay f5d6c3 --html": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "proof --html": ("it is a folder", "there is no folder nodir", "it is a pipe", "File name too long"),
    "bundle --out": ("Is a directory", None, "it is a pipe", "File name too long"),
    f"{TOURNAMENT} --out": ("Is a directory", "No such file", "exists and is not empty", "File name too long"),
}


@pytest.fixture
def places(tmp_path):
    if os.name != "posix":
        pytest.skip("named pipes and symbolic links")
    (tmp_path / "broken").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", UNREADABLE)
def test_what_cannot_be_read(command, tengen, places):
    after = {"match greedy": ["--env", "tictactoe_1v1"]}.get(command, [])
    for name, said in zip(("broken", "pipe", "folder", LONG), UNREADABLE[command], strict=True):
        code, _, err = tengen(*command.split(), name, *after)
        assert (code, err.count("\n")) == (2, 1) and err.startswith("tengen: ") and said in err, (name, err)


@pytest.mark.parametrize("command", UNWRITABLE)
def test_what_cannot_be_written(command, tengen, places):
    words = command.split()
    for name, said in zip(("folder", "nodir/x.json", "pipe", f"{LONG}.json"), UNWRITABLE[command], strict=True):
        if said is None:
            continue
        given = [f"{words[-1]}={name}"] if words[-1] == "--json" else [words[-1], name]
        code, _, err = tengen(*words[:-1], *given)
        assert (code, err.count("\n")) == (2, 1) and err.startswith("tengen: ") and said in err, (name, err)
        assert not (places / "nodir").exists()


@pytest.mark.parametrize("command", [f"{MATCH} --out", "run-log --black greedy --white random --out"])
@pytest.mark.parametrize("name", ["broken", "broken/deeper", "round"])
def test_a_folder_behind_a_link_to_nowhere(command, name, tengen, places):
    (places / "round").symlink_to("round")
    code, _, err = tengen(*command.split(), name)
    link = name.partition("/")[0]
    assert (code, err) == (2, f"tengen: cannot write {name}: {link} is a link to nowhere; choose another --out\n")


@pytest.mark.slow
@pytest.mark.parametrize("ended", [None, KeyboardInterrupt])
def test_a_tournament_whose_file_goes_is_not_to_be_resumed(ended, tengen, tmp_path, monkeypatch):
    def observed(screen, game):
        ending(screen, game)
        if game.number == 2:
            (tmp_path / "a.jsonl").unlink()
            if ended:
                raise ended

    ending = screens.TournamentScreen.ended
    monkeypatch.setattr(screens.TournamentScreen, "ended", observed)
    code, _, err = tengen(*TOURNAMENT.split(), "--rounds", 5, "--jobs", 1, "--quiet", "--out", "a.jsonl")
    assert code == 2 and "--resume" not in err
    assert err.splitlines()[0] == "tengen: the tournament was interrupted after 2 of at most 10 games"
    assert err.splitlines()[1].startswith("tengen: a.jsonl was removed")


def test_serve_says_which_file_cannot_be_watched(tengen, tmp_path, monkeypatch):
    (tmp_path / "results.txt").write_text("1-0\n" * 99)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, _, err = tengen("serve", "results.txt", "no.jsonl", "--no-open")
    assert (code, err.count("\n")) == (2, 1)
    assert "results.txt is no tournament's file" in err and "there is no tournament file no.jsonl" in err


def test_a_long_game_may_be_an_argument(tengen):
    """The text of the moves has 329 characters; the name of a file has at most 255."""
    cells = [f"{column}{row}" for row in (1, 3, 2, 4, 6, 5, 7, 9) for column in "acegikmobdfhjln"]
    code, out, _ = tengen("replay", " ".join(cells[:110]), "--out", "game.txt")
    assert "File name too long" not in out and "written: game.txt" in out and code in (0, 2)


def test_a_closed_input_is_the_end_of_the_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(prompt.Left):
        prompt.ask(Console(file=io.StringIO()), "move? ")
