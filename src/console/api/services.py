"""Services of domains, and the operations that each enables (contract 2.3; provisioning 2.1).

Both contracts name services of a domain and define no meaning. Here a service is a switch: users of a domain that does
not offer it cannot use its operations and get none of its events. A domain that names no services offers all of them.
The names `filesharing`, `filetransfer`, `forms`, `ldap`, `login-token`, `oauth2client` and `usersgroup` have no effect,
because no operation belongs to them alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

LOGIN = "login"
"""Without this service, only admins of the domain can log in, so that they can enable it again."""

SERVICES: Mapping[str, tuple[str, ...]] = {
    LOGIN: (),
    "alarms": ("alarms",),
    "callcontrol": ("calls", "conferences", "missed-calls"),
    "chat": ("support-chats", "chat-push"),
    "contacts": ("contacts", "user-contacts", "static-contacts", "address-books", "phonebooks"),
    "datapipe": ("datapipes",),
    "log": ("log",),
    "meetings": ("meetings",),
    "presence": ("presence",),
    "recording": ("recordings",),
    "settings": ("settings",),
    "stats": ("statistics",),
}
"""By service, the resources whose operations it enables: the part before the dot of an operation's name."""

CALLED_IN_PROVISIONING: Mapping[str, str] = {"chat": "xmpp", "log": "remotelog", "settings": "usersettings"}
"""Services with another name in the provisioning contract."""
UNNAMED_IN_PROVISIONING = frozenset({"alarms", "recording", "stats"})
"""Services without a name in the provisioning contract: `callcontrol` includes them."""
_CORE_ONLY = frozenset({"alarms", "chat", "ldap", "log", "login-token", "recording", "settings", "stats"})
"""Names that only the core contract has: a domain with one of them omits others on purpose."""

_SERVICE_OF = {resource: service for service, resources in SERVICES.items() for resource in resources}


def service_of(operation: str) -> str | None:
    """Return the service of an operation, or None."""
    return _SERVICE_OF.get(operation.partition(".")[0])


def service_of_topic(topic: str) -> str | None:
    """Return the service of a topic's events, or None."""
    return _SERVICE_OF.get("support-chats" if topic == "chats" else topic.replace("_", "-"))


def offers(names: Collection[str], service: str) -> bool:
    """Return whether a domain with these services offers one."""
    if not names or service in names or CALLED_IN_PROVISIONING.get(service, service) in names:
        return True
    return service in UNNAMED_IN_PROVISIONING and "callcontrol" in names and not _CORE_ONLY & {*names}


def not_offered(names: Collection[str], operation: str) -> str | None:
    """Return why a user of a domain with these services cannot use an operation, or None.

    Names without `login` cannot be the services of the user's domain, since the user has logged in; they are ignored.
    """
    service = service_of(operation)
    if service is None or LOGIN not in names or offers(names, service):
        return None
    return f"your domain does not offer {service}"
