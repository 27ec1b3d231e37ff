"""Compiles the rules and kernel entries of games to WebAssembly: `python -m tools.wasm [GAME…]`, into out/wasm."""
