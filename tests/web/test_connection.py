"""The connection tells the truth: a network that passes nothing is noticed, and a move arrives once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import DESK, PHONE, Server, until
from players import ANT, begin, play
from proxy import Proxy

READY = ".held:not(:disabled)"


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """A network between the browser and the server."""
    made = Proxy(server.port)
    yield made
    made.close()


@pytest.fixture
def page(proxy: Proxy, browser: Any) -> Iterator[Any]:
    """A page that comes through that network."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", base_url=proxy.address, has_touch=True)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("lost", [False, True])
def test_a_dead_network_is_noticed_within_ten_seconds_and_the_move_arrives_once(
    page: Any, proxy: Proxy, lost: bool
) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    page.wait_for_timeout(3500)  # nothing happens, and all is well
    page.locator(".connection.open").wait_for()
    number = f"{page.url}".split("/t/")[1].split("#")[0]
    proxy.freeze()
    card = page.locator(".held").first
    card.click(position={"x": 12, "y": 20})
    page.locator(".discard .target").click()
    # At once it looks like what it is: a move that is under way.
    page.locator(".story .state", has_text="Sending").wait_for(timeout=2000)
    assert page.locator(".board.sending").count() == 1
    assert not page.locator(READY).count()
    page.get_by_text("The connection is lost.").first.wait_for()
    page.locator(".story .state", has_text="Your move is not sent yet").wait_for()
    assert page.locator(".connection.lost").count() == 1
    page.wait_for_timeout(3000)
    proxy.thaw(lost)
    page.locator(".connection.open").wait_for()
    page.locator(READY).first.wait_for()  # the move was made, and the bot's after it
    assert not page.locator(".board.sending").count()
    moves = [frame for frame in sent if '"type":"move"' in frame]
    assert len(set(moves)) == 1, "if it was sent again, then with the same id"
    assert not lost or len(moves) > 1
    made = page.evaluate(
        """async id => { const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + `/api/tables/${id}/play`)
            return new Promise(done => {
              socket.onopen = () => socket.send(JSON.stringify({type: 'hello', version: 1, chair: 0}))
              socket.onmessage = event => { const said = JSON.parse(event.data); if (said.type === 'welcome')
                done(said.log.filter(entry => entry.kind === 'move' && entry.seat === 0).length) } }) }""",
        number,
    )
    assert made == 1


def test_a_quiet_table_is_not_called_lost(page: Any) -> None:
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    lost = page.get_by_text("The connection is lost.")
    end = time.monotonic() + 12
    while time.monotonic() < end:
        assert not lost.count()
        assert page.locator(".connection.open").count() == 1
        page.wait_for_timeout(250)
    play(page, "palaces", {}, moves=1)


def test_a_network_that_dies_before_the_table_is_there_is_told_too(page: Any, proxy: Proxy) -> None:
    page.set_viewport_size(DESK)
    begin(page, "palaces", options=ANT)
    page.locator(READY).first.wait_for()
    proxy.freeze()
    page.get_by_text("The connection is lost.").first.wait_for(timeout=10_000)
    page.wait_for_timeout(9000)  # meanwhile it tries: connections that are taken, and hear nothing
    assert page.get_by_text("The connection is lost.").first.is_visible()
    proxy.thaw()
    page.locator(".connection.open").wait_for()
    until(lambda: not page.get_by_text("The connection is lost.").count())
