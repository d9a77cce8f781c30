"""The application: REST for lobby, rules and records, the WebSocket for play, and the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Header, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

from clew import __version__
from clew.bots.levels import LEVELS
from clew.core import records
from clew.core.errors import ClewError, UnknownGame
from clew.core.events import SEATS
from clew.core.game import Game, load, names
from clew.core.options import Choice, Option
from clew.server import messages, showing, wishes
from clew.server.acting import Denied, stand
from clew.server.clock import now_ms
from clew.server.guard import Guard
from clew.server.house import Busy, Forbidden, House, NotFound, Unfit, may_enter
from clew.server.identity import COOKIE, FOR_LONG, Signer, read_name, read_secret
from clew.server.ledger import GUEST
from clew.server.page import page
from clew.server.play import play
from clew.server.replaying import Replay, replay, review
from clew.server.room import Deed, Room
from clew.server.settings import Settings
from clew.server.store import StoreError, open_store
from clew.server.watch import metrics


class OptionInfo(msgspec.Struct, omit_defaults=True):
    """An option of a game, and what it does."""

    name: str
    help: str
    default: int | str
    values: list[str] | None = None
    low: int | None = None
    high: int | None = None


class GameInfo(msgspec.Struct):
    """A game, for the lobby."""

    name: str
    title: str
    blurb: str
    rules: int
    players: list[int]
    options: list[OptionInfo]
    all_moves: bool
    drafts: bool


class LevelInfo(msgspec.Struct):
    """A level of bots."""

    level: int
    name: str


class Games(msgspec.Struct):
    """All games."""

    protocol: int
    version: str
    colours: list[str]
    levels: list[LevelInfo]
    games: list[GameInfo]


class RuleBook(msgspec.Struct):
    """The rules of a game, in Markdown."""

    game: str
    title: str
    rules: int
    text: str


class Me(msgspec.Struct):
    """Who is asking."""

    name: str


class Tables(msgspec.Struct):
    """A list of tables."""

    tables: list[messages.Table]


class Fault(msgspec.Struct, omit_defaults=True):
    """What is wrong, in one sentence; `rule` where a rule says so."""

    code: str
    text: str
    rule: str = ""


class Faulty(msgspec.Struct):
    """The body of every error."""

    error: Fault


class Json(Response):
    """A message as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return messages.encode(content)


SHOWN = (Games, RuleBook, Me, messages.Table, Tables, Replay, Faulty)


