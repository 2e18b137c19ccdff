"""Advice on a fault: one or two sentences on how to mend the agent. `wording.py` has the text of the fault itself.

A fault may have a field `hint`, which names the mistake behind the fault. The session finds hints in the position, the
agent's process finds hints in the form of the answer (`answers.py`). The hint decides the advice; without a hint, the
exception's text decides; without an exception, the fault's reason.
"""

import builtins
import itertools
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from env_adapter import Game
from env_adapter.endings import Illegality, Worded
from local_runner.game.faults import FORMS, Fault, FaultKind, FieldValue, Reason
from local_runner.language.languages import Message
from local_runner.system import manual

# Exceptions that depend on the call's data. Other exceptions, such as a NameError, get no hint from the position.
OF_THE_DATA = re.compile(
    r"(?:Index|Value|Assertion|Type|ZeroDivision|Key|UnboundLocal|Attribute)Error\b|StopIteration\b"
)


class Hint(Worded):
    """The mistake behind a fault; the template is the advice."""

    # The position and the observation.
    AFTER_PASS = "after a pass", (
        "This observation was a list, although it is your turn: after a pass the site sends one row; remember the last "
        "board.")  # fmt: skip
    AFTER_PASS_OFF_TURN = "after a pass, off turn", (
        "This observation was a list: after a pass the site sends one row of the board, also to the side that is not "
        "to move; remember the last board.")  # fmt: skip
    MUST_PASS = "must pass", (
        "There was no legal move, but the site asks all the same: answer any cell in the usual form, such as (0, 0); "
        "it counts as the pass.")  # fmt: skip
    OFF_TURN = "off turn", (
        "It was the opponent's turn: the site calls both players at every step. Answer two lists of the right lengths "
        "then, too.")  # fmt: skip
    RAISED_OFF_TURN = "raised off turn", (
        "It was the opponent's turn: the site calls both players at every step, and an exception ends the whole run; "
        "mend what the traceback shows.")  # fmt: skip
    SWAPPED = "swapped", (
        "The mirrored cell is legal: are row and column swapped? The first list is the row, the "
        "second the column.")  # fmt: skip
    TAKEN = "taken", (
        "There is a stone already: test that the cell is free before you answer. If you do, row and column are "
        "swapped: the first list is the row, the second the column.")  # fmt: skip
    TURNS_NOTHING = "turns nothing", (
        "A legal move turns discs over: in one of the eight directions from the cell, a run of the opponent's discs "
        "ends at one of your own. Test for that.")  # fmt: skip
    NO_CELLS = "no cells", (
        "A list is empty, although every cell is free: each cell of state_map is a list of one number, so compare "
        "state_map[row][col][0] with 0. If the list holds cells beside stones, there are none yet: take "
        "the centre.")  # fmt: skip
    COLOURS = "colours", (
        "The move is legal for the opponent: are the colours mixed up? chess_player_idx is your own colour, 1 Black or "
        "2 White; the number of stones does not tell it.")  # fmt: skip
    KEPT = "kept", (
        "In a new process the same calls are answered well: the fault comes from what {names} kept, from a game before "
        "or from the other colour. Keep it for each chess_player_idx, and clear it when the board has "
        "fewer stones.")  # fmt: skip
    KEPT_AFTER_PASS = "kept after a pass", (
        "In a new process the same calls are answered well: the fault comes from what {names} kept. The row after a "
        "pass has no chess_player_idx: your side is that of the call before last. Keep the last two observations, "
        "deque(maxlen=2), as the file of `tengen init` does.")  # fmt: skip

    # The form of an answer.
    NONE = "none", (
        "None was returned: end every path of my_controller with `return`, also when it is not your turn.")  # fmt: skip
    GENERATOR = "generator", "my_controller has a `yield`, which makes it a generator: write `return`."
    COROUTINE = "coroutine", "my_controller is declared by `async def`: write `def`, without `await`."
    TEXT = "text", "A text is no answer: return two lists of numbers, not their text."
    NUMBER = "number", "One number is no answer: if it counts the cells row by row, row, col = divmod(number, columns)."
    CELL = "cell", (
        "That is the cell itself: return [[int(i == row) for i in range(rows)], [int(i == col) for i in "
        "range(columns)]].")  # fmt: skip
    FLAT = "flat", "That is one list: return the row's list and the column's list, [row_list, column_list]."
    BOARD = "board", (
        "That is a list over all cells: return one list for the row and one for the column; row, col = divmod(index, "
        "columns).")  # fmt: skip
    NESTED = "nested", "The lists are nested once too deep: return [row_list, column_list] itself."
    ARRAY = "array", "The site reads only plain lists: return [row.tolist(), column.tolist()]."
    LENGTH = "length", (
        "Take the lengths from action_space[0].n (rows) and action_space[1].n (columns), not from "
        "a fixed number.")  # fmt: skip
    SWAPPED_LENGTHS = "swapped lengths", "The two lists are swapped: the first is the row, the second the column."
    TEXTS = "texts", "The entries are texts: write the numbers 0 and 1 without quotation marks."
    ZEROS = "zeros", "There is no 1 in the list: put a 1 at the index of the cell."
    ONES = "ones", "There is more than one 1 in the list: begin each answer with new lists of zeros."
    OTHER_NUMBERS = "other numbers", (
        "Put a 1 at the index of the cell and 0 elsewhere; of probabilities, take the index of the "
        "largest.")  # fmt: skip


