"""`tengen convert`: its files, output and refusals; other programs read the same games as ours.

No package reads .psq, offset or WTHOR. They were compared once, 200 games each, without a difference: with a script for
files of the Gomocup, the reader of c-gomoku-cli, and wtb_to_csv.py of E-Kohei/Othello. GGF and OBF were compared with
creversi-python, pos and SGF of gobang with renju."""

import functools
import io
import itertools
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from chess import pgn
from sgfmill import sgf_grammar

from env_adapter.game import BLACK, DRAW, WHITE
from local_runner.agents import spec
from local_runner.command_line.commands.tournament import write_outputs
from local_runner.command_line.options import ManyGames
from local_runner.errors import RunnerError
from local_runner.formats import SavedGame, read, read_path
from local_runner.formats.files import FORMATS
from local_runner.formats.heads import HEADS
from local_runner.formats.saved_game import Part
from local_runner.formats.writing import convert, joined
from local_runner.game.setup import GameSetup
from local_runner.language.languages import shown
from tests.local_runner.formats.making import FIVE, WITH_PASS, with_a_pass

BOTH = {each.name: each for each in FORMATS if each.read and each.ending}
MOVES = "h8h9i9j10"
PASSES = SavedGame(GameSetup("reversi_1v1", board=("....", ".XO.", ".OX.", "O...")), (None, (0, 1)), ("a", "b]"), 2,
                   "Black resigns")  # fmt: skip


def heads_of(text):
    """The names of White and Black and the result of each game, as python-chess reads them."""
    heads = iter(functools.partial(pgn.read_headers, io.StringIO(text)), None)
    return [(head["White"], head["Black"], head["Result"]) for head in heads]


def test_another_program_reads_the_heads_of_our_pgn():
    """The winner's tag and result agree, whatever colour moved first. Programs for ratings read seven tags."""
    games = [replace(FIVE, names=("new", "old"), winner=winner) for winner in (BLACK, WHITE, DRAW, 0)] + [PASSES]
    text = joined(games, BOTH["pgn"]).decode()
    results = ["0-1", "1-0", "1/2-1/2", "*"]
    assert heads_of(text) == [*(("old", "new", result) for result in results), ("b]", "a", "1-0")]
    assert [line.split()[0] for line in text.splitlines()[:7]] == [
        "[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result"
    ]  # fmt: skip


@pytest.mark.parametrize(("format_", "given", "text"), [
    ("pos", [FIVE], "h8a1i8c1j8e1k8a3l8\n"), ("moves", [FIVE, FIVE], "1. h8a1i8c1j8e1k8a3l8\n" * 2),
    ("offset", [FIVE], "0,0, -7,-7, 1,0, -5,-7, 2,0, -3,-7, 3,0, -7,-5, 4,0\n"),
    ("position", [PASSES], "-O---OO--OX-O--- X;\n"),
    ("ggf", [replace(PASSES, thoughts=({"value": 1.5}, None))],
     "(;GM[Othello]PC[tengen]PB[a]PW[b)]RE[-16.000:r]TY[4]BO[4 ---- -*O- -O*- O--- *]B[PASS/1.500]W[B1];)\n"),
    ("table", [PASSES], "black,white,winner,game,ending,moves\n"
     "a,b],2,reversi_1v1 4x4 platform ..../.XO./.OX./O...,Black resigns,-- b1\n"),
    ("pgn", [replace(FIVE, cells=FIVE.cells[:2], seconds=(None, 0.25))],
     '[Event "tengen"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "-"]\n[White "old\\\\er"]\n'
     '[Black "the \\"new\\" one"]\n[Result "0-1"]\n'
     '[Game "gobang_1v1 15x15 platform"]\n[Termination "5 in a row from h8 to l8"]\n\n'
     "1. h8 {book} a1 {0.250s} 0-1\n\n"),
])  # fmt: skip
def test_files_as_their_formats_are_described(format_, given, text):
    assert joined(given, BOTH[format_]).decode() == text


