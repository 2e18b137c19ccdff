"""Games of random moves by the referee, and the reading of what a page shows of them."""

import json
import random
import re
from collections import Counter

from env_adapter import answer
from local_runner.formats.saved_game import SavedGame
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup

# The stones that are drawn, as pairs of cell and side.
DRAWN = "[...document.querySelectorAll('[data-cell]')].map((s) => [+s.dataset.cell, +s.dataset.stone])"
SETUPS = {
    "gobang": GameSetup("gobang_1v1"),
    "opening": GameSetup("gobang_1v1", opening=((7, 7), (6, 6), (0, 14))),
    "stated": GameSetup("tictactoe_1v1", rules="stated"),
    "tictactoe": GameSetup("tictactoe_1v1"),
    "gomoku": GameSetup("gomoku_11x11_1v1"),
    "reversi": GameSetup("reversi_8x8_1v1"),
    "small": GameSetup("reversi_1v1", board_size=4),
    "drawn": GameSetup("reversi_1v1", board=("XXXXXX", "XO....", "X.....", "......", "......", "......")),
}


def referee(setup):
    """An environment after the opening."""
    env = setup.make()
    for cell in setup.opening:
        env.step([answer(cell, env.board_height, env.board_width)] * 2)
    return env


def played(setup, seed, most=1000, lost=0.0):
    """Yields the environment and the growing list of cells, before the first move and after each.

    `lost`: share of lost turns.
    """
    rng, env, cells = random.Random(seed), referee(setup), list(setup.opening)
    yield env, cells
    while len(cells) < most and not env.is_terminal():
        legal = env.legal_moves()
        if legal and rng.random() < lost:
            env.lose_turn()
            cells.append(None)
        else:
            cell = rng.choice(legal) if legal else None
            env.step([answer(cell or (0, 0), env.board_height, env.board_width)] * 2)
            cells.append(cell)
        yield env, cells


def saved(name, seed=1, **more):
    """A whole game as it is saved, with times and thoughts that are made up."""
    setup = SETUPS[name]
    *_, (_env, cells) = played(setup, seed)
    session = GameSession(setup, cells=cells)
    thoughts = [{"depth": at, "value": -at, "nodes": 1000 * at, "source": "search",
                 "pv": [list(cell) for cell in cells[at : at + 4] if cell]} for at in range(len(cells))]  # fmt: skip
    given = {"seconds": tuple(0.01 * (at + 1) for at in range(len(cells))), "thoughts": tuple(thoughts)}
    result = session.result
    return SavedGame(setup, tuple(cells), ("one", "two"), result.winner, result.text, **{**given, **more})


def boards(game):
    """The stones before the first ply and after each."""
    session = GameSession(game.setup, cells=())
    states = [session.env.stones()]
    for cell in game.cells:
        session.ply(cell)
        states.append(session.env.stones())
    return states


def stones(page, cols):
    """The stones that a page has drawn, as rows of a square board."""
    drawn = dict(page.evaluate(DRAWN))
    return [[drawn.get(row * cols + col, 0) for col in range(cols)] for row in range(cols)]


def told(page):
    """The sentence of a viewer about the last ply."""
    return page.locator(".told").text_content()


def data_of(text):
    """The data of a page that is one file. Fails for an open tag, the name of another file, or a text as a script."""
    scripts = re.findall(r"<script\b[^>]*>(.*?)</script>", text, re.DOTALL)
    frame = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    opened, closed = (Counter(re.findall(pattern, frame)) for pattern in (r"<(\w+)", r"</(\w+)"))
    assert set(opened - closed) == {"meta"} and not closed - opened and len(scripts) == 2
    assert "default-src 'none'; " in frame
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b|\s(src|href)=", frame)
    return json.loads(scripts[0])