# Forms that an answer takes if the agent did not understand the observation. Other wrong forms have other causes.
OF_THE_OBSERVATION = (None, Hint.NONE, Hint.LENGTH, Hint.ZEROS)


def hint_of(fields: Mapping[str, FieldValue]) -> Hint | None:
    """The hint in the fields of a fault, which may come from a file or an agent's process; None if there is none."""
    named = next((hint for hint in Hint if hint.value == fields.get("hint")), None)
    return named if named and set(re.findall(r"{(\w+)}", named.template)) <= {*fields} else None


def with_hint(fault: Fault, env: Game, observation: Any, *, turn: bool) -> Fault:
    """The fault with the hint that the position gives, if it gives one.

    `observation`: the agent's observation. `turn`: whether the agent was to move.
    """
    hint = _of_position(fault, env, observation, turn=turn)
    return fault if hint is None else replace(fault, fields={**fault.fields, "hint": hint.value})


def _of_position(fault: Fault, env: Game, observation: Any, *, turn: bool) -> Hint | None:
    raised = fault.kind in (FaultKind.RAISED, FaultKind.CAUGHT) and OF_THE_DATA.match(str(fault.fields["error"]))
    if not (raised or fault.kind in FORMS or fault.kind is FaultKind.ILLEGAL):
        return None
    of_form = hint_of(fault.fields)
    of_cell = None
    if fault.kind is FaultKind.ILLEGAL:
        row, col = int(fault.fields["row"]), int(fault.fields["col"])
        of_cell = Hint.COLOURS if env.is_playable_for_opponent((row, col)) else None
        if row != col and env.why_illegal((col, row)) is None:
            of_cell = Hint.TAKEN if env.stones()[row][col] else Hint.SWAPPED
    if isinstance(observation, list) and of_form in OF_THE_OBSERVATION and of_cell is not Hint.SWAPPED:
        return Hint.AFTER_PASS if turn else Hint.AFTER_PASS_OFF_TURN
    if fault.kind is FaultKind.ILLEGAL:
        turns_nothing = env.has_pass and fault.fields.get("why") == Illegality.RULE.value
        return of_cell or (Hint.TURNS_NOTHING if turns_nothing else None)
    if of_form is not None:
        return None
    if raised and not (env.has_pass or any(map(any, env.stones()))) and re.search(EMPTY, raised_text(fault)):
        return Hint.NO_CELLS
    if not turn:
        return Hint.RAISED_OFF_TURN if raised else Hint.OFF_TURN
    return Hint.MUST_PASS if env.has_pass and not env.can_move() else None


LOOKED_AT = 500  # characters of a text that patterns look at; some patterns need the square or cube of it in steps
# Packages installed on the site, according to its page and to the requirements of gym 0.18.3.
INSTALLED_THERE = {"numpy", "gym", "torch", "scipy", "cloudpickle", "PIL", "pyglet", "typing_extensions"}
OWN_THERE = ("agents", "algo", "common", "config", "env", "networks", "utils")  # modules of the site's own program
# Patterns in `raised_text`: for a computed index, as in board[r + 1][c], and for an empty list, as in cells[0].
EDGE = (r"IndexError: index -?\d+ is out|IndexError: (?:list|tuple) index out of range\n"
        r"(?!.*\bfor\b.*\]\[-?\d+\]\W*$)(?=.*\]\s*\[).*[\w\])]\[[^\]]*[^\W\d]")  # fmt: skip
