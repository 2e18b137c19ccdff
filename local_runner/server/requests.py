"""The requests of a page. Each public method of `PageRequests` but `close` is a request; its parameters are the fields:

    {"type": "play", "tag": 7, "room": "k3j5x8d2m9qa", "ply": 4, "cell": 112}

`tag` is a number that the page chooses; the answers repeat it. What a request returns are the fields of an answer of
type `answer`; other answers are named by their type. An impossible request raises RunnerError or EnvError, which
`Connection` answers with `refusal`: a `sentence` with the reason, and what the user can do. `board`, `moves`, and the
fields of a position are described in board_data.py. A winner is 1 Black, 2 White, 3 a draw, 0 while the game goes on.
"""

import asyncio
import inspect
import itertools
import json
import re
import sys
import traceback
from collections.abc import Hashable
from contextlib import suppress
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.websockets import WebSocket, WebSocketDisconnect

from env_adapter import EnvError
from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.files.moves import read as read_games
from local_runner.formats.saved_game import Part
from local_runner.formats.source import Source
from local_runner.game.setup import GameSetup
from local_runner.game.wording import COLOURS, error_text
from local_runner.language.languages import _, shown, speaking
from local_runner.language.text import printable
from local_runner.server import wire
from local_runner.server.games import opened, position_game, saved_game, shown_position
from local_runner.server.jobs import Jobs, PageLook, analyse_game, check_upload, watch_file
from local_runner.server.room import Order
from local_runner.server.services import Services
from local_runner.server.wire import Answer, CellNumber, Count, Name, Page, PagePosition, Seats, Size, Tag, Wire

LONGEST = 1 << 20  # bytes; a longer message from the page closes the connection


