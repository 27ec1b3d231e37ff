"""The engine with the discrete games' rules and kernels in WebAssembly: `python -m wasm.engine`, as `ludotheque engine` otherwise."""

from contextlib import ExitStack

from ludotheque.engine import serve
from tools.wasm.link import games
from wasm.node import in_wasm

if __name__ == "__main__":
    with ExitStack() as stack:
        for game in games():
            stack.enter_context(in_wasm(game))
        serve()
