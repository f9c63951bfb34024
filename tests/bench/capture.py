"""A capture file of SIP calls, for programs that read one: an INVITE, its 200 and a BYE per call, over UDP."""

from __future__ import annotations

import struct
from pathlib import Path

_A, _B = bytes((10, 0, 0, 1)), bytes((10, 0, 0, 2))
_SIP_PORT = 5060
_LINK_ETHERNET = 1
_FIRST_SECOND = 1_700_000_000
_PACKET_US = 1_000
"""Microseconds between two packets."""


def write(path: Path, calls: int) -> Path:
    """Write a capture file with this number of calls and return its path."""
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, _LINK_ETHERNET))
        for call in range(calls):
            for at, (forth, text) in enumerate(_messages(call)):
                packet = frame(text.encode(), *((_A, _B) if forth else (_B, _A)))
                seconds, us = divmod((3 * call + at) * _PACKET_US, 1_000_000)
                file.write(struct.pack("<IIII", _FIRST_SECOND + seconds, us, len(packet), len(packet)) + packet)
    return path


def frame(payload: bytes, source: bytes, target: bytes) -> bytes:
    """Return an Ethernet frame with an IPv4 packet with a UDP datagram."""
    udp = struct.pack("!HHHH", _SIP_PORT, _SIP_PORT, 8 + len(payload), 0) + payload  # 0: no checksum
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, source, target)
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    return b"\x02\0\0\0\0\x02" + b"\x02\0\0\0\0\x01" + b"\x08\0" + ip + udp


def checksum(header: bytes) -> int:
    """Return the checksum of an IPv4 header: 0 for a header with its correct checksum."""
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def _messages(call: int) -> list[tuple[bool, str]]:
    """Return the messages of a call: whether from the caller, and the text."""

    def message(first: str, method: str, number: int, to_tag: str) -> str:
        return (
            f"{first}\r\nVia: SIP/2.0/UDP 10.0.0.1:{_SIP_PORT};branch=z9hG4bK{call}-{number}\r\nMax-Forwards: 70\r\n"
            f"From: <sip:caller{call}@desk.example>;tag=a{call}\r\nTo: <sip:sales@desk.example>{to_tag}\r\n"
            f"Call-ID: {call:06}@desk.example\r\nCSeq: {number} {method}\r\n"
            "Contact: <sip:10.0.0.1>\r\nContent-Length: 0\r\n\r\n"
        )

    target, tag = "sip:sales@desk.example", f";tag=b{call}"
    return [
        (True, message(f"INVITE {target} SIP/2.0", "INVITE", 1, "")),
        (False, message("SIP/2.0 200 OK", "INVITE", 1, tag)),
        (True, message(f"BYE {target} SIP/2.0", "BYE", 2, tag)),
    ]
