"""Middleware before every request: origins, rate limits, numbers of connections; and the headers of every answer."""

from __future__ import annotations

import re
import time
from collections import Counter
from urllib.parse import urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew.server.addresses import Proxies, address
from clew.server.logs import log
from clew.server.metrics import REQUEST_SECONDS
from clew.server.rate_limits import RateLimiter
from clew.server.settings import Settings

ODD = re.compile(r"[\x00-\x1f\x7f\ufffd\ud800-\udfff]")  # control signs, and bytes that are not UTF-8
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"x-frame-options", b"DENY"),
]
PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST, PUT"),
    (b"access-control-allow-headers", b"content-type, x-clew, x-clew-invite"),
    (b"access-control-max-age", b"600"),
]


class Refuse(Exception):
    """A request that is not let in."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status, self.code, self.text = status, code, text


class SecurityMiddleware:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.connections: Counter[str] = Counter()
        self._proxies = Proxies(settings.behind_proxy, settings.trusted_proxies)
        self._requests = RateLimiter(settings.request_rate, 8 * settings.request_rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(self._below(scope), receive, send)
        elif scope["type"] == "http":
            await self._request(self._below(scope), receive, send)
        else:
            await self.app(scope, receive, send)

    def _below(self, scope: Scope) -> Scope:
        """The request as the application knows it: from its real address, and below no prefix."""
        scope, root = self._proxies.seen_through(scope), self.settings.root_path
        if root and (scope["path"] + "/").startswith(root + "/"):
            scope = {**scope, "path": scope["path"].removeprefix(root) or "/"}
        return scope

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status, sent = time.perf_counter(), 500, False
        headers = {name: value for name, value in scope["headers"]}
        ours = self._shared(scope, headers)

        async def headed(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status, sent = message["status"], True
                own = [*message.get("headers", []), *ours]
                if scope["path"].startswith("/api/") and not any(name == b"cache-control" for name, _ in own):
                    own.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*own, *HEADERS]}
            await send(message)

        try:
            self._check(scope, headers)
            if ours and scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
                await headed({"type": "http.response.start", "status": 204, "headers": PREFLIGHT})
                await headed({"type": "http.response.body", "body": b""})
            else:
                await self.app(scope, receive, headed)
        except Refuse as refusal:
            await answer(headed, refusal.status, refusal.code, refusal.text)
        except Exception:
            log.exception("a request failed", extra={"about": {"method": scope["method"], "path": scope["path"]}})
            if not sent:
                await answer(headed, 500, "failed", "Something went wrong in the server; it has been noted.")
        finally:
            REQUEST_SECONDS.labels(str(status)).observe(time.perf_counter() - begun)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        if scope["path"] != "/healthz" and not self._requests.allow(address(scope)):
            raise Refuse(429, "too_many", "Too many requests: wait a little.")
        if ODD.search(scope["path"]):
            raise Refuse(400, "bad_address", "This address has signs that no address has.")
        if scope["method"] in SAFE:
            return
        if not self.same_origin(headers):
            raise Refuse(403, "foreign_origin", "This request comes from another site.")
        if b"x-clew" not in headers:
            raise Refuse(403, "no_header", "A request that changes something carries the header X-Clew.")

    def same_origin(self, headers: dict[bytes, bytes]) -> bool:
        """Whether the request comes from a page of this server, of a site that is listed, or from no page at all."""
        origin = headers.get(b"origin")
        if origin is None:
            return True
        text = origin.decode("latin-1")
        try:
            return text in self.settings.origins or urlsplit(text).netloc == headers.get(b"host", b"").decode("latin-1")
        except ValueError:  # no address at all
            return False

    def _shared(self, scope: Scope, headers: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        """The headers by which a browser lets a page of a listed site use REST, with its cookie."""
        origin = headers.get(b"origin", b"")
        if origin.decode("latin-1") not in self.settings.origins or not scope["path"].startswith("/api/"):
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-credentials", b"true"),
            (b"vary", b"origin"),
        ]

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name: value for name, value in scope["headers"]}
        who = address(scope)
        if not self.same_origin(headers):
            await refuse_socket(receive, send, 4403)
        elif self.connections[who] >= self.settings.connections or not self._requests.allow(who):
            await refuse_socket(receive, send, 4429)
        elif ODD.search(scope["path"]):
            await refuse_socket(receive, send, 4404)
        else:
            self.connections[who] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.connections[who] -= 1
                if not self.connections[who]:
                    del self.connections[who]


async def refuse_socket(receive: Receive, send: Send, code: int) -> None:
    """Take a connection and close it with a code that tells why; a browser shows nothing of one that is not taken."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": code})


async def answer(send: Send, status: int, code: str, text: str, rule: str = "") -> None:
    """An error as every client can read it."""
    error = {"code": code, "text": text, **({"rule": rule} if rule else {})}
    body = msgspec.json.encode({"error": error})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
