"""The errors of the foreign deployment: the contract's four shapes, and others that are not in the contract."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response


class No(Exception):
    """A refusal with its own message and shape."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


def coded(status: int, message: str) -> No:
    """The contract's shape, with a code that is no HTTP status."""
    return No(JSONResponse({"code": 4000 + status, "message": message}, status))


def validation(status: int, message: str, path: str) -> No:
    """The contract's shape for alerts and templates."""
    entry: dict[str, Any] = {"keyword": "exists", "dataPath": path, "schemaPath": "#", "params": {}, "message": message}
    return No(JSONResponse({"error": "Bad Request", "validationErrors": [entry], "message": [entry]}, status))


def plain(status: int, message: str) -> No:
    """The contract's shape with only a field `error`."""
    return No(JSONResponse({"error": message}, status))


def message(status: int, words: str) -> No:
    """The contract's shape with only a field `message`."""
    return No(JSONResponse({"message": words}, status))


def problem(status: int, title: str, detail: str) -> No:
    """Problem details, a common shape that is not the contract's."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return No(JSONResponse(body, status, media_type="application/problem+json"))


def oauth(status: int, error: str, description: str) -> No:
    """The shape of OAuth2 servers, which refuse a password with 400."""
    return No(JSONResponse({"error": error, "error_description": description}, status))