def test_a_database_of_wthor_has_its_names_beside_it(tmp_path):
    game = replace(read("x", WITH_PASS.format("--").encode()).game(0), names=("Ann", "Bob"))
    told = []
    (tmp_path / "in.pgn").write_bytes(joined([game, replace(game, names=("Bob", "Cy"))], BOTH["pgn"]))
    assert convert(str(tmp_path / "in.pgn"), str(tmp_path / "out.wtb"), told.append) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pgn", "out.jou", "out.trn", "out.wtb"]
    content = (tmp_path / "out.wtb").read_bytes()
    assert len(content) == 16 + 2 * 68 and content[4:10] == b"\2\0\0\0\0\0" and content[12:16] == b"\x08\0\0\0"
    assert content[16:24] == bytes([0, 0, 0, 0, 1, 0, 25, 25]) and content[24:26] == bytes([56, 46])  # f5, f4
    assert [each.names for each in read_path(tmp_path / "out.wtb").games()] == [("Ann", "Bob"), ("Bob", "Cy")]
    (tmp_path / "new.trn").write_text("mine")
    with pytest.raises(RunnerError, match=r"new\.trn exists already"):
        convert(str(tmp_path / "in.pgn"), str(tmp_path / "new.wtb"), told.append)
    assert not (tmp_path / "new.wtb").exists()
    assert told[3:] == ["not kept by wthor: name of the game and its rules"]
    long = replace(game, names=("A very long name of a player", "吴"))
    (tmp_path / "in.pgn").write_bytes(joined([long], BOTH["pgn"]))
    convert(str(tmp_path / "in.pgn"), str(tmp_path / "cut.wtb"), told.append)
    assert told[-1] == "not kept by wthor: name of the game and its rules, players (cut)"


def converted(tmp_path, a, b, **options):
    """The exit code, the printed sentences, and the names of all files in the folder."""
    told = []
    code = convert(a, b if b == "-" else f"{tmp_path}/{b}", told.append, **options)
    return code, told, sorted(path.name for path in tmp_path.rglob("*") if path.is_file())


def test_one_file_a_folder_and_the_standard_output(tmp_path, capfdbinary):
    two = tmp_path / "two.sgf"
    two.write_bytes(joined([FIVE, FIVE], BOTH["sgf"]))
    code, told, files = converted(tmp_path, str(two), "out/", to="psq")
    assert (code, files) == (0, ["two-1.psq", "two-2.psq", "two.sgf"])
    assert told[0].endswith("out (2 games, 18 plies, from 4 lines of text)")
    assert read_path(tmp_path / "out" / "two-2.psq").game(0).cells == FIVE.cells
    assert converted(tmp_path, str(two), "-", to="pos", number=2)[0] == 0
    assert capfdbinary.readouterr().out == b"h8a1i8c1j8e1k8a3l8\n"


FORKED = "(;GM[4]SZ[15]PB[a]RE[B+R]C[why];B[hh](;W[ii])(;W[jj]))"


@pytest.mark.parametrize(("text", "b", "code", "told"), [
    (FORKED, "a.pgn", 0, ["written: *", "not kept by pgn: comments and marks, variations"]),
    (FORKED, "a.pos", 0, ["written: *", "not kept by pos: name of the game and its rules, players, winner, "
                          "how the game ended, comments and marks, variations"]),
    (FORKED, "a.svg", 0, ["written: *"]), ('[Black "a"]\n\n1. f5 d6', "a.sgf", 0, ["written: *"]),
    ("(;GM[2];B[fe]AR[fe:df])", "a.txt", 0, ["written: *", "not kept by moves: *, comments and marks"]),
    ('[Black "a"]\n\n1. f5 {x} d6', "a.sgf", 0, ["written: *", "not kept by sgf: comments and marks"]),
    ('[Black "a"]\n\n1. f5 d6 (1... f6)', "a.sgf", 0, ["written: *", "not kept by sgf: variations"]),
    ('{"id":7,"moves":"f5d6"}', "a.sgf", 0, ["written: *", "not kept by sgf: other headers"]),
    ('[Result "24-40"]\n\n1. f5 d6 24-40', "a.sgf", 0, ["written: *", "not kept by sgf: other headers"]),
    ("(;GM[Othello]TY[8k]KM[-4.5]B[f5])", "a.sgf", 0, ["written: *", "not kept by sgf: other headers"]),
    ("(;GM[4]GN[x]ON[y];B[hh])", "a.pgn", 0, ["written: *", "not kept by pgn: other headers"]),
    ('[Event "x"]\n[ECO "A00"]\n\n1. h8', "a.svg", 0, ["written: *", "not kept by svg: event, other headers"]),
    ("(;GM[4]SZ[15];B[hh];W[hh])(;GM[2]SZ[8];B[fe])", "a.offset", 2,
     ["game 1: line 1: ply 2, h8, cannot be played*", "game 2: a .offset file cannot hold reversi_8x8_1v1*",
      "written: *", "not kept by offset*"]),
    ("(;GM[4];B[hh];W[hh])" * 12, "a.pos", 2, [*(f"game {number}: *" for number in range(1, 11)), "and 2 more games",
                                               "written: *", "not kept by pos*"]),
])  # fmt: skip
def test_what_is_lost_or_damaged_is_said(text, b, code, told, tmp_path):
    found, sentences, files = converted(tmp_path, text, b)
    assert (found, files) == (code, [b])
    assert all(map(fnmatchcase, sentences, told)) and len(sentences) == len(told)


