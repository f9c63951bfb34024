"""Process an HTTP request: find operation, caller and inputs, run the operation, encode the answer.

The order matters: callers without permission must not learn about other errors.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from console.api.annotations import Effect, Role, Service, Variant
from console.api.events import EPOCH_HEADER, OFFSET_HEADER
from console.api.operation import Operation
from console.api.request import Request
from console.base.frozen import Frozen
from console.records.responses import Acknowledgement
from console.service.auth.caller import NOBODY, Caller
from console.service.auth.credentials import caller_of, renewed
from console.service.handlers.handler import DONE, HANDLERS, JoinedRecords, Stored, StoredPage, Wire
from console.service.http import idempotency
from console.service.http.content import (
    BODY_SECONDS,
    LARGEST_BODY,
    from_form,
    is_form,
    read_request,
    too_large,
    too_slow,
)
from console.service.http.error_bodies import error_body
from console.service.http.figures import RequestCounts
from console.service.http.request_head import Found, Router, head_fault
from console.service.http.request_log import NOTE
from console.service.http.response_cache import is_known
from console.service.platform import Platform
from console.service.refusal import Refusal, forbidden, invalid, login_needed, outcome_unknown, unavailable
from console.service.store.faults import OutcomeUnknown, StorageFault, TextTooLong
from console.service.store.transaction import Transaction

log = logging.getLogger(__name__)

RECHECK_SECONDS = 1.0
"""Maximum age of the caller's data when processing of a request starts."""
UNKNOWN_PATH_SHAPES = {Service.CORE: "code", Service.PROVISIONING: "error"}
"""Error format of each service for unknown paths."""


class _Answered(Frozen):
    status: int
    body: bytes
    head: int | None = None
    tag: str | None = None


