"""SGF files of gobang (GM[4]) and Othello (GM[2]): collections, set-up stones, passes; of variations the main line.

Nodes without brackets round them, B[hh];W[ii], are one game. If White moves first in Reversi, a pass of Black is added.
The caller's game (--env) decides if GM and SZ name neither game: programs for gobang write GM[1], or GM[2] on 15x15. In
files that tengen wrote, AP names the program, RU the game and its rules, GC the ending, and C begins with the seconds.
"""

import functools
import re
from contextlib import suppress
from dataclasses import replace

from env_adapter import Cell, SgfGame, kind_of, names
from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats import kinds, sgf_tree
from local_runner.formats.file_format import FileFormat, GameFile, Heading
from local_runner.formats.heads import RESIGNS, ending_of, heads_of, others, result_of
from local_runner.formats.kinds import Stones
from local_runner.formats.saved_game import GameTree, Part, SavedGame, Turn, UncheckedGame
from local_runner.formats.sgf_game import HEADS, OPENING, OURS, RULES, Board, point, put, tree_of
from local_runner.formats.sgf_tree import Span, TreeNode
from local_runner.formats.source import LARGEST, SMALLEST, Source, checked_setup, name_of, words_of
from local_runner.game.move_text import is_pass
from local_runner.game.setup import RULES as RULE_SETS
from local_runner.game.setup import GameSetup, called, is_mnk
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import shortened

_QUOTED = re.compile(r"^>[> ]*\(\s*;", re.MULTILINE)  # a game quoted in a mail, its lines after ">"
_QUOTE = re.compile(r"^>[> ]*", re.MULTILINE)
_SECONDS = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,9})?) s\b")
GAMES = {**{game.value: game for game in SgfGame}, "othello": SgfGame.OTHELLO, "reversi": SgfGame.OTHELLO,
         "gomoku": SgfGame.GOMOKU, "renju": SgfGame.GOMOKU}  # fmt: skip
SIZES = {SgfGame.OTHELLO: 8, SgfGame.GOMOKU: 15}  # cells on a side if a file has no SZ
GO = {  # properties whose values, if they begin so, are of a game of Go
    **dict.fromkeys(("KM", "HA", "TB", "TW"), re.compile("")),  # komi, handicap, territories
    "RU": re.compile(r"\s*(?:japan|jp|chin|cn|kore|aga|nz|new zealand|goe|ing|tromp|bga|french|igs|ogs|日本|中国|韓国"
                     r"|韩国)", re.IGNORECASE),
    "RE": re.compile(r"\s*[BW]\s*\+\s*[0-9]+[.,][0-9]", re.IGNORECASE),  # half points
}  # fmt: skip
COLOURS = {"B": 0, "W": 1}
FIRST_MOVES = ("QPR", "QSLW")  # properties of Gomoku Quest with the moves before the first B: QPR[hh,hg,jf];QSLW[ig]
UNKNOWN = ("", "?")  # values of RE for a result that is not known
# Properties that are comments and marks.
MARKS = {"AR", "C", "CR", "DM", "GB", "GW", "HO", "LB", "LN", "MA", "SL", "SQ", "TR", "UC"}

KNOWN = {*MARKS, *COLOURS, *FIRST_MOVES, "GM", "FF", "CA", "AP", "SZ", "ST", "PB", "PW", "RE", "GC", "AB", "AW", "AE",
         "PL", "N", RULES, "BL", "WL"}  # fmt: skip


def fits(content: bytes) -> bool:
    """Whether a file looks like SGF."""
    text = Source("", content[:10_000]).text
    return (sgf_tree.START.search(text) or sgf_tree.BARE.match(text)) is not None


def read(source: Source) -> GameFile:
    """The games of a collection."""
    first = sgf_tree.START.search(source.text)
    if sgf_tree.BARE.match(source.text) and (first is None or "[" in source.text[: first.start()]):
        bare = source.text.strip(sgf_tree.ROUND)
        bare = bare if ";" in bare else re.sub(r"(?<![A-Za-z])(?=[BW]\s*\[)", ";", bare)
        source = replace(source, content=f"(;{bare.replace('CA[', 'XCA[')})".encode())
    if _QUOTED.search(source.text):
        source = replace(source, content=_QUOTE.sub("", source.text).replace("CA[", "XCA[").encode())
    spans = source.entries(sgf_tree.games(source.text), lambda span: span.end / len(source.text))
    file = GameFile("sgf", spans, functools.partial(_unchecked, source), functools.partial(_heading, source),
                    tree=functools.partial(_tree, source), note=sgf_tree.outside(source.text, spans))  # fmt: skip
    if source.setup is not None:
        list(file)  # raises for another game
    return file


