"""An option that is given is obeyed or refused. Here are the combinations in which it would have no effect."""

import pytest

GAME = "(;GM[2]FF[4]SZ[8];B[d3])"  # Reversi 8x8, unfinished
TWO = GAME + GAME
GIVEN = "....\n.OX.\n.XO.\n....\n"

USELESS = [
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
    ("analyse game.sgf --env gobang_1v1", "holds a game of reversi_8x8_1v1, not of gobang_1v1; leave out --env"),
    ("analyse game.sgf --env reversi_8x8_1v1 --board board.txt", "game.sgf names its own board; leave out"),
    ("analyse h8 --whole --ply 1", "give its moves, and leave out --ply"),
    ("analyse --env gobang_1v1 --whole", "--whole analyses each move of a game: give its moves"),
    ("analyse --env gobang_1v1 --game 2", "--game chooses a game of a file: give a file"),
    ("analyse h8 --board board.txt", "--board-size and --board need --env"),
    ("tournament greedy random --out t.jsonl --address localhost:1", "needs --executor ray"),
    ("tournament --resume t.jsonl --each nodes=3 --openings test", "leave out --openings, --each, or begin a new one"),
    ("sprt greedy random --out pool --resume pool", "a test goes on by another command: tengen tournament --resume"),
    ("report t.jsonl --out r.html --markdown r.html", "cannot both be r.html; give --markdown another file"),
    ("check x.py --jobs 2 --jobs 3", "--jobs is given twice; give it once"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), USELESS)
def test_an_option_without_effect_is_refused(arguments, sentence, tengen, tmp_path):
    for name, text in {"game.sgf": GAME, "two.sgf": TWO, "board.txt": GIVEN}.items():
        (tmp_path / name).write_text(text)
    code, _, err = tengen(*arguments.split())
    assert (code, err.count("\n")) == (2, 1) and err.startswith("tengen: ") and sentence in err
    assert len(list(tmp_path.iterdir())) == 3


def test_a_game_that_the_file_names_too_is_obeyed(tengen, tmp_path):
    (tmp_path / "game.sgf").write_text(GAME)
    named = tengen("replay", "game.sgf", "--env", "reversi_8x8_1v1")
    assert named == tengen("replay", "game.sgf") == tengen("replay", "game.sgf", "--env=reversi_8x8_1v1", "--game=1")
    assert named[0] == 0