class PageRequests:
    """Executes the requests of one page: coroutines in the event loop, functions in a thread, as they take time.

    Texts are in the page's language.
    """

    def __init__(self, services: Services, page: Page) -> None:
        self._services, self._page = services, page
        self._jobs = {kind: Jobs(page, services.mode) for kind in ("look_at", "analyse", "check", "watch", "explore")}
        self._look = PageLook(page, self._jobs["look_at"], 0, 1)

    def close(self) -> None:
        """Stop all jobs, and follow nothing any more, because the page has disconnected."""
        self._look.end()
        for jobs in self._jobs.values():
            jobs.close()
        self._services.rooms.leave(self._page)
        self._services.trees.leave(self._page)

    async def hello(self, version: int, language: Literal["en", "zh"]) -> None:
        """The first message. Answer: `welcome`, with these fields.

        `games`: a game's `env` and `title`; `style`, how its board is drawn: "crossings", "squares" or "marks"; `rows`,
        `cols`; `sizes`, the board sizes that are offered, the usual size included; `in_a_row`, stones in a row that
        win, 0 in Reversi; `start`, the pieces on the start board: "empty", "stones" or "discs"; `has_pass`;
        `takes_board`, whether a game may begin from any stones, with either side to move; `formats`, the endings of the
        files in which a game can be saved; `agents`, the built-in agents that play the game, and `given`, those of the
        server's command line; `openings`, the first openings of the game's book, each a list of cells.
        `any_board`: an m,n,k-game, whose name has m rows, n columns and k in a row: mnk_7_7_4_1v1.
        `levels`: a level of our engine, its `name`, and the limits of its search in words, `about`.
        `formats`: the formats of saved games in words, by ending.
        `rooms`: the games on the server, the newest first, with the side `to_move`, 0 if the game cannot go on, and
        `changed`, the time of the last change in UTC. `damaged`: the paths of files of rooms that cannot be read.
        `uploads`: the uploaded files, the newest first. `files`: the tournament files of the command line, for `watch`.
        """
        if version != wire.VERSION:
            sentence = _("this page is of version {theirs}, the server of {ours}; reload the page")
            raise RunnerError(sentence.format(theirs=version, ours=wire.VERSION))
        self._page.language = language
        with speaking(language):
            self._page.send(await asyncio.to_thread(self._services.welcome))

    # ---- rooms

    async def new_game(self, tag: Tag, position: PagePosition, seats: Seats, lose_turn: bool = False,
                       ponder: bool = True, opening: Count | None = None) -> None:  # fmt: skip
        """Begin a game in a new room, and enter the room. Answer: `state`. `lose_turn`: in Reversi, an illegal move of
        a human loses the turn instead of being refused. `ponder`: our engine searches in the human's time. `opening`:
        index in the game's `openings` of `welcome`; that opening replaces the position's moves.
        """
        await self._services.rooms.new(self._page, tag, position, seats, lose_turn, ponder, opening)

    async def enter(self, tag: Tag, room: Name) -> None:
        """Follow a room until `leave`, for example after a reload of the page. Answers: `state` now, and after every
        change `moved` if there are only new moves, else `state`.

        `state` has the whole room. `version`: number of changes of the room so far. `seats`, `names`, `clock`: Black's
        first; a clock is the seconds used so far. `thinking`: the player on turn if an agent plays that side, else
        null. `seconds`: seconds used for each ply, null where unknown. `result`: how the game ended, in words; "" while
        the game goes on. `fault`: the traceback and the output of the agent that caused the end, "" without one.
        `unkept`: why the store could not write the game as it is now, "" if it could. `pace`: the least seconds between
        two moves in a game without a human, null while it is paused. `moved` continues the state with the version
        before: `seconds`, and in `moves` the fields `moves` and `turned`, have only the new plies.
        """
        (await self._services.rooms.room(room, self._page)).pages.enter(self._page, tag)

    async def leave(self, room: Name) -> None:
        """Stop following a room."""
        self._services.rooms.leave(self._page, room)

    async def play(self, tag: Tag, room: Name, ply: Count, cell: CellNumber) -> None:
        """A human's move. Answer: `moved`, or `state`. `ply`: the number of plies before the move; a message with
        another number is ignored, so a move sent twice is made once. `cell`: -1 to pass.
        """
        (await self._services.rooms.room(room, self._page)).order(Order(self._page, tag, ply, "play", cell=cell))

    async def command(
            self, tag: Tag, room: Name, ply: Count,
            command: Literal["undo", "resign", "swap", "restart", "hint", "move_now", "delete", "pace"],
            seconds: Annotated[float, Meta(ge=0, le=10)] | None = None,
        ) -> None:  # fmt: skip
        """A command of a human. `undo`: take back the human's last move. `swap`: exchange the players of both sides.
        `restart`: begin the same game again. `move_now`: end our engine's search, so that it plays its best move so
        far. `delete`: delete the room; the `enter` of its other pages is then refused. `pace`: in a game without a
        human, let `seconds` pass between two moves, null to pause. `hint` is answered with the cell
        that the engine would play and a `sentence` with its reason, the others with `state`.
        `ply`: the number of plies of the game that the human saw. If a human has moved since, or plies were taken back,
        the command is refused.
        """
        (await self._services.rooms.room(room, self._page)).order(Order(self._page, tag, ply, command, seconds=seconds))

    # ---- positions and engines

    def show(self, tag: Tag, position: PagePosition | None = None, room: Name | None = None) -> Answer:
        """The board and the moves of a position, for example while it is set up, or of a stored room. The page gives
        either `position` or `room`. `problem`: why the position cannot be played, "" if it can.
        """
        _refuse_both(position, room)
        board, moves, problem = shown_position(position or self._services.store.room(room or "").position)
        return {"board": board, "moves": moves, "problem": problem}

    async def look_at(self, tag: Tag, room: Name | None = None, position: PagePosition | None = None,
                      lines: Annotated[int, Meta(ge=1, le=9)] = 3) -> None:  # fmt: skip
        """Search a position until `stop` or the page's next `look_at`. The page gives either `position` or
        `room`. With `room`, each new position of the room is searched; while an engine on a seat of that room searches,
        its reports are sent instead. `lines`: number of best moves to report. Answers: `looked`, repeatedly. `ply`: the
        number of plies before the position. `who`: "engine" for the page's own engine, else the side whose engine
        searches in the room. `look`: an `EngineInfo`.
        """
        self._look.end()
        _refuse_both(position, room)
        look = PageLook(self._page, self._jobs["look_at"], tag, lines)
        if position is not None:
            start = await asyncio.to_thread(position_game, position)
            look.look_at(start.setup, start.cells, len(position.moves))
        else:
            followed = await self._services.rooms.room(room or "", self._page)
            look.leave = partial(followed.looks.discard, look)
            followed.follow(look)
        self._look = look

    async def analyse(self, tag: Tag, position: PagePosition, seconds: Annotated[float, Meta(ge=0.02, le=10)] = 0.2,
                      tree: Name | None = None, since: Count = 0) -> None:  # fmt: skip
        """Analyse a game. `seconds`: search time for each position. `tree`: the tree with which the finished analysis
        is stored, null to store it nowhere. `since`: the first ply to analyse; a move that is tried is the last ply.
        Answers: `analysed`, after every position. `done`, `all`: numbers of positions. `analysis`: a `GameAnalysis` of
        the game so far, with `lead`, the number of its plies that are set-up stones.
        """
        game = await asyncio.to_thread(saved_game, position, COLOURS)
        jobs, lead = self._jobs["analyse"], len(game.cells) - len(position.moves)
        keep = partial(self._services.trees.keep_report, tree) if tree else None
        jobs.start(tag, partial(analyse_game, jobs.engine, game, seconds, lead, since, keep))

    async def explore(self, tag: Tag, position: PagePosition, source: Name = "") -> None:
        """Count what was played from a position in many games. `source`: "rooms" for the games on the server, "engine"
        for our engine's book and the proof, or the id of an opened file or the name of one of the command line; "" for
        the file that was opened last. Answers: `explored`, repeatedly while the games are read for the first time.

        `done`, `all`: numbers of games; the last answer has equal ones. `source`: the one that was taken. `files`: id
        and name of each file. `moves`: for each move the `cells`, of which symmetry makes several equal, and `results`,
        the numbers of games without a result, won by Black, won by White, drawn. With "engine", `results` are 0, and
        `why` and `chance` are as in `Services.prepared`. `ended`: the results of the games that ended here. `games`:
        some of the games, each with names, winner, its room or its number in the file, and the number of its moves
        before the position. `problem`: a sentence about damaged games, "" without any.
        """
        self._jobs["explore"].start(tag, partial(self._services.explorer.explore, position, source))

    async def stop(self, what: Literal["look_at", "analyse", "check", "watch", "explore"]) -> None:
        """Stop the page's request of this type. The engine of `look_at` stays for the page's next `look_at`."""
        if what == "look_at":
            self._look.end()
        else:
            self._jobs[what].close()

    # ---- uploads

    def delete_upload(self, tag: Tag, upload: Name) -> Answer:
        """Delete an upload. The answer has the `uploads` that are left."""
        self._services.uploads.delete(upload)
        return {"uploads": self._services.uploads.headings()}

    async def check(self, tag: Tag, upload: Name, quick: bool = True) -> None:
        """Check an upload as `tengen check` does. `quick`: cut a slow agent's games short. Answers: `checked`,
        repeatedly. `text`: the current step. `done`, `all`: numbers of games. The last one is `finished`. `ready`:
        whether the file may be uploaded, null if that could not be decided on this machine. `few_moves`: whether games
        of a slow agent were cut short. `findings`: their severity ("ok", "note", "open" or "failed"), `title`, a
        traceback as `detail`, how to `mend` the fault, "" if nothing is to be done, and the address of the page that is
        `about` it, "" if there is none.
        """
        uploads = self._services.uploads
        path, name = uploads.path(upload), uploads.name(upload)
        self._jobs["check"].start(tag, partial(check_upload, path, name, quick, self._services.mode))

    # ---- files

    def read_moves(self, tag: Tag, env: Name, text: Annotated[str, Meta(max_length=10_000)],
                   size: Size | None = None) -> Answer:  # fmt: skip
        """Read a game from moves in a text, as from a file of moves, or from any format of files, which may name
        another game. The answer is that of `open_game`. `size`: null for the game's usual board.
        """
        setup = GameSetup(env, rules="stated", board_size=size)
        name, content = _("the text"), text.encode("utf-8", "replace")
        games = read_games(Source(name, content, setup))
        if not any(games.game(0).cells):
            with suppress(RunnerError):
                games = formats.read(name, content)
                try:
                    games.game(0)
                except RunnerError:
                    games = formats.read(name, content, setup)
        if len(games) > 1:
            sentence = _("this text has {number} games; open it as a file in Replay")
            raise RunnerError(sentence.format(number=len(games)))
        return opened(games.game(0))

    def open_game(self, tag: Tag, file: Name, number: Count) -> Answer:
        """A game of an opened file. `number`: from 0. `result`: how the game ended, in words. `damage`: what is wrong
        with the record of the game, in words; "" if nothing is. `seconds`, `thoughts`: time and search figures by ply;
        [] if the file has none. `variations`: whether the file has variations of the game, which an analysis board
        shows.
        """
        files = self._services.opened
        game, tree = files.game(file, number), files.games(file)[1].tree(number)
        try:
            return opened(game, tree is not None and Part.VARIATIONS in game.left_out)
        except ValueError as error:
            raise RunnerError(_("this game cannot be shown: {error}").format(error=error)) from error

    async def watch(self, tag: Tag, file: Name, games: Annotated[int, Meta(ge=1, le=10_000)] = 500) -> None:
        """Watch a tournament until `stop`. Answers: `watched`, first with all fields of `Overview.state` and with
        `live`, the boards of the games that run now, and after every change with the changed fields.
        `file`: the name of a file of the command line, or the id of an opened file. `games`: number of games that are
        listed, the newest.
        """
        path, name = self._services.opened.tournament(file)
        self._jobs["watch"].start(tag, partial(watch_file, path, name, games))

    # ---- analysis boards

    def new_tree(
            self, tag: Tag, position: PagePosition | None = None, names: tuple[Name, Name] | None = None,
            damage: Annotated[str, Meta(max_length=2000)] = "", file: Name = "", number: Count = 0,
        ) -> Answer:  # fmt: skip
        """Make the tree of an analysis board from a game, and store it. The page gives `position`, or `file` and
        `number`; a room's tree needs no request. `damage`: why the rest of its text is unreadable. The answer
        names the `tree`, which may be an earlier one of the same game.
        """
        trees = self._services.trees
        if position is None:
            return {"tree": trees.of_file(file, number)}
        return {"tree": trees.of_position(position, names or COLOURS, damage)}

    def enter_tree(self, tag: Tag, tree: Name) -> None:
        """Follow a tree until `leave_tree`. `tree`: its name, or the name of a room. Answers: `tree`, now with all
        nodes, and after every change with the changed ones.

        `whole`: `nodes` are all nodes; otherwise the changed nodes, and a node that is no node's child any more is
        gone. `node`: the node to show after the page's own change, else null. `can_undo`: whether a change can be taken
        back. `board`: at the game's own start. `report`: the stored analysis of the main line, which may since have
        changed; null without one, and if not `whole`. `damage`: where the file of the game cannot be read. `unkept`:
        why the store could not write the tree, "" if it could.
        A node has its `id`, its `parent` (-1 for the start), `children`, `seconds`, the texts `name` and `comment`, and
        `marks`: SGF property, cells (both ends of AR, an arrow, and of LN, a line) and label. `plies` are its moves:
        none, one, or a forced pass and a move. `turned` is for `plies`. `stones`, `first`: the board that the node sets
        up, else null, and the side to move there. `line`, `legal`, `must_pass`, `to_move`, `winner`: after the node.
        `problem`: why the node cannot be played.
        """
        self._services.trees.enter(self._page, tag, tree)

    async def leave_tree(self, tree: Name) -> None:
        """Stop following a tree."""
        self._services.trees.leave(self._page, tree)

    def edit_tree(
            self, tag: Tag, tree: Name, node: Count,
            act: Literal["play", "comment", "mark", "stone", "turn", "promote", "delete", "undo"],
            cells: Annotated[list[CellNumber], Meta(max_length=100)] = [],  # noqa: B006 (copied for each message)
            text: Annotated[str, Meta(max_length=10_000)] = "",
        ) -> None:  # fmt: skip
        """Change a tree. Answer: `tree`, whose `node` is the node to show. `play`: play `cells` after the node.
        `comment`: replace the comment by `text`. `mark`: put or take a mark at the first of `cells`; `text` is TR, SQ,
        CR, MA, or LB: and a label; AR, an arrow, or LN, a line, goes from the first of `cells` to the second. `stone`:
        put or take a stone, `text` B or W, or with E take one. `turn`: let the side `text`, B or W, begin.
        `promote`: make the node's variation the first one at the fork above. `delete`: remove the node and all below.
        `undo`: take back the last change of any page.
        """
        self._services.trees.edit(self._page, tag, tree, node, act, cells, text)

    def list_trees(self, tag: Tag, forget: Name = "") -> Answer:
        """The stored `trees`, newest first, with their number of `moves`, and the paths of `damaged` files. `forget`:
        a tree to delete first.
        """
        return self._services.trees.listed(forget)


