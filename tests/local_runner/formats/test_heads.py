"""What files say of a game beside its moves: over all pairs of formats, each part is kept, or named as not kept."""

import itertools
from dataclasses import replace

import pytest

from local_runner.formats import SavedGame, read, read_path
from local_runner.formats.files import FORMATS
from local_runner.formats.heads import HEADS
from local_runner.formats.saved_game import Part
from local_runner.formats.writing import convert, joined
from local_runner.game.setup import GameSetup
from local_runner.language.languages import shown
from tests.local_runner.formats.making import with_a_pass

BOTH = {each.name: each for each in FORMATS if each.read and each.ending}
SAID = dict(zip(HEADS, ["Cup", "2001-02-03", "2", "Kyoto", "5 dan", "1870", "Renju", "600", "5x30"], strict=True))
PARTS = {Part.NAMES: lambda game: game.names, Part.RESULT: lambda game: game.winner,
         Part.ENDING: lambda game: game.ending,
         **{part: (lambda game, part=part: game.heads.get(part)) for part in HEADS}}  # fmt: skip
IN_A_ROW = SavedGame(
    GameSetup("gobang_1v1", "stated"), ((7, 7), (8, 8)), ("ann", "bob"), 2, "Black resigns", heads=SAID
)
WHOLE = replace(IN_A_ROW, setup=GameSetup("reversi_8x8_1v1"), cells=tuple(with_a_pass().cells), ending="")
OPEN = replace(WHOLE, cells=WHOLE.cells[:9], ending="Black lost on time")


def pairs():
    """Two formats and a game that both can hold."""
    for a, b in itertools.product(BOTH.values(), BOTH.values()):
        for game in (WHOLE,) if "wthor" in (a.name, b.name) else (IN_A_ROW, OPEN):
            if (
                a.takes(game.setup.kind)
                and b.takes(game.setup.kind)
                and "position" not in (a.name, game is WHOLE and b.name)
            ):
                yield pytest.param(a, b, game, id=f"{a.name}-{b.name}-{game.setup.env}")


@pytest.mark.parametrize(("a", "b", "game"), pairs())
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
        if part in HEADS and a.name != "wthor":  # the year of its games is a date that it cannot keep
            assert value(before) == (SAID[part] if part in a.heads else None)


@pytest.mark.parametrize(("text", "b", "holds"), [
    ("(;GM[4]RE[W+R];B[hh];W[hg];B[hf])", "json>sgf", "RE[W+R]"), ("(;GM[4]RE[W+T];B[hh])", "json>sgf", "RE[W+T]"),
    ("(;GM[4]RE[B+Time];B[hh])", "csv>pgn>sgf", "RE[B+T]"), ("(;GM[4]RE[B+F];B[hh])", "pgn>csv>sgf", "RE[B+F]"),
    ("(;GM[Othello]TY[8]RE[+64.000:r]B[f5])", "sgf", "RE[B+R]"),
    ("(;GM[Othello]TY[8]RE[-64.000:t]B[f5])", "json>sgf", "RE[W+T]"),
    ('[Result "0-1"]\n[Termination "time forfeit"]\n\n1. f5 0-1', "sgf", "RE[B+T]"),
    ('[Result "1-0"]\n[Termination "Black resigns"]\n\n1. f5 1-0', "ggf", ":r]"),
    ('[Result "1-0"]\n[Termination "rules infraction"]\n\n1. f5 1-0', "sgf", "RE[W+F]"),
    ("(;GM[4]RE[Void];B[hh])", "json>sgf", "GC[Void]"),
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


def test_headers_that_no_format_has_are_named(tmp_path):
    told = []
    convert("(;GM[4]GN[x]ON[y];B[hh])", str(tmp_path / "a.pgn"), told.append)
    convert('[Event "x"]\n[ECO "A00"]\n\n1. h8', str(tmp_path / "a.svg"), told.append)
    assert [each for each in told if each.startswith("not")] == ["not kept by pgn: other headers",
                                                                 "not kept by svg: event, other headers"]  # fmt: skip
    assert read("x", (tmp_path / "a.pgn").read_bytes()).game(0).heads == {}
