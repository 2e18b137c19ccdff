"""Games in rooms, over a real socket: humans, agents, and a page's rights in a game."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.processes import sandbox
from local_runner.processes.engine.engine_process import Question
from local_runner.processes.engine.levels import LEVELS
from local_runner.server.games import position_game
from local_runner.server.seats import SeatedEngine
from local_runner.server.wire import PagePosition
from tests.local_runner.server.conftest import HUMAN, agent, moves


def humans_turn(state):
    to_move = state["moves"]["to_move"] - 1
    return bool(state["result"]) or (state["thinking"] is None and state["seats"][to_move]["kind"] == "human")


BEGINNINGS = (
    {"env": "tictactoe_1v1"}, {"env": "tictactoe_1v1", "moves": [4, 0]}, {"env": "reversi_1v1", "size": 4},
    {"env": "tictactoe_1v1", "stones": [1, 2, 0, 0, 1, 0, 0, 0, 0], "first": 2},
)  # fmt: skip
ACTS = st.sampled_from(["play"] * 20 + ["undo", "restart", "resign", "swap", "late"] * 3)
COMMANDS = ("undo", "resign", "swap", "restart", "hint", "delete", "move_now")


@given(st.sampled_from(BEGINNINGS), st.lists(st.tuples(ACTS, st.integers(-1, 16)), max_size=25))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_room_of_two_humans_after_any_orders_has_the_moves_that_the_referee_allows(page, position, orders):
    """An order is an act and a cell; every move is sent twice. A refused order changes nothing."""
    start, setting = position_game(PagePosition(**position)), {"position": position, "seats": [HUMAN, HUMAN]}
    state = page.ask("state", type="new_game", **setting)
    room, begun, played, ending, cols = state["room"], moves(state), list(moves(state)), "", state["board"]["cols"]
    page.begun.append(room)
    session = GameSession(start.setup, cells=start.cells)
    for act, cell in orders:
        over, message = bool(ending or session.result), {"type": "command", "ply": len(played), "command": act}
        refused, mine = act == "resign" and over, [at for at, each in enumerate(played) if each >= 0]
        if act == "play":
            message = {"type": "play", "ply": len(played), "cell": cell}
            on_board = cell < len(state["board"]["stones"])
            refused = not over and (not on_board or bool(session.why_not(None if cell < 0 else divmod(cell, cols))))
            played += [] if over or refused else [cell]
        elif act == "late":
            message["command"], refused = COMMANDS[cell % len(COMMANDS)], True
            message["ply"] += -1 if len(played) > len(begun) else 1
        elif act == "undo":
            refused = not mine or mine[-1] < len(begun)
            played, ending = (played, ending) if refused else (played[: mine[-1]], "")
        elif act == "restart":
            played, ending = list(begun), ""
        elif act == "resign" and not over:
            ending = ("White wins: Black resigns", "Black wins: White resigns")[session.to_move]
        for _time in range(2 if act == "play" and not refused else 1):
            assert (page.answer(room=room, **message)["type"] == "refusal") is refused, (act, cell, played)
        session = GameSession(start.setup, cells=start.prefix)
        for each in played:
            session.ply(None if each < 0 else divmod(each, cols))
        over, state = bool(ending or session.result), page.ask("state", type="enter", room=room)
        legal = [] if over else [row * cols + col for row, col in session.env.legal_moves()]
        assert (moves(state), state["moves"]["legal"], len(state["seconds"])) == (played, legal, len(played))
        assert state["result"].startswith(ending) and bool(state["result"]) is over


def test_our_engine_plays_at_a_level_and_moves_at_once_when_told(page):
    state = page.begin("tictactoe_1v1", HUMAN, {"kind": "level", "level": 4})
    page.play(state, 4)
    state = page.until(humans_turn)
    assert state["names"][1] == "level 4 (Expert)" and len(moves(state)) == 2 and state["seconds"][1] > 0


def test_our_engine_plays_on_any_board(page):
    state = page.begin("mnk_3_9_4_1v1", HUMAN, {"kind": "level", "level": 4})
    page.play(state, 13)
    state = page.until(humans_turn)
    hint = page.do(state, "hint", "answer")
    assert len(moves(state)) == 2 and (state["board"]["rows"], state["board"]["cols"]) == (3, 9)
    assert hint["cell"] in state["moves"]["legal"]


def test_a_room_does_not_wait_for_the_start_of_our_engine_but_its_first_search_does():
    engine = SeatedEngine(LEVELS[0], sandbox.SandboxMode.AUTO, seed=1)
    assert engine.start().python == ""  # not known until the process is ready
    assert engine.think(Question(GameSetup("tictactoe_1v1"), (), nodes=20)).lines
    engine.close()


@pytest.mark.slow
def test_a_game_of_two_agents_is_paused_and_goes_on_at_another_pace(page):
    state = page.begin("gobang_1v1", agent("random"), agent("random"))
    assert state["pace"] == 0.4
    paused = page.do(page.until(lambda each: len(moves(each)) > 1), "pace")
    assert paused["pace"] is None
    state = page.do(paused, "pace", seconds=0)
    assert state["pace"] == 0 and len(moves(state)) == len(moves(paused))
    assert page.until(lambda each: each["result"])["result"]


def test_undo_while_the_agent_thinks(page):
    state = page.begin("gobang_1v1", HUMAN, {"kind": "level", "level": 5})
    thinking = page.play(state, 112)
    assert thinking["thinking"] == 1
    state = page.do(thinking, "undo")
    assert moves(state) == [] and state["thinking"] is None
    state = page.play(state, 113)
    assert moves(page.until(humans_turn))[0] == 113


def test_the_answer_of_an_agent_makes_no_command_late(page):
    state = page.begin("tictactoe_1v1", HUMAN, agent("random"))
    after = page.play(state, 4)
    page.until(lambda each: len(moves(each)) == 2)
    assert moves(page.do(after, "undo")) == []
    assert "gone on meanwhile" in page.refused(type="command", room=state["room"], ply=1, command="undo")


def test_a_page_is_told_that_its_game_was_deleted_on_another(visit, page):
    with visit.page("zh") as other:
        state = page.begin()
        other.follow(type="enter", room=state["room"])
        other.hear("state")
        page.do(state, "delete")
        assert other.hear("refusal")["sentence"] == "这一局已不存在；请开始新的一局"
        assert "no such game" in page.refused(type="enter", room=state["room"])


def test_a_game_that_is_only_looked_at_keeps_its_place_in_the_list(visit, page):
    rooms = [page.begin()["room"] for _time in range(2)]
    page.say(type="leave", room=rooms[0])
    with visit.page() as other:
        state = other.ask("state", type="enter", room=rooms[0])
        assert "no move of yours" in other.refused(type="command", room=rooms[0], ply=0, command="undo")
        assert listed(visit, rooms) == rooms[::-1]
        other.play(state, 4)
        assert listed(visit, rooms) == rooms


def listed(visit, rooms):
    with visit.page() as page:
        return [each["room"] for each in page.welcome["rooms"] if each["room"] in rooms]


def test_a_hint_is_a_legal_move_with_a_sentence(page):
    state = page.begin("tictactoe_1v1", moves=(0, 8, 1, 7))
    hint = page.do(state, "hint", "answer")
    assert hint["cell"] == 2 and hint["sentence"].startswith("c1: Black wins")


def test_a_book_opening_begins_a_game(page):
    book = next(game for game in page.welcome["games"] if game["env"] == "gobang_1v1")["openings"]
    state = page.begin("gobang_1v1", opening=2)
    assert moves(state) == book[2] and state["moves"]["opening"] == len(book[2])
    assert "there is no opening 999" in page.refused(
        type="new_game", position={"env": "gobang_1v1"}, seats=[HUMAN, HUMAN], opening=999)  # fmt: skip


@pytest.mark.parametrize(("position", "says"), [
    ({"env": "chess"}, "no game is called"),
    ({"env": "reversi_1v1", "size": 7}, "even side"),
    ({"env": "gobang_1v1", "moves": [0, 0]}, "cannot be played"),
    ({"env": "gobang_1v1", "moves": [600]}, "off the board"),
    ({"env": "tictactoe_1v1", "stones": [1, 1, 0, 0, 0, 0, 0, 0, 0]}, "do not fit"),
    ({"env": "tictactoe_1v1", "stones": [1, 1, 1, 2, 2, 0, 0, 0, 0], "first": 2}, "already over"),
    ({"env": "tictactoe_1v1", "stones": [1]}, "9 cells"),
    ({"env": "gobang_1v1", "first": 2}, "Black begins"),
    ({"env": "mnk_2_9_3_1v1"}, "a side has 3 to 19 cells, not 2"), ({"env": "mnk_9_20_3_1v1"}, "not 20"),
    ({"env": "mnk_3_9_10_1v1"}, "on a board of 3x9, 3 to 9 in a row can win, not 10"),
])  # fmt: skip
def test_a_game_that_cannot_be_played_is_refused(page, position, says):
    assert says in page.refused(type="new_game", position=position, seats=[HUMAN, HUMAN])


@pytest.mark.parametrize("seat", [agent("../../etc/passwd"), agent("tengen:seconds=9"), agent("seed001"),
                                  agent("gtp:cat"), {"kind": "upload", "upload": "0" * 32},
                                  {"kind": "upload", "upload": "../x"}])  # fmt: skip
def test_a_seat_that_nobody_can_take_is_refused(page, seat):
    assert page.refused(type="new_game", position={"env": "gobang_1v1"}, seats=[HUMAN, seat])


def test_positions_are_shown_also_when_they_cannot_be_played(page):
    shown = page.ask("answer", type="show", position={"env": "gomoku_11x11_1v1"})
    assert not shown["problem"] and sum(map(bool, shown["board"]["stones"])) == 4
    stones = [0] * 225
    stones[7] = 1
    shown = page.ask("answer", type="show", position={"env": "gobang_1v1", "stones": stones, "first": 1})
    assert "do not fit" in shown["problem"] and shown["board"]["stones"] == stones
    shown = page.ask("answer", type="show", position={"env": "gobang_1v1", "stones": stones, "first": 2})
    assert not shown["problem"] and shown["board"]["first"] == 2 and shown["moves"]["moves"] == []


@pytest.mark.skipif(not sandbox.best().confined, reason="hostile agents never run without a sandbox")
def test_an_upload_reaches_nothing_and_its_fault_ends_the_game_with_its_traceback(visit, page, serving):
    mark = serving.folder / "mark.txt"
    source = f"""def my_controller(observation, action_space, more=False):
    import socket
    for reach in (lambda: open({str(mark)!r}, "w"), lambda: socket.create_connection(("127.0.0.1", {serving.port}), 1)):
        try:
            print("reached", reach())
        except OSError:
            print("refused")
    return 1 // 0
