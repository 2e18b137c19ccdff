"""Advice on a fault: what to mend in the agent, in one or two sentences. `wording.py` says what happened.

A hint decides (`hints.py`), else the exception's text, else the reason. The advice speaks to the agent's author.
"""

import re
from collections.abc import Mapping

from local_runner.game.faults import Fault, FaultKind, FieldValue, Reason
from local_runner.game.hints import Hint, hint_of
from local_runner.language.languages import Message

# Packages installed on the site, according to its page and to the requirements of gym 0.18.3.
INSTALLED_THERE = {"numpy", "gym", "torch", "scipy", "cloudpickle", "PIL", "pyglet", "typing_extensions"}
PLACE = re.compile(r'^ *File "(?:[^"\n]*[/\\])?([^"/\\\n]+)", line (\d+)', re.MULTILINE)
OF_OTHERS = re.compile(r'^ *File "(?:<frozen|[^"\n]*/(?:lib/python|site-packages/|local_runner/processes/))')

THREE_ARGUMENTS = Message(
    "The site calls my_controller with three arguments: write `def my_controller(observation, action_space, "
    "is_act_continuous=False):`."
)
# Advice by the last line of an exception. Named groups of the pattern are fields of the advice; the first match counts.
ByError = tuple[tuple[str, Message], ...]
# Mistakes about what the site gives and takes. This advice goes before that of a hint.
BY_CONTRACT: ByError = (
    (r"TypeError: (?:\w+\.)*my_controller\(\) (?:missing|takes|got)", THREE_ARGUMENTS),
    (r"SETTINGS has no row for (?P<place>.*?);",
     Message("The table SETTINGS has no row for {place}: a row with None as rows and cols fits every board.")),
    (r"SETTINGS, row (?P<row>\d+) (?P<head>\(.*?\)): (?P<what>.*); allowed: (?P<allowed>.*)",
     Message("Mend row {row} of the table SETTINGS, {head}: {what}. Allowed: {allowed}.")),
    (r"KeyError: 'state_map'",
     Message("Reversi has no state_map: its discs are two sets of (row, col), observation[1] of Black and "
             "observation[2] of White.")),
    (r"KeyError: '(?P<key>legal_\w+|valid_\w+|action_mask|obs|observation|board|controlled_\w+|current_\w+)'",
     Message("The observation has no {key!r}. It has state_map (Reversi: the sets 1 and 2), chess_player_idx, "
             "board_width and board_height; legal moves are for you to find.")),
    (r"AttributeError: 'list' object has no attribute '(?:n|sample|shape|contains|spaces)'",
     Message("action_space is a list of two: action_space[0] is for the row, action_space[1] for the column.")),
    (r"EOFError", Message("Nobody types on the site: take input() out.")),
    (r"SystemExit", Message("Neither exit() nor argparse belongs into a submission: the site's whole run would end.")),
    (r"RecursionError", Message("A function calls itself without end, or too deep: give it an end, or less depth.")),
)  # fmt: skip
BY_ERROR: ByError = (
    (rf"No module named '(?P<module>{'|'.join(sorted(INSTALLED_THERE))})\b",
     Message("The site has {module}, but this Python has not: install it, or choose another Python with --python.")),
    (r"(?:No module named 'algo\.|cannot import name '\w+' from 'algo|attempted relative import)",
     Message("A relative import finds only files beside this one: put the module there, and upload both.")),
    (r"No module named '(?P<module>[\w.]+)'",
     Message("There is no module {module}: put your own file beside this one, and write `from .{module} import ...`; "
             "the site has no others.")),
    (r"NameError: name '(?:xrange|raw_input|unicode|unichr|long|reduce|basestring)'",
     Message("That name is of Python 2: the site runs Python 3.7.")),
    (r"NameError", Message("The name is not defined there: is it misspelt, or is an import missing?")),
    (r"UnboundLocalError",
     Message("The function assigns the name somewhere, so it is local in it: write `global NAME` if you mean the "
             "module's.")),
    (r"TypeError: 'type' object is not subscriptable|TypeError: unsupported operand type\(s\) for \|",
     Message("The site runs Python 3.7, which lacks this: write typing.List and typing.Optional, or copy and update a "
             "dict.")),
    (r"AttributeError: 'str' object has no attribute 'remove(?:prefix|suffix)'",
     Message("The site runs Python 3.7, which lacks this: cut the text by its length.")),
    (r"IndexError|(?:min|max)\(\) (?:arg is an empty|iterable argument is empty)|empty (?:sequence|range)",
     Message("A list was empty or shorter than expected: test for that, for instance when no move is possible.")),
    (r"TypeError: 'NoneType' object", Message("A value was None: does a function end without `return`?")),
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
    FaultKind.ENGINE_ENDED: Message(
        "Start the program by hand and send it the same lines; --out keeps what it printed. Its files must lie in its "
        "own folder, or in the one that reads=FOLDER names."
    ),
    FaultKind.REUSED: Message("The site reads an answer after it has called both sides: return new lists every time."),
    FaultKind.MANY_THREADS: Message("The site has one core; start fewer threads."),
    FaultKind.KILLED: Message(
        "The process broke down, as by a recursion that is too deep or by a fault in a compiled package."
    ),
}
# Advice by the reason of a fault, if nothing else decides.
BY_REASON: Mapping[Reason, Message] = {
    Reason.ILLEGAL_MOVE: Message(
        "The site silently plays a random move instead; answer a legal cell of the board in this observation."
    ),
    Reason.BAD_SHAPE: Message(
        "Answer [one_hot_row, one_hot_col], two plain lists of ints with one 1 each, of the lengths in action_space; "
        "also when it is not your turn."
    ),
    Reason.CRASH: Message("A controller that raises ends the site's whole run; mend what the traceback shows."),
    Reason.TIME: Message(
        "The site allows 1 s per call, on turn and off turn; think less, or stop by the clock. If other programs were "
        "busy here, try again when they are not."
    ),
    Reason.MACHINE: Message("Play the game again when the machine is less busy, or with fewer --jobs."),
    Reason.MEMORY: Message("The site allows 500 MB; keep smaller tables."),
    Reason.WROTE: Message("The observation is the site's own board: copy it before you write."),
    Reason.PROTOCOL: Message("It wrote to a file descriptor that it did not open; do not do that."),
    Reason.ENGINE_ANSWER: Message("Send the program the same line by hand, and look up the protocol's answers."),
    Reason.INNER_FAULT: Message("It caught a fault of its own and played on, weakly; mend what the traceback shows."),
}


