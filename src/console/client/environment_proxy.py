"""The proxy that the environment names for a URL: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, and the exceptions in NO_PROXY.

The libraries read these differently: one fails for an IPv6 address in brackets, another knows no port. One reading
serves requests, event channels, notices, and the messages about all of them.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit
from urllib.request import getproxies_environment

_SCHEMES = {"ws": "http", "wss": "https"}
_PORTS = {"http": 80, "https": 443}


def proxy_of_environment(url: str) -> str | None:
    """Return the URL of the proxy, or None for a direct connection."""
    parts, proxies = urlsplit(url), getproxies_environment()
    scheme = _SCHEMES.get(parts.scheme, parts.scheme)
    proxy = proxies.get(scheme) or proxies.get("all")
    host, port = parts.hostname or "", parts.port or _PORTS.get(scheme)
    if not proxy or any(_names(entry, host, port) for entry in proxies.get("no", "").replace(",", " ").split()):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _names(entry: str, host: str, port: int | None) -> bool:
    """Return whether an entry of NO_PROXY names a host.

    It is `*`, a host, which includes its subdomains, an address or a network, each with or without a scheme and a port.
    """
    name = entry.lower().rpartition("://")[2].rstrip("/") if "://" in entry else entry.lower()
    if name == "*":
        return True
    before, colon, after = name.rpartition(":")
    # An IPv6 address has a port only behind brackets.
    if colon and after.isdigit() and (":" not in before or before.endswith("]")):
        if int(after) != port:
            return False
        name = before
    name = name.strip("[]")
    try:
        return ip_address(host) in ip_network(name, strict=False)
    except ValueError:
        domain = name.removeprefix("*").removeprefix(".")
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))
