"""A game's rules and kernel entries as one object file for WebAssembly: numba's LLVM, compiled again for wasm32.

`python -m tools.wasm.compile PACKAGE:GAME FOLDER` does it in a process of its own, by SETTINGS. `link` makes the module.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numba
from llvmlite import binding as llvm

from ludotheque.core import Game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.cache_keys import content_hash
from ludotheque.kernels.entries import LocalKernels, numba_type
from ludotheque.kernels.llvm_text import (
    PLAIN_PROCESSOR,
    compiled_text,
    initialise,
    internalise,
    optimise,
    retarget,
)
from ludotheque.kernels.native import exports_of, make_entry_points
from ludotheque.kernels.signatures import ITEM_SIZES

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
SETTINGS: Final = {**PLAIN_PROCESSOR, "NUMBA_OPT": "0"}
"""Without optimisation numba's text still speaks of fields: once optimised, it has the offsets of 64-bit pointers in it."""

FORMATTED_ERRORS: Final = re.compile(
    r"^(define [^\n]*i32 @[^\n]*ol_raise_with_shape_context[^\n]*\{)\n.*?^\}", re.MULTILINE | re.DOTALL
)
"""numba's functions that write an error's text with Python's strings: the call fails without the text."""

ERROR_TEXTS: Final = re.compile(
    r'^(@"?\.const\.pickledata\.[^ ]+ = [^\n]*?constant )\[\d+ x i8\] (?:c"[^"\n]*"|zeroinitializer)', re.MULTILINE
)
SIZES_OF_TEXTS: Final = re.compile(r'(ptr @"?\.const\.pickledata\.[^ ,]+, i32) \d+')
"""What an error says, pickled for Python: nobody reads it here, and it has the paths of this machine's files in it."""


class Compiled(NamedTuple):
    """A function of the module: its name there, the kinds of its parameters and results, and its name in numba's text."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    symbol: str


def functions_of(game: Game) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Everything that a module exports, by name, and the types that it is compiled for.

    A game without discrete rules says it itself, in `wasm_entries`.
    """
    if not isinstance(game, DiscreteGame):
        functions: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = wasm_entries(game).entries()
        return functions
    module = game.rules.module
    rules = make_entry_points(module, game.rules.folder).signatures(exports_of(module))
    entries = LocalKernels(game.rules).entries
    return {
        **{f"rules.{name}": one for name, one in rules.items()},
        **{
            name: (function, tuple(map(numba_type, signature.parameters)))
            for name, (signature, function) in entries.items()
        },
    }


def wasm_entries(game: Game) -> ModuleType:
    """The module of a game's package that says what it has compiled."""
    return import_module(f"{game.package}.wasm_entries")


def compile_object(game: Game) -> tuple[bytes, list[Compiled]]:
    """The object file, and what it exports; SystemExit with a sentence where something cannot be exported."""
    initialise()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=3)
    whole: Any = None
    found: list[Compiled] = []
    for name, (function, arguments) in functions_of(game).items():
        text, symbol, answers = compiled_text(function, arguments)
        module = llvm.parse_assembly(retarget(text, TRIPLE, machine))
        found.append(Compiled(name, tuple(map(kind_of, arguments)), results_of(game, name, answers), symbol))
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    whole.link_in(llvm.parse_assembly("\n".join([header(machine), *map(wrapper, found)])))
    return finish(str(whole), {one.name for one in found}, machine), found


def finish(text: str, exported: set[str], machine: Any) -> bytes:
    """The object file of linked LLVM text."""
    text = FORMATTED_ERRORS.sub(r"\1\n  ret i32 1\n}", text)
    text = SIZES_OF_TEXTS.sub(r"\1 0", ERROR_TEXTS.sub(r"\1[1 x i8] zeroinitializer", text))
    whole = llvm.parse_assembly(text)
    internalise(whole, exported)
    optimise(whole, machine, level=1, prune=True)
    # Until reference counts were pruned their functions had to stay apart.
    whole = llvm.parse_assembly(str(whole).replace(" noinline ", " nounwind "))
    optimise(whole, machine, vectorise=True)
    content: bytes = machine.emit_object(whole)
    return content


def kind_of(argument: Any) -> str:
    """The kind of a parameter, as `signatures` names it."""
    if argument == numba.int64:
        return "int"
    if argument == numba.float64:
        return "float"
    return str(argument.dtype)