"""
    seat = {"kind": "upload", "upload": visit.upload(source.encode(), "../../evil\x1b name.py")}
    page.begin("tictactoe_1v1", seat, HUMAN)
    state = page.until(lambda each: each["result"])
    assert "ZeroDivisionError" in state["result"] and "line 8" in state["fault"]
    assert (state["fault"].count("refused"), "reached" in state["fault"].partition("0\n")[2]) == (2, False)
    assert "\x1b" not in json.dumps(state) and state["moves"]["winner"] == 2 and not mark.exists()


# ---- agents of the command line


def test_each_game_lists_the_agents_that_play_it(page, given):
    listed = {game["env"]: game["given"] for game in page.welcome["games"]}
    brain, *engines = given
    assert (listed["reversi_1v1"], listed["gobang_1v1"], listed["tictactoe_1v1"]) == (engines, [brain], [])
    seats = [HUMAN, agent(engines[0])]
    assert "plays reversi_1v1" in page.refused(type="new_game", position={"env": "gobang_1v1"}, seats=seats)


@pytest.mark.slow
def test_a_brain_plays_and_plays_on_after_an_undone_move(page, given):
    page.begin("gobang_1v1", black=agent(given[0]))
    state = page.until(lambda state: len(moves(state)) == 1)
    for cell in (100, 101):
        page.play(state, cell)
        played = page.until(lambda state: len(moves(state)) == 3)
        assert moves(played) == [0, cell, 1]
        state = page.do(played, "undo")


def test_twenty_games_and_pages_at_once(visit):
    def play(number):
        with visit.page() as page:
            state = page.begin(white=HUMAN if number % 4 else agent("greedy"))
            while not state["result"]:
                state = page.play(state, state["moves"]["legal"][0])
                state = state if humans_turn(state) else page.until(humans_turn)
            page.end(state["room"])
            return state["room"]

    with ThreadPoolExecutor(20) as threads:
        assert len(set(threads.map(play, range(20)))) == 20