EMPTY = (r"IndexError: (?:list|pop|tuple|Cannot choose)|(?:min|max)\(\) (?:arg is an empty|iterable argument is empty)"
         r"|empty (?:sequence|range)|Sample larger than population")  # fmt: skip
# Errors of a newer Python or numpy about features that Python 3.7 or the site's numpy still has.
OF_NEWER = re.compile(
    r"Population must be a sequence|attribute '(clock|isAlive|getargspec|gcd|tostring|encodestring|getchildren)'"
    r"|from 'collections'|'collections' has no attribute|argument 'encoding'|shuffle\(\) takes|removed in the NumPy"
    r"|No module named '(imp|distutils|asyncore|asynchat)'|out of bounds for u?int|only 0-dimensional arrays"
    r"|setting an array element with a sequence|module 'numpy[.\w]*' has no attribute"
)
PLACE = re.compile(r'^ *File "(?:[^"\n]*[/\\])?([^"/\\\n]+)", line (\d+)', re.MULTILINE)
OF_OTHERS = re.compile(r'^ *File "(?:<frozen|[^"\n]*/(?:lib/python|site-packages/|local_runner/processes/))')

THREE_ARGUMENTS = Message(
    "The site calls my_controller with three arguments: write `def my_controller(observation, action_space, "
    "is_act_continuous=False):`."
)
# Advice by the last line of an exception. Named groups of the pattern are fields of the advice; the first match counts.
ByError = tuple[tuple[str, Message], ...]
# Mistakes about the form of the site's observations and of the answer. This table comes before the hints.
BY_CONTRACT: ByError = (
    (r"TypeError: (?:\w+\.)*my_controller\(\) (?:missing|takes|got)", THREE_ARGUMENTS),
    (r"SETTINGS has no row for (?P<place>.*?);",
     Message("The table SETTINGS has no row for {place}: a row with None as rows and cols fits every board.")),
    (r"SETTINGS, row (?P<row>\d+) (?P<head>\(.*?\)): (?P<what>.*); allowed: (?P<allowed>.*)",
     Message("Mend row {row} of the table SETTINGS, {head}: {what}. Allowed: {allowed}.")),
    (r"KeyError: 'state_map'",
     Message("Reversi has no state_map: its discs are two sets of (row, col), observation[1] of Black and "
             "observation[2] of White.")),
    (r"KeyError: '[12]'",
     Message("The keys are the integers 1 and 2: write observation[1], not observation['1'].")),
    (r"KeyError: [12]\n.*\bobs\w*\[(?!['\"])",
     Message("Only Reversi has the sets 1 and 2: this game's board is observation['state_map'], and "
             "state_map[row][col][0] is 0, 1 or 2.")),
    (r"AttributeError: 'dict' object has no attribute '(?P<key>state_map|chess_player_idx|board_\w+)'",
     Message("The observation is a dict: write observation[{key!r}].")),
    (r"TypeError: .*(?:'list' and 'int'|'int' and 'list'|int\(\) argument .*'list'|\(not \"int\"\) to list)",
     Message("Each cell of state_map is a list of one number: write state_map[row][col][0].")),
    (EDGE,
     Message("An index is outside the board: rows and columns count from 0, and a cell at the edge has no neighbour "
             "beyond it. Test 0 <= row < len(board) and 0 <= col < len(board[0]) first.")),
    (r"KeyError: '(?=(?:legal_\w+|valid_\w+|action_mask|obs|observation|board|controlled_\w+|current_\w+)'"
     r"|(\w+)'\n.*\bobs\w*\[.\1\b)(?P<key>\w+)'",
     Message("The observation has no {key!r}. It has state_map (Reversi: the sets 1 and 2), chess_player_idx, "
             "board_width and board_height; legal moves are for you to find.")),
    (r"'list' object has no attribute '(?:n|sample|shape|contains|spaces)'\n.*space|'Discrete' (?:has|object is)",
     Message("action_space is a list of two: action_space[0] is for the row, action_space[1] for the column.")),
    (r"indices must be integers or slices, not tuple",
     Message("A list takes one index at a time: write board[row][col], not board[row, col].")),
    (r"'set' object is not subscriptable|0-dimensional|0-d array",
     Message("A set has no index, nor has a numpy array of a set or dict: test `(row, col) in cells`, or take "
             "sorted(cells).")),
    (r"EOFError", Message("Nobody types on the site: take input() out.")),
    (r"SystemExit", Message("Neither exit() nor argparse belongs into a submission: the site's whole run would end.")),
    (r"RecursionError", Message("A function calls itself without end, or too deep: give it an end, or less depth.")),
)  # fmt: skip
BY_ERROR: ByError = (
    (rf"No module named '(?P<module>{'|'.join(sorted(INSTALLED_THERE))})\b",
     Message("The site has {module}, but this Python has not: install it, or choose another Python with --python.")),
    (rf"No module named '(?P<module>{'|'.join(sorted(sys.stdlib_module_names))})[.']",
     Message("The site's Python 3.7 has no module {module} either: do without it.")),
    (r"(?:No module named 'algo\.|cannot import name '\w+' from 'algo|attempted relative import)",
     Message("A relative import finds only files beside this one: put the module there, and upload both.")),
    (rf"No module named '(?P<module>{'|'.join(OWN_THERE)})[.']",
     Message("The site's own program has a module {module}, which is not for uploads: import your own file with `from "
             ".{module} import ...`, and do without the site's.")),
    (r"No module named '(?P<module>[\w.]+)'",
     Message("The site has no {module}: it has the standard library, numpy, gym and torch. If it is a file of yours, "
             "put it beside this one, and write `from .{module} import ...`.")),
    (r"NameError: name '(?:xrange|raw_input|unicode|unichr|long|reduce|basestring)'",
     Message("That name is of Python 2: the site runs Python 3.7.")),
    (r"NameError", Message("The name is not defined there: is it misspelt, or is an import missing?")),
    (rf"UnboundLocalError: .*?'(?P<name>{'|'.join(dir(builtins))})'",
     Message("The function assigns {name}, which hides Python's own {name} in it: give the variable another name.")),
    (r"UnboundLocalError: .*?'(?P<name>\w+)'",
     Message("The function assigns the name somewhere, so it is local in it: write `global {name}` if you mean the "
             "module's.")),
    (r"TypeError: 'type' object is not subscriptable|TypeError: unsupported operand type\(s\) for \|",
     Message("The site runs Python 3.7, which lacks this: write typing.List and typing.Optional, or copy and update a "
             "dict.")),
    (r"AttributeError: 'str' object has no attribute 'remove(?:prefix|suffix)'",
     Message("The site runs Python 3.7, which lacks this: cut the text by its length.")),
    (r"IndexError|(?:min|max)\(\) (?:arg is an empty|iterable argument is empty)|empty (?:sequence|range)",
     Message("A list was empty or shorter than expected: test for that, for instance when no move is possible.")),
    (r"TypeError: (?P<name>[\w.]+)\(\) (?:missing|takes|got an unexpected)",
     Message("{name} is called with other arguments than its `def` has: compare the two lines.")),
    (r"TypeError: .*NoneType", Message("A value was None: does a function end without `return`?")),
    (r"PermissionError: \[Errno 1\]",
     Message("The sandbox refused a system call: an agent is one process, without network, programs and shared memory. "
             "--processes lets an agent that you trust start processes and programs.")),
    (r"FileNotFoundError|NotADirectoryError|PermissionError",
     Message("The current folder of the site is another: open files as os.path.join(os.path.dirname("
             "os.path.abspath(__file__)), NAME), and write none. An agent that is named by its file has no data beside "
             "it: name its folder.")),
    (r"OSError: .*File too large",
     Message("tengen takes at most 64 MB of output, and as much in each file: print less, and write no files.")),
)  # fmt: skip