def results_of(game: Game, name: str, answers: Any) -> tuple[str, ...]:
    """The kinds of what a function answers."""
    parts = (
        ()
        if answers == numba.types.none
        else tuple(answers)
        if isinstance(answers, numba.types.BaseTuple)
        else (answers,)
    )
    kinds = {numba.int64: "int", numba.float64: "float"}
    if any(part not in kinds for part in parts):
        raise SystemExit(
            f"{name} of {game.name} answers {answers}; only int64, float64, tuples of them and nothing can be answered."
        )
    return tuple(kinds[part] for part in parts)


def header(machine: Any) -> str:
    """The first lines of a module."""
    return f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"'


def wrapper(one: Compiled) -> str:
    """The exported function: it reads the arguments from a block of memory (`kernels.wasm_target` lays it out) and calls numba's."""
    lines, passed = [], []
    offset = 8 + 8 * max(1, len(one.results))
    for place, kind in enumerate(one.parameters):
        at = f"%p{place}"
        lines.append(f"  {at} = getelementptr i8, ptr %block, i32 {offset}")
        if kind in ("int", "float"):
            item = "i64" if kind == "int" else "double"
            lines.append(f"  {at}.value = load {item}, ptr {at}, align 8")
            passed.append((item, f"{at}.value"))
            offset += 8
            continue
        size = ITEM_SIZES[kind]
        lines += [
            f"  {at}.place = load i32, ptr {at}, align 8",
            f"  {at}.near = getelementptr i8, ptr %block, i32 {at}.place",
            f"  {at}.kept = getelementptr i8, ptr {at}, i32 4",
            f"  {at}.far = load i32, ptr {at}.kept, align 4",
            f"  {at}.is_far = icmp ne i32 {at}.far, 0",
            f"  {at}.address = inttoptr i32 {at}.far to ptr",
            f"  {at}.data = select i1 {at}.is_far, ptr {at}.address, ptr {at}.near",
            f"  {at}.counted = getelementptr i8, ptr {at}, i32 8",
            f"  {at}.count = load i64, ptr {at}.counted, align 8",
        ]
        passed += [("ptr", "null"), ("ptr", "null"), ("i64", f"{at}.count"), ("i64", str(size)), ("ptr", f"{at}.data")]
        passed += [("i64", f"{at}.count"), ("i64", str(size))]
        offset += 16
    types = ", ".join(["ptr", "ptr", *(kind for kind, _ in passed)])
    values = ", ".join(["ptr %results", "ptr %error", *(f"{kind} {value}" for kind, value in passed)])
    body = "\n".join(lines)
    return f"""
declare i32 @"{one.symbol}"({types})
define void @"{one.name}"(ptr %block) {{
  %results = getelementptr i8, ptr %block, i32 8
  %error = alloca ptr, align 8
{body}
  %status = call i32 @"{one.symbol}"({values})
  %wide = sext i32 %status to i64
  store i64 %wide, ptr %block, align 8
  ret void
}}"""


def about(game: Game, found: Sequence[Compiled]) -> str:
    """What `kernels.wasm_target` must know of the module, as JSON."""
    facts: dict[str, Any] = {"sources": content_hash(folder_of(game))}
    if isinstance(game, DiscreteGame):
        rules = game.rules
        facts["state_size"] = rules.dtype.itemsize
        facts["most_actions"] = rules.most_actions
        facts["most_players"] = rules.most_players
    else:
        facts.update(wasm_entries(game).facts())
    functions = {one.name: [list(one.parameters), list(one.results)] for one in found}
    return json.dumps(
        {"game": game.name, "rules_version": game.rules_version, **facts, "functions": functions}, sort_keys=True
    )


def folder_of(game: Game) -> Path:
    """The folder of a game's package."""
    file = sys.modules[game.package].__file__
    assert file is not None
    return Path(file).parent


def main() -> None:
    """Compile a game into a folder: kernels.o and about.json."""
    game, folder = EntryPoint("game", sys.argv[1], "ludotheque.games").load(), Path(sys.argv[2])
    assert isinstance(game, Game)
    content, found = compile_object(game)
    (folder / "kernels.o").write_bytes(content)
    (folder / "about.json").write_text(about(game, found), "utf-8")


if __name__ == "__main__":
    main()
