"""Requests of a page besides playing: looks, analysis, files, exports, uploads and checks."""

import json
import socket
import time
from contextlib import suppress
from types import SimpleNamespace

import psutil
import pytest

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.writing import WRITERS
from local_runner.server import games
from local_runner.server.games import OpenedFiles
from local_runner.server.jobs import PageProgress
from tests.local_runner.processes.naughty import within
from tests.local_runner.server.conftest import HUMAN, agent


def test_the_engine_looks_at_a_position_and_at_each_one_of_a_room(page):
    page.follow(type="look_at", position={"env": "tictactoe_1v1", "moves": [0, 8, 1, 7]}, lines=3)
    look = page.hear("looked", lambda each: each["look"]["lines"])
    assert look["who"] == "engine" and look["ply"] == 4 and look["look"]["lines"][0]["moves"][0] == 2
    state = page.begin("gobang_1v1", moves=(112,))
    page.follow(type="look_at", room=state["room"], lines=2)
    assert page.hear("looked", lambda each: each["tag"] == page.tag)["ply"] == 1
    page.say(type="play", tag=900, room=state["room"], ply=1, cell=96)
    assert page.hear("looked", lambda each: each["ply"] == 2)["who"] == "engine"
    page.say(type="stop", what="look_at")
    page.begin()
    with pytest.raises(TimeoutError):
        page.next(0.4)


def test_the_looks_of_the_engine_that_plays_are_shown(page):
    state = page.begin("gobang_1v1", HUMAN, {"kind": "level", "level": 5})
    page.follow(type="look_at", room=state["room"])
    page.hear("looked")
    page.say(type="play", tag=901, room=state["room"], ply=0, cell=0)
    assert page.hear("looked", lambda each: each["who"] == "white")["ply"] >= 1


def test_a_thought_ahead_that_is_soon_over_is_shown(page):
    moves = (112, 0, 113, 1, 114, 2, 115, 3)  # an open four of Black, who is to move
    state = page.begin("gobang_1v1", HUMAN, {"kind": "level", "level": 5}, moves=moves)
    page.follow(type="look_at", room=state["room"])
    seen = page.hear("looked", lambda each: each["look"]["finished"])
    assert seen["who"] in ("white", "engine")  # "engine": White may not think ahead while another room's engine does
    assert seen["look"]["lines"][0]["exact"] == "win"


def test_engines_end_with_their_page(visit, serving):
    def engines():
        count = 0
        for each in psutil.Process(serving.pid).children(recursive=True):
            with suppress(psutil.Error):  # the process has ended meanwhile
                count += "engine_host" in " ".join(each.cmdline())
        return count

    before = engines()
    with visit.page() as page:
        page.say(type="look_at", tag=1, position={"env": "gobang_1v1"})
        page.hear("looked")
        assert engines() > 0
    assert within(20, lambda: engines() <= before)


def test_a_game_is_analysed(page):
    page.tag += 1
    position = {"env": "tictactoe_1v1", "moves": [4, 1, 0, 8, 3, 5, 6]}
    page.say(type="analyse", tag=page.tag, position=position, seconds=0.05)
    answer = page.hear("analysed", lambda each: each["analysis"]["finished"])
    assert answer["done"] == answer["all"] == 8 and len(answer["analysis"]["moves"]) == 7
    page.say(type="analyse", tag=page.tag, position=position | {"moves": [4, 1, 0, 7]}, seconds=0.05, since=3)
    answer = page.hear("analysed", lambda each: each["analysis"]["finished"])
    [tried], all_ = answer["analysis"]["moves"], answer["all"]
    assert (tried["ply"], tried["cell"], all_) == (3, 7, 2) and tried["reply"]["moves"][0] == 8  # three in a row
    page.say(type="analyse", tag=page.tag, position={"env": "gobang_1v1", "moves": list(range(0, 40, 2))}, seconds=5)
    page.say(type="stop", what="analyse")
    assert page.begin()["moves"]["moves"] == []


