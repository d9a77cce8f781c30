"""The page: the built bundle of the browser table, or a few words while there is none."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from clew.server.middleware import refuse_socket

BUNDLE = Path(__file__).resolve().parent.parent / "web"
FOREVER = "public, max-age=31536000, immutable"  # names in assets/ change with their contents
# Where the page shows something: web/src/App.svelte.
SHOWN = re.compile(r"/((t|learn)/[^/]+/?|replay(/[^/]*)?/?|lab/?)?")
TAKEN = ("api", "assets", "healthz", "t", "replay", "learn", "lab")  # first parts of addresses that mean something
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
    """The files of the bundle, and the page itself wherever it has something to show; anything else is not found."""

    def __init__(self, bundle: Path, root_path: str) -> None:
        super().__init__(directory=bundle)
        # The page is built for the root of a site; its scripts find each other, and it finds the server, from here.
        page = (bundle / "index.html").read_text(encoding="utf-8")
        self._page = page.replace('="/', f'="{root_path}/').replace(
            '<meta name="clew-root" content=""', f'<meta name="clew-root" content="{root_path}"'
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await refuse_socket(receive, send, 4404)
        else:
            await super().__call__(scope, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        where = scope["path"]
        if where.startswith("/api/"):
            raise HTTPException(404, "There is nothing at this address.")
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, "This address is only for looking at.")
        shown = SHOWN.fullmatch(where) is not None
        if not shown and where != "/index.html":
            try:
                answer = await super().get_response(path, scope)
            except HTTPException:
                if "." in path.rsplit("/", 1)[-1]:
                    raise HTTPException(404, "There is nothing at this address.") from None
            else:
                answer.headers["cache-control"] = FOREVER if path.startswith("assets/") else "no-cache"
                return answer
        return HTMLResponse(self._page, 200 if shown else 404, headers={"cache-control": "no-cache"})


class Missing:
    """In place of the bundle."""

    def __init__(self, root_path: str) -> None:
        self._page = MISSING.replace('="/', f'="{root_path}/')

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            return await refuse_socket(receive, send, 4404)
        if scope["path"].startswith("/api/"):
            raise HTTPException(404, "There is nothing at this address.")
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, "This address is only for looking at.")
        status = 200 if scope["path"] == "/" else 404
        await HTMLResponse(self._page, status)(scope, receive, send)


def page(root_path: str) -> ASGIApp:
    """What is shown in the browser, below this prefix."""
    return Page(BUNDLE, root_path) if (BUNDLE / "index.html").is_file() else Missing(root_path)