def _begun(plain: GameSetup, root: TreeNode, stones: Stones, first: int = 0) -> tuple[GameSetup, tuple[Cell, ...]]:
    """The setup, and the set-up stones as alternating moves if the game cannot begin from a board; else ()."""
    if plain.kind.rules.takes_board and not _is_ours(root):
        stones = kinds.with_handicap(plain, stones)
    return kinds.begun(plain, stones, first)


def _tree(source: Source, span: Span) -> GameTree:
    root, broken = sgf_tree.tree(source.text, span)
    (plain, board), stones = _game_of(root, source), dict[Cell, int]()
    with suppress(ValueError):
        put(stones, root.properties, board)
    try:
        env = _begun(plain, root, stones)[0].env
    except RunnerError:  # the referee cannot begin from these stones
        env = plain.env
    return GameTree(env, max(board), root, "" if broken is None else _broken(source, broken))


def _broken(source: Source, at: int) -> Message:
    return Message("line {line}: the SGF breaks off or is wrong here", line=source.line(at))


def _heading(source: Source, span: Span) -> Heading:
    root = sgf_tree.tree(source.text, span, 1, is_main=True)[0]
    try:
        env = _game_of(root, source)[0].env
    except RunnerError:
        if source.setup is not None:
            raise
        env = words_of(root.first("GM"))
    return Heading(*_said(root), span.plies, env)


def _is_ours(root: TreeNode) -> bool:
    return root.first("AP").startswith(OURS)


def _said(root: TreeNode) -> tuple[tuple[str, str], int, str]:
    """The names, the winner's code, and how the game ended, in words.

    The words come from GC if tengen wrote the file, else from a result that is not known.
    """
    black, white = (name_of(" ".join(root.first(name).split()), player) for player, name in enumerate(("PB", "PW")))
    said = root.first("RE")
    winner, how = result_of(said)
    if _is_ours(root) and how != RESIGNS:
        ending = words_of(root.first("GC"))
    else:
        ending = ending_of(winner, how) if winner or said.strip() in UNKNOWN else words_of(said)
    return (black, white), winner, ending


def _game_of(root: TreeNode, source: Source) -> tuple[GameSetup, Board]:
    """The game that the caller or the root node names, without set-up stones, and its board's rows and columns.

    Raises RunnerError for another GM than 2 and 4 or signs of Go if the caller names no game, for an unsupported SZ,
    and for a game or a board size of the caller's that does not fit.
    """
    said, given = root.first("GM").strip().lower(), source.setup
    named = GAMES.get(said or SgfGame.GOMOKU.value)
    kind = named if given is None else given.kind.sgf
    if kind is None and given is not None:
        raise RunnerError(_("SGF has no {game}; leave out --env").format(game=shown(called(given.env))))
    if kind is None:
        sentence = _("this is no game of gobang (GM[4]) or Othello (GM[2]), but GM[{said}]; if it is one, name it by "
                     "--env")  # fmt: skip
        raise RunnerError(sentence.format(said=shortened(said)))
    go = [name for name, sign in GO.items() if name in root.properties and sign.match(root.first(name))]
    if not said and given is None and go:  # in the standard, the default of GM is Go
        sentence = _("this is a game of Go, by its {properties}; if it is gobang, name it by --env gobang_1v1")
        raise RunnerError(sentence.format(properties=", ".join(go)))
    env, _space, rules = (root.first(RULES) or root.first("RU")).partition(" ") if _is_ours(root) else ("", "", "")
    if is_mnk(env if given is None else given.env):
        setup = given or checked_setup(GameSetup(env, rules if rules in RULE_SETS else "stated"))
        if env and env != setup.env:
            kinds.refuse_game(source.name, env, setup)
        return setup, setup.kind.board
    usual = SIZES[kind] if given is None else given.board_size or given.kind.board[0]
    size = re.fullmatch(r"\s*([0-9]{1,4})\s*(?::\s*\1\s*)?", root.first("SZ") or str(usual))
    if size is None or not SMALLEST <= int(size[1]) <= LARGEST:
        sentence = _("a board of SZ[{size}] cannot be shown, only square boards from {least} to {most}")
        raise RunnerError(sentence.format(size=shortened(root.first("SZ")), least=SMALLEST, most=LARGEST))
    side = int(size[1])
    is_othello = named is SgfGame.OTHELLO and side % 2 == 0
    if given is not None and said and kind is not named and (is_othello or named is SgfGame.GOMOKU):
        assert named is not None
        kinds.refuse_game(source.name, kinds.setup_of(named, side).env, given)
    if given is not None and (given.board is not None or given.board_size not in (None, side)):
        kinds.refuse_board(source.name)
    if given is None and kind is SgfGame.OTHELLO and side % 2:
        sentence = _("SZ[{size}] is no board of Othello (GM[2]); if the game is gobang, give --env gobang_1v1")
        raise RunnerError(sentence.format(size=side))
    if given is not None:
        return kinds.setup_of(kind, side, env=given.env), (side, side)
    if env in names() and rules in RULE_SETS and kind_of(env).sgf is kind:
        return kinds.setup_of(kind, side, rules, env), (side, side)
    return kinds.setup_of(kind, side), (side, side)