def test_a_file_of_games_is_opened_shown_and_played_on(visit, page):
    file = visit.open("game.txt", b"h8h9i9")
    assert file["games"][0]["plies"] == 3 and file["problem"] == ""
    game = page.ask("answer", type="open_game", file=file["file"], number=0)
    assert game["moves"]["moves"] == [112, 127, 128] and game["position"]["env"] == "gobang_1v1"
    assert page.begin(position=game["position"])["moves"]["opening"] == 3
    assert "there is no game 8" in page.refused(type="open_game", file=file["file"], number=7)
    assert "not open any more" in page.refused(type="open_game", file="0" * 16, number=0)


@pytest.mark.parametrize(("env", "text", "moves", "says"), [
    ("gobang_1v1", "h8h9i9", [112, 127, 128], ""),
    ("gobang_1v1", "h8 h9 h8", [112, 127], "h8"),
    ("gobang_1v1", "hello", [], "hello"),
    ("tictactoe_1v1", "b2 h8", [4], "h8"),
    ("reversi_8x8_1v1", "F5 D6 C3", [37, 43, 18], ""),
    ("gobang_1v1", "(;GM[4]SZ[15];B[hh];W[hi])", [112, 127], ""),
    ("reversi_8x8_1v1", "(;GM[Othello]PB[a]TY[8]B[F5]W[D6];)", [37, 43], ""),
])  # fmt: skip
def test_pasted_moves_are_read_as_a_file_of_moves(page, env, text, moves, says):
    answer = page.ask("answer", type="read_moves", env=env, text=text)
    assert (answer["moves"]["moves"], answer["position"]["moves"], answer["position"]["env"]) == (moves, moves, env)
    assert says in answer["damage"] and bool(says) is bool(answer["damage"])


@pytest.mark.parametrize(("env", "text", "says"), [
    ("gobang_1v1", "# nothing", "no game"), ("chess", "h8", "no game is called"),
    ("gobang_1v1", "h8h9\nh8i9\n", "2 games"), ("gobang_1v1", "(;GM[4]AB[hh][ii][jj];W[aa])", "remove stones until"),
])  # fmt: skip
def test_a_pasted_text_that_is_not_one_game_is_refused(page, env, text, says):
    assert says in page.refused(type="read_moves", env=env, text=text)


def test_the_list_of_an_opened_file_is_asked_for_again(visit):
    file = visit.open("two games.txt", b"h8h9i9\nh8h9\n")
    assert (file["name"], file["count"], len(file["games"])) == ("two games.txt", 2, 2)
    for name, told in ((file["file"], file), ("0" * 16, {"problem": "this file is not open any more; open it again"})):
        assert visit.json("GET", f"/open/{name}") == told
    named = visit.json("GET", "/open/pool.jsonl")
    assert (named["kind"], named["name"]) == ("tournament", "pool.jsonl")


def test_many_files_and_games_have_limits(monkeypatch):
    monkeypatch.setattr(games, "MOST_HEADINGS", 2)
    monkeypatch.setattr(games, "MOST_KEPT", 250)
    files = OpenedFiles({})
    told = files.listing(files.add("x.txt", b"h8h9\nh8i9\nh8j9\n"))
    assert (told["count"], len(told["games"])) == (3, 2)
    names = [files.add("x.txt", b"h8h9i9" + b" " * spaces) for spaces in (100, 100, 0, 100, 300)]
    assert len(files.games(names.pop())[1]) == 1  # the newest is kept, however large it is
    for name in names:
        with pytest.raises(RunnerError, match="not open any more"):
            files.games(name)


def test_a_check_says_how_many_games_it_has_played():
    sent = []
    progress = PageProgress(SimpleNamespace(send=lambda kind, told, key: sent.append((told["done"], told["all"]))))
    for game in ("first", "second"):
        progress(game, 1, False, 2)
        progress(game, 2, True, 2)
    assert sent == [(0, 2), (1, 2), (1, 2), (2, 2)]


