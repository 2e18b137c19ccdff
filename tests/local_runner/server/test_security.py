"""Access to the server, and the server's answers to messages that no page of ours sends."""

import hashlib
import json
import re

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, shown
from local_runner.server.requests import REQUESTS, encoded, read
from local_runner.server.wire import VERSION
from tests.local_runner.server.conftest import Page

PATHS = [("GET", "/"), ("GET", "/page/board/board.js"), ("GET", "/made/x.js"), ("POST", "/upload"),
         ("POST", "/open"), ("GET", "/export/x.sgf"), ("POST", "/export.sgf"), ("GET", "/no/such/path")]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize(("headers", "cookie", "expected"), [
    ({}, None, 403),
    ({}, "tengen_1=x", 403),
    ({"Host": "evil.example"}, "", 421),
    ({"Host": "127.0.0.1"}, "", 421),
    ({"Host": "127.0.0.1.evil.example:{port}"}, "", 421),
    ({"Host": "localhost:{port}", "Origin": "http://evil.example"}, "", 403),
    ({"Origin": "null"}, "", 403),
    ({"Origin": "https://127.0.0.1:{port}"}, "", 403),
    ({"Origin": "http://127.0.0.1:1"}, "", 403),
])  # fmt: skip
def test_strangers_are_refused_everywhere(visit, method, path, headers, cookie, expected):
    port = visit.place.partition(":")[2]
    sent = {name: value.format(port=port) for name, value in headers.items()}
    status, answered, body = visit.request(method, path, None, cookie, **sent)
    assert status == expected and b"tengen serve" in body
    _is_armoured(answered)


@pytest.mark.parametrize("query", ["", "?key=", "?key=x", "?key=%ff", "?other=KEY", "?key=KEYx"])
def test_a_wrong_key_opens_nothing(visit, query):
    status, headers, body = visit.request("GET", "/" + query.replace("KEY", visit.key), cookie=None)
    assert status == 403 and "set-cookie" not in headers
    assert b"paste the link into Replay" in body and "再把链接粘贴".encode() in body


def test_the_right_key_opens_only_the_first_page_and_hides_the_secret_from_scripts(visit):
    status, headers, body = visit.request("GET", f"/?key={visit.key}", cookie=None)
    assert status == 200 and {"HttpOnly", "SameSite=Strict"} <= set(headers["set-cookie"].split("; "))
    loaded = re.findall(r'(?:href|src)="(/.+?)"', body.decode())
    assert len(loaded) == 4 and {visit.request("GET", path)[0] for path in loaded} == {200}
    assert visit.request("GET", f"/page/board/board.js?key={visit.key}", cookie=None)[0] == 403


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_every_answer_is_armoured(visit, method, path):
    status, headers, _body = visit.request(method, path, None, Host=visit.place, Origin=visit.root)
    assert status < 500
    _is_armoured(headers)


def _is_armoured(headers):
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';") and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/page/../web/store.py", "/page/%2e%2e/web/store.py", "/page//etc/passwd",
                                  "/page/..%2f..%2fpyproject.toml", "/export/..%2fx.sgf"])  # fmt: skip
def test_no_path_leads_out_of_the_page(visit, path):
    assert visit.request("GET", path)[0] in (400, 404)


@pytest.mark.parametrize(("headers", "cookie"), [
    ({"Origin": "http://evil.example"}, True), ({"Origin": "ROOT"}, False), ({"Origin": "ROOT", "Host": "evil"}, True),
])  # fmt: skip
def test_the_socket_is_closed_to_strangers(visit, headers, cookie):
    sent = {name: value.replace("ROOT", visit.root) for name, value in headers.items()}
    sent |= {"Cookie": visit.cookie} if cookie else {}
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://{visit.place}/ws", additional_headers=sent):
        pass
    assert refused.value.response.status_code in (400, 403)  # 400: two Host headers


@pytest.mark.parametrize(("sent", "says"), [
    ("", "cannot be read"), ("{", "cannot be read"), ("[]", "cannot be read"), ("[" * 20_000, "cannot be read"),
    ('{"type": "nothing"}', "cannot be read"),
    ('{"type": "hello", "version": 4, "language": "en", "more": 1}', "cannot be read"),
    ('{"type": "enter", "tag": 1, "room": "../../x"}', "no such game"),
    ('{"type": "play", "tag": 1e999, "room": "aaaaaaaaaaaa", "ply": 0, "cell": 0}', "cannot be read"),
    (b"\x00\xff", "not binary"),
    ('{"type": "hello", "version": 99, "language": "en"}', "reload the page"),
    ('{"type": "enter", "tag": 1, "room": "aaaaaaaaaaaa"}', "no such game"),
])  # fmt: skip
def test_a_bad_message_is_refused_and_the_page_goes_on(page, sent, says):
    page.socket.send(sent)
    assert says in page.hear("refusal")["sentence"]
    assert page.begin()["moves"]["moves"] == []


def test_a_changed_request_raises_the_version():
    schema = json.dumps(msgspec.json.schema_components(REQUESTS.values()))
    digest = hashlib.sha256(re.sub(r'"description": ".*?"', "", schema).encode()).hexdigest()[:8]
    assert (VERSION, digest) == (4, "8595b2fb"), "raise VERSION in wire.py and connection.js"


@pytest.mark.parametrize("name", ["b.jsonl", "\udcff.jsonl"])
def test_an_answer_speaks_the_pages_language_whatever_its_texts_are(name):
    answer = {"name": name, "why": Message("first move"), "how": lambda: shown(Message("human"))}
    assert json.loads(encoded(answer, "zh")) == {"name": name, "why": "第 1 步", "how": "玩家"}


def test_nothing_comes_before_hello(visit):
    with Page(visit, hello=False) as page:
        assert "must be Hello" in page.refused(type="enter", room="a" * 12)


@pytest.mark.parametrize("send", [
    lambda socket: socket.send("x" * (2 << 20)),  # far too long
    lambda socket: socket.socket.sendall(b"\x81\x82\0\0\0\0\xff\xfe"),  # a frame of text that is none, mask 0
])  # fmt: skip
def test_a_message_of_no_page_ends_only_this_connection(visit, page, send):
    with visit.page() as other, pytest.raises(ConnectionClosed):
        send(other.socket)
        other.next()
    assert page.begin()["moves"]["moves"] == []


@pytest.mark.parametrize("path", ["/upload", "/open"])
def test_a_body_that_is_too_large_is_refused(visit, path):
    status, _headers, answer = visit.request("POST", path, b"", Content_Length="100000001")
    assert status == 200 and b'{"problem":"this file is larger' in answer


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
KEYS = st.sampled_from(["type", "tag", "room", "position", "env", "seats", "kind", "what"]) | st.text(max_size=5)
json_values = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=8
)
FIELDS = st.sampled_from(["tag", "room", "ply", "cell", "position", "seats", "file"])


@given(st.sampled_from(sorted(REQUESTS)), st.dictionaries(FIELDS, json_values))
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_json_is_read_or_refused(kind, fields):
    text = json.dumps({"type": kind, **fields})
    try:
        name, read_fields = read(text)
    except RunnerError:
        return
    assert name == kind and read_fields.keys() >= fields.keys()
