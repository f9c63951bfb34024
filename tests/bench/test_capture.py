"""The capture file that sngrep reads in the benchmark."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.bench import capture

CALLS = 3


def packets(path: Path) -> list[bytes]:
    """Return the frames of a capture file, after a check of its headers."""
    data = path.read_bytes()
    assert struct.unpack_from("<IHHiIII", data) == (0xA1B2C3D4, 2, 4, 0, 0, 65_535, 1)
    found: list[bytes] = []
    at, before = 24, (0, -1)
    while at < len(data):
        seconds, us, kept, length = struct.unpack_from("<IIII", data, at)
        assert kept == length
        assert before < (seconds, us) < (seconds, 1_000_000)
        before = seconds, us
        found.append(data[at + 16 : at + 16 + kept])
        at += 16 + kept
    assert at == len(data)
    return found


def test_a_capture_has_three_messages_of_each_call(tmp_path: Path):
    texts = [frame[42:].decode() for frame in packets(capture.write(tmp_path / "calls.pcap", CALLS))]
    assert [text.split(" ")[0] for text in texts] == ["INVITE", "SIP/2.0", "BYE"] * CALLS
    ids = [text.partition("Call-ID: ")[2].partition("\r\n")[0] for text in texts]
    assert ids[::3] == ids[1::3] == ids[2::3]
    assert len(set(ids)) == CALLS
    assert all(text.endswith("Content-Length: 0\r\n\r\n") for text in texts)


def test_the_lengths_and_the_checksum_of_each_packet_are_right(tmp_path: Path):
    for frame in packets(capture.write(tmp_path / "calls.pcap", CALLS)):
        kind, version, total, protocol = struct.unpack_from("!HBxH5xB", frame, 12)
        assert (kind, version, protocol) == (0x0800, 0x45, 17)
        assert total == len(frame) - 14
        assert capture.checksum(frame[14:34]) == 0
        source, target, length, checked = struct.unpack_from("!HHHH", frame, 34)
        assert (source, target, length, checked) == (5060, 5060, len(frame) - 34, 0)


def test_the_checksum_is_that_of_a_known_header():
    header = bytes.fromhex("45000073000040004011 0000 c0a80001c0a800c7")
    assert capture.checksum(header) == 0xB861
