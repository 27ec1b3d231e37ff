"""A module run by wasmtime: what goes in and comes back, memory, and what goes wrong. The module is a small one, written by hand."""

import json
import threading
from array import array

import pytest
from wasmtime import wat2wasm

from ludotheque.kernels.wasm_file import about
from ludotheque.kernels.wasm_target import KernelError, WasmKernels
from ludotheque.kernels.wasmtime_bridge import LoadedModule
from tools.wasm.link import section, text

ABOUT = {
    "game": "sample",
    "functions": {
        "double": [["int"], ["int"]],
        "fill": [["uint8", "int"], []],
        "copy_bytes": [["uint8", "uint8", "int"], []],
        "fail": [[], []],
        "stop": [[], []],
    },
}
MODULE = """
(module
  (memory (export "memory") 2)
  (global $end (mut i32) (i32.const 1024))
  (global $released (mut i32) (i32.const 0))
  (func $allocate (export "allocate") (param $bytes i32) (result i32)
    (global.get $end)
    (if (i32.gt_u (local.get $bytes) (i32.const 60000)) (then (return (i32.const 0))))
    (global.set $end (i32.add (global.get $end) (i32.and (i32.add (local.get $bytes) (i32.const 15)) (i32.const -16)))))
  (func (export "allocate_zeros") (param $bytes i32) (result i32) (call $allocate (local.get $bytes)))
  (func (export "release") (param i32) (global.set $released (i32.add (global.get $released) (i32.const 1))))
  (func (export "double") (param $block i32)
    (i64.store offset=8 (local.get $block) (i64.mul (i64.const 2) (i64.load offset=16 (local.get $block)))))
  (func $array (param $block i32) (param $at i32) (result i32)
    (select
      (i32.load offset=4 (i32.add (local.get $block) (local.get $at)))
      (i32.add (local.get $block) (i32.load (i32.add (local.get $block) (local.get $at))))
      (i32.load offset=4 (i32.add (local.get $block) (local.get $at)))))
  (func (export "fill") (param $block i32)
    (memory.fill
      (call $array (local.get $block) (i32.const 16))
      (i32.wrap_i64 (i64.load offset=32 (local.get $block)))
      (i32.wrap_i64 (i64.load offset=24 (local.get $block)))))
  (func (export "copy_bytes") (param $block i32)
    (memory.copy
      (call $array (local.get $block) (i32.const 32))
      (call $array (local.get $block) (i32.const 16))
      (i32.wrap_i64 (i64.load offset=48 (local.get $block)))))
  (func (export "fail") (param $block i32) (i64.store (local.get $block) (i64.const 1)))
  (func (export "stop") (param $block i32) unreachable))
"""


@pytest.fixture(scope="module")
def module() -> LoadedModule:
    described = section(0, text(b"ludotheque") + json.dumps(ABOUT).encode())
    return LoadedModule(bytes(wat2wasm(MODULE)) + described)


def test_numbers_and_arrays_go_there_and_back(module: LoadedModule) -> None:
    kernels = WasmKernels(module.open())
    assert kernels.call("double", -21) == -42
    filled = array("B", bytes(7))
    kernels.call("fill", filled, 5)
    assert filled.tolist() == [5] * 7
    large = bytearray(9000)  # more than the block that is kept
    kernels.call("fill", large, 1)
    assert large == b"\1" * 9000


def test_a_room_stays_in_its_instance(module: LoadedModule) -> None:
    one, another = WasmKernels(module.open()), WasmKernels(module.open())
    room, seen = one.keep(b"room"), bytearray(4)
    one.call("copy_bytes", room, seen, 4)
    assert seen == b"room"
    another.call("copy_bytes", another.room(4), seen, 4)
    assert seen == bytes(4)


def test_what_fails_is_told(module: LoadedModule) -> None:
    kernels = WasmKernels(module.open())
    with pytest.raises(KernelError, match="fail of sample failed with status 1"):
        kernels.call("fail")
    with pytest.raises(KernelError, match="stop was stopped"):
        kernels.call("stop")
    with pytest.raises(MemoryError, match="70000 bytes"):
        kernels.room(70_000)
    assert kernels.call("double", 4) == 8  # and it goes on


def test_several_threads_may_ask(module: LoadedModule) -> None:
    kernels = WasmKernels(module.open())
    wrong: list[int] = []

    def ask(first: int) -> None:
        wrong.extend(number for number in range(first, first + 300) if kernels.call("double", number) != 2 * number)

    threads = [threading.Thread(target=ask, args=(1000 * which,)) for which in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("content", [b"", b"no module", bytes(wat2wasm("(module)")), b"\0asm\1\0\0\0\0\xff"])
def test_what_is_no_module_of_ours_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="module"):
        about(content)
