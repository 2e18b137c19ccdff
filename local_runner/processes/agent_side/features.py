"""Features of a position without a search, from the tables of our engine.

The features are: in k in a row the cells of threats, and forced wins by threats; in Reversi mobility and stable discs;
in both a heat map of the candidate moves. A cell is the number row * columns + column. A pair holds Black's value
first. `package(name)` imports a module of the engine. Python 3.7 and standard library only.
"""

from math import exp
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

Package = Callable[[str], ModuleType]
HOTTEST = 24  # largest number of cells in the heat map
LUKEWARM = 0.02  # least heat of a cell in the heat map; the best cell has 1
WIN_NODES = 1500  # budget of each threat search (VCF or VCT), in stones that the attacker plays
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def of_k_in_a_row(package: Package, position: Any, deadline: Optional[Any]) -> Dict[str, Any]:
    """The features of a KInARowPosition; `deadline`: limit of the search for forced wins, None: do not search."""
    cells_of = package("lines").cells_of
    pattern = package("k_in_a_row.patterns").Pattern
    shape = position.geometry

    def threats_of(masks: int) -> Dict[str, Any]:
        def cells(which: int) -> int:
            return masks >> shape.shifts[which] & shape.all  # type: ignore[no-any-return]

        five = cells(pattern.FIVE)
        if five:  # the other masks are invalid if a five is possible
            return {"fives": cells_of(five)}
        four, open_four = cells(pattern.FOUR), cells(pattern.OPEN_FOUR)
        return {
            "open_fours": cells_of(open_four),
            "fours": cells_of(four & ~open_four),
            "open_threes": cells_of(cells(pattern.OPEN_THREE) & ~four),
        }

    pair = [threats_of(masks) for masks in position.masks()]
    if deadline is not None:
        mover = position.threats
        pair[0]["win"] = _five(pair[0]) or mover.vcf(WIN_NODES, deadline).line or mover.vct(WIN_NODES, deadline).line
        pair[1]["win"] = _five(pair[1]) or mover.opponent_vct(WIN_NODES, deadline).line
    scores = position.scores()
    worth = {cell: scores[cell] for cell in position.moves()}
    most = max(worth.values(), default=0) or 1
    heat = [(cell, max(score, 1) / most) for cell, score in worth.items()]
    return {"threats": pair[::-1] if position.side else pair, "heat": _hottest(heat)}


def _five(threats: Dict[str, Any]) -> List[int]:
    return list(threats.get("fives", [])[:1])


def of_reversi(package: Package, position: Any) -> Dict[str, Any]:
    """The features of a ReversiPosition. Heat of a move = exp(-d / 3) if its evaluation is d discs below the best."""
    cells_of, infinite = package("lines").cells_of, package("search.evaluator").INFINITE
    size, (black, white) = position.geometry.n, position.discs
    worth = {}
    for cell in cells_of(position.legal_cells(position.side)):
        position.play(cell)
        outcome = position.outcome()
        worth[cell] = -(position.evaluate(-infinite, infinite) if outcome is None else outcome)
        position.undo()
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
    occupied = black | white
    full = {  # by direction: the cells whose line has no free cell
        step: {cell for line in _lines(size, *step) if all(occupied >> cell & 1 for cell in line) for cell in line}
        for step in STEPS
    }
    stable_discs = []
    for own in (black, white):
        safe: Set[int] = set()
        left = [cell for cell in range(size * size) if own >> cell & 1]
        new = left
        while new:
            new = [c for c in left if all(c in full[step] or _held(c, step, size, safe) for step in STEPS)]
            safe.update(new)
            left = [cell for cell in left if cell not in safe]
        stable_discs.append(sorted(safe))
    return stable_discs


def _held(cell: int, step: Tuple[int, int], size: int, safe: Any) -> bool:
    """Whether one of the cell's two neighbours in a direction is off the board or in `safe`."""
    row, col = divmod(cell, size)
    neighbours = [(row + sign * step[0], col + sign * step[1]) for sign in (1, -1)]
    return any(not (0 <= r < size and 0 <= c < size) or r * size + c in safe for r, c in neighbours)


def _lines(size: int, down: int, right: int) -> List[List[int]]:
    """All lines of a direction, including those of one cell. `row * right - col * down` is constant on a line."""
    lines: Dict[int, List[int]] = {}
    for cell in range(size * size):
        row, col = divmod(cell, size)
        lines.setdefault(row * right - col * down, []).append(cell)
    return list(lines.values())
