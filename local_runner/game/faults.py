"""Faults of agents. A fault has a kind and the fields of the kind's text. The agent loses for the kind's reason.

JSON, and the scripts in an agent's process, name a kind by its value. `wording.py` makes the texts of faults.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

FieldValue = str | int | float


class Reason(str, Enum):
    """The reason why a game ended. All reasons but the first four are faults; the agent at fault has lost.

    Nobody loses by MACHINE.
    """

    RULES = "by the rules"  # `Result.ending` names the rule
    RESIGNATION = "resignation"
    ADJUDICATION = "adjudication"  # the runner ended the game, as by --draw; see `Result.verdict`
    UNKNOWN = "unknown"  # the game's file does not say
    ILLEGAL_MOVE = "illegal move"
    BAD_SHAPE = "bad shape"  # the platform would refuse the answer or could not decode it
    CRASH = "crash"  # the agent raised or exited, or its process died
    TIME = "time"
    MEMORY = "memory"
    WROTE = "wrote to the observation"  # on the platform the observation is the live board
    PROTOCOL = "garbage in the runner's pipe"
    ENGINE_ANSWER = "answer against the protocol"  # a fault of an external program, such as a brain of the Gomocup
    MACHINE = "busy machine"  # nobody has lost: the runner could not measure a call
    INNER_FAULT = "fault inside"  # the agent caught an exception of its own and reports it by last_fault()


FORM = "answered in the wrong form: "  # the beginning of the texts about an answer's form
BUSY = "the machine was too busy to "  # the beginning of the texts about the machine
REASONS = {FORM: Reason.BAD_SHAPE, BUSY: Reason.MACHINE}  # beginning of a template -> reason


class FaultKind(Enum):
    """The kind of a fault, and the reason for which the agent loses. A template continues "Black ..." or "it ...".

    A member is declared as (value, template, reason). The reason is left out if it is CRASH or given by `REASONS`.
    """

    def __new__(cls, value: str, template: str = "", reason: Reason = Reason.CRASH) -> "FaultKind":
        member = object.__new__(cls)
        member._value_ = value
        member.template = template
        member.reason = next((of_text for text, of_text in REASONS.items() if template.startswith(text)), reason)
        return member

    template: str
    reason: Reason

    ILLEGAL = "illegal move", "played ({row}, {col}): {why}", Reason.ILLEGAL_MOVE
    NO_PAIR = "no pair", FORM + "the answer must be two lists, got {answer}"
    ROW_LENGTH = "row length", FORM + "the row's list must have {n} entries, got {answer}"
    COLUMN_LENGTH = "column length", FORM + "the column's list must have {n} entries, got {answer}"
    ROW_TYPE = "row type", FORM + "the row must be a plain list of ints, got {answer}"
    COLUMN_TYPE = "column type", FORM + "the column must be a plain list of ints, got {answer}"
    ROW_VALUES = "row values", FORM + "the row's list must hold exactly one 1 and otherwise 0, got {answer}"
    COLUMN_VALUES = "column values", FORM + "the column's list must hold exactly one 1 and otherwise 0, got {answer}"
    RAISED = "raised", "raised {error}"
    EXITED = "exited", "exited with code {code}"
    KILLED = "killed", "was killed by signal {number} ({name})"
    KILLED_OUTSIDE = "killed outside", (
        "an agent's process was killed from outside: signal {number} ({name}) of a person, or for lack of memory"
    ), Reason.MACHINE  # fmt: skip
    CLOSED_PIPE = "closed pipe", "closed the pipe that carries its answers"
    ENDED = "ended", "has ended"
    LATE = "late", "took {seconds:.3f} s of {limit:g} s ({clock:.3f} s on the runner's clock)", Reason.TIME
    NO_ANSWER = "no answer", "gave no answer within {seconds:.2f} s of {limit:g} s; killed", Reason.TIME
    UNMEASURED = "unmeasured", BUSY + "measure a call: runner or agent got no core for {seconds:.2f} s of {clock:.2f} s"
    UNSTOPPED = "unstopped", BUSY + "stop an agent between its calls: its sandbox got no core for {seconds:g} s"
    UNSTARTED = "unstarted", BUSY + "start an agent's process within {seconds:.2f} s"
    NO_MEMORY = "no memory", "asked for too much memory: {error}", Reason.MEMORY
    TOO_LARGE = "too large", "used {used:.0f} MB of {limit:g} MB", Reason.MEMORY
    KILLED_TOO_LARGE = "killed too large", "used {used:.0f} MB of {limit:g} MB; killed", Reason.MEMORY
    FILES_TOO_LARGE = "files too large", "wrote more than {size:.0f} MB of files, or too many; killed", Reason.MEMORY
    MANY_THREADS = "many threads", "had {used} threads, of {limit} that are allowed; killed"
    REUSED = "reused", "changed the answer that it had given for the other side at this step", Reason.BAD_SHAPE
    WROTE = "wrote", "changed the observation, which is the live board on the platform", Reason.WROTE
    GARBAGE = "garbage", "wrote into the pipe that carries its answers", Reason.PROTOCOL
    FORGED = "forged", "forged a reply of the host script", Reason.PROTOCOL
    ENGINE_ENDED = "engine ended", "lost its program: {error}"
    ENGINE_ANSWER = "engine answer", "broke its protocol: {error}", Reason.ENGINE_ANSWER
    CAUGHT = "caught", "caught a fault of its own: {error}", Reason.INNER_FAULT

    # Reasons why an agent's file cannot be played. The process that loads the file reports these reasons; no game
    # begins.
    NO_CONTROLLER = "no controller", (
        "{path} has no function my_controller(observation, action_space, is_act_continuous)")  # fmt: skip
    NO_PYTHON = "no Python", "{path} is no Python file: {error}"
    SYNTAX = "syntax", "{path} is no Python: line {line}: {error}"
    UNREADABLE = "unreadable", "{path} cannot be read: {error}"
    NO_PLAYER = "no player", "{path}: AIPlayer({options}) cannot be made: {error}"
    NO_OPTIONS = "no options", "{path} takes no options (it has no function configure), but was given {options}"
    UNKNOWN_OPTION = "unknown option", "{path} does not take {options}: it has no option {option}"
    OPTION_TYPE = "option type", "{path} does not take {options}: a value is of the wrong kind ({error})"
    OPTION_REFUSED = "option refused", "{path} does not take {options}: {error}"


_K = FaultKind
LENGTHS = frozenset({_K.NO_PAIR, _K.ROW_LENGTH, _K.COLUMN_LENGTH})  # faults that the platform refuses off turn, too
FORMS = LENGTHS | {_K.ROW_TYPE, _K.COLUMN_TYPE, _K.ROW_VALUES, _K.COLUMN_VALUES}  # the agent's process finds these
UNUSABLE = frozenset(kind for kind in FaultKind if kind.template.startswith("{path}"))  # no game begins


@dataclass(frozen=True)
class Fault:
    """A fault of an agent."""

    kind: FaultKind
    fields: Mapping[str, FieldValue] = field(default_factory=dict)  # for the template of the kind, or of the Illegality
    traceback: str = ""  # "" if there is none
    loading: bool = False  # whether the fault happened while the agent was being loaded

    @property
    def reason(self) -> Reason:
        """The reason for which the agent loses."""
        return self.kind.reason