def test_a_check_is_stopped(visit, page):
    source = b"import time\ndef my_controller(observation, action_space, more=False):\n    time.sleep(1)\n"
    page.follow(type="check", upload=visit.upload(source))
    page.hear("checked", lambda each: each["all"] > 0)
    for _time in range(2):
        page.say(type="stop", what="check")
    assert page.begin()["moves"]["moves"] == []
    began, endless = time.monotonic(), visit.upload(b"while True: pass\n")
    for _time in range(3):  # each check begins when the one before has ended
        page.follow(type="check", upload=endless)
        page.hear("checked", lambda each: each["tag"] == page.tag)
    page.say(type="stop", what="check")
    assert time.monotonic() - began < 20  # the import alone may take 30 s


def test_an_upload_that_is_broken_off_leaves_the_server_quiet(visit, serving):
    before = serving.log.read_text()
    host, port = visit.place.split(":")
    for path in ("/upload?name=x.py", "/open?name=x.jsonl", "/export.sgf"):
        with socket.create_connection((host, int(port))) as line:
            line.sendall(f"POST {path} HTTP/1.1\r\nHost: {visit.place}\r\nCookie: {visit.cookie}\r\n"
                         "Content-Length: 100000\r\n\r\nhalf".encode())  # fmt: skip
    assert visit.upload(b"x = 2\n") and serving.log.read_text() == before


@pytest.mark.parametrize("content", [b"", b"\x00" * 1000, b"SQLite format 3\x00" + b"x" * 5000, b"{" * 10_000])
def test_a_broken_file_says_what_is_broken(visit, content):
    for headers in ({}, {"Accept_Language": "zh-CN"}):
        answer = visit.open("../../x\x1b.jsonl", content, **headers)
        assert list(answer) == ["problem"] and answer["problem"].isascii() is not bool(headers)
        assert len(answer["problem"]) < 120  # without the list of formats


def test_a_refusal_names_no_option_of_the_command_line(visit, page):
    file = visit.open("go.sgf", b"(;GM[1]SZ[19];B[aa])")["file"]
    assert page.refused(type="open_game", file=file, number=0).endswith("but GM[1]")


def test_every_format_that_is_written_is_offered(page):
    welcome = page.welcome
    assert set(welcome["formats"]) == set(WRITERS)
    missing = {game["env"]: set(WRITERS) - set(game["formats"]) for game in welcome["games"]}
    assert missing["gobang_1v1"] == {"ggf", "wtb"} and missing["reversi_1v1"] == {"psq", "offset"}


@pytest.mark.parametrize(("ending", "begins"), [("sgf", b"(;"), ("html", b"<!DOCTYPE html>")])
def test_exports_of_a_room_of_a_file_and_of_a_position(visit, page, ending, begins):
    state = page.begin("gobang_1v1", moves=(112, 113, 114))
    file = visit.open("game.txt", b"h8h9i9")["file"]
    position = json.dumps({"env": "gobang_1v1", "moves": [1, 2]})
    for answer in (visit.request("GET", f"/export/{state['room']}.{ending}"),
                   visit.request("GET", f"/export/{file}.{ending}?number=0"),
                   visit.request("POST", f"/export.{ending}", position)):  # fmt: skip
        status, headers, body = answer
        assert status == 200 and body.startswith(begins) and body, body[:200]
        assert headers["content-disposition"].startswith("attachment;")


SAID = ("EV[Spring Cup]DT[2026-03-01]RO[2]PC[Beijing]BR[1800]WR[1750]RU[Freestyle]TM[600]",
        {"event": "Spring Cup", "date": "2026-03-01", "round": "2", "place": "Beijing", "black_rating": "1800",
         "white_rating": "1750", "rule": "Freestyle", "time": "600"})  # fmt: skip


