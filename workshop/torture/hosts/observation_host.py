"""Calls the upload with hostile observations and action spaces, and writes what it found into a file, as JSON.

    observation_host.py BUNDLE FIRST COUNT ANSWER           under the platform's Python, with numpy or (-S) without

Calls are numbered; GROUP of them share a controller, as the calls of a game do. A call is determined by its number and
by those before it in its group, so the host replays these first. The mix: docs of `mixed`.
"""
import gc
import importlib.util
import json
import os
import random
import resource
import signal
import sys
from time import process_time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[0] = ROOT                      # instead of this folder
from workshop.torture.hosts import junk  # noqa: E402
from workshop.torture.hosts.boards import GameInPlay, choose  # noqa: E402
from workshop.torture.hosts.lies import Deed, liar  # noqa: E402

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

del sys.path[0]                         # the platform does not have this project on its path either

GROUP = 100                 # calls that share a controller
UNHURRIED = 100             # one group in so many thinks as long as the upload's own settings say; all others
HURRY = 0.002               # seconds a call
CPU_LIMIT = 0.9             # seconds of CPU
ENDLESS = 3.0               # seconds of CPU after which a call is ended
RSS_LIMIT = 200.0           # MB
SPACE_LIMIT = 4 << 30       # bytes of address space, to protect the machine
MOST_SIZE = 100             # the largest length of an answer's list


class Endless(BaseException):
    """A call has used ENDLESS seconds of CPU."""


class Made(NamedTuple):
    """One call. `sizes`: the lengths that the answer must have; None if nobody can know them."""

    kind: str
    observation: Any
    space: Any
    sizes: Optional[Tuple[int, int]]
    deed: Deed