def _refuse_both(position: PagePosition | None, room: str | None) -> None:
    if (room is None) == (position is None):
        raise RunnerError(_("look at a room or at a position, not at both"))


def _fields(name: str, request: Any) -> type[msgspec.Struct]:
    """A request as the type of its message."""
    fields = [(each.name, each.annotation, msgspec.NODEFAULT if each.default is each.empty else each.default)
              for each in list(inspect.signature(request).parameters.values())[1:]]  # fmt: skip
    return msgspec.defstruct(name, fields, bases=(Wire,), tag_field="type", tag=name, kw_only=True)


REQUESTS = {
    name: _fields(name, each) for name, each in vars(PageRequests).items() if name[0] != "_" and name != "close"
}
_MESSAGE = msgspec.json.Decoder(reduce(or_, REQUESTS.values()))
_PLACE = re.compile(r"`\$\.?(.+)`$")  # at the end of the library's sentence: the field that is wrong


def read(text: str | None) -> tuple[str, dict[str, Any]]:
    """The type and the fields of a message. Raises RunnerError for a message that is none of `REQUESTS`."""
    if text is None:
        raise RunnerError(_("messages are JSON, not binary"))
    try:
        message = _MESSAGE.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        place = _PLACE.search(str(error))
        sentence = _("this message cannot be read ({where}); reload the page")
        raise RunnerError(sentence.format(where=place[1] if place else "JSON")) from error
    return type(message).__name__, msgspec.structs.asdict(message)


