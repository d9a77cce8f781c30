"""A whole client, by what docs/protocol.md says: it makes first legal moves until the game is over.

Against a bot:        python examples/client.py http://127.0.0.1:8000 palaces
At a friend's table:  python examples/client.py 'http://127.0.0.1:8000/t/ID#INVITE'
"""

import asyncio
import json
import random
import sys
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

from websockets import WebSocketException, connect

FINAL = {1009, 4400, 4401, 4403, 4404, 4409, 4413}  # close codes after which coming back would end the same way


class Client:
    def __init__(self, server):
        self.server, self.cookies = server, HTTPCookieProcessor()
        self.last = 0  # the number of the last log entry seen
        self.moves = []  # legal now; none when it is not our turn
        self.pending = None  # our move, from when it is sent until its entry is seen
        self.delay = 0.25  # seconds until we come back when the line is lost

    def request(self, path, body=None):
        request = Request(self.server + path, body and json.dumps(body).encode(), {"X-Clew": "1"})
        try:
            with build_opener(self.cookies).open(request, timeout=30) as answer:
                return json.load(answer)
        except URLError as error:
            sys.exit(error.read().decode() if isinstance(error, HTTPError) else f"{self.server}: {error.reason}")

    async def play(self, table):
        """Play to the end, over as many connections as that takes."""
        self.table, self.seat = table, next(i for i, seat in enumerate(table["seats"]) if seat.get("yours"))
        url = f"{self.server.replace('http', 'ws', 1)}/api/tables/{table['id']}/play"
        headers = {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies.cookiejar)}
        settings = {"max_size": None, "ping_interval": 3, "ping_timeout": 4.5}  # without a pong, the line is dead
        while self.table["state"] != "over":
            try:
                async with connect(url, additional_headers=headers, **settings) as socket:
                    await self.talk(socket)
            except (OSError, WebSocketException) as lost:
                if (closed := getattr(lost, "rcvd", None)) and closed.code in FINAL:
                    sys.exit(f"The server does not want us back ({closed.code}).")
                await asyncio.sleep(self.delay * random.uniform(0.5, 1))
                self.delay = min(30, 2 * self.delay)

    async def talk(self, socket):
        """Over one connection: say hello, take in what comes, and move when it is our turn."""
        hello = {"type": "hello", "version": 1, "chair": self.seat}
        await socket.send(json.dumps(hello | {"last": self.last}))
        while self.table["state"] != "over":
            message = json.loads(await socket.recv())
            match message["type"]:
                case "welcome":
                    self.delay, self.last = 0.25, message["since"]
                    self.take_in(message, message["log"])
                    if self.pending:  # the log does not have it: the last connection broke before it came through
                        await socket.send(json.dumps(self.pending))
                case "event" if message["entry"]["number"] == self.last + 1:
                    self.take_in(message, [message["entry"]])
                case "event" if message["entry"]["number"] > self.last:  # a gap: ask for what is missing
                    await socket.send(json.dumps(hello | {"last": self.last}))
                case "error" if message["code"] in ("not_written", "too_fast") and self.pending:
                    await asyncio.sleep(random.uniform(0.5, 1))
                    await socket.send(json.dumps(self.pending))  # with the same id: it cannot be done twice
                case "error":
                    print(message["text"], flush=True)  # if this is the end, the close code says so
                case "refused":  # nothing has changed; what comes next tells why, such as that our time is up
                    self.pending, self.moves = None, []
                case "bye":
                    self.delay = message["back"] / 1000
            if self.moves and not self.pending:
                self.pending = {"type": "move", "id": random.randbytes(16).hex(), "move": self.moves[0]}
                await socket.send(json.dumps(self.pending))

    def take_in(self, message, entries):
        """Welcomes and events bring log entries, and the position and the table where they are new."""
        for entry in entries:
            self.last = entry["number"]
            print("".join(told["text"] + "\n" for told in entry.get("told", [])), end="", flush=True)
            if self.pending and entry.get("id") == self.pending["id"]:
                self.pending = None
        self.table = message.get("table") or self.table
        if message.get("now") is not None:
            self.moves = message["now"].get("moves", [])


if __name__ == "__main__":
    server, _, link = sys.argv[1].partition("/t/")
    client = Client(server)
    client.request("/api/me")  # from here on we are somebody: the cookie says who
    path, body = "/api/tables", {"game": sys.argv[-1], "seats": [{"who": "me"}, {"who": "bot", "level": 1}]}
    if link:
        path, body = f"/api/tables/{link.partition('#')[0]}/join", {"invite": link.partition("#")[2]}
    asyncio.run(client.play(client.request(path, body)))
    print(f"Place {client.table['result']['places'][client.seat]} at {server}/t/{client.table['id']}.")
