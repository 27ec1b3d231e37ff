"""The key that seals the seeds of unfinished matches in the database: its file and its cipher.

Which parts of a log are sealed is in `store.log`; why it is made this way in docs/decisions/seed-key.md.
"""

import base64
import binascii
import hmac
import os
import secrets
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL

from ludotheque.core import BadRequest
from ludotheque.core.problems import reason
from ludotheque.paths import data_folder

VARIABLE: Final = "LUDOTHEQUE_SEED_KEY"
"""The environment variable that names the key's file."""
SEALED: Final = "sealed:1:"
HEADING: Final = "ludotheque seed key 1"
KEY_BYTES: Final = 32
NONCE_BYTES: Final = 16
TAG_BYTES: Final = 32


def key_file_of(url: URL, chosen: str | None) -> Path:
    """Where the key is: where the operator says, beside a SQLite file, or in the data folder."""
    chosen = chosen or os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(f"{url.database}.key")
    return data_folder() / "seeds.key"


class SeedCipher:
    """Seals texts with HMAC-SHA-256 from the standard library: a key stream from a random nonce, then a tag over all of it."""

    def __init__(self, key: bytes) -> None:
        self._stream_key = hmac.digest(key, b"ludotheque seeds: key stream", "sha256")
        self._tag_key = hmac.digest(key, b"ludotheque seeds: tag", "sha256")
        self.name = hmac.digest(key, b"ludotheque seeds: name", "sha256")[:16].hex()
        """Tells keys apart, and nothing about the key."""

    def seal(self, text: str, place: str) -> str:
        """A text that only this key opens, at the same place."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        hidden = self._mixed(text.encode(), nonce)
        return SEALED + base64.b64encode(nonce + hidden + self._tag(nonce, hidden, place)).decode()

    def unseal(self, sealed: str, place: str) -> str | None:
        """The text; None if another key sealed it, or if it is not as it was sealed."""
        text = sealed.removeprefix(SEALED)
        try:
            content = base64.b64decode(text, validate=True)
        except binascii.Error:
            return None
        if base64.b64encode(content).decode() != text:  # the last letter has bits that decoding ignores
            return None
        nonce, hidden, tag = content[:NONCE_BYTES], content[NONCE_BYTES:-TAG_BYTES], content[-TAG_BYTES:]
        if not hmac.compare_digest(tag, self._tag(nonce, hidden, place)):
            return None
        return self._mixed(hidden, nonce).decode()

    def _mixed(self, content: bytes, nonce: bytes) -> bytes:
        stream = b"".join(
            hmac.digest(self._stream_key, nonce + block.to_bytes(8, "big"), "sha256")
            for block in range(-(-len(content) // 32))
        )
        return bytes(one ^ other for one, other in zip(content, stream, strict=False))

    def _tag(self, nonce: bytes, hidden: bytes, place: str) -> bytes:
        where = place.encode()
        return hmac.digest(self._tag_key, len(where).to_bytes(8, "big") + where + nonce + hidden, "sha256")


def read_key(file: Path) -> SeedCipher | None:
    """The cipher of a key's file; None if there is none. BadRequest if it is no key."""
    try:
        heading, _, key = file.read_text("utf-8").strip().partition("\n")
        content = bytes.fromhex(key)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadRequest("server.seed-key.not-read", file=str(file), why=reason(error)) from error
    except ValueError as error:
        raise BadRequest("server.seed-key.no-key", file=str(file)) from error
    if heading != HEADING or len(content) != KEY_BYTES:
        raise BadRequest("server.seed-key.no-key", file=str(file))
    return SeedCipher(content)


def make_key(file: Path) -> SeedCipher:
    """Make a key's file and return its cipher. Callers make sure that there is none, and that no other process makes one."""
    key = secrets.token_bytes(KEY_BYTES)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_privately(file, f"{HEADING}\n{key.hex()}\n")
    except OSError as error:
        raise BadRequest("server.seed-key.not-written", file=str(file), why=reason(error)) from error
    return SeedCipher(key)


def write_privately(file: Path, text: str) -> None:
    """Write a file that only its owner can read; it appears with all of its content."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as writing:
            writing.write(text)
            writing.flush()
            os.fsync(writing.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