def load(path: str) -> Any:
    """Import the bundle."""
    spec = importlib.util.spec_from_file_location("tortured", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mixed(dice: random.Random, game: GameInPlay) -> Made:
    """A call. Of 100: 46 random objects, 8 rows as after a pass, 41 damaged observations, 5 valid ones."""
    deed = Deed()
    kind, player = dice.random(), dice.choice((1, 2))
    if kind < 0.46:
        what, observation, board = "random object", junk.thing(dice, deed), None
    elif kind < 0.54:
        row = game.row()
        what, board = "row", None
        observation = row if dice.random() < 0.5 else liar(dice, deed, row)
    else:
        if dice.random() < 0.3:
            game.move()
        shown = game.show(player)
        if kind < 0.95:
            what, observation, board = "damaged", junk.damaged(dice, deed, shown.observation), None
        else:
            what, observation, board = "valid", shown.observation, (shown.rows, shown.cols)
    space = junk.action_space(dice, deed, game.rows, game.cols)
    if what == "valid" and game.game == "reversi" and (game.rows < 2 or game.rows % 2):
        board = None                        # not a board of Reversi
    return Made(what, observation, space.space, space.sizes or (board if space.space is None else None), deed)


def picture(part: Any, depth: int = 0) -> Any:
    """The contents of lists, dicts and sets, and the identities of all else: it differs if one was written into."""
    kind = type(part)
    if depth > 6 or part is junk.BIG_LIST:
        return id(part)
    if kind is list or kind is tuple:
        return [picture(each, depth + 1) for each in part[:300]] + [len(part), id(part)]
    if kind is dict:
        return [(id(name), picture(value, depth + 1)) for name, value in part.items()]
    if kind is set:
        return frozenset(map(id, part))
    if kind is bytearray:
        return bytes(part)
    if np is not None and kind is np.ndarray and part.dtype != object:
        return part.tobytes()
    if kind is junk.SizedSpace:
        return id(part), id(part.n)
    return id(part)


def wrong_shape(answer: Any, sizes: Optional[Tuple[int, int]]) -> str:
    """What is wrong with an answer's form; "" if nothing."""
    if type(answer) is not list or len(answer) != 2:
        return "the answer is not a list of two"
    for at, part in enumerate(answer):
        if type(part) is not list or any(type(each) is not int for each in part):
            return "a part of the answer is not a plain list of ints"
        if part.count(1) != 1 or part.count(0) != len(part) - 1:
            return "a part of the answer is not one-hot"
        if len(part) > MOST_SIZE or (sizes is not None and len(part) != sizes[at]):
            return f"the answer has {len(answer[0])}, {len(answer[1])} entries; wanted {sizes}"
    return ""


def judged(upload: Any, call: Made) -> Tuple[str, float]:
    """Make the call; what was wrong with it ("" if nothing), and its CPU seconds."""
    before = picture(call.observation), picture(call.space)
    wrong = ""
    raised: Optional[BaseException] = None
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    started = process_time()
    try:
        answer = upload.my_controller(call.observation, call.space, False)
    except BaseException as error:
        raised = error
    seconds = process_time() - started
    signal.setitimer(signal.ITIMER_PROF, 0)
    if isinstance(raised, Endless):
        wrong = f"ended after {ENDLESS} s of CPU"
    elif raised is not None:
        if not (call.deed.raised and raised is call.deed.raised[-1]):
            wrong = f"raised {type(raised).__name__!r}"
    elif call.deed.raised:
        wrong = f"swallowed {type(call.deed.raised[-1]).__name__}"
    else:
        wrong = wrong_shape(answer, call.sizes)
    if seconds > CPU_LIMIT and not wrong:
        wrong = f"took {seconds:.2f} s of CPU"
    if call.deed.wrote or (picture(call.observation), picture(call.space)) != before:
        wrong = wrong or "wrote into the observation or the action space ({})".format(", ".join(call.deed.wrote[:3]))
    if not gc.isenabled():
        gc.enable()
        wrong = wrong or "left the garbage collector off"
    return wrong and f"{call.kind}: {wrong}", seconds


def peak_mb() -> float:
    """The most resident memory in MB since the last reading; Linux only (0 elsewhere)."""
    try:
        with open("/proc/self/status") as status:
            most = next(int(line.split()[1]) * 1024 / 1e6 for line in status if line.startswith("VmHWM"))
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        return most
    except OSError:
        return 0.0


def run_group(upload: Any, group: int, first: int, last: int) -> Dict[str, Any]:
    """Make the calls of a group up to the number `last`, and report those from the number `first` on."""
    dice = random.Random(f"hostile observations {group}")
    upload._controller = upload.Controller(upload.SETTINGS)
    unhurried = group % UNHURRIED == UNHURRIED - 1
    if not unhurried:
        upload.configure(seconds=HURRY, off_turn_seconds=HURRY)
    game = GameInPlay(dice, *choose(dice))
    found: Dict[str, Any] = {"faults": [], "cpu": 0.0, "rss": 0.0, "kinds": {}, "inner": 0, "passed": 0}
    inner = 0
    for number in range(group * GROUP + 1, min((group + 1) * GROUP, last) + 1):
        if dice.random() < 0.03:
            game = GameInPlay(dice, *choose(dice))
        call = mixed(dice, game)
        peak_mb()               # what making the call has taken is not the upload's
        wrong, seconds = judged(upload, call)
        found["rss"] = max(found["rss"], peak_mb())
        fault = upload.last_fault()
        now = fault.count if fault else 0
        if number >= first:
            if wrong:
                found["faults"].append([number, wrong])
            found["cpu"] = max(found["cpu"], seconds)
            found["kinds"][call.kind] = found["kinds"].get(call.kind, 0) + 1
            found["inner"] += now - inner
            found["passed"] += bool(call.deed.raised)
            if now > inner:
                found["inner_traceback"] = [number, fault.traceback[-1500:]]
        inner = now
    if found["rss"] > RSS_LIMIT:
        found["faults"].append([min((group + 1) * GROUP, last), "{:.0f} MB resident".format(found["rss"])])
    return found


def main() -> None:
    """See the module."""
    path, first, count, answer = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    resource.setrlimit(resource.RLIMIT_AS, (SPACE_LIMIT, SPACE_LIMIT))

    def end(*_: Any) -> None:
        raise Endless

    signal.signal(signal.SIGPROF, end)
    upload = load(path)
    last = first + count - 1
    groups: List[Dict[str, Any]] = [run_group(upload, group, first, last)
                                    for group in range((first - 1) // GROUP, (last - 1) // GROUP + 1)]
    with open(answer, "w") as file:
        json.dump(groups, file)


if __name__ == "__main__":
    main()
