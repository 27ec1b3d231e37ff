"""Rules as PTX, the text that an NVIDIA driver loads: numba's LLVM for a plain processor, compiled again for the GPU.

No CUDA toolkit is needed, and no card: only `envs.gpu`, which launches the kernels, needs one. It is compiled in a process of
its own (`python -m ludotheque.kernels.ptx GAME FILE`), since numba must not use what this machine's processor offers.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numba
from llvmlite import binding as llvm
from numba.np.numpy_support import as_dtype

from ludotheque.core import BadOption, find_game
from ludotheque.kernels.cache_keys import cache_folder
from ludotheque.kernels.discrete import DiscreteGame
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.gpu_functions import make_gpu_functions, mask_words
from ludotheque.kernels.llvm_text import (
    PLAIN_PROCESSOR,
    compiled_text,
    initialise,
    internalise,
    optimise,
    retarget,
    unresolved,
)

ARCHITECTURE: Final = "sm_70"  # the driver compiles the text further for whatever card it has, from Volta on
FEATURES: Final = "+ptx70"
TRIPLE: Final = "nvptx64-nvidia-cuda"
HEADER: Final = 64  # bytes before an array's items
ARRAY: Final = f"""
define internal ptr @gpu_array(ptr %block, i64 %size) alwaysinline {{
  %data = getelementptr i8, ptr %block, i64 {HEADER}
  store i64 1, ptr %block
  %at = getelementptr i8, ptr %block, i64 24
  store ptr %data, ptr %at
  %length = getelementptr i8, ptr %block, i64 32
  store i64 %size, ptr %length
  ret ptr %block
}}
"""
"""What numba's NRT_MemInfo_alloc_aligned does, in memory that is there already: the header has the address at byte 24."""

Kind: TypeAlias = Literal["row", "rows", "strided", "scratch", "one", "number"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel's body, and where its memory comes from.

    - `row`: an array with an item for each match; `rows`: a row of `width` items for each match
    - `strided`: two dimensions with strides that the caller gives, in bytes
    - `scratch`: `width` items of the thread's own; as a row that is the same for all matches if `by_match`
    - `one`: one item for all; `number`: a whole number
    """

    kind: Kind
    item: Any = numba.int64
    width: int = 1
    by_match: bool = False
    across: bool = False
    """Of `rows`: a match's items are a column, so that neighbouring threads write to neighbouring places."""

    @property
    def numba_type(self) -> Any:
        """The type that the body is compiled for."""
        if self.kind == "number":
            return numba.int64
        two = self.kind in ("rows", "strided") or self.by_match
        return numba.types.Array(self.item, 2 if two else 1, "A" if self.kind == "strided" or self.by_match else "C")

    @property
    def arguments(self) -> int:
        """How many arguments of the kernel it has: pointers, strides or numbers, of 64 bits each."""
        return {"scratch": 0, "strided": 3}.get(self.kind, 1)


def _size(item: Any) -> int:
    """The bytes of an item."""
    return int(as_dtype(item).itemsize)


ROW, NUMBER = Parameter("row"), Parameter("number")
BYTES: Final = Parameter("row", numba.boolean)


def kernels_of(game: DiscreteGame) -> Mapping[str, tuple[Callable[..., None], tuple[Parameter, ...]]]:
    """The kernels of a game by name: the body of each and its parameters, without the last one, which is the match."""
    rules, encoding = game.rules, encoding_of(game)
    functions = make_gpu_functions(rules, encoding)
    record, words = numba.from_dtype(rules.dtype), mask_words(encoding)
    states = Parameter("row", record)
    batch = (
        states,
        ROW,
        Parameter("scratch", numba.int32, rules.most_actions, by_match=True),
        ROW,
        Parameter("rows", numba.float64, rules.most_players),
        BYTES,
        Parameter("rows", numba.int64, 4),
        Parameter("one", record),
    )
    bits = Parameter("rows", numba.uint32, words, across=True)
    noted = (bits, Parameter("scratch", numba.uint32, words))
    wrong = Parameter("one")
    outputs = {"int8": numba.int8, "float32": numba.float32}
    kernels: dict[str, tuple[Callable[..., None], tuple[Parameter, ...]]] = {
        "begin": (functions.begin, (*batch, *noted, ROW, NUMBER)),
        "check": (functions.check, (ROW, bits, ROW, wrong)),
        "step": (functions.step, (*batch, *noted, ROW, wrong, NUMBER, NUMBER)),
        "choose": (functions.choose, (states, ROW, batch[2], batch[6], ROW)),
        "play": (functions.play, (*batch, *noted, NUMBER, NUMBER, NUMBER)),
    }
    for name, item in outputs.items():
        masks = Parameter("strided", item, encoding.num_actions)
        observations = Parameter("strided", item, encoding.observation_size)
        kernels[f"masks_{name}"] = (functions.masks, (bits, masks))
        kernels[f"observe_{name}"] = (functions.observe, (states, ROW, ROW, observations))
    return kernels


def ptx_of(game: DiscreteGame) -> str:
    """The kernels of a game as PTX: from the cache, or compiled now, which takes a minute. BadOption if that fails."""
    file = cache_folder(game.rules.folder) / f"gpu-{ARCHITECTURE}.ptx"
    if not file.exists():
        command = [sys.executable, "-m", "ludotheque.kernels.ptx", game.name, str(file)]
        environment = {**os.environ, **PLAIN_PROCESSOR}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ourselves
        if done.returncode:
            raise BadOption("gpu.not-compiled", title=game.title, why=done.stderr.strip()[-400:])
    return file.read_text("ascii")


def write_ptx(name: str, file: Path) -> None:
    """Compile a game's kernels into a file, which appears with all of its content."""
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    text = compile_ptx(game)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_text(text, "ascii")
    part.replace(file)


def compile_ptx(game: DiscreteGame) -> str:
    """The kernels of a game as PTX, compiled here; only in a process with the settings of PLAIN_PROCESSOR."""
    initialise()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=ARCHITECTURE, features=FEATURES, opt=3)
    whole: Any = None
    for name, (body, parameters) in kernels_of(game).items():
        module = _body_module(body, parameters, machine, name)
        module.link_in(llvm.parse_assembly(_kernel(name, parameters, machine)))
        internalise(module, {name})
        optimise(module, machine)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    internalise(whole, set(kernels_of(game)))
    optimise(whole, machine)
    if unknown := unresolved(whole):
        raise RuntimeError(f"the kernels of {game.name} call what a GPU does not have: {', '.join(unknown)}")
    text: str = machine.emit_assembly(whole)
    return text


