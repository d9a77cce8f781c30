"""The application: REST for lobby, rules and records, the WebSocket for play, and the page."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Literal

import msgspec
from fastapi import Depends, FastAPI, Header, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from clew import __version__
from clew.bots.levels import LEVELS
from clew.core import records
from clew.core.errors import ClewError, UnknownGame, quoted, shortened
from clew.core.events import SEATS
from clew.core.game import load, names
from clew.server import messages, presenter, requests
from clew.server.addresses import address
from clew.server.clock import now_ms
from clew.server.data_types import JsonObject
from clew.server.forwarding import ForwardingMiddleware, InternalApp, Peers, from_worker
from clew.server.handlers import Denied, stand
from clew.server.identity import COOKIE, FOR_LONG, Signer, read_name, read_secret
from clew.server.lab import Lab
from clew.server.log_entries import GameEnded, Resigned
from clew.server.maintenance import Maintenance
from clew.server.middleware import SecurityMiddleware
from clew.server.page import page
from clew.server.registry import Forbidden, NotFound, Registry, may_enter
from clew.server.replay import Replay, check_seat, forecast, given_up, replay, review
from clew.server.request_body import LARGE, BadBody, TooLarge, body, request_body
from clew.server.responses import SHOWN, Fault, Faulty, Games, Json, LabInfo, LevelInfo, Me, RuleBook, game_info, shows
from clew.server.room import Decision, Room
from clew.server.scheduler import Owner, Purpose, TooMany
from clew.server.settings import Settings
from clew.server.store import StoreError, open_store
from clew.server.table_limits import Busy, NotPossible
from clew.server.table_state import game_of
from clew.server.versions import OtherRules
from clew.server.websocket import serve_socket


class App(SecurityMiddleware):
    """The application with its middleware, to be run by any ASGI server; `internal` is for other workers."""

    def __init__(self, inner: ASGIApp, settings: Settings, app: FastAPI) -> None:
        super().__init__(inner, settings)
        self.state = app.state
        self.internal = InternalApp(app, lambda table_ids: self.registry.turns(table_ids))

    @property
    def registry(self) -> Registry:
        """The tables, once the application has started."""
        registry: Registry = self.state.registry
        return registry

    @property
    def failed(self) -> ClewError | None:
        """Why the application could not start; None if it could."""
        failed: ClewError | None = getattr(self.state, "failed", None)
        return failed


def make_app(settings: Settings, peers: Peers | None = None) -> App:
    """The application of one worker."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        try:
            secret = read_secret(settings.secret_file or settings.data / "secret")
            registry = Registry(settings, await open_store(settings.address), Signer(secret), peers)
            app.state.registry = registry
            await registry.start()
        except ClewError as error:
            app.state.failed = error  # for whoever started the server to say
            raise
        Maintenance(registry).start()
        try:
            yield
        finally:
            await registry.close()

    app = FastAPI(title="Clew", version=__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    _errors(app)
    _rest(app)
    _records(app)
    _lab(app, Lab(settings))
    app.add_api_websocket_route("/api/tables/{table_id}/play", _play)
    app.mount("/", page(settings.root_path))
    inner = app if peers is None else ForwardingMiddleware(app, peers, settings.behind_proxy)
    return App(inner, settings, app)


async def _play(socket: WebSocket, table_id: str) -> None:
    await serve_socket(socket, table_id)


def _registry(request: Request) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


def _person(request: Request) -> str | None:
    return _registry(request).signer.read(request.cookies.get(COOKIE))


def _known(request: Request) -> str:
    person = _person(request)
    if person is None:
        raise HTTPException(401, "Nobody knows you yet: ask for /api/me first.")
    return person


def _owner(request: Request) -> Owner:
    return Owner(address(request.scope), _person(request) or "")


LINES: JsonObject = {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
TheRegistry = Annotated[Registry, Depends(_registry)]
Anybody = Annotated[str | None, Depends(_person)]
Somebody = Annotated[str, Depends(_known)]
Asking = Annotated[Owner, Depends(_owner)]
Version = Annotated[int | None, Query(ge=1, le=1_000_000)]
State = Annotated[Literal["", "running", "over"], Query()]
Page = Annotated[int, Query(ge=0, le=100_000)]
Invite = Annotated[str, Header(alias="X-Clew-Invite", max_length=64)]
Name = Annotated[requests.SetName, Depends(body(requests.SetName))]
CreateTable = Annotated[requests.CreateTable, Depends(body(requests.CreateTable, LARGE))]
JoinTable = Annotated[requests.JoinTable, Depends(body(requests.JoinTable))]
AddBot = Annotated[requests.AddBot, Depends(body(requests.AddBot))]
ReplayRecord = Annotated[requests.ReplayRecord, Depends(body(requests.ReplayRecord, LARGE))]
ReviewRecord = Annotated[requests.ReviewRecord, Depends(body(requests.ReviewRecord, LARGE))]
RunLab = Annotated[requests.RunLab, Depends(body(requests.RunLab))]
LabRecord = Annotated[requests.LabRecord, Depends(body(requests.LabRecord))]
ForecastRecord = Annotated[requests.ForecastRecord, Depends(body(requests.ForecastRecord, LARGE))]


def _errors(app: FastAPI) -> None:
    kinds: list[tuple[type[Exception], int, str]] = [
        (BadBody, 422, "bad_shape"),
        (TooLarge, 413, "too_large"),
        (NotFound, 404, "not_found"),
        (UnknownGame, 404, "not_found"),
        (Forbidden, 403, "forbidden"),
        (OtherRules, 409, "other_rules"),
        (NotPossible, 409, "not_now"),
        (Denied, 409, "not_now"),
        (Busy, 429, "too_many"),
        (TooMany, 429, "too_many"),
        (StoreError, 503, "not_written"),
        (ClewError, 400, "refused"),
    ]

    def say(error: Exception) -> tuple[int, str, str, str]:
        if isinstance(error, RequestValidationError):
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"] if part != "body")
            return 422, "bad_shape", shortened(f"{where or 'The body'}: {first['msg']}.", 300), ""
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
    """What is said of a fault of the server's own; the middleware logs the rest."""
    return Json(Faulty(Fault("failed", "Something went wrong in the server; it has been noted.")), 500)


def _rest(app: FastAPI) -> None:
    @app.get("/api/games", responses=shows(Games), summary="The games")
    async def games(registry: TheRegistry) -> Response:
        levels = [LevelInfo(level.number, level.name) for level in LEVELS]
        found = [game_info(load(name)) for name in names()]
        return Json(Games(messages.PROTOCOL, __version__, list(SEATS), levels, found))

    @app.get("/api/games/{game}/rules", responses=shows(RuleBook), summary="A rule book")
    async def rules(game: str, version: Version = None) -> Response:
        if game not in names():
            raise UnknownGame(f"There is no game {quoted(game)}; there are {', '.join(names())}.")
        known = load(game) if version is None else load(game).in_version(version)
        if known is None:
            raise UnknownGame(f"Rules {version} of {load(game).title} are not here.")
        return Json(RuleBook(known.name, known.title, known.version, known.rule_book()))

    @app.get("/api/me", responses=shows(Me), summary="Who you are; gives an identity to who has none")
    async def me(request: Request, registry: TheRegistry, person: Anybody) -> Response:
        answer = Json(Me(await registry.store.name(person) if person else ""))
        who = person or registry.signer.new()
        secure = request.url.scheme == "https"
        abroad = secure and request.headers.get("origin") in registry.settings.origins  # a browser sends it there, too
        answer.set_cookie(
            COOKIE,
            registry.signer.cookie(who),
            max_age=FOR_LONG,
            path=registry.settings.root_path or "/",
            httponly=True,
            samesite="none" if abroad else "lax",
            secure=secure,
        )
        return answer

    @app.put("/api/me", responses=shows(Me), summary="Choose your name")
    async def rename(registry: TheRegistry, person: Somebody, request: Name) -> Response:
        name = read_name(request.name)
        await registry.store.set_name(person, name, now_ms())
        return Json(Me(name))

    @app.get("/api/tables", responses=shows(messages.Tables), summary="Tables that wait for players, by pages")
    async def waiting(registry: TheRegistry, person: Anybody, page: Page = 0) -> Response:
        return Json(await registry.lobby(person, page))

    @app.get("/api/tables/mine", responses=shows(messages.Tables), summary="Tables where you have a chair, by pages")
    async def mine(registry: TheRegistry, person: Somebody, state: State = "", page: Page = 0) -> Response:
        return Json(await registry.mine(person, state, page))

    @app.post("/api/tables", status_code=201, responses=shows(messages.Table, 201), summary="Set up a table")
    async def create(registry: TheRegistry, person: Somebody, asking: Asking, request: CreateTable) -> Response:
        name = await registry.store.name(person)
        if request.continues is None:
            room = await registry.create(asking, name, request)
        else:
            room = await registry.play_on(asking, name, request, request.continues)
        return Json(_shown(room, person), 201)

    @app.get("/api/tables/{table_id}", responses=shows(messages.Table), summary="A table")
    async def table(table_id: str, registry: TheRegistry, person: Anybody, invite: Invite = "") -> Response:
        row = await registry.row(table_id)
        may_enter(row, presenter.sitters(row), person, invite)
        kept = row.record is not None or (row.status == "over" and game_of(row) is None)
        return Json(presenter.listed(row, person) if kept else _shown(await registry.room(table_id), person))

    @app.post("/api/tables/{table_id}/join", responses=shows(messages.Table), summary="Sit down")
    async def join(table_id: str, registry: TheRegistry, person: Somebody, request: JoinTable) -> Response:
        room = await registry.room(table_id)
        await registry.join(room, person, await registry.store.name(person), request.seat, request.invite)
        return Json(_shown(room, person))

    @app.post("/api/tables/{table_id}/bots", responses=shows(messages.Table), summary="Let a bot sit on an open seat")
    async def add_bot(table_id: str, registry: TheRegistry, person: Somebody, request: AddBot) -> Response:
        room = await registry.room(table_id)
        await registry.add_bot(room, person, request.seat, request.level)
        return Json(_shown(room, person))

    @app.post("/api/tables/{table_id}/leave", responses=shows(messages.Table), summary="Get up")
    async def leave(table_id: str, registry: TheRegistry, person: Somebody) -> Response:
        room = await registry.room(table_id)
        async with room.lock:
            if registry.store.shared:
                await room.catch_up()
            for seat in room.state.seats_of(person):
                if room.state.status == "waiting":
                    await room.commit(lambda state: stand(state, seat))  # noqa: B023
                elif room.state.status == "playing" and not room.state.seats[seat].resigned:
                    await room.commit(lambda state: Decision(Resigned(seat=seat)))  # noqa: B023
            if room.state.host == person and room.state.status == "playing":
                await room.commit(lambda _: Decision(GameEnded(ended="abandoned")))
        return Json(_shown(room, person))

    @app.get("/api/protocol", summary="The messages of the WebSocket, as JSON schema")
    async def protocol() -> JsonObject:
        return messages.schema()

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> JsonObject:
        return describe(app)

    @app.get("/healthz", summary="Whether a move could be written now")
    async def healthz(request: Request, registry: TheRegistry) -> JsonObject:
        if registry.closing:
            raise HTTPException(503, "The server stops.")
        await registry.health.check()
        if not from_worker(request.scope) and None in await registry.peers.ask_all("/healthz"):
            raise HTTPException(503, "A worker does not answer, or cannot write.")
        return {"ok": True}


def _records(app: FastAPI) -> None:
    @app.get(
        "/api/tables/{table_id}/record",
        summary="The record of a game that is over",
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, "4XX": shows(Me)["4XX"]},
    )
    async def record(table_id: str, registry: TheRegistry, person: Anybody, invite: Invite = "") -> Response:
        row = await registry.row(table_id)
        may_enter(row, presenter.sitters(row), person, invite)
        text = await registry.record(row)
        if text is None:
            raise NotPossible("The game never began: there is no record.")
        name = f"clew-{row.game}-{row.id[:8]}.clew"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    @app.post("/api/replay", responses=shows(Replay), summary="A record step by step, from what a chair knew")
    async def replaying(registry: TheRegistry, request: ReplayRecord) -> Response:
        with registry.reads():
            made = await registry.readers.in_thread(
                lambda: messages.encode(replay(request.record, request.chair, request.you))
            )
        return Response(made, media_type="application/json")

    @app.post(
        "/api/review",
        summary="A bot's opinion of every move, one line of JSON each",
        response_class=Response,
        responses={200: LINES, "4XX": shows(Me)["4XX"]},
    )
    async def reviewing(registry: TheRegistry, asking: Asking, request: ReviewRecord) -> Response:
        with registry.reads():
            whole = await registry.readers.in_thread(records.replay, request.record)
        return Lines(registry, asking, review(whole, request.level, registry.bots.yield_to_urgent))

    @app.post(
        "/api/forecast",
        summary="The chances after every move, as one seat could know them, one line of JSON each",
        response_class=Response,
        responses={200: LINES, "4XX": shows(Me)["4XX"]},
    )
    async def forecasting(registry: TheRegistry, asking: Asking, request: ForecastRecord) -> Response:
        with registry.reads():
            whole = await registry.readers.in_thread(records.replay, request.record)
        check_seat(whole, request.seat)
        ended = given_up(request.record, whole)
        return Lines(registry, asking, forecast(whole, request.seat, ended, registry.bots.yield_to_urgent))


def _lab(app: FastAPI, lab: Lab) -> None:
    @app.get("/api/lab", responses=shows(LabInfo), summary="Whether the lab may be used here")
    async def about() -> Response:
        return Json(LabInfo(lab.on))

    @app.post(
        "/api/lab",
        summary="Play many games and measure them: what is known so far, one line of JSON each",
        response_class=Response,
        responses={200: LINES, "4XX": shows(Me)["4XX"]},
    )
    async def measure(person: Somebody, request: RunLab) -> Response:
        return StreamingResponse(lab.run(request, lab.hold(request.game)), media_type="application/x-ndjson")

    @app.post(
        "/api/lab/record",
        summary="The record of a game that the lab played",
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, "4XX": shows(Me)["4XX"]},
    )
    async def game(person: Somebody, request: LabRecord) -> Response:
        text = await lab.record(request, lab.hold(request.game))
        return Response(text, media_type="text/plain; charset=utf-8")