def advice(fault: Fault) -> Message:
    """The advice for a fault. The place comes first, if the fault has a traceback: "submission.py, line 3: ..."."""
    what, place = _advice(fault), place_of(fault.traceback)
    if "SETTINGS" in str(fault.fields.get("error", "")):  # the traceback ends in the code that reads the table
        place = ""
    return Message("{place}: {advice}", place=place, advice=what) if place else what


def _advice(fault: Fault) -> Message:
    fields, hint = fault.fields, hint_of(fault.fields)
    after_pass = hint in (Hint.AFTER_PASS, Hint.AFTER_PASS_OFF_TURN)
    if not after_pass and (sentence := _by_error(BY_CONTRACT, fields)):
        return sentence
    if hint is not None:
        return Message(hint.template, **fields)
    return _by_error(BY_ERROR, fields) or BY_KIND.get(fault.kind) or BY_REASON[fault.reason]


def _by_error(table: ByError, fields: Mapping[str, FieldValue]) -> Message | None:
    """The advice of the first pattern that the exception's last line has; None if no pattern fits."""
    for pattern, sentence in table:
        if match := re.search(pattern, str(fields.get("error", ""))):
            return Message(sentence, **match.groupdict()) if match.groupdict() else sentence
    return None


def place_of(traceback: str) -> str:
    """The file and the line of the agent's own code that a traceback ends in; "" if it has none."""
    own = [line for line in traceback.splitlines() if PLACE.match(line) and not OF_OTHERS.match(line)]
    if not own:
        return ""
    file, line = PLACE.match(own[-1]).groups()  # type: ignore[union-attr]
    return Message("{file}, line {line}", file=file, line=line)