def shows(model: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The answers of a path, for OpenAPI."""

    def body(name: str) -> dict[str, Any]:
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}

    wrong = {"description": "One sentence about what is wrong.", "content": body("Faulty")}
    return {status: {"description": "Done.", "content": body(model.__name__)}, "4XX": wrong}


def make_app(settings: Settings) -> Any:
    """The application with its guard, to be run by any ASGI server."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        try:
            secret = read_secret(settings.secret_file or settings.data / "secret")
            house = House(settings, await open_store(settings.address), Signer(secret))
        except ClewError as error:
            app.state.failed = error  # for whoever started the server to say
            raise
        app.state.house = house
        await house.start()
        try:
            yield
        finally:
            await house.close()

    app = FastAPI(title="Clew", version=__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    _errors(app)
    _rest(app)
    _records(app)
    app.add_api_websocket_route("/api/tables/{table_id}/play", _play)
    app.mount("/", page())
    guarded = Guard(app, settings)
    guarded.state = app.state  # type: ignore[attr-defined]
    return guarded


async def _play(socket: WebSocket, table_id: str) -> None:
    await play(socket, table_id)


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _person(request: Request) -> str | None:
    return _house(request).signer.read(request.cookies.get(COOKIE))


def _known(request: Request) -> str:
    person = _person(request)
    if person is None:
        raise HTTPException(401, "Nobody knows you yet: ask for /api/me first.")
    return person


TheHouse = Annotated[House, Depends(_house)]
Anybody = Annotated[str | None, Depends(_person)]
Somebody = Annotated[str, Depends(_known)]
Invite = Annotated[str, Header(alias="X-Clew-Invite", max_length=64)]


def _errors(app: FastAPI) -> None:
    kinds: list[tuple[type[Exception], int, str]] = [
        (NotFound, 404, "not_found"),
        (UnknownGame, 404, "not_found"),
        (Forbidden, 403, "forbidden"),
        (Unfit, 409, "not_now"),
        (Denied, 409, "not_now"),
        (Busy, 429, "too_many"),
        (StoreError, 503, "not_written"),
        (ClewError, 400, "refused"),
    ]

    def say(error: Exception) -> tuple[int, str, str, str]:
        if isinstance(error, RequestValidationError):
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"] if part != "body")
            return 422, "bad_shape", f"{where or 'The body'}: {first['msg']}.", ""
        if isinstance(error, HTTPException):
            return error.status_code, "refused", str(error.detail).rstrip(".") + ".", ""
        status, code = next((status, code) for kind, status, code in kinds if isinstance(error, kind))
        return status, code, str(error), getattr(error, "rule", "")

    async def handle(request: Request, error: Exception) -> Response:
        status, code, text, rule = say(error)
        headers = getattr(error, "headers", None)
        return Json(Faulty(Fault(code, text, rule)), status, headers)

    for kind in (RequestValidationError, HTTPException, ClewError):
        app.add_exception_handler(kind, handle)
    app.add_exception_handler(Exception, failed)


async def failed(request: Request, error: Exception) -> Response:
    """What is said of a fault of the server's own; the guard notes the rest."""
    return Json(Faulty(Fault("failed", "Something went wrong in the server; it has been noted.")), 500)


def _rest(app: FastAPI) -> None:
    @app.get("/api/games", responses=shows(Games), summary="The games")
    async def games(house: TheHouse) -> Response:
        levels = [LevelInfo(level.number, level.name) for level in LEVELS]
        found = [_game(load(name)) for name in names()]
        return Json(Games(messages.PROTOCOL, __version__, list(SEATS), levels, found))

    @app.get("/api/games/{game}/rules", responses=shows(RuleBook), summary="A rule book")
    async def rules(game: str) -> Response:
        if game not in names():
            raise UnknownGame(f"There is no game {game[:40]!r}; there are {', '.join(names())}.")
        known = load(game)
        return Json(RuleBook(known.name, known.title, known.version, known.rule_book()))

    @app.get("/api/me", responses=shows(Me), summary="Who you are; gives an identity to who has none")
    async def me(request: Request, house: TheHouse, person: Anybody) -> Response:
        answer = Json(Me(await house.store.name(person) if person else ""))
        who = person or house.signer.new()
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, house.signer.cookie(who), max_age=FOR_LONG, httponly=True, samesite="lax", secure=secure
        )
        return answer

    @app.put("/api/me", responses=shows(Me), summary="Choose your name")
    async def rename(wish: wishes.Name, house: TheHouse, person: Somebody) -> Response:
        name = read_name(wish.name)
        await house.store.set_name(person, name, now_ms())
        return Json(Me(name))

    @app.get("/api/tables", responses=shows(Tables), summary="Tables that wait for players")
    async def waiting(house: TheHouse, person: Anybody) -> Response:
        return Json(Tables([showing.listed(row, person) for row in await house.store.waiting()]))

    @app.get("/api/tables/mine", responses=shows(Tables), summary="Tables where you have a chair")
    async def mine(house: TheHouse, person: Somebody) -> Response:
        return Json(Tables([showing.listed(row, person) for row in await house.store.mine(person)]))

    @app.post("/api/tables", status_code=201, responses=shows(messages.Table, 201), summary="Set up a table")
    async def create(wish: wishes.TableWish, house: TheHouse, person: Somebody) -> Response:
        room = await house.create(person, await house.store.name(person) or GUEST, wish)
        return Json(_shown(room, person), 201)

    @app.get("/api/tables/{table_id}", responses=shows(messages.Table), summary="A table")
    async def table(table_id: str, house: TheHouse, person: Anybody, invite: Invite = "") -> Response:
        row = await house.row(table_id)
        may_enter(row, showing.sitters(row), person, invite)
        return Json(
            showing.listed(row, person) if row.record is not None else _shown(await house.room(table_id), person)
        )

    @app.post("/api/tables/{table_id}/join", responses=shows(messages.Table), summary="Sit down")
    async def join(table_id: str, wish: wishes.Joining, house: TheHouse, person: Somebody) -> Response:
        room = await house.room(table_id)
        await house.join(room, person, await house.store.name(person) or GUEST, wish.seat, wish.invite)
        return Json(_shown(room, person))

    @app.post("/api/tables/{table_id}/leave", responses=shows(messages.Table), summary="Get up")
    async def leave(table_id: str, house: TheHouse, person: Somebody) -> Response:
        room = await house.room(table_id)
        async with room.lock:
            for seat in room.ledger.seats_of(person):
                if room.ledger.status == "waiting":
                    await room.commit(lambda ledger: stand(ledger, seat))  # noqa: B023
                elif room.ledger.status == "playing" and not room.ledger.seats[seat].resigned:
                    await room.commit(lambda ledger: Deed("resigned", seat))  # noqa: B023
        return Json(_shown(room, person))

    @app.get("/api/protocol", summary="The messages of the WebSocket, as JSON schema")
    async def protocol() -> dict[str, Any]:
        return messages.schema()

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> dict[str, Any]:
        return describe(app)

    @app.get("/healthz", summary="Whether the server is well")
    async def healthz(house: TheHouse) -> dict[str, Any]:
        await house.store.counts()
        return {"ok": not house.closing}

    @app.get("/metrics", include_in_schema=False)
    async def figures() -> Response:
        return Response(metrics(), media_type="text/plain; version=0.0.4")


def _records(app: FastAPI) -> None:
    @app.get(
        "/api/tables/{table_id}/record",
        summary="The record of a game that is over",
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, "4XX": shows(Me)["4XX"]},
    )
    async def record(table_id: str, house: TheHouse, person: Anybody, invite: Invite = "") -> Response:
        row = await house.row(table_id)
        may_enter(row, showing.sitters(row), person, invite)
        text = row.record
        if text is None:
            room = await house.room(table_id)
            if room.ledger.status != "over" or room.ledger.game is None:
                raise Unfit("There is a record when the game is over.")
            text = await house.bench.aside(room.ledger.record)
        name = f"clew-{row.game}-{row.id[:8]}.clew"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    @app.post("/api/replay", responses=shows(Replay), summary="A record step by step, from what a chair knew")
    async def replaying(wish: wishes.Replaying, house: TheHouse) -> Response:
        with house.reads():
            made = await house.readers.aside(lambda: messages.encode(replay(wish.record, wish.chair)))
        return Response(made, media_type="application/json")

    @app.post(
        "/api/review",
        summary="A bot's opinion of every move, one line of JSON each",
        response_class=Response,
        responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}, "4XX": shows(Me)["4XX"]},
    )
    async def reviewing(wish: wishes.Reviewing, house: TheHouse) -> Response:
        with house.reads():
            whole = await house.readers.aside(records.replay, wish.record)
        loop, found = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

        def tell(line: bytes | None) -> None:
            loop.call_soon_threadsafe(found.put_nowait, line)

        async def lines() -> AsyncIterator[bytes]:
            with house.reads():
                work = asyncio.create_task(house.thinking.run(lambda stop: review(whole, wish.level, tell, stop)))
                work.add_done_callback(lambda _: found.put_nowait(None))
                try:
                    while (line := await found.get()) is not None:
                        yield line
                    await work
                finally:
                    work.cancel()

        return StreamingResponse(lines(), media_type="application/x-ndjson")


def _shown(room: Room, person: str | None) -> messages.Table:
    return showing.table(room.ledger, person, room.here()[0])


def _game(game: Game) -> GameInfo:
    return GameInfo(
        game.name,
        game.title,
        game.blurb,
        game.version,
        list(game.players),
        [_option(option) for option in game.options],
        game.listed_in_full,
        hasattr(game.words, "draft"),
    )


def _option(option: Option) -> OptionInfo:
    if isinstance(option, Choice):
        return OptionInfo(option.name, option.help, option.default, values=list(option.values))
    return OptionInfo(option.name, option.help, option.default, low=option.low, high=option.high)


def describe(app: FastAPI) -> dict[str, Any]:
    """OpenAPI of all paths; the answers are the messages' own schemas."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    _, parts = msgspec.json.schema_components(SHOWN, ref_template="#/components/schemas/{name}")
    made["components"]["schemas"].update(parts)
    return made
