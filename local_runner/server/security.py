"""Who may talk to the server: the browser that opened the address with the secret, on this machine, and nobody else.

Another page in that browser must not: its Origin and a Host that leads here by another name are refused, and the cookie
goes to our own page only (SameSite=Strict). Every answer forbids the browser to run or load what is not ours. Wraps the
whole application, websockets included.
"""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HOSTS = ("127.0.0.1", "localhost")
USUAL_PORT = 80  # of http; browsers leave it out
FORBIDDEN, MISDIRECTED = 403, 421
REFUSED_SOCKET = 1008  # close code: policy violation
NO_ENTRY = (
    "Open the address that `tengen serve` has printed; it holds a secret that belongs to it.\n"
    "请打开 `tengen serve` 打印的地址，其中含有进入所需的密钥。\n"
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self' data: blob:; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class Guard:
    """The application behind the checks. `port`: where it listens; `secret`: of the address."""

    def __init__(self, application: Application, secret: str, port: int) -> None:
        self._application = application
        self._secret = secret
        self._cookie = f"tengen_{port}"  # cookies do not know ports: two servers have two names
        hosts = [f"{host}:{port}" for host in HOSTS] + (list(HOSTS) if port == USUAL_PORT else [])
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self._headers = [
            (b"content-security-policy", POLICY.format(port=port).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = _headers(scope)
        enters = scope["type"] == "http" and scope["path"] == "/" and self._has_key(scope)
        foreign = "origin" in headers and headers["origin"] not in self._origins
        if headers.get("host", "") not in self._hosts:
            await _refuse(scope, self._answering(send), MISDIRECTED)
        elif foreign or not (enters or self._has_cookie(headers)):
            await _refuse(scope, self._answering(send), FORBIDDEN)
        else:
            await self._application(scope, receive, self._answering(send, cookie=enters))

    def _has_key(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).get("key", [""])
        return self._is_secret(given[0])

    def _has_cookie(self, headers: MutableMapping[str, str]) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return found is not None and self._is_secret(found.value)

    def _is_secret(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._secret.encode())

    def _answering(self, send: Send, *, cookie: bool = False) -> Send:
        """The sender that adds our headers to every answer, and the cookie."""

        async def answering(event: Event) -> None:
            if event["type"] == "http.response.start":
                ours = {name for name, _value in self._headers}
                kept = [(name, value) for name, value in event.get("headers", []) if bytes(name).lower() not in ours]
                added = list(self._headers)
                if cookie:
                    value = f"{self._cookie}={self._secret}; Path=/; HttpOnly; SameSite=Strict"
                    added += [(b"set-cookie", value.encode())]
                event = {**event, "headers": [*kept, *added]}
            await send(event)

        return answering


def _headers(scope: Scope) -> dict[str, str]:
    """The headers; one that comes twice is not what a browser sends, and fits nothing."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = bytes(name).decode("latin-1").lower()
        found[key] = "" if key in found and key in ("host", "origin") else bytes(value).decode("latin-1")
    return found


async def _refuse(scope: Scope, send: Send, code: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": ""})
        return
    body = NO_ENTRY.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": body})