def _body_module(body: Any, parameters: Sequence[Parameter], machine: Any, name: str) -> Any:
    """A body's LLVM, made for the GPU: its function is called NAME_body, and everything else is internal."""
    signature = (*(one.numba_type for one in parameters), numba.int64)
    text, entry, _ = compiled_text(body, signature)
    text = retarget(text, TRIPLE, machine)
    # Reference counts: no array here belongs to Python, and none is freed.
    text = re.sub(r"(?:tail )?call i8 @llvm\.x86\.atomic\.sub\.cc\.i64\([^)]*\)", "add i8 0, 0", text)
    text = re.sub(r"^define .*?^}$", _on_the_stack, text, flags=re.MULTILINE | re.DOTALL) + ARRAY
    module = llvm.parse_assembly(text.replace(" noinline ", " nounwind "))
    internalise(module, {entry})
    module.get_function(entry).name = f"{name}_body"
    return module


def _on_the_stack(function: "re.Match[str]") -> str:
    """A function's LLVM with the arrays that it makes on the thread's stack: one place for each line that makes one.

    Rules make small arrays of a fixed size and drop them before they make them again, so one place is enough.
    """
    places: list[str] = []

    def placed(call: "re.Match[str]") -> str:
        size = int(call[1])
        place = f"%gpu_array_{len(places)}"
        places.append(f"  {place} = alloca [{HEADER + size} x i8], align 32\n")
        return f"call ptr @gpu_array(ptr {place}, i64 {size})"

    text = re.sub(r"(?:tail )?call ptr @NRT_MemInfo_alloc_aligned\(i64 (\d+), i32 \d+\)", placed, function[0])
    if not places:
        return text
    head, first, rest = text.split("\n", 2)
    label = first if first.endswith(":") else None
    return "\n".join(
        [head, *([label] if label else []), "".join(places).rstrip("\n"), *([] if label else [first]), rest]
    )


def _kernel(name: str, parameters: Sequence[Parameter], machine: Any) -> str:
    """The LLVM of a kernel: a thread finds its match, makes numba's arrays out of pointers and calls the body."""
    arguments, scratch, passed, types = ["i64 %size"], [], [], ["ptr", "ptr"]
    for place, one in enumerate(parameters):
        at, item = f"%p{place}", 0 if one.kind == "number" else _size(one.item)
        if one.kind == "number":
            arguments.append(f"i64 {at}")
            passed.append(f"i64 {at}")
            types.append("i64")
            continue
        if one.kind == "scratch":
            scratch.append(f"{at} = alloca [{one.width * item} x i8], align 16")
        else:
            arguments.append(f"ptr {at}")
        if one.kind == "strided":
            arguments += [f"i64 {at}r", f"i64 {at}c"]
        shape, strides = _extent(one, at, item)
        passed += ["ptr null", "ptr null", "i64 %size", f"i64 {item}", f"ptr {at}"]
        passed += [f"i64 {number}" for number in (*shape, *strides)]
        types += ["ptr", "ptr", "i64", "i64", "ptr", *["i64"] * (2 * len(shape))]
    allocated = "\n  ".join(scratch)
    return f"""target triple = "{TRIPLE}"
target datalayout = "{machine.target_data}"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @{name}_body({", ".join(types)}, i64)
define ptx_kernel void @{name}({", ".join(arguments)}) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %threads
  %number = add i32 %before, %thread
  %match = zext i32 %number to i64
  %there = icmp ult i64 %match, %size
  br i1 %there, label %work, label %done
work:
  %across4 = mul i64 %size, 4
  %result = alloca ptr, align 8
  %error = alloca ptr, align 8
  {allocated}
  %status = call i32 @{name}_body(ptr %result, ptr %error, {", ".join(passed)}, i64 %match)
  br label %done
done:
  ret void
}}
"""


def _extent(one: Parameter, at: str, item: int) -> tuple[Sequence[object], Sequence[object]]:
    """Shape and strides of an array parameter, as LLVM values."""
    if one.kind == "strided":
        return ("%size", one.width), (f"{at}r", f"{at}c")
    if one.across:
        return (one.width, "%size"), (f"%across{item}", item)
    if one.kind == "rows":
        return ("%size", one.width), (one.width * item, item)
    if one.by_match:
        return ("%size", one.width), (0, item)
    return (("%size",) if one.kind == "row" else (one.width,)), (item,)


if __name__ == "__main__":
    write_ptx(sys.argv[1], Path(sys.argv[2]))
