"""Makes games for the tests: random legal games, and their logs as the site writes them, without our own entries."""

import json
import random
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from env_adapter import kind_of, names
from local_runner.formats import SavedGame, read
from local_runner.game import coordinates
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup

DATA = Path(__file__).parent / "data"  # files of the site, and of Piskvork
TIGER = [(4, 5), (5, 3), (2, 2), (2, 3), (3, 2)]  # f5d6c3d3c4, an opening of Othello
FIVE = SavedGame(GameSetup("gobang_1v1", opening=((7, 7),)), ((7, 7), (0, 0), (7, 8), (0, 2), (7, 9), (0, 4), (7, 10),
                 (2, 0), (7, 11)), ('the "new" one', "old\\er"), 1, "5 in a row from h8 to l8",
                 (None, 0.25, *(0.5,) * 7))  # fmt: skip
BOARD_WITH_WHITE_FIRST = ("....", ".XO.", ".OX.", "O...")
WITH_PASS = (  # moves of Othello with room for a word that means a pass
    "f5f4c3g6f3c5d6f2b5c4g3a6f6c2e3g4b3g7d3h4b1c7e7d2b8e6a5e2f7d7b4b2f8d8e1b7h2b6h5a4h7d1a3h6e8f1a7g8h8g2"
    "g5c6a2a8h3a1c8g1{}c1"
)

BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
MOVES = ["".join(found) for found in coordinates.NAME.findall(WITH_PASS)][:-1]  # up to the pass


def played(setup, seed=0, plies=None, lost=0.0):
    """A session with random legal moves, to the end or for some plies; `lost`: the share of lost turns at Reversi."""
    rng = random.Random(seed)
    session = GameSession(setup, ("a", "b"))
    while session.result is None and (plies is None or len(session.cells) < plies):
        moves = session.env.legal_moves()
        if moves and rng.random() < lost:
            session.lose_turn()
        else:
            session.play(rng.choice(moves) if moves else None)
    return session


def game_of(text, setup=None, name="x"):
    """The only game of a text or of bytes, whose heading in a list has the same number of plies."""
    found = read(name, text if isinstance(text, bytes) else text.encode(), setup)
    assert len(found) == 1
    game = found.game(0)
    assert found.listed()[0].plies == len(game.cells)
    return game


def ggf(moves, end=";)", **properties):
    given = {"GM": "Othello", "PC": "GGS/os", "PB": "ann", "PW": "bob", "RE": "?", "TY": "8", "BO": BOARD, **properties}
    head = "".join(f"{key}[{value}]" for key, value in given.items() if value)
    body = "".join(f"{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves))
    return f"(;{head}{body}{end}"


def facts(game, names):
    """Some attributes of a game as a dict; `env` and `board`: of its setup; `lost`: the index of the first pass."""
    more = {"env": game.setup.env, "board": game.setup.board, "size": game.setup.make().board_height,
            "lost": game.cells.index(None) if None in game.cells else None, "plies": len(game.cells)}  # fmt: skip
    return {name: more[name] if name in more else getattr(game, name) for name in names}


def site_log(session):
    """The log as the site writes it: no joint_action, no info_after on a pass, no keys of ours."""
    log = json.loads(json.dumps(session.log.finished(session.env), default=lambda value: value.tolist()))
    for step in log["steps"]:
        step.pop("joint_action", None)
        if step["info_after"].get("pass"):
            del step["info_after"]
    return log


@cache
def with_a_pass(env="reversi_8x8_1v1"):
    """A whole game with a pass in the middle; not to be changed."""
    for seed in range(39 if env == "reversi_1v1" else 0, 100):  # the games of earlier seeds have no pass
        session = played(GameSetup(env), seed)
        if None in session.cells[:-2]:
            return session
    raise AssertionError("no pass in a hundred games")


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=30)


@st.composite
def games(draw, envs=None, seconds=True, boards=True, players=NAMES):
    """Random saved games: finished or not, with openings, given boards, lost turns, names and times."""
    env = draw(st.sampled_from(envs or names()))
    is_reversi = kind_of(env).rules.turns_discs
    sizes = [None, 4, 6, 12] if is_reversi else [None, None, 6, 19] if env == "gobang_1v1" else [None]
    size = draw(st.sampled_from(sizes))
    board = BOARD_WITH_WHITE_FIRST if boards and is_reversi and draw(st.booleans()) else None
    setup = GameSetup(env, board_size=None if board else size, board=board)
    session = played(
        setup, draw(st.integers(0, 10**6)), draw(st.sampled_from([0, 1, 5, 30, 30 if size in (12, 19) else None])),
        draw(st.sampled_from([0.0, 0.1])) if is_reversi else 0.0,
    )  # fmt: skip
    cells = tuple(session.cells)
    result = session.result
    opening = draw(st.integers(0, min(6, max(0, len(cells) - 1))))
    if None not in cells[:opening]:
        setup = GameSetup(env, board_size=setup.board_size, board=board, opening=cells[:opening])
    winner, ending = (result.winner, result.text) if result else draw(st.sampled_from(
        [(0, ""), (1, "White resigns"), (2, "Black lost on time"), (1, "White raised ValueError: [x] \\ :")]
    ))  # fmt: skip
    times = st.one_of(st.none(), st.integers(1, 10**6).map(lambda number: number / 1000))
    used = tuple(draw(st.lists(times, min_size=len(cells), max_size=len(cells)))) if seconds else ()
    used = used if any(each is not None for each in used) else ()
    return SavedGame(setup, cells, (draw(players), draw(players)), winner, ending, used)