def _unchecked(source: Source, span: Span) -> UncheckedGame:
    root, broken = sgf_tree.tree(source.text, span, is_main=True)
    nodes = [root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    plain, board = _game_of(root, source)
    damage: str = "" if broken is None else _broken(source, broken)
    stones: Stones = {}
    turns: list[Turn] = []
    first, opening = "", 0
    clock = [_number(root.first("TM"))] * 2
    for node in nodes:
        place = Message("line {number}", number=source.line(node.at))
        try:
            if ({"AB", "AW", "AE"} & set(node.properties)) and turns:
                raise ValueError(Message("stones are set up after the first move"))
            put(stones, node.properties, board)
            first = node.first("PL").strip().upper()[:1] or first
            moves = [(colour, value) for colour in COLOURS for value in node.values(colour)]
            if len(moves) > 1:
                raise ValueError(Message("one node holds {number} moves", number=len(moves)))
            early = [value for name in FIRST_MOVES for values in node.values(name) for value in values.split(",")]
            turns += [Turn(point(value, board), place=place) for value in early]
            turns += [_turn(colour, value, node, board, place, clock) for colour, value in moves]
        except ValueError as error:
            damage = Message("{place}: {what}", place=place, what=error.args[0])
            break
        if node.first("N") == OPENING:
            opening = len(turns)
    to_move = {"B": BLACK, "W": WHITE}.get(first, 0) if stones else 0
    setup, before = _begun(plain, root, stones, to_move)
    cells = [turn.cell for turn in turns[:opening]]
    setup = replace(setup, opening=(*setup.opening, *(cell for cell in cells if cell)))
    starts = [Turn(cell) for cell in before]
    if setup.kind.rules.has_pass and (first == "W" or (turns and turns[0].player == 1)):
        starts = [Turn(None)]
    ours = _is_ours(root)
    left_out = {Part.VARIATIONS} if span.forked else set()
    heads = heads_of(HEADS, root.first)
    if ours and RULES not in root.properties:
        heads.pop(Part.RULE, None)
    if Part.TIME not in heads and Part.OVERTIME in heads:
        heads[Part.TIME] = heads.pop(Part.OVERTIME)
    left_out |= others(HEADS, KNOWN, root.properties)
    left_out |= set() if ours or all(MARKS.isdisjoint(node.properties) for node in nodes) else {Part.COMMENTS}
    return UncheckedGame(
        setup, [*starts, *turns], *_said(root), damage,
        leaves_out_passes=setup.kind.rules.has_pass and not ours, left_out=frozenset(left_out), heads=heads,
    )  # fmt: skip


def _turn(colour: str, value: str, node: TreeNode, board: Board, place: str, clock: list[float | None]) -> Turn:
    value = value.partition("/")[0].strip()  # as in GGF, where a move is followed by /value/time
    try:
        cell = point(value, board) if value else None
    except ValueError:  # a word for a pass that is no point of this board
        if value.lower() != "tt" and not is_pass(value):
            raise
        cell = None
    player = COLOURS[colour]
    comment = _SECONDS.match(node.first("C"))
    left = _number(node.first(f"{colour}L"))
    used, clock[player] = clock[player], left if left is not None else clock[player]
    seconds = float(comment[1]) if comment else used - left if left is not None and used is not None else None
    seconds = seconds if seconds is None or seconds >= 0 else None
    return Turn(cell, player, place, seconds)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text.strip()) else None


# ---- writing. Reading a written file gives the same game, except for its seed and the agents' thoughts


def write(game: SavedGame) -> str:
    """The game as SGF."""
    return sgf_tree.written(tree_of(game) if game.tree is None else game.tree)


FORMAT = FileFormat(
    Message("SGF of gobang or Othello"),
    Message("all games of a collection; of variations the main line; set-up stones"), ending="sgf",
    media="application/x-go-sgf", games=frozenset(SgfGame), loses=frozenset({Part.THOUGHTS}), heads=HEADS,
    takes_setup=True, names_game=True,
)  # fmt: skip
