"""WebAssembly modules as files: their sections, and what our modules say of themselves. tools/wasm builds them."""

import json
from collections.abc import Iterator
from typing import Any, Final

MAGIC: Final = b"\0asm\1\0\0\0"
SECTION: Final = b"ludotheque"
"""The custom section that says what a module has, as JSON."""
CUSTOM: Final = 0  # a kind of sections


def read_number(content: bytes, at: int) -> tuple[int, int]:
    """A whole number as WebAssembly writes it (LEB128), and where the next byte is."""
    value = shift = 0
    while True:
        byte = content[at]
        value, shift, at = value | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return value, at


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """The sections of a module: kind and content."""
    at = len(MAGIC)
    while at < len(module):
        size, start = read_number(module, at + 1)
        yield module[at], module[start : start + size]
        at = start + size


def about(module: bytes) -> str:
    """What a module says of itself, as JSON; ValueError if it is none of ours."""
    try:
        if module.startswith(MAGIC):
            for kind, content in sections(module):
                if kind == CUSTOM:
                    length, start = read_number(content, 0)
                    if content[start : start + length] == SECTION:
                        return content[start + length :].decode()
    except (IndexError, UnicodeDecodeError) as error:
        raise ValueError("the module is damaged") from error
    raise ValueError("this is no module of kernels: it does not say what it has")


def facts(module: bytes) -> dict[str, Any]:
    """The same as an object."""
    told: dict[str, Any] = json.loads(about(module))
    return told