class Lines(StreamingResponse):
    """What a bot finds out beside the event loop, sent as it is found: each line is a job, and others come between."""

    media_type = "application/x-ndjson"

    def __init__(self, registry: Registry, owner: Owner, lines: Iterator[bytes]) -> None:
        super().__init__(self._found(registry, owner, lines))
        self._held = contextlib.ExitStack()
        self._held.enter_context(registry.reviews.hold(owner))  # refused now, before the answer begins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._held:
            await super().__call__(scope, receive, send)

    @staticmethod
    async def _found(registry: Registry, owner: Owner, lines: Iterator[bytes]) -> AsyncIterator[bytes]:
        while (line := await registry.bots.run(Purpose.REVIEW, owner, lambda: next(lines, None))) is not None:
            yield line


def _shown(room: Room, person: str | None) -> messages.Table:
    return presenter.table(room.state, person, room.present()[0])


def describe(app: FastAPI) -> JsonObject:
    """OpenAPI of all paths; bodies and answers are described by the schemas of their structs."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    wanted: list[type[msgspec.Struct]] = []
    for route in app.routes:
        if not isinstance(route, APIRoute) or not route.include_in_schema:
            continue
        for method in route.methods or ():
            operation = made["paths"][route.path][method.lower()]
            operation["responses"].pop("422", None)  # FastAPI's own; ours is among the 4XX
            for part in route.dependant.dependencies:
                if said := request_body(part.call):
                    operation["requestBody"] = said
                    wanted.append(part.call.model)  # type: ignore[union-attr]
    _, parts = msgspec.json.schema_components((*SHOWN, *wanted), ref_template="#/components/schemas/{name}")
    made["components"] = {"schemas": parts}
    return made
