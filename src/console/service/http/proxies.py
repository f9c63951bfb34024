"""Find the client address of a request, also behind a proxy.

Limits on requests and wrong passwords count per address. Any client can send `X-Forwarded-For`, so only the part
written by trusted proxies counts: each appends the address of its peer. Read from the end, the first address that is
not a trusted proxy is the client.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Address = IPv4Address | IPv6Address
HOST_BITS = 64
"""Host part of an IPv6 address. Addresses that differ only in it count as one."""


class Proxies:
    """The trusted proxies."""

    def __init__(self, trusted: Sequence[str]) -> None:
        """Trust these addresses and networks. Raise ValueError for any other text."""
        self._networks: tuple[IPv4Network | IPv6Network, ...] = tuple(
            ip_network(value, strict=False) for value in trusted
        )

    def client_of(self, scope: Mapping[str, Any]) -> str:
        """Return the identity of a client for limits: its IPv4 address, or the network of its IPv6 address."""
        host: str = scope["client"][0] if scope.get("client") else ""
        nearest = _address(host)
        if nearest is None:
            return host
        if self._trusts(nearest):
            headers = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            for text in reversed(b",".join(headers).decode("latin-1").split(",")):
                address = _address(_without_port(text.strip()))
                if address is None:
                    break
                nearest = address
                if not self._trusts(address):
                    break
        return _counted(nearest)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def _address(text: str) -> Address | None:
    """Parse an address; an IPv4-mapped IPv6 address is returned as IPv4."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _without_port(text: str) -> str:
    """Remove the port from an address: `1.2.3.4:80`, `[::1]:80`, `[::1]`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    host, colon, _ = text.partition(":")
    return host if colon and text.count(":") == 1 else text


def _counted(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address), 128 - HOST_BITS), strict=False))
