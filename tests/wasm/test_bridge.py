"""How Python speaks with a module, without one: what blocks look like, and what goes wrong in words."""

import json
import struct
from array import array

import pytest

from ludotheque.core import find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.signatures import Unavailable
from ludotheque.kernels.wasm_target import KernelError, WasmKernels, WasmRoom, use_wasm
from tools.wasm.link import imports, section, text

ABOUT = {"game": "wykersham", "rules_version": 1, "state_size": 4, "most_actions": 3, "most_players": 2}


class Doubling:
    """A module whose function `double` doubles `items` into `doubled` and answers how many there are, and their sum times `factor`."""

    def __init__(self, status: int = 0) -> None:
        functions = {"double": [["int32", "float", "int32"], ["int", "float"]]}
        self.about = json.dumps({**ABOUT, "functions": functions})
        self.status = status
        self.rooms: dict[int, bytes] = {}
        self.released: list[int] = []

    def call(self, name: str, block: bytes, returned: int) -> bytes:
        assert name == "double"
        place, far, count, factor, into, _, room_for = struct.unpack_from("<24xIIqdIIq", block)
        items = struct.unpack_from(f"<{count}i", self.rooms[far] if far else block, 0 if far else place)
        assert room_for == count
        changed = bytearray(block)
        struct.pack_into("<qqd", changed, 0, self.status, count, factor * sum(items))
        struct.pack_into(f"<{count}i", changed, into, *(2 * item for item in items))
        return bytes(changed[:returned])

    def room(self, nbytes: int) -> int:
        address = 1000 * (len(self.rooms) + 1)
        self.rooms[address] = bytes(nbytes)
        return address

    def write(self, address: int, content: bytes) -> None:
        self.rooms[address] = content

    def release(self, address: int) -> None:
        self.released.append(address)


def test_a_call_goes_there_and_back_as_one_block() -> None:
    doubled = array("i", [0, 0, 0])
    assert WasmKernels(Doubling()).call("double", array("i", [1, 2, 3]), 0.5, doubled) == (3, 3.0)
    assert doubled.tolist() == [2, 4, 6]


def test_bytes_stay_as_they_are_and_rooms_stay_there() -> None:
    kernels = WasmKernels(Doubling())
    items, doubled = struct.pack("<2i", 5, 6), bytearray(8)
    assert kernels.call("double", items, 1, doubled) == (2, 11.0)
    assert kernels.call("double", kernels.keep(items), 1, doubled) == (2, 11.0)
    assert struct.unpack("<2i", doubled) == (10, 12)


def test_a_room_is_given_back_when_nobody_has_it() -> None:
    bridge = Doubling()
    room = WasmKernels(bridge).room(24)
    assert isinstance(room, WasmRoom)
    address = room.address
    assert bridge.released == []
    del room
    assert bridge.released == [address]


def test_what_goes_wrong_is_told() -> None:
    with pytest.raises(KernelError, match="double of wykersham failed with status 1"):
        WasmKernels(Doubling(status=1)).call("double", b"", 1.0, b"")
    with pytest.raises(Unavailable, match="no kernel entry halve; there are double"):
        WasmKernels(Doubling()).call("halve")
    with pytest.raises(TypeError, match="takes 3 arguments, not 1"):
        WasmKernels(Doubling()).call("double", 1)


def test_a_module_of_other_rules_is_refused() -> None:
    game = find_game("wykersham")
    assert isinstance(game, DiscreteGame)
    with pytest.raises(ValueError, match="the module is of wykersham, rules 1, not of wykersham, rules"):
        use_wasm(game, Doubling())


def test_imports_are_found() -> None:
    """A module that imports two functions; the bytes follow the specification of WebAssembly."""
    first = text(b"env") + text(b"exp") + b"\0\0"
    second = text(b"env") + text(b"PyErr_SetString") + b"\0\1"
    module = b"\0asm\1\0\0\0" + section(0, text(b"about") + bytes(200)) + section(2, b"\2" + first + second)
    assert imports(module) == ["exp", "PyErr_SetString"]
