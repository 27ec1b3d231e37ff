"""numba's LLVM for another target: what the compilers for a GPU (`ptx`) and for browsers (tools/wasm) have in common.

numba must run with the settings of PLAIN_PROCESSOR, in a process of its own: its text would have instructions of this
machine's processor in it otherwise.
"""

import re
from collections.abc import Callable, Container
from types import MappingProxyType
from typing import Any, Final

import numba
from llvmlite import binding as llvm

PLAIN_PROCESSOR: Final = MappingProxyType(
    {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
        "NUMBA_DISABLE_JIT": "0",
        "NUMBA_BOUNDSCHECK": "0",
    }
)


def initialise() -> None:
    """Make all of LLVM's targets known."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def compiled_text(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, str, Any]:
    """A rule compiled for these types: its LLVM with all that it calls, its name in it, and the type of its answer."""
    dispatcher: Any = function
    dispatcher._cache = numba.core.caching.NullCache()  # compiled for no processor of this machine
    dispatcher.compile(arguments)
    compiled = dispatcher.overloads[arguments]
    return compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name, compiled.signature.return_type


def retarget(text: str, triple: str, machine: Any) -> str:
    """LLVM text for another target: its triple and data layout, and nothing of the old one's."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{triple}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r'@([\w.\-"$]+) = common ', r"@\1 = weak ", text)
    return re.sub(r'"(?:target-cpu|target-features|probe-stack)"="[^"]*"', "", text)


def internalise(module: Any, kept: Container[str]) -> None:
    """Hide all functions other than those named, so that LLVM drops what these do not use."""
    for one in module.functions:
        if not one.is_declaration:
            one.linkage = "external" if one.name in kept else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def optimise(module: Any, machine: Any, *, vectorise: bool = False, level: int = 3, prune: bool = False) -> None:
    """LLVM's own passes; with `prune`, numba's pass that drops pairs of reference counts after them."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = vectorise
    builder = llvm.create_pass_builder(machine, options)
    manager = builder.getModulePassManager()
    if prune:
        manager.add_refprune_pass()
    manager.run(module, builder)


def unresolved(module: Any) -> list[str]:
    """The functions that a module calls and does not have, LLVM's own aside."""
    return [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
