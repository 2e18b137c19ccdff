"""Moves as JSON and as tables with a move in each row, counted from 0 or from 1."""

import pytest

from local_runner.formats import read
from local_runner.formats.reading import read_argument
from local_runner.game.move_text import read_moves
from tests.local_runner.formats.making import WITH_PASS

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
