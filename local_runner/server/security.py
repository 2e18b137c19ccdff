"""Access control: only a browser that opened the address with the secret may use the server.

Three checks keep other pages in that browser out. A foreign Origin is refused. A Host other than `HOSTS` is refused.
The browser sends the cookie with requests of our own page only (SameSite=Strict). Every answer forbids the browser to
run or load foreign content. The guard wraps the whole application, including WebSockets.
"""

import hmac

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
USUAL_PORT = 80  # the default port of http, which browsers leave out of Host and Origin
FORBIDDEN, MISDIRECTED = 403, 421
SUPERFLUOUS = ("last-modified", "accept-ranges")  # headers that no page needs: ETag replaces last-modified
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
    """The application with the checks before it. `port`: the server's port. `secret`: the secret in its address."""

    def __init__(self, application: ASGIApp, secret: str, port: int) -> None:
        self._application = application
        self._secret = secret
        self._cookie = f"tengen_{port}"  # browsers share cookies among ports, so each server needs its own name
        hosts = [f"{host}:{port}" for host in HOSTS] + (list(HOSTS) if port == USUAL_PORT else [])
        self._hosts = [[host] for host in hosts]
        self._origins = [[], *([f"http://{host}"] for host in hosts)]
        self._headers = {
            "content-security-policy": POLICY.format(port=port),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "no-cache",  # the browser must ask, by the ETag, whether a file has changed
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        opens_page = scope["type"] == "http" and scope["path"] == "/"
        enters = opens_page and self._is_secret(asked.query_params.get("key", ""))
        foreign = asked.headers.getlist("origin") not in self._origins
        refusal = 0
        if asked.headers.getlist("host") not in self._hosts:  # a repeated Host is refused, too
            refusal = MISDIRECTED
        elif foreign or not (enters or self._is_secret(asked.cookies.get(self._cookie, ""))):
            refusal = FORBIDDEN

        async def send_guarded(event: Message) -> None:
            if event["type"] == "http.response.start":
                headers = MutableHeaders(scope=event)
                headers.update(self._headers)
                for name in SUPERFLUOUS:
                    del headers[name]
                if enters and not refusal:
                    cookie = f"{self._cookie}={self._secret}; Path=/; HttpOnly; SameSite=Strict"
                    headers.append("set-cookie", cookie)
            await send(event)

        if not refusal:
            await self._application(scope, receive, send_guarded)
        elif scope["type"] == "http":
            await PlainTextResponse(NO_ENTRY, refusal)(scope, receive, send_guarded)
        else:
            await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": ""})

    def _is_secret(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._secret.encode())
