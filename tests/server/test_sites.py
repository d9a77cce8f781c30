"""Where the server is shown: addresses that there are and are not, a prefix behind a proxy, pages of other sites."""

import asyncio

import pytest
from servers import open_server

from clew.server import page
from clew.server.client import Client, ServerError

PAGE = """<!doctype html><meta name="clew-root" content="" /><link rel="icon" href="/icon.svg" />
<script type="module" src="/assets/index-1.js"></script>"""
TWO = {"game": "palaces", "seats": [{"who": "me"}, {"who": "open"}]}
SITE = "https://games.example"


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    """A page that was built."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "index-1.js").write_text("1")
    monkeypatch.setattr(page, "BUNDLE", folder)


async def ask(url, path, method="GET", **headers):
    """Status, headers and body of an answer."""
    host = url.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *rest = head.decode().split("\r\n")
    named = dict(line.split(": ", 1) for line in rest)
    return int(first.split()[1]), named, body.decode()


async def test_an_address_that_nothing_has_is_not_found(tmp_path, bundle):
    async with open_server(tmp_path) as server:
        for path in ("/", "/t/abc", "/t/abc/", "/replay", "/replay/abc", "/learn/palaces", "/lab", "/?board=plain"):
            status, headers, body = await ask(server.url, path)
            assert (status, body) == (200, PAGE), path
            assert headers["cache-control"] == "no-cache"
        for path in (
            "/nothing",
            "/t",
            "/t/a/b",
            "/learn",
            "/admin",
            "/metrics",
            "/index.html",
            "/replay/a/b",
            "/assets",
        ):
            status, _, body = await ask(server.url, path)
            assert (status, body) == (404, PAGE), path  # for people: it says that nothing is here
        for path in ("/assets/index-2.js", "/favicon.ico", "/api", "/api/", "/api/nothing", "/.env", "/wp-login.php"):
            status, _, body = await ask(server.url, path)
            assert status == 404, path
            assert path == "/api" or "There is nothing at this address." in body
        status, headers, body = await ask(server.url, "/assets/index-1.js")
        assert (status, body) == (200, "1")
        assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize("prefix", ["/clew", ""], ids=["kept", "stripped"])
async def test_below_a_prefix_everything_works(tmp_path, bundle, prefix):
    async with open_server(tmp_path, root_path="/clew") as server:
        for path in ("/", "/t/abc"):
            status, _, body = await ask(server.url, prefix + path)
            assert status == 200
            assert 'href="/clew/icon.svg"' in body
            assert 'src="/clew/assets/index-1.js"' in body
            assert '<meta name="clew-root" content="/clew"' in body
        assert (await ask(server.url, f"{prefix}/assets/index-1.js"))[0] == 200
        assert (await ask(server.url, f"{prefix}/nothing"))[0] == 404
        assert (await ask(server.url, "/clewless"))[0] == 404
        _, headers, _ = await ask(server.url, f"{prefix}/api/me")
        assert "; path=/clew;" in headers["set-cookie"].lower() + ";"
        async with Client(server.url + prefix, name="Ann") as ann, Client(server.url + prefix, name="Bob") as bob:
            table = await ann.post("/api/tables", TWO)
            await bob.post(f"/api/tables/{table['id']}/join")
            async with ann.chair(table["id"], 0) as chair:
                await chair.ask("chat", text="hello")


async def test_pages_of_a_listed_site_may_use_the_server(tmp_path, bundle):
    async with open_server(tmp_path, origins=(SITE,), behind_proxy=True) as server:
        wanted = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "x-clew,content-type"}
        status, headers, _ = await ask(server.url, "/api/tables", "OPTIONS", Origin=SITE, **wanted)
        assert status == 204
        assert headers["access-control-allow-origin"] == SITE
        assert headers["access-control-allow-credentials"] == "true"
        assert {"POST", "PUT"} <= set(headers["access-control-allow-methods"].split(", "))
        assert {"x-clew", "content-type"} <= set(headers["access-control-allow-headers"].split(", "))
        status, headers, _ = await ask(server.url, "/api/me", Origin=SITE, X_Forwarded_Proto="https")
        assert headers["access-control-allow-origin"] == SITE
        assert headers["vary"] == "origin"
        assert "samesite=none" in headers["set-cookie"].lower()
        assert "secure" in headers["set-cookie"].lower()
        async with Client(server.url, name="Ann") as ann:
            assert (await ann.post("/api/tables", TWO, Origin=SITE))["id"]
        for origin in ("https://evil.example", "null", f"{SITE}.evil.example", "http://games.example", "http://["):
            status, headers, _ = await ask(server.url, "/api/tables", "OPTIONS", Origin=origin, **wanted)
            assert status == 404
            assert "access-control-allow-origin" not in headers
            _, headers, _ = await ask(server.url, "/api/me", Origin=origin, X_Forwarded_Proto="https")
            assert "access-control-allow-origin" not in headers
            assert "samesite=lax" in headers["set-cookie"].lower()
            async with Client(server.url, name="Eve") as eve:
                with pytest.raises(ServerError, match="another site"):
                    await eve.post("/api/tables", TWO, Origin=origin)
        _, headers, _ = await ask(server.url, "/", Origin=SITE)
        assert "access-control-allow-origin" not in headers  # the page is for nobody else to read
