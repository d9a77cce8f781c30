"""The REST of the server does what its OpenAPI says, whatever it is asked."""

import asyncio
import threading

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from servers import open_server

from clew.server.app import describe, make_app
from clew.server.client import Client
from clew.server.settings import Settings

# What is generated is described by the schema; that a game or a record is nonsense is for the server to find out.
schema = schemathesis.openapi.from_dict(describe(make_app(Settings()).app))
schema.config.output.sanitization.enabled = False


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server in a thread, and somebody's cookie."""
    ready, stop, found = threading.Event(), [], {}

    async def run():
        stop.append((asyncio.get_running_loop(), asyncio.Event()))
        async with open_server(tmp_path_factory.mktemp("contract")) as server:
            async with Client(server.url, name="Ann") as ann:
                found.update(url=server.url, cookie=ann.cookie)
            ready.set()
            await stop[0][1].wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    ready.wait(60)
    yield found
    stop[0][0].call_soon_threadsafe(stop[0][1].set)
    thread.join(60)


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_server(case, server):
    answer = case.call(base_url=server["url"], headers={"X-Clew": "1"}, cookies={"clew": server["cookie"]})
    assert answer.status_code < 500, answer.text
    checks = (schemathesis.checks.CHECKS.get_one("content_type_conformance"),)
    checks += (schemathesis.checks.CHECKS.get_one("response_schema_conformance"),)
    case.validate_response(answer, checks=checks)
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error["text"].endswith(".")
        assert "Traceback" not in error["text"]