def encoded(answer: Answer, language: str) -> str:
    """The text of an answer, whose functions and Messages are in this language."""

    def spoken(part: Any) -> Any:
        return part() if callable(part) else printable(shown(part))

    with speaking(language):
        try:
            return msgspec.json.encode(answer, enc_hook=spoken).decode()
        except UnicodeEncodeError:  # half a surrogate pair, as in the name of a file that is not UTF-8
            return json.dumps(msgspec.to_builtins(answer, enc_hook=spoken))


class Connection:
    """The connection to one page: reads its requests from the WebSocket and sends the answers, in the event loop.

    Any thread may call `send`; a task empties the queue. uvicorn disconnects a page that reads nothing, since such a
    page answers no ping.
    """

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self.language = "en"
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[Hashable, str] = {}  # messages in order, those without a key by a number
        self._numbers = itertools.count()
        self._filled = asyncio.Event()
        self._greeted = False
        self._requests = PageRequests(services, self)

    def send(self, answer: Answer, key: str | None = None) -> None:
        """Queue a message. A message with a key replaces a queued message that has the same key.

        So a slow page skips old reports of the engine. The new message goes to the end, so that no older message about
        the same game comes after it.
        """
        text = encoded(answer, self.language)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._queue, key or next(self._numbers), text)

    def _queue(self, place: Hashable, text: str) -> None:
        self._waiting.pop(place, None)
        self._waiting[place] = text
        self._filled.set()

    async def run(self) -> None:
        """Serve the page until it disconnects."""
        await self._socket.accept()
        sending = asyncio.create_task(self._send_all())
        try:
            while not sending.done():
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    break
                with speaking(self.language):
                    await self._receive(event.get("text"))
        finally:
            sending.cancel()
            self._requests.close()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending

    async def _send_all(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            texts, self._waiting = list(self._waiting.values()), {}
            for text in texts:
                await self._socket.send_text(text)

    async def _receive(self, text: str | None) -> None:
        tag: int | None = None
        try:
            name, fields = read(text)
            if not self._greeted and name != "hello":
                raise RunnerError(_("the first message must be Hello; reload the page"))
            tag = fields.get("tag")
            request = partial(getattr(self._requests, name), **fields)
            answer = await (request() if inspect.iscoroutinefunction(request.func) else asyncio.to_thread(request))
            self._greeted = True
            if answer is not None:
                self.send({"type": "answer", "tag": tag, **answer})
        except (RunnerError, EnvError) as error:
            self.send(wire.refusal(tag, error_text(error)))
        except WebSocketDisconnect:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
            self.send(wire.refusal(tag, _("the server made a mistake; its window shows which")))