class Dispatch:
    """The ASGI application of one of the two services, mounted under its prefix."""

    def __init__(self, platform: Platform, service: Service, counts: RequestCounts) -> None:
        self._platform = platform
        self._service = service
        self._router = Router(service)
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Process a request."""
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} has no place under /{self._service.value}")
        began = time.monotonic()
        http = HttpRequest(scope, receive)
        path = self._path(scope)
        index = self._router.find(path, http.method)
        operation = "" if isinstance(index, frozenset) else index[0].operation.name
        if operation and (note := scope.get(NOTE)):
            note.operation, note.path = operation, f"/{self._service.value}{path}"
        response = await self._respond(http, path, index)
        self._counts.answered(operation, response.status_code, time.monotonic() - began)
        await response(scope, receive, send)

    async def _respond(self, http: HttpRequest, path: str, found: Found) -> Response:
        nowhere = isinstance(found, frozenset)
        too_much = head_fault(http.scope)
        if too_much is not None:
            shape = UNKNOWN_PATH_SHAPES[self._service] if nowhere else found[0].operation.error_shape
            return self._refused(too_much, shape)
        if nowhere:
            status = 405 if found else 404
            refusal = Refusal(status, "method not allowed for this path" if found else "unknown path")
            response = self._refused(refusal, UNKNOWN_PATH_SHAPES[self._service])
            if found:
                response.headers["Allow"] = ", ".join(sorted(found))
            return response
        request, values = found
        try:
            answered = await self._answer(http, request, path, values)
        except Refusal as refusal:
            return self._refused(refusal, request.operation.refuses_with(self._platform.variant))
        except ClientDisconnect:
            return Response(status_code=400)
        except StorageFault as fault:
            log.error("%s: the store failed: %s", request.operation.name, fault)
            refusal = outcome_unknown() if isinstance(fault, OutcomeUnknown) else unavailable()
            return self._refused(refusal, request.operation.refuses_with(self._platform.variant))
        except TextTooLong:
            refusal = invalid("", "has an id or a name that is too long", "maxLength")
            return self._refused(refusal, request.operation.refuses_with(self._platform.variant))
        except Exception:  # An internal error must not close the connection.
            log.exception("%s failed", request.operation.name)
            return self._refused(
                Refusal(500, "the service failed"), request.operation.refuses_with(self._platform.variant)
            )
        media = None if answered.status == 304 else "application/json"
        response = Response(answered.body, answered.status, media_type=media)
        if answered.head is not None:
            response.headers[EPOCH_HEADER] = self._platform.database.epoch
            response.headers[OFFSET_HEADER] = str(answered.head)
        response = _guarded(response)
        if answered.tag is not None:
            response.headers["ETag"] = answered.tag
            response.headers["Cache-Control"] = "private, no-cache"
        return response

    def _path(self, scope: Scope) -> str:
        raw = scope.get("raw_path")
        decoded = raw.decode("latin-1") if raw else quote(scope["path"])
        return decoded.partition("?")[0].removeprefix(scope.get("root_path", ""))

    def _refused(self, refusal: Refusal, shape: str) -> Response:
        body = json.dumps(error_body(refusal, shape), separators=(",", ":")).encode()
        response = Response(body, refusal.status, media_type="application/json")
        if refusal.status == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        if refusal.status in {408, 413, 414, 431}:
            # The rest of the request is useless, and may never arrive.
            response.headers["Connection"] = "close"
        if refusal.retry_after is not None:
            response.headers["Retry-After"] = str(refusal.retry_after)
        return _guarded(response)

    # -- processing -------------------------------------------------------------------------------------------------

    async def _answer(
        self, http: HttpRequest, request: type[Request[Any]], path: str, values: dict[str, str]
    ) -> _Answered:
        operation = request.operation
        if request not in HANDLERS or operation.variant not in {None, self._platform.variant}:
            raise Refusal(404, "this service does not offer the operation")
        began = time.monotonic()
        remote = self._platform.proxies.client_of(http.scope)
        self._platform.address_rate.spend(remote)
        run = self._platform.database.run
        caller = await run(partial(caller_of, self._platform, http.headers, remote))
        if note := http.scope.get(NOTE):
            note.note_caller(caller)
        if not caller.is_nobody:
            self._platform.account_rate.spend(caller.id)
        check_access(operation, caller)
        asked, body = await self._asked(http, request, values)
        if time.monotonic() - began > RECHECK_SECONDS and not caller.is_nobody:
            # The login may have ended while the body arrived.
            caller = await run(partial(renewed, self._platform, caller)) or Caller(remote=remote)
            check_access(operation, caller)
        if operation.effect is Effect.READ:
            return await run(partial(self._read, http, asked, path, caller))
        key = http.headers.get(idempotency.HEADER)
        attempt = None
        if key is not None:
            where = f"{path}?{http.scope['query_string'].decode('latin-1')}"
            attempt = idempotency.Attempt.of(self._platform.seals, key, caller, http.method, where, body)
        handler = HANDLERS[request]
        password = None if handler.hashes is None else handler.hashes(asked)
        if password is None and not handler.is_async:
            return await run(partial(self._change, asked, caller, attempt), writing=True)
        return await self._change_later(asked, caller, attempt, password)

    async def _asked(
        self, http: HttpRequest, request: type[Request[Any]], values: dict[str, str]
    ) -> tuple[Request[Any], bytes]:
        body = await _body_of(http)
        query = parse_qsl(http.scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=None)
        form = from_form(body) if request.operation.takes_form and is_form(http.headers) else body
        return read_request(request, values, query, form, self._platform.variant), body

    def _read(self, http: HttpRequest, asked: Request[Any], path: str, caller: Caller) -> _Answered:
        """Run a read in one transaction; skip it if the list is unchanged."""
        request = type(asked)
        with self._platform.read() as tx:
            self._platform.offers.check(tx, caller, request.operation.name)
            check_relation(asked, caller, self._platform, tx)
            tag = self._tag(tx, http, asked, path, caller)
            if tag is not None and is_known(tag, http.headers.get("if-none-match")):
                return _Answered(304, b"", tx.head, tag)
            kept = None if tag is None else self._platform.response_cache.answer(tag)
            if kept is not None:
                return _Answered(200, kept, tx.head, tag)
            result = HANDLERS[request].run(asked, caller, self._platform, tx)
            status, content = lay_out(request, result, self._platform.variant)
            if tag is not None:
                self._platform.response_cache.keep(tag, content)
            return _Answered(status, content, tx.head, tag)

    async def _change_later(
        self, asked: Request[Any], caller: Caller, attempt: idempotency.Attempt | None, password: str | None
    ) -> _Answered:
        """Run a change after a slow step: computing a hash, or an `async` handler."""
        run = self._platform.database.run
        earlier = await run(partial(self._before_change, asked, caller, attempt))
        if earlier is not None:
            return earlier
        with self._platform.under_way.hold(attempt):
            handler = HANDLERS[type(asked)]
            if handler.is_async:
                change = await handler.run(asked, caller, self._platform, None)
                return await run(partial(self._change, asked, caller, attempt, change), writing=True)
            async with self._platform.passwords.prepared(password):
                return await run(partial(self._change, asked, caller, attempt), writing=True)

    def _before_change(
        self, asked: Request[Any], caller: Caller, attempt: idempotency.Attempt | None
    ) -> _Answered | None:
        """Check a change before its slow step; return the answer to an earlier request with the same key, or None."""
        with self._platform.read() as tx:
            self._platform.offers.check(tx, caller, asked.operation.name)
            earlier = self._earlier(tx, caller, attempt)
            if earlier is None:
                check_relation(asked, caller, self._platform, tx)
            return earlier

    def _change(
        self,
        asked: Request[Any],
        caller: Caller,
        attempt: idempotency.Attempt | None,
        prepared: Callable[[], Any] | None = None,
    ) -> _Answered:
        """Run a change and store the answer in one transaction; repeat the stored answer for a repeated attempt."""
        request = type(asked)
        with self._platform.write() as tx:
            self._platform.offers.check(tx, caller, request.operation.name)
            earlier = self._earlier(tx, caller, attempt)
            if earlier is not None:
                return earlier
            check_relation(asked, caller, self._platform, tx)
            result = prepared() if prepared else HANDLERS[request].run(asked, caller, self._platform, tx)
            if not isinstance(result, Refusal):
                status, content = lay_out(request, result, self._platform.variant)
                if attempt is not None:
                    idempotency.keep_answer(tx, self._platform.seals, attempt, status, content)
                return _Answered(status, content, tx.head)
        raise result

    def _earlier(self, tx: Transaction, caller: Caller, attempt: idempotency.Attempt | None) -> _Answered | None:
        """Return the answer to an earlier request with the same key, or None."""
        if attempt is None:
            return None
        guess = self._platform.address_login_tries.trying(f"address {caller.remote}") if caller.is_nobody else None
        earlier = idempotency.earlier_answer(tx, self._platform.seals, attempt, guess)
        return None if earlier is None else _Answered(*earlier, tx.head)

    def _tag(self, tx: Transaction, http: HttpRequest, asked: Request[Any], path: str, caller: Caller) -> str | None:
        """Return the entity tag of an answer that depends on a single kind; None for others, and while it changes."""
        handler = HANDLERS[type(asked)]
        if handler.follows is None:
            return None
        place = f"{self._service.value}{path}?{http.scope['query_string'].decode('latin-1')}"
        version = self._platform.database.version(tx, handler.follows.name)
        seen = None if handler.seen is None else handler.seen(asked, caller)
        return self._platform.response_cache.tag(version, place, (handler.follows.rule.visibility(caller), seen))


def check_access(operation: Operation, caller: Caller) -> None:
    """Refuse callers whose role does not permit the operation."""
    least = operation.access.value.least
    if caller.role >= least:
        return
    if caller.is_nobody:
        raise login_needed()
    raise forbidden("only admins can do this" if least is Role.ADMIN else "not allowed for guests")


def check_relation(asked: Request[Any], caller: Caller, platform: Platform, tx: Transaction) -> None:
    """Refuse callers without the required relation to the records in the request. Refuse unknown records with 404."""
    terms = asked.operation.access.value
    if not terms.related or (terms.but_admins and caller.is_admin):
        return
    check = HANDLERS[type(asked)].related
    if check is None or not check(asked, caller, platform, tx):
        raise forbidden(f"only {terms.words} can do this")


def lay_out(request: type[Request[Any]], result: Any, variant: Variant) -> tuple[int, bytes]:
    """Return status and body of an answer."""
    operation = request.operation
    if isinstance(result, Stored):
        bodies = result.documents.all_shown(result.bodies, variant)
        text = f"[{','.join(bodies)}]" if result.many else bodies[0]
        wrapper = operation.wrapper(variant)
        return 200, (text if wrapper is None else f'{{"{wrapper}":{text}}}').encode()
    if isinstance(result, JoinedRecords):
        array = result.documents.listed_as_shown(result.array, variant)
        wrapper = operation.wrapper(variant)
        return 200, array if wrapper is None else b'{"%s":%s}' % (wrapper.encode(), array)
    if isinstance(result, StoredPage):
        meta = {"total": result.total, "maxSize": result.max_size, "next": result.next, "previous": result.previous}
        bodies = result.documents.all_shown(result.bodies, variant)
        return 200, f'{{"data":[{",".join(bodies)}],"meta":{{"page":{json.dumps(meta)}}}}}'.encode()
    if isinstance(result, Wire):
        return result.status, json.dumps(result.data, separators=(",", ":")).encode()
    if result is None or isinstance(result, Acknowledgement):
        return _acknowledged(operation, result or DONE, variant)
    return 200, request.write_answer(result, variant)


def _acknowledged(operation: Operation, result: Acknowledgement, variant: Variant) -> tuple[int, bytes]:
    if (says := operation.says_to(variant)) is not None:
        return 201 if says.lower() == "created" else 200, json.dumps(says).encode()
    message = result.message or "OK"
    if operation.error_shape == "message" and variant is Variant.LATER:
        return 200, json.dumps({"message": message}).encode()
    return 200, json.dumps({"code": result.code or 200, "message": message}).encode()


async def _body_of(http: HttpRequest) -> bytes:
    declared = http.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > LARGEST_BODY:
        raise too_large()
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in http.stream():
                size += len(part)
                if size > LARGEST_BODY:
                    raise too_large()
                parts.append(part)
    except TimeoutError:
        raise too_slow() from None
    return b"".join(parts)


def _guarded(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


__all__ = ["NOBODY", "Dispatch", "check_access", "lay_out", "read_request"]