def test_sgf_from_sgf_keeps_everything(tmp_path):
    text = "(;GM[4]SZ[15]PB[a]RE[B+R]C[why];B[hh]TR[hh]AR[hh:ii]LN[aa:cc](;W[ii])(;W[jj]C[or]))"
    assert converted(tmp_path, text, "a.sgf")[1][1:] == []
    (tmp_path / "ours.pgn").write_bytes(joined([FIVE], BOTH["pgn"]))  # its comments are times and "book"
    assert converted(tmp_path, str(tmp_path / "ours.pgn"), "b.sgf")[1][1:] == []
    trees = map(sgf_grammar.parse_sgf_game, ((tmp_path / "a.sgf").read_bytes(), text.encode()))
    assert len(set(map(sgf_grammar.serialise_game_tree, trees))) == 1


@pytest.mark.parametrize(("a", "b", "options", "sentence"), [
    (MOVES, "there.sgf", {}, r"there\.sgf exists already; give another name, or --force"),
    ("there.sgf", "there.sgf", {"force": True}, "is the file that is read; give another name"),
    (MOVES, "a.doc", {}, "a game cannot be written as 'doc'; choose one of: "),
    (MOVES, "a", {}, "say in which format by --to, one of: "),
    (MOVES, "-", {}, "say in which format by --to, one of: "),
    (MOVES, "a.x", {"to": "match"}, "unknown format 'match'"),
    (MOVES, "a.sgf", {"source": "psq"}, "the moves cannot be read as psq; leave out --as"),
    (")", "a.sgf", {"source": "offset"}, "line 1 cannot be read"),
    (MOVES, "a.ggf", {}, r"a \.ggf file cannot hold gobang_1v1; give a file"),
    (MOVES, "a.sgf", {"number": 2}, "there is no game 2; the file has 1"),
    (MOVES + "\n" + MOVES, "a.psq", {}, "a file of psq holds one game, not 2; choose one by --game, or name"),
    ("(;GM[2]SZ[8];B[fe])(;GM[2]SZ[8];B[fe])", "a.psq", {}, "no game of the file can be written as psq"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_sentence(a, b, options, sentence, tmp_path):
    (tmp_path / "there.sgf").write_text("(;GM[4];B[hh])")
    with pytest.raises(RunnerError, match=sentence):
        converted(tmp_path, str(tmp_path / a) if a.endswith("sgf") else a, b, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["there.sgf"]


def test_a_tournaments_games_are_written_at_its_end(tournament, tmp_path):
    path, session = tournament
    result = {1: "0-1", 2: "1-0", 3: "1/2-1/2"}[session.result.winner]
    write_outputs(path, ManyGames(pgn=tmp_path / "games.txt", sgf=tmp_path / "games.sgf"))
    text = (tmp_path / "games.txt").read_text()
    assert heads_of(text) == [("random", "greedy", result), ("greedy", "random", result)]
    assert [game.cells for game in read_path(tmp_path / "games.txt").games()] == [tuple(session.cells)] * 2
    found = [game.names for game in read_path(tmp_path / "games.sgf").games()]
    assert found == [("greedy", "random"), ("random", "greedy")]


def test_names_of_agents():
    agents = tuple(map(spec.parse_agent, ("greedy", "random")))
    assert [each.name for each in spec.named(agents, ["new ", " old"])] == ["new", "old"]
    assert [each.name for each in spec.named(agents, ["", "old"])] == ["greedy", "old"]
    with pytest.raises(RunnerError, match="3 names are given for 2 agents; give one for each"):
        spec.named(agents, ["a", "b", "c"])


@pytest.mark.slow
def test_a_played_tournament_with_pgn(tengen, tmp_path):
    words = "tournament random random --env tictactoe_1v1 --rounds 1 --names new,old --pgn t.pgn --out t.jsonl --quiet"
    assert tengen(*words.split())[0] == 0
    found = heads_of((tmp_path / "t.pgn").read_text())
    assert sorted(game[:2] for game in found) == [("new", "old"), ("old", "new")]
    assert tengen("tournament", "--resume", "t.jsonl", "--rounds", "2", "--pgn", "t.pgn", "--quiet")[0] == 0
    assert len(heads_of((tmp_path / "t.pgn").read_text())) == 4


# ---- what files say of a game beside its moves: over all pairs of formats, each part is kept, or named as not kept

SAID = dict(zip(HEADS, ["Cup", "2001-02-03", "2", "Kyoto", "5 dan", "1870", "Renju", "600", "5x30"], strict=True))
PARTS = {Part.NAMES: lambda game: game.names, Part.RESULT: lambda game: game.winner,
         Part.ENDING: lambda game: game.ending,
         **{part: (lambda game, part=part: game.heads.get(part)) for part in HEADS}}  # fmt: skip
IN_A_ROW = SavedGame(GameSetup("gobang_1v1", "stated"), ((7, 7), (8, 8)), ("ann", "b"), 2, "Black resigns", heads=SAID)
WHOLE = replace(IN_A_ROW, setup=GameSetup("reversi_8x8_1v1"), cells=tuple(with_a_pass().cells), ending="")
OPEN = replace(WHOLE, cells=WHOLE.cells[:9], ending="Black lost on time")


def pairs():
    """Two formats and a game that both can hold."""
    for a, b in itertools.product(BOTH.values(), BOTH.values()):
        for game in (WHOLE,) if "wthor" in (a.name, b.name) else (IN_A_ROW, OPEN):
            kind = game.setup.kind
            if a.takes(kind) and b.takes(kind) and "position" not in (a.name, game is WHOLE and b.name):
                yield pytest.param(a, b, game, id=f"{a.name}-{b.name}-{game.setup.env}")


@pytest.mark.parametrize(("a", "b", "game"), list(pairs()))
def test_each_part_is_kept_or_named(a, b, game, tmp_path):
    content, told = joined([game], a), []
    (tmp_path / f"a.{a.ending}").write_bytes(content)
    for ending, beside in (a.beside([game]) if a.beside else {}).items():
        (tmp_path / f"a{ending}").write_bytes(beside)
    before = read_path(tmp_path / f"a.{a.ending}", kind=a).game(0)
    assert convert(str(tmp_path / f"a.{a.ending}"), str(tmp_path / f"b.{b.ending}"), told.append, source=a.name) == 0
    after = read_path(tmp_path / f"b.{b.ending}", kind=b).game(0)
    named = set(next((each for each in told if each.startswith("not kept")), "").partition(": ")[2].split(", "))
    for part, value in PARTS.items():
        is_said = value(before) and value(before) != ("Black", "White")
        if shown(part.value) in named:
            assert is_said and part not in b.heads
        elif is_said and (part in HEADS or before.result is None):
            assert value(after) == value(before)
        if part in HEADS and a.name != "wthor":  # WTHOR keeps only the year of a date
            assert value(before) == (SAID[part] if part in a.heads else None)


@pytest.mark.parametrize(("text", "b", "holds"), [
    ("(;GM[4]RE[W+R];B[hh];W[hg];B[hf])", "json>sgf", "RE[W+R]"), ("(;GM[4]RE[W+T];B[hh])", "json>sgf", "RE[W+T]"),
    ("(;GM[4]RE[B+Time];B[hh])", "csv>pgn>sgf", "RE[B+T]"), ("(;GM[4]RE[B+F];B[hh])", "pgn>csv>sgf", "RE[B+F]"),
    ("(;GM[Othello]TY[8]RE[+64.000:r]B[f5])", "sgf", "RE[B+R]"),
    ("(;GM[Othello]TY[8]RE[-64.000:t]B[f5])", "json>sgf", "RE[W+T]"),
    ('[Result "0-1"]\n[Termination "time forfeit"]\n\n1. f5 0-1', "sgf", "RE[B+T]"),
    ('[Result "1-0"]\n[Termination "Black resigns"]\n\n1. f5 1-0', "ggf", ":r]"),
    ('[Result "1-0"]\n[Termination "rules infraction"]\n\n1. f5 1-0', "sgf", "RE[W+F]"),
    ("(;GM[4]RE[Void];B[hh])", "json>sgf", "GC[Void]"), ("(;GM[4]RE[0];B[hh])", "psq>sgf", "RE[0]"),
    ("(;GM[4]PB[ann])", "pgn>sgf", "PB[ann]"),
    ("Piskvorky 15x15, 11:11, 0\n8,8,5\nA\nB\n0\n1,Renju\n", "psq", "1,Renju"),
    ("Piskvorky 15x15, 11:11, 0\n8,8,5\nA\nB\n-1\n0,有禁手\n", "sgf>json>psq", "0,有禁手"),
    ("(;GM[4]RU[Standard];B[hh])", "json>sgf", "RU[Standard]"), ("(;GM[4];B[hh])", "json>sgf", "RU[gobang_1v1 stated]"),
    ("(;GM[4]DT[2001-02];B[hh])", "pgn", '[Date "2001.02.??"]'), ("(;GM[4]DT[2001];B[hh])", "pgn>sgf", "DT[2001]"),
    ("(;GM[4]TM[];B[hh])", "pgn", '[Event "tengen"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "-"]'),
    ("(;GM[Othello]TY[8]TI[15:00//02:00]B[f5])", "sgf>pgn", '[TimeControl "15:00//02:00"]'),
])  # fmt: skip
def test_values_that_formats_write_differently(text, b, holds, tmp_path):
    path = tmp_path / "a"
    path.write_text(text)
    for number, ending in enumerate(b.split(">")):
        convert(str(path), str(tmp_path / f"{number}.{ending}"), [].append)
        path = tmp_path / f"{number}.{ending}"
    assert holds in path.read_text()
