"""Files of recordings, served at `/recordings/<file id>` to callers who may list the recording.

The contract identifies a file by id, size and hash, and has no operation that returns its content. Files are generated
while they are sent: silent WAV files, because no media passes through this service.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from console.api.operations.traffic import PageRecordings
from console.records.recordings import RecordingFile
from console.service.auth.caller import Caller
from console.service.auth.credentials import caller_of
from console.service.domain.recorded import RECORDINGS, milliseconds_of, wav
from console.service.http.dispatch import check_access
from console.service.platform import Platform
from console.service.refusal import missing

PREFIX = "/recordings"


async def recording_file(platform: Platform, request: Request) -> Response:
    """Return a file. Refuse with 401 without a login, with 403 without the service, with 404 if it is not visible."""
    remote = platform.proxies.client_of(request.scope)
    platform.address_rate.spend(remote)
    caller = await platform.database.run(partial(caller_of, platform, request.headers, remote))
    check_access(PageRecordings.operation, caller)
    platform.account_rate.spend(caller.id)
    name: str = request.path_params["file"]
    key = name.rpartition("-")[0]
    files = await platform.database.run(partial(_files, platform, caller, key))
    file = next((each for each in files if each.id == name), None)
    if file is None:
        raise missing("recorded file", name)
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": "attachment",
        "Content-Length": str(int(file.size or 0)),
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(wav(milliseconds_of(file)), media_type="audio/wav", headers=headers)


def _files(platform: Platform, caller: Caller, key: str) -> Sequence[RecordingFile]:
    """Return the files of a recording; none if the caller may not list it."""
    with platform.read() as tx:
        platform.offers.check(tx, caller, PageRecordings.operation.name)
        return RECORDINGS.need(tx, key).files if RECORDINGS.may_see(tx, caller, key) else ()
