"""Generated certificates: one authority, and leaf certificates that are valid or invalid in one way each."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


class Authority:
    """A private certificate authority in a directory."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = self._build(self._name, self._key.public_key(), NOW - DAY, NOW + DAY, ca=True)
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def leaf(
        self, name: str, *, address: str = "127.0.0.1", start: int = -1, end: int = 1, weak: bool = False
    ) -> tuple[Path, Path]:
        """Issue a certificate for an address, valid from `start` to `end` days from now; return certificate and key."""
        key = rsa.generate_private_key(65537, 1024) if weak else ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = self._build(
            subject, key.public_key(), NOW + start * DAY, NOW + end * DAY, ca=False, address=address
        )
        files = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files

    def leaf_by_leaf(self, name: str) -> tuple[Path, Path]:
        """Issue a certificate that is signed by a leaf certificate, which is not an authority."""
        signer = self.leaf(f"{name}-signer")
        upstart = Authority.__new__(Authority)
        upstart.folder, upstart.file = self.folder, signer[0]
        key = serialization.load_pem_private_key(signer[1].read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        upstart._key, upstart._name = key, x509.load_pem_x509_certificate(signer[0].read_bytes()).subject
        certificate, own_key = upstart.leaf(name)
        certificate.write_bytes(certificate.read_bytes() + signer[0].read_bytes())
        return certificate, own_key

    def own_certificate(self) -> tuple[Path, Path]:
        """Return the authority's own certificate and key, for a self-signed server."""
        key = self.folder / "own.key"
        key.write_bytes(
            self._key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return self.file, key

    def _build(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey,
        start: datetime.datetime,
        end: datetime.datetime,
        *,
        ca: bool,
        address: str | None = None,
    ) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(end)
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        )
        if address is not None:
            names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(self._key, hashes.SHA256())


def server_context(files: tuple[Path, Path], client_ca: Path | None = None, *, weak: bool = False) -> ssl.SSLContext:
    """Return a server's context. `client_ca` requires client certificates, `weak` allows old protocols and ciphers."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if weak:
        context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(*map(str, files))
    if client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(str(client_ca))
    return context
