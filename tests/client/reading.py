"""Read the event channel of a client to its end."""

from __future__ import annotations

from console.api.errors import ApiError
from console.api.events import Point
from console.client.client import Client
from console.client.dialect import Message


async def read_channel(client: Client, resume: Point | None = None) -> tuple[list[Message], ApiError]:
    """Return the messages of a channel and the error with which it ended."""
    messages: list[Message] = []
    try:
        async with client.stream(("calls",), resume) as stream:
            async for together in stream:
                messages += together
    except ApiError as error:
        return messages, error
    raise AssertionError("a channel ends with an error")


async def read_and_close(client: Client, resume: Point | None = None) -> tuple[list[Message], ApiError]:
    """Do so, and close the client."""
    try:
        return await read_channel(client, resume)
    finally:
        await client.close()