@pytest.mark.parametrize(("plies", "ending"), [(3, "White resigns"), (2, "")])
def test_a_saved_file_says_what_the_opened_file_says(visit, page, plies, ending):
    text = f"(;GM[4]SZ[15]PB[Ann]PW[Bo]RE[B+R]{SAID[0]};B[hh]BL[597];W[ii](;B[hi])(;B[aa]))"
    file = visit.open("cup.sgf", text.encode())["file"]
    tree = page.ask("answer", type="new_tree", file=file)["tree"]
    position = {"env": "gobang_1v1", "moves": [112, 128, 127][:plies]}
    for method, path in [("POST", f"/export.json?tree={tree}")] + [("GET", f"/export/{file}.json")] * (plies == 3):
        _status, _headers, body = visit.request(method, path, json.dumps(position) if method == "POST" else None)
        game = formats.read("saved.json", body).game(0)
        heads = {part.name.lower(): value for part, value in game.heads.items()}
        assert (game.names, heads) == (("Ann", "Bo"), SAID[1])
        assert (game.ending, game.winner, any(game.seconds)) == (ending, int(bool(ending)), bool(ending))


def test_a_saved_human_has_no_name(visit, page):
    room = page.begin("gobang_1v1", white=agent("random"), moves=(112,))["room"]
    tree = page.ask("tree", type="enter_tree", tree=room)
    assert tree["names"] == ["You", "random"]
    position = json.dumps({"env": "gobang_1v1", "moves": [112]})
    for method, path in (
        ("GET", f"/export/{room}.json?language=zh"),
        ("POST", f"/export.json?tree={room}&language=zh"),
    ):
        _status, _headers, body = visit.request(method, path, position)
        assert formats.read("saved.json", body).game(0).names == ("Black", "random")


@pytest.mark.parametrize(("path", "body"), [
    ("/export.exe", '{"env": "gobang_1v1"}'), ("/export.sgf", "{"), ("/export.sgf", '{"env": "chess"}'),
    ("/export.sgf", '{"env": "gobang_1v1", "moves": [1, 1]}'), ("/export.sgf", " " * 1_100_000),
])  # fmt: skip
def test_an_export_that_cannot_be_made(visit, path, body):
    status, _headers, answer = visit.request("POST", path, body)
    assert status == 400 and json.loads(answer)["problem"]


def test_an_upload_is_kept_once_and_deleted(visit, page, serving):
    upload = visit.upload(b"x = 1\n", "mine.py")
    assert visit.upload(b"x = 1\n", "again.py") == upload
    [place] = serving.folder.rglob(upload)
    assert place.stat().st_mode & 0o777 == 0o700 and place.parent.stat().st_mode & 0o077 == 0
    with visit.page() as later:
        assert later.welcome["uploads"][0] | {"added": ""} == {"upload": upload, "name": "again.py", "added": ""}
    others = [visit.upload(f"x = {number}\n".encode(), "again.py") for number in (2, 3, 2)]
    with visit.page() as later:
        names = {one["upload"]: one["name"] for one in later.welcome["uploads"]}
        assert [names[one] for one in (upload, *others)] == ["again.py", "again (2).py", "again (3).py", "again (2).py"]
    left = page.ask("answer", type="delete_upload", upload=upload)["uploads"]
    assert upload not in [one["upload"] for one in left] and not list(serving.folder.rglob(upload))
    for gone in (upload, "../../etc"):
        assert "not there" in page.refused(type="delete_upload", upload=gone)
        assert "not there" in page.refused(type="check", upload=gone)


def test_a_room_is_shown_without_being_entered(page):
    state = page.begin("reversi_8x8_1v1", moves=(19, 18))
    assert page.ask("answer", type="show", room=state["room"])["moves"]["moves"] == [19, 18]
    assert "not at both" in page.refused(type="show") and "no such game" in page.refused(type="show", room="x" * 12)