BY_KIND: Mapping[FaultKind, Message] = {
    FaultKind.EXITED: Message("A controller that raises or exits ends the site's whole run; take os._exit() out."),
    FaultKind.ENGINE_ENDED: Message("Start the program by hand and send it the same lines; --out keeps what it "
                                    "printed. Its files must lie in its own folder, or in the one that reads=FOLDER "
                                    "names."),
    FaultKind.REUSED: Message("The site reads an answer after it has called both sides: return new lists every time."),
    FaultKind.MANY_THREADS: Message("The site has one core; start fewer threads."),
    FaultKind.NO_ANSWER: Message("The site allows 1 s per call, on turn and off turn: look for a `while` whose "
                                 "condition stays true; else think less, or stop by the clock."),
    FaultKind.KILLED: Message("The process broke down, as by a recursion that is too deep or by a fault in a compiled "
                              "package."),
}  # fmt: skip
IMPORT_TIME = Message(
    "Code outside functions runs at the import: look there for a `while` that never ends, or for "
    "work that takes long. An external program has 30 s to answer the first lines of its protocol."
)
# Advice by the reason of a fault, if nothing else decides.
BY_REASON: Mapping[Reason, Message] = {
    Reason.ILLEGAL_MOVE: Message("The site silently plays a random move instead; answer a legal cell of the board in "
                                 "this observation."),
    Reason.BAD_SHAPE: Message("Answer [one_hot_row, one_hot_col], two plain lists of ints with one 1 each, of the "
                              "lengths in action_space; also when it is not your turn."),
    Reason.CRASH: Message("A controller that raises ends the site's whole run; mend what the traceback shows."),
    Reason.TIME: Message("The site allows 1 s per call, on turn and off turn; think less, or stop by the clock. If "
                         "other programs were busy here, try again when they are not."),
    Reason.MACHINE: Message("Play the game again when the machine is less busy, or with fewer --jobs."),
    Reason.MEMORY: Message("The site allows 500 MB; keep smaller tables."),
    Reason.WROTE: Message("The observation is the site's own board: copy it before you write."),
    Reason.PROTOCOL: Message("It wrote to a file descriptor that it did not open; do not do that."),
    Reason.ENGINE_ANSWER: Message("Send the program the same line by hand, and look up the protocol's answers."),
    Reason.INNER_FAULT: Message("It caught a fault of its own and played on, weakly; mend what the traceback shows."),
}  # fmt: skip


