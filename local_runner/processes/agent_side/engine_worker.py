"""Answers questions about positions with our engine, one after the other; engine_host.py documents the questions.

The thread that calls `answer` does the search. A signal's handler or another thread may read the best lines so far, and
end the search by setting `stopped` and calling `engine.stop()`. The features of a position need no search. A cell is
the number row * columns + column, and a pair holds Black's value first.
"""

import gc
from math import exp
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

Package = Callable[[str], ModuleType]  # imports a module of the engine
SURE_CELLS = 40  # k in a row: with at most this many free cells a search to the end of the game prunes no move
FIRST_DEPTH = 6  # plies of a first search in Reversi, because the endgame solver gives no result before it has ended
FIRST_SHARE = 0.1  # share of the time and nodes for that first search
WINS_SHARE = 0.1  # share of the time for the search for forced wins of both sides
HOTTEST = 24  # largest number of cells in the heat map
LUKEWARM = 0.02  # least heat of a cell in the heat map; the best cell has 1
WIN_NODES = 1500  # budget of each threat search (VCF or VCT), in stones that the attacker plays
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class EngineWorker:
    """An engine, and the best lines for the current question.

    `engine`, `plain`: for questions without `variant` and `engine`; other questions let the worker make its engines.
    """

    def __init__(self, package: Package, engine: Any = None, plain: Any = None) -> None:
        self.engine = engine
        self.plain = plain  # the engine if it is the Python engine, else a Python engine that does not search
        self.position: Any = None  # of `plain`, set to the board of the question
        self.features: Dict[str, Any] = {}
        self.lines: List[Dict[str, Any]] = []
        self.source = "search"
        self.stopped = False
        self.began = 0.0
        self._made: Any = (None, None)  # variant and kind of the engine, if the worker has made it
        self._side = 0  # the side to move in the question; that of `position` changes during a search
        self._used = 0  # nodes of the finished searches of this question
        self._ended = False
        self._proved: Tuple[List[int], List[Any], Any] = ([], [], None)  # the last game of `proof`
        self._package = package

    def results(self) -> Dict[str, Any]:
        """The results so far, as agent_side/engine_host.py explains them."""
        features, lines = self.features, self.lines
        if lines and lines[0]["exact"] == "win" and lines[0]["plies"] is not None:
            threats = [dict(each) for each in features["threats"]]
            threats[self._side]["win"] = lines[0]["moves"]
            features = dict(features, threats=threats)
        return {"lines": lines, "features": features, "nodes": self.nodes(), "source": self.source,
                "seconds": perf_counter() - self.began, "compiled": self.engine.native}  # fmt: skip

    def answer(self, question: Dict[str, Any]) -> None:
        """Search for the answer to a question; `lines` and `features` hold the results so far."""
        self.began = perf_counter()
        self.features, self.lines, self.source, self.stopped = {}, [], "search", False
        self._used, self._ended, self._side = 0, False, question["side"]
        engine = self._engine(question)
        board = bytes(map(int, question["stones"])), question["side"]
        position = self.position = self.plain.position(*board)
        moves = position.moves()
        if not moves:
            return
        seconds = question["seconds"]
        if engine.variant.family == "reversi":
            self.features = of_reversi(self._package, position)
        else:
            deadline = None
            if question["wins"]:
                deadline = self._package("search.clock").Deadline(None if seconds is None else WINS_SHARE * seconds)
                engine.deadline = deadline  # so that stop() also ends the threat search
            self.features = of_k_in_a_row(self._package, position, deadline)
        thoughts = self._thoughts(engine, board, question)
        self._used, self._ended = self.nodes(thoughts), True
        self._found(thoughts, final=True)

    def _engine(self, question: Dict[str, Any]) -> Any:
        made = question.get("variant"), question.get("engine")
        if self.engine is None or self._made != made:
            self.drop()
            self._made, variant = made, self._package("boards").Variant(*question["variant"])
            self.engine = self._package("engine").engine_for(variant, engine=question["engine"])
            self.plain = plain(self._package, self.engine)
        self.engine.use_book = question["use_book"]
        return self.engine

    def proof(self, cells: List[int]) -> Dict[str, Any]:
        """The answer of the proof that Black wins gobang, as formats/proof_page.py describes it.

        The upload's answer depends on its memory of the game's earlier moves. So a game that continues the last
        game is replayed from the last position, any other game from its beginning.
        """
        book = self._package("k_in_a_row.book")
        game, answers, black = self._proved
        if black is None or cells[: len(game)] != game:
            position = self._package("k_in_a_row.position").KInARowPosition(book.SIZE, book.SIZE, book.IN_A_ROW)
            answers, black = [], book.ProvedWin(position)
        boards = [bytes(book.CELLS)]  # after each ply
        for ply, cell in enumerate(cells):
            boards.append(book.with_stone(boards[-1], cell, ply % 2))
        for turn in range(len(answers), len(cells) // 2 + 1):
            answers.append(black.reply(boards[2 * turn]) if turn else book.CELLS // 2)
        self._proved = (cells, answers, black)
        if len(cells) % 2 == 0:
            move = answers[-1]
            return {"inside": move is not None, "cell": move, "replies": [], "line": [], "threats": [{}, {}]}
        inside, board = cells[-1] == answers[-1], boards[-1]
        free = [cell for cell in range(book.CELLS) if inside and not board[cell]]
        after = {cell: book.stones_on(book.with_stone(board, cell, 1)) for cell in free}
        forms = {cell: book.canonical(stones, black.images)[0] for cell, stones in after.items()}
        replies = [cell for cell in free if black.book.look_up(forms[cell]) is not None]
        position = self._package("k_in_a_row.position").KInARowPosition(book.SIZE, book.SIZE, book.IN_A_ROW)
        position.set_up(board, 1)  # not the position of ProvedWin, whose memory of the game must stay
        return {"inside": inside, "cell": None, "replies": replies, "line": _rest(black) if inside else [],
                "threats": of_k_in_a_row(self._package, position, None)["threats"]}  # fmt: skip

    def drop(self) -> None:
        """Close the engine and free its tables."""
        if self.engine is not None:
            engines, self.engine, self.plain = {self.engine, self.plain}, None, None
            for engine in engines:
                engine.close()
        gc.collect()

    def _thoughts(self, engine: Any, board: Tuple[bytes, int], question: Dict[str, Any]) -> List[Any]:
        """Search within the question's limits; returns one `Thought` for each variation, best first."""
        seconds = question["seconds"]
        if seconds == 0:
            return [engine.think(*board, self._package("search.clock").Limits(0))]
        if question["use_book"]:
            thought = engine.think(*board, self._package("search.clock").Limits(nodes=1))
            engine.position(*board)  # the search for the proved win may have set the position to another board
            if thought.source in ("book", "proof"):
                return [thought]

        def limits(share: float = 1.0, depth: Optional[int] = question["depth"]) -> Any:
            left = None if seconds is None else max(share * seconds - (perf_counter() - self.began), 0.001)
            nodes = question["nodes"] and max(int(share * question["nodes"]), 1)
            return self._package("search.clock").Limits(left, nodes, depth)

        first: List[Any] = []
        whole = engine.variant.family == "reversi" and question["depth"] is None
        if whole and self.position.plies_left() <= self.position.parameters.solver_empties:
            first = engine.analyse(*board, limits(FIRST_SHARE, FIRST_DEPTH), question["lines"], self._found)
            self._used = self.nodes()
        if self.stopped:
            return first
        thoughts: List[Any] = engine.analyse(*board, limits(), question["lines"], self._found)
        # If the second search was stopped in its first iteration, the result of the first search is better.
        return first if first and not any(thought.depth for thought in thoughts) else thoughts

    def _found(self, thoughts: List[Any], final: bool = False) -> bool:
        """Store the engine's thoughts in `lines`; returns whether the search should end."""
        results = [(self._line(thought, len(thoughts) > 1), thought.source) for thought in thoughts]
        results.sort(key=lambda each: _rank(each[0]))
        lines = [line for line, _ in results]
        known = any(line["depth"] or line["exact"] for line in lines)
        mixed = len({line["depth"] for line in lines if not line["exact"]}) > 1  # the last iteration is unfinished
        if not final or not self.lines or (known and (not mixed or lines[0]["exact"])):
            self.lines, self.source = lines, results[0][1] if results else "search"
        return self.stopped

    def _line(self, thought: Any, several: bool) -> Dict[str, Any]:
        """A thought as a line of the answer, with its proved result if any.

        If a thought has no searched depth, its value is the static evaluation after the move.
        """
        engine = self.engine
        position, searchable = self.position, self._package("search.searchable")
        value, left, pv = thought.value, position.plies_left(), list(thought.pv)
        exact, plies, discs = "", None, None
        if thought.source in ("search", "scorer") and not thought.depth and abs(value) < searchable.PROVED_WIN:
            value = value_after(self._package, position, thought.move)
            if abs(value) >= searchable.PROVED_WIN:
                value -= 1 if value > 0 else -1
        if engine.variant.family == "reversi":
            if thought.source == "solver" or (thought.source == "search" and thought.depth >= left):
                exact = _sign(value)
                if thought.source != "solver" or several or engine.search.exact:
                    final, disc = self._package("reversi.position").FINAL, self._package("reversi.position").DISC
                    discs = (abs(value) - final) // disc * (1 if value > 0 else -1) if value else 0
                    discs = -discs if position.side else discs
        elif abs(value) >= searchable.PROVED_WIN:
            exact = _sign(value)
            if thought.depth or thought.source != "proof":
                plies = searchable.WIN - abs(value)
                pv = self._to_the_end(position, pv, plies)
        elif thought.depth >= left <= SURE_CELLS and not value:
            exact = "draw"
        return {"moves": pv, "value": value, "depth": thought.depth, "exact": exact, "plies": plies, "discs": discs}

    @staticmethod
    def _to_the_end(position: Any, line: List[int], plies: int) -> List[int]:
        """A proved line, extended to at most `plies` moves while the position's threats determine the outcome."""
        for move in line:
            position.play(move)
        line = line[:]
        while len(line) < plies and position.outcome() is not None and position.moves():
            line.append(position.moves()[0])
            position.play(line[-1])
        for _ in line:
            position.undo()
        return line

    def nodes(self, thoughts: Sequence[Any] = ()) -> int:
        """The nodes used so far, including threat searches and solver; `thoughts`: of a search that has ended."""
        engine = self.engine
        if self._ended or engine is None:
            return self._used
        search, deadline = engine.search, engine.deadline
        if thoughts and thoughts[0].source == "solver":
            # `deadline.spent` holds the solver's nodes, too, unless the solver had a part of the time.
            return int(self._used + max(sum(thought.nodes for thought in thoughts), deadline.spent))
        # A solver that is running has a deadline of its own.
        searches = search if search.deadline is deadline else getattr(search, "solver", None)
        nodes = searches.nodes if searches is not None else 0
        return int(self._used + nodes + deadline.spent)


def plain(package: Package, engine: Any) -> Any:
    """The engine if it is the Python engine, else a Python engine, whose positions have all features."""
    return package("engine").engine_for(engine.variant) if engine.native else engine


def _rank(line: Dict[str, Any]) -> Tuple[int, int, int]:
    """The sort key of lines: proved wins, shortest first; then unproved lines, deepest first; then proved losses."""
    proved = {"win": 0, "loss": 2}.get(line["exact"])
    return (1, -line["depth"], -line["value"]) if proved is None else (proved, 0, -line["value"])


def _rest(black: Any) -> List[int]:
    """The rest of the win by threats after the last answer, White's move first; [] after a move of the book."""
    win = black.win
    if win is None or win.plies < 2:
        return []
    first = [place for cell, place in enumerate(win.places) if win.expected[cell] == 2 and not black.after[place]]
    return first + [win.places[cell] for cell in win.line]


def _sign(value: int) -> str:
    return "win" if value > 0 else "loss" if value else "draw"


def value_after(package: Package, position: Any, move: int) -> int:
    """The value of a move: the static evaluation, or the result, of the position after it."""
    position.play(move)
    outcome, infinite = position.outcome(), package("search.searchable").INFINITE
    value = position.evaluate(-infinite, infinite) if outcome is None else outcome
    position.undo()
    return -int(value)


# ---- features of a position


def of_k_in_a_row(package: Package, position: Any, deadline: Optional[Any]) -> Dict[str, Any]:
    """Threats, forced wins by threats (no search if `deadline` is None), and a heat map of the candidate moves."""
    cells_of = package("boards").cells_of
    pattern = package("k_in_a_row.patterns").Pattern
    shape = position.geometry

    def threats_of(masks: int) -> Dict[str, Any]:
        kinds = (pattern.FIVE, pattern.FOUR, pattern.OPEN_FOUR, pattern.OPEN_THREE)
        five, four, open_four, three = (masks >> shape.shifts[kind] & shape.all for kind in kinds)
        if five:  # the other masks are invalid if a five is possible
            return {"fives": cells_of(five)}
        found = {"open_fours": open_four, "fours": four & ~open_four, "open_threes": three & ~four}
        return {name: cells_of(cells) for name, cells in found.items()}

    pair = [threats_of(masks) for masks in position.masks()]
    if deadline is not None:
        mover = position.threats
        five, others = (list(threats.get("fives", [])[:1]) for threats in pair)
        pair[0]["win"] = five or mover.vcf(WIN_NODES, deadline).line or mover.vct(WIN_NODES, deadline).line
        pair[1]["win"] = others or mover.opponent_vct(WIN_NODES, deadline).line
    scores = position.scores()
    worth = {cell: scores[cell] for cell in position.moves()}
    most = max(worth.values(), default=0) or 1
    heat = [(cell, max(score, 1) / most) for cell, score in worth.items()]
    return {"threats": pair[::-1] if position.side else pair, "heat": _hottest(heat)}


def of_reversi(package: Package, position: Any) -> Dict[str, Any]:
    """Mobility, stable discs and a heat map: exp(-d / 3) for a move whose evaluation is d discs below the best."""
    cells_of = package("boards").cells_of
    size, (black, white) = position.geometry.n, position.discs
    worth = {cell: value_after(package, position, cell) for cell in cells_of(position.legal_cells(position.side))}
    most, scale = max(worth.values(), default=0), 3.0 * position.evaluator.unit
    heat = [(cell, exp(max((value - most) / scale, -50.0))) for cell, value in worth.items()]
    return {
        "heat": _hottest(heat),
        "mobility": [len(cells_of(position.legal_cells(side))) for side in (0, 1)],
        "stable": stable(black, white, size),
    }


def _hottest(heat: List[Tuple[int, float]]) -> List[List[Any]]:
    """The HOTTEST cells with heat of at least LUKEWARM, as [cell, rounded heat], the hottest first."""
    best = sorted(heat, key=lambda each: -each[1])[:HOTTEST]
    return [[cell, round(share, 3)] for cell, share in best if share >= LUKEWARM]


def stable(black: int, white: int, size: int) -> List[List[int]]:
    """Stable discs of Black and of White: a sufficient test, so some stable discs may be missing.

    A disc is stable if it is safe in each of the four directions. A direction is safe if its line is full, or if one of
    the two neighbours is the edge or a stable disc of the same colour. `black`, `white`: masks of the discs.
    """
    places = {divmod(cell, size) for cell in range(size * size)}
    discs = [{place for place in places if own >> place[0] * size + place[1] & 1} for own in (black, white)]
    # (direction, number of a line in it) of the lines with a free cell
    free = {(down, right, row * right - col * down) for row, col in places.difference(*discs) for down, right in STEPS}
    found = []
    for new in discs:
        left, safe = new, {(row, col) for row in range(-1, size + 1) for col in range(-1, size + 1)} - places
        while new:
            new = {(row, col) for row, col in left if all(
                (down, right, row * right - col * down) not in free
                or not safe.isdisjoint([(row + down, col + right), (row - down, col - right)])
                for down, right in STEPS)}  # fmt: skip
            left, safe = left - new, safe | new
        found.append(sorted(row * size + col for row, col in safe & places))
    return found
