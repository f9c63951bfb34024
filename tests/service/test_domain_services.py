"""The services of a domain enable their operations and events, and nothing else does."""

from __future__ import annotations

import pytest

from console.api.catalogue import catalogue
from console.api.events import Event, Reset
from console.api.services import SERVICES, not_offered, offers, service_of
from console.service.domain import domains
from tests.background import Running
from tests.service.channels import Open, confirmed, heard, rename
from tests.service.over_http import DOMAIN, LogIn, data, grant

ASKED = {
    "alarms": ("GET", "/alarms"),
    "callcontrol": ("GET", "/calls"),
    "chat": ("GET", "/support-chats"),
    "contacts": ("GET", "/address-books"),
    "datapipe": ("GET", "/datapipes"),
    "log": ("POST", "/log"),
    "meetings": ("GET", "/meetings"),
    "presence": ("GET", "/presence"),
    "recording": ("GET", "/recordings/page"),
    "settings": ("GET", "/settings"),
    "stats": ("GET", "/statistics/c1"),
}


def offer(service: Running, *names: str) -> None:
    domains.update(service.platform, DOMAIN, {"services": dict.fromkeys(names, ())})


@pytest.mark.parametrize("name", ASKED)
def test_a_service_that_the_domain_does_not_offer_is_refused_with_the_reason(
    service: Running, as_user: LogIn, name: str
) -> None:
    eva = as_user("eva")
    method, path = ASKED[name]
    before = eva.request(method, path)
    assert (before.status_code, "does not offer" in before.text) != (403, True)
    offer(service, *(each for each in domains.SERVICES if each != name))
    refused = eva.request(method, path)
    assert refused.status_code == 403
    assert f"the domain {DOMAIN} does not offer {name}" in refused.text
    assert eva.get("/users/current").is_success
    offer(service)
    assert "does not offer" not in eva.request(method, path).text


def test_users_of_other_domains_keep_the_service(service: Running, as_user: LogIn) -> None:
    otto = as_user("otto")
    offer(service, "login")
    assert data(otto.get("/support-chats")) == {"chats": []}
    refused = otto.get("/meetings")
    assert (refused.status_code, "other.example does not offer meetings" in refused.text) == (403, True)


def test_only_admins_can_log_in_where_the_domain_offers_no_login(service: Running, as_user: LogIn) -> None:
    nobody = as_user("nobody")
    ana = as_user("ana")
    offer(service, "chat")
    refused = grant(nobody, "ana")
    assert (refused.status_code, "does not offer login" in refused.text) == (403, True)
    assert ana.post("/sessions", json={}).status_code == 403
    data(grant(nobody, "eva"))


def test_a_channel_gets_no_events_of_a_service_that_is_off_and_a_reset_once_it_is_on(
    service: Running, as_user: LogIn, open_channel: Open
) -> None:
    offer(service, "login")
    channel = open_channel(as_user("eva"), "calls", "groups")
    subscribed = confirmed(channel)
    assert subscribed.topics == ("groups",)
    offer(service, "login", "callcontrol")
    while not isinstance(message := heard(channel), Reset):
        assert not isinstance(message, Event)
    rename(service, "After")
    while not isinstance(message := heard(channel), Event):
        pass
    assert message.topic == "groups"


def test_the_provisioning_names_of_services_mean_the_same() -> None:
    names = (
        "callcontrol",
        "contacts",
        "datapipe",
        "login",
        "meetings",
        "presence",
        "remotelog",
        "usersettings",
        "xmpp",
    )
    assert all(offers(names, each) for each in SERVICES)
    assert [each for each in SERVICES if not offers([name for name in names if name != "xmpp"], each)] == ["chat"]
    assert not offers((*names, "chat"), "recording")


def test_every_service_has_operations_and_contains_all_operations_of_its_resources() -> None:
    resources = {name.partition(".")[0] for name in catalogue()}
    assert {each for group in SERVICES.values() for each in group} <= resources
    assert service_of("support-chats.transfer") == "chat"
    assert service_of("alerts.accept") is None


def test_a_console_ignores_unknown_service_names_of_the_callers_domain() -> None:
    assert not_offered((), "support-chats.list") is None
    assert not_offered(("anything",), "support-chats.list") is None
    assert not_offered(("login",), "alerts.accept") is None
    assert not_offered(("login",), "support-chats.list") == "your domain does not offer chat"