def is_of_newer_python(version: str, text: str) -> bool:
    """Whether the errors in a text may be due to the fact that a Python of this version is newer than the site's."""
    return version != "" and not version.startswith("3.7") and OF_NEWER.search(text) is not None


def advice(fault: Fault, python: str = "3.7") -> Message:
    """The advice for a fault. The place comes first, if the fault has a traceback: "submission.py, line 3: ...".

    `python`: the version of the Python that ran the agent.
    """
    what, place = _advice(fault), place_of(fault.traceback)
    if is_of_newer_python(python, raised_text(fault)):
        what = Message("It ran under Python {version}, which may lack what the site's Python 3.7 has: {prepare}; then "
                       "choose it with --python.", version=python, prepare=manual.PREPARE)  # fmt: skip
    if "SETTINGS" in str(fault.fields.get("error", "")):  # the traceback ends in the code that reads the table SETTINGS
        place = ""
    return Message("{place}: {advice}", place=place, advice=what) if place else what


def _advice(fault: Fault) -> Message:
    fields, hint = fault.fields, hint_of(fault.fields)
    after_pass = hint in (Hint.AFTER_PASS, Hint.AFTER_PASS_OFF_TURN)
    text = raised_text(fault)
    if not after_pass and (sentence := _by_error(BY_CONTRACT, text)):
        return sentence
    if hint is not None:
        return Message(hint.template, **fields)
    if fault.loading and fault.reason is Reason.TIME:
        return IMPORT_TIME
    return _by_error(BY_ERROR, text) or BY_KIND.get(fault.kind) or BY_REASON[fault.reason]


def _by_error(table: ByError, text: str) -> Message | None:
    """The advice of the first pattern found in `text`, a `raised_text`; None if no pattern fits."""
    for pattern, sentence in table:
        if match := re.search(pattern, text):
            return Message(sentence, **match.groupdict()) if match.groupdict() else sentence
    return None


def place_of(traceback: str) -> str:
    """The file and the line of the agent's own code that a traceback ends in; "" if it has none."""
    file, line, _code = _ends_in(traceback)
    return Message("{file}, line {line}", file=file, line=line) if file else ""


def raised_text(fault: Fault) -> str:
    """An exception's last line, and below it the agent's own line in which the exception was raised; both are cut."""
    return f"{str(fault.fields.get('error', ''))[:LOOKED_AT]}\n{_ends_in(fault.traceback)[2][:LOOKED_AT]}"


def _ends_in(traceback: str) -> tuple[str, str, str]:
    """The file, the number and the text of the agent's own line that a traceback ends in."""
    lines = [*traceback.splitlines(), ""]
    for line, code in reversed([*itertools.pairwise(lines)]):
        if (match := PLACE.match(line)) and not OF_OTHERS.match(line):
            return match[1], match[2], code.strip()
    return "", "", ""
