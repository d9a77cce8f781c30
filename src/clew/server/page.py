"""The page: the built bundle of the browser table, or a few words while there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from clew.server.guard import refuse_socket

BUNDLE = Path(__file__).resolve().parent.parent / "web"
FOREVER = "public, max-age=31536000, immutable"  # names in assets/ change with their contents
MISSING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clew</title>
<h1>Clew is running</h1>
<p>The server is well, but the page that shows the table has not been built. In the folder of the sources, <code>make
play</code> builds it and starts the server again.</p>
<p>Programs can play already: see <code>docs/protocol.md</code>, and <a href="/api/games">/api/games</a>.</p>
"""


class Page(StaticFiles):
    """Files of the bundle; any other path is the page itself, which knows its own addresses."""

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await refuse_socket(receive, send, 4404)
        else:
            await super().__call__(scope, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["path"].startswith("/api/"):
            raise HTTPException(404, "There is nothing at this address.")
        try:
            answer = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rsplit("/", 1)[-1]:
                raise
            answer = await super().get_response("index.html", scope)
        answer.headers["cache-control"] = FOREVER if path.startswith("assets/") else "no-cache"
        return answer


class Missing:
    """In place of the bundle."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            return await refuse_socket(receive, send, 4404)
        if scope["path"].startswith("/api/"):
            raise HTTPException(404, "There is nothing at this address.")
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, "This address is only for looking at.")
        status = 200 if scope["path"] == "/" else 404
        await HTMLResponse(MISSING, status)(scope, receive, send)


def page() -> Any:
    """What is shown in the browser."""
    return Page(directory=BUNDLE, html=True) if (BUNDLE / "index.html").is_file() else Missing()
