"""Moves as people write them: numbers, separators, full-width signs, words for a pass, lines, columns and tables."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_runner.errors import RunnerError
from local_runner.formats import GameFile, read, read_path
from local_runner.formats.reading import is_moves, read_argument
from local_runner.game.coordinates import name
from local_runner.game.move_text import PASSES, is_pass, read_moves
from local_runner.game.setup import GameSetup
from local_runner.matches.openings import books
from tests.local_runner.formats.making import WITH_PASS

FOUR = ((7, 7), (7, 8), (8, 8), (8, 7))  # h8 i8 i9 h9


def games_of(text, name="x.txt", setup=None):
    found = read(name, text if isinstance(text, bytes) else text.encode(), setup)
    games = list(found.games())
    assert [heading.plies for heading in found.listed()] == [len(game.cells) for game in games]
    assert not any(game.damage for game in games)
    return [game.cells for game in games]


@pytest.mark.parametrize(("cells", "text"), [
    *((FOUR, text) for text in [
        "h8i8i9h9", "黑1 h8 白2 i8 黑3 i9 白4 h9", "①h8②i8③i9④h9", "1. h8 i8 2. i9 h9", "1... h8 i8 2... i9 h9",
        "１．ｈ８　ｉ８　２．ｉ９　ｈ９", "1. h8 i8\n2. i9 h9\n", "1. h8\n2. i8\n3. i9\n4. h9", "h8\ni8\ni9\nh9\n",
        "h8 i8\ni9 h9", "* h8\n* i8\n* i9\n* h9",
        "   1  h8  i8\n   3  i9  h9", "# mine\nh8 i8 # two\ni9 h9", "h08i08i9h9", "1: B h8\n2: W i8\n3: B i9\n4: W h9",
        "1. 8h 8i 2. 9i 9h", "1 8h 2 8i 3 9i 4 9h", "B 8h W 8i B 9i W 9h", "{h8} {i8} {i9} {h9}",
        "1\ufe0f\u20e3 h8 2\ufe0f\u20e3 i8 3\ufe0f\u20e3 i9 4\ufe0f\u20e3 h9", "<p>h8<br>i8<br/>i9 <b>h9</b></p>",
        "2024-02-03 ann - bob\n1. h8 i8\n2. i9 h9", "五子棋对局\nh8 i8 i9 h9", "黑 白\nh8 i8\ni9 h9",
        "----- Text Board -----\n\n  Black    White\n  1 H8     2 I8\n  3 I9     4 H9\n",
        "Eks   Ohs\nann   bob\n1 h8   2 i8\n3 i9   4 h9\n", "move,black,white\n1,h8,i8\n2,i9,h9\n",
        "\ufeffn;Black;White\r\n1;h8;i8\r\n2;i9;h9\r\n",
        "| No. | Black | White |\n|----:|-------|-------|\n| 1 | h8 | i8 |\n| 2 | i9 | h9 |\n",
        "手数,颜色,坐标\n1,黑,h8\n2,白,i8\n3,黑,i9\n4,白,h9\n", "No.\n1\nh8\ni8\n2\ni9\nh9\n",
        "```\nh8 i8 i9 h9\n```\n", "-----\nh8i8i9h9\n=====\n", "1\nh8\n2\ni8\n3\ni9\n4\nh9\n",
        "boardsize 15\nplay B h8\nplay W i8\nplay B i9\nplay W h9\n",
    ]),
    *((((7, 7), (8, 8), (7, 8)), text) for text in [  # rows and columns from 0, and split names
        "7,7 8,8 7,8", "(7,7) (8,8) (7, 8)", "[[7,7],[8,8],[7,8]]", "(7,7),(8,8),(7,8)", "[\n[7,7],\n[8,8],\n[7,8]\n]",
        "7,7\n8,8\n7,8", "(7 7) (8 8) (7 8)", "1. 7,7 8,8 2. 7,8",
        "７，７ ８，８ ７，８", "h-8 i-9 i-8", "h,8 i,9 i,8", "H 8 I 9 I 8",
    ]),
])  # fmt: skip
def test_one_game_in_many_writings(cells, text, tmp_path):
    assert games_of(text) == [cells]
    (tmp_path / "pasted.txt").write_text(text, "utf-8")
    assert read_path(tmp_path / "pasted.txt").game(0).cells == cells
    if "#" not in text:
        assert is_moves(text) and read_argument(text).game(0).cells == cells


@pytest.mark.parametrize(("text", "lengths"), [
    ("h8h9i9\nh8h9", [3, 2]), ("1. h8h9i9\n1. h8i9", [3, 2]), ("1. h8 h9 i9\n2. h8 i9", [3, 2]),
    ("f5d6c3d3c4\nf5f6e6", [5, 3]), ("f5 d6 c3 d3\nc4 f4 c5 b3", [8]), ("f5 d6\nc3 d3 c4\nf5f6e6", [5, 3]),
    ("f5d6c3d3c4\nh8h9i9", [5, 3]), ("1. f5 d6\n2. c3 d3\n\n1. f5 f6\n2. e6", [4, 3]),
    ("2\nf5d6c3\nf5f6e6\n", [3, 3]), ("Game 1\n1. h8 i9 2. h9\n\nGame 2\n1. h8 h9", [3, 2]),
])  # fmt: skip
def test_how_lines_are_divided_into_games(text, lengths):
    assert list(map(len, games_of(text))) == lengths


@pytest.mark.parametrize("name", [
    "  Tiger", ' "Rose-v-Toth"', " (Tiger)", " = Kansei 2", " 花月", " (D1 Kansei)", " (D1, 寒星)",
])  # fmt: skip
def test_a_name_behind_the_moves_is_left_out_and_said(name, tmp_path):
    text = f"f5d6c3d3c4{name}\nf5f6e6{name}\n"
    assert list(map(len, games_of(text))) == [5, 3]
    assert read("x", text.encode()).note.startswith("words behind the moves are left out, such as: ")
    (tmp_path / "a.pos").write_text(text)
    assert list(map(len, books.read(tmp_path / "a.pos", GameSetup("reversi_8x8_1v1")))) == [5, 3]


@pytest.mark.parametrize("text", [
    "hello", "b2 or not", "A4 paper", "7 7", "", "[1, 2]", "id,moves\n1,2\n", "a,b\n1,2\n3,4\n",
    "game,move\n1,h8\n2,h9\n", "id;m1;m2\n1;f5;d6\n2;f5;f6\n", '{"black":["h8","i9"],"white":["a1","b2"]}',
    '{"1":[[4,5],[5,4]],"2":[[4,4],[5,5]],"chess_player_idx":1,"board_width":10}', "{[C5][先手 B][2023 CCGC];B(H,8)}",
])  # fmt: skip
def test_other_texts_are_no_moves(text):
    assert not read_moves(text).is_moves
    with pytest.raises(RunnerError, match="is no file of games"):
        read("x.txt", text.encode())


@pytest.mark.parametrize(("text", "rest"), [
    ("h8h9?i9", "?i9"), ("h8 h9 7 i9", "7 i9"), ("1. h8 5. h9", "5. h9"), ("h8 h9 a0", "a0"), ("h8 h9 99", "99"),
    ("h8 B i9", "b i9"), ("8h 9i i8", "i8"), ("8h 9i8", "8"), ("8-h 9-i 10-j", "8-h 9-i 10-j"),
    ("5f6d3cc4", "5f6d3cc4"), ("h8 i9 8i", "8i"), ("h8 2i9j", "2i9j"),
])  # fmt: skip
def test_the_place_from_which_a_text_cannot_be_read(text, rest):
    assert read_moves(text).rest == rest


BETWEEN = [
    *" _/、，；。.~\\+-\t\u3000\xa0\n\xad\u2212\u2010\u301c", "", ", ", "; ", ": ", " | ", " → ", "=>", " & ", " – ",
    " — ", "&nbsp;", "%20", "<br/>", " {why} ", " (0.5s) ", "\u202a \u202c", "\ufe0f ",
]  # fmt: skip
AROUND = ["{}", "({})", "[{}]", "`{}`", '"{}"', "“{}”", "«{}»", "**{}**", "{}!", "{}?!", "<b>{}</b>", "\u2066{}\u2069"]
NUMBERED = ["{n} {}", "{n}. {}", "{n}.{}", "{n}) {}", "({n}) {}", "第{n}手 {}", "{n}: {}", "{n}、{}", "{n}-{}"]
SIDED = [("B {}", "W {}"), ("Black: {}", "White: {}"), ("黑{}", "白{}"), ("黑棋：{}", "白棋：{}"), ("B({})", "W({})"),
         ("b-{}", "w-{}"), ("play B {}", "play W {}"), ("Player 1: {}", "Player 2: {}"), ("玩家1：{}", "玩家2：{}"),
         ("Black plays {}", "White played {}")]  # fmt: skip
PLACES = st.tuples(st.integers(0, 25), st.integers(0, 25))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["plain", "passes", "numbered", "sided", "turned"]), st.data())
def test_moves_in_any_writing_are_read_back(style, data):
    cells = data.draw(st.lists(PLACES | st.none() if style == "passes" else PLACES, min_size=1, max_size=40))
    between = data.draw(st.sampled_from(BETWEEN if style in ("plain", "turned") else [" ", "\n", ", ", " | ", "\t"]))
    kinds = {"numbered": NUMBERED, "plain": AROUND if between in (" ", ", ") else ["{}"]}.get(style, ["{}"])
    forms, text = data.draw(st.sampled_from(SIDED if style == "sided" else [(kind,) for kind in kinds])), ""
    shape = data.draw(st.sampled_from([str, str.upper, lambda move: "".join(map(wide, move))]))
    for ply, cell in enumerate(cells):
        move = name(cell) if cell else data.draw(st.sampled_from(PASSES.split("|")))
        assert is_pass(move) is (cell is None)
        move = shape(move[1:] + move[0] if style == "turned" else move)
        text += (between if ply else "") + forms[ply % len(forms)].format(move, n=ply + 1)
    heads = ["", "moves: ", "棋谱：", "position startpos moves "][: 4 if style == "plain" else 1]
    text = data.draw(st.sampled_from(heads)) + text
    found = read_moves(text)
    assert (found.cells, found.rest) == (tuple(cells), "")


def wide(character):
    return chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character


# ---- arguments


@pytest.mark.parametrize(("text", "sentence"), [
    ("r7c7 R8C8", "r7c8 may be a row and a column, or two cells; write moves like h8i9j10"),
    ("hh ii", "hh ii is no file, and it cannot be read as moves; give a file of games, or moves such as h8h9i9"),
    ("h8?i9", "h8?i9 is no file, and it cannot be read as moves"),
    ("none.sgf", "cannot read none.sgf: No such file or directory; give a file of games"),
    ("/", "cannot read /: Is a directory"),
    ("h8h9.sgf", "cannot read h8h9.sgf: No such file"),
    ("none/h8h9", "cannot read none/h8h9: No such file"), ("./h8h9", "cannot read h8h9: No such file"),
    ("   ", "give a file of games, or moves such as h8h9i9"),
    *((url, f"{url} is an address; download the file first, and give its path")
      for url in ("https://a.org/x.sgf", "HTTP:/a.org/x.sgf", "www.a.org/x.sgf")),
])  # fmt: skip
def test_an_argument_that_is_neither(text, sentence):
    with pytest.raises(RunnerError) as told:
        read_argument(text)
    assert sentence in str(told.value)


def test_long_moves_and_pasted_sgf_are_arguments():
    moves = " ".join(f"{ply + 1}.{name((ply // 15, ply % 15))}" for ply in range(100))
    assert len(moves) > 255 and len(read_argument(moves, GameSetup("gobang_1v1")).game(0).cells) > 8
    assert read_argument("(;GM[4];B[hh];W[ii])").game(0).cells == ((7, 7), (8, 8))


@pytest.mark.parametrize(
    ("text", "cells"), [("7,7 8,8", 0), ("h8 (7,8)", 1), ("7.5,8", 0), ("7,7,8,8", 0), ("7,7,1 8,8,2", 0)]
)
def test_pairs_are_read_only_where_asked_for_and_apart_from_names(text, cells):
    assert len(read_moves(text, pairs=text.startswith(("h", "7.", "7,7,"))).cells) == cells


def test_the_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"h8 i9")))
    assert read_argument("-").game(0).cells == ((7, 7), (8, 8))


def test_headings_of_a_long_list_are_made_when_asked_for():
    made = []
    found = GameFile("moves", range(500), made.append, lambda number: made.append(number) or number)
    assert (len(found), made) == (500, [])
    assert found[-1] is found[499] and made == [499]


# ---- JSON, and tables with a move in each row

X_IS_COLUMN = "x is read as the column and y as the row, counted from 0: the first move is h9"
FROM_0 = "rows and columns are counted from 0: the first move is h9"


@pytest.mark.parametrize(("text", "note"), [
    ('[{"x": 7, "y": 8}, {"x": 8, "y": 8}]', X_IS_COLUMN),
    ('{"x":7,"y":8}\n{"x":8,"y":8}\n', X_IS_COLUMN),
    ("[{x:7,y:8},{x:8,y:8}]", X_IS_COLUMN),
    ("[{'y': 8, 'x': 7}, {'y': 8, 'x': 8}]", X_IS_COLUMN),
    ('{\n "moves": [\n  {\n   "x": 7,\n   "y": 8\n  },\n  {"X": 8, "Y": 8}\n ]\n}', X_IS_COLUMN),
    ('{"moves":[{"x":7,"y":8,"player":1},{"x":8,"y":8,"player":2}],"winner":1}', X_IS_COLUMN),
    ('[{"color":"black","pos":{"x":7,"y":8}},{"color":"white","pos":{"x":8,"y":8}}]', X_IS_COLUMN),
    ('[{"row":8,"col":7,"color":"Black"},{"row":8,"col":8,"color":"White"}]', FROM_0),
    ('[{"r":"8","c":"7"},{"r":"8","c":"8"}]', FROM_0),
    ('{"moves":[[8,7],[8,8]]}', FROM_0),
    ('{"history": ["h9", "i9"], "winner": 1}', ""),
    ('{"moves":"h9i9"}', ""),
    ('[{"x":"h","y":9},{"x":"i","y":9}]', ""),
    ('[{"pos":[8,7],"player":1},{"pos":[8,8],"player":2}]', FROM_0),
    ('[{"move":"h9"},{"move":"i9"}]', ""),
    ("x,y\n7,8\n8,8\n", X_IS_COLUMN),
    ("ply,player,Row,Col\n1,B,8,7\n2,W,8,8\n", FROM_0),
    ("step,player,move\r\n1,black,h9\r\n2,white,i9\r\n", ""),
    ("game,x,y\n5,7,8\n5,8,8\n", X_IS_COLUMN),
    ('{"requests":[{"x":7,"y":8}],"responses":[{"x":8,"y":8}]}', X_IS_COLUMN),  # Botzone: White's bot, Black's bot, log
    ('{"responses":[{"x":7,"y":8}],"requests":[{"x":-1,"y":-1},{"x":8,"y":8}]}', X_IS_COLUMN),
    ('[{"output":{"content":{"0":{"x":-1,"y":-1}}}},{"0":{"verdict":"OK","response":{"x":7,"y":8}}},'
     '{"output":{"content":{"1":{"x":7,"y":8}}}},{"1":{"verdict":"OK","response":{"x":8,"y":8}}}]', X_IS_COLUMN),
])  # fmt: skip
def test_moves_in_json(text, note):
    found = read("a.json", text.encode())
    assert (len(found), found.game(0).cells, found.game(0).damage, found.note) == (1, ((8, 7), (8, 8)), "", note)
    assert read_argument(text).game(0).cells == ((8, 7), (8, 8))


def test_a_pass_in_json():
    side = '{"x":%d,"y":%d},'
    played = read_moves(WITH_PASS.format("--")).cells
    cells = [cell or (-1, -1) for cell in played]
    game = read("a.json", ("[" + "".join(side % (col, row) for row, col in cells) + "]").encode()).game(0)
    assert None in played and game.cells[: len(played)] == played and not game.damage
