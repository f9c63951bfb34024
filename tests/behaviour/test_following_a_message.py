"""A delivery of the service is followed on the screen; its code is masked until it is revealed."""

from __future__ import annotations

from pathlib import Path

from console.service.domain import deliveries
from console.service.transports.message import Message
from tests.background import Running
from tests.behaviour.driver import seat
from tests.behaviour.test_admin import rows


async def test_a_sent_code_appears_in_its_message_and_is_shown_on_request(service: Running, tmp_path: Path) -> None:
    async with seat(service, tmp_path) as eva:
        await eva.look_at("deliveries")
        await eva.sees("There are no deliveries")
        with service.platform.write() as tx:
            message = Message("sms", "+34600550007", "phone code", "ana", {"code": "482913"})
            deliveries.deliver(service.platform, tx, [message])
        await eva.until(lambda: rows(eva) == 1)
        await eva.sees("unsent")
        assert "482913" not in eva.screen_text()
        await eva.open_dialog("o")
        await eva.type("get")
        await eva.press("enter")
        await eva.sees("secret")
        assert "482913" not in eva.screen_text()
        await eva.press("v")
        await eva.sees("482913")
