"""`python -m tools.edition [FOLDER]`: a static site of the browser edition, by default in out/site. `make site` calls it.

`--server URL` names a server that the site leads to. `--page` puts the edition beside the server's page instead, so that
whoever plays alone there needs no server.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.edition.host_files import PACKAGE, ROOT, assemble, pack

WEB: Final = ROOT / "web"
ONLINE: Final = ".wasm.gz"
"""Files that only live turns need, which need the server too: nobody keeps them for being offline."""
TEMPLATE: Final = WEB / "service-worker.js"
WORKER: Final = "service-worker.js"
PAGE: Final = PACKAGE / "server" / "page"
KERNELS: Final = ROOT / "out" / "wasm"


def write_service_worker(target: Path) -> str:
    """Write the service worker of everything in a folder; returns the version, a hash of it all."""
    files = {
        file.relative_to(target).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(target.rglob("*"))
        if file.is_file() and file.name not in (WORKER, ".built") and not file.name.endswith(ONLINE)
    }
    listed = json.dumps(files, separators=(",", ":"))
    version = hashlib.sha256((listed + TEMPLATE.read_text("utf-8")).encode()).hexdigest()[:12]
    text = TEMPLATE.read_text("utf-8").replace("__VERSION__", version).replace("__FILES__", listed)
    (target / WORKER).write_text(text, "utf-8")
    return version


def build(target: Path, kernels: Path = KERNELS, server: str | None = None) -> None:
    """Build the site. `server` is the address of a server that it leads to, for playing with others."""
    shutil.rmtree(target, ignore_errors=True)
    environment = {**os.environ, "LUDOTHEQUE_PAGE": str(target)}
    page = [sys.executable, str(WEB / "build_page.py"), "build", "--", "--logLevel", "warn", "--mode", "site"]
    subprocess.run(page, env=environment, check=True)
    assemble(target, kernels, server)
    version = write_service_worker(target)
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    print(f"The site is in {target}: version {version}, {size / 1e6:.1f} MB. Any host for static files serves it.")


def add_to_page(kernels: Path = KERNELS, page: Path = PAGE) -> None:
    """Put what the worker needs beside the page that the server serves, once that is built."""
    for old in (*page.glob("assets/host-*"), page / WORKER, page / "host.json"):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    folder = assemble(page, kernels)
    version = write_service_worker(page)
    pack(folder)
    print(f"The server's page can host tables itself: version {version}.")


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.edition", description="Build the browser edition.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "out" / "site", help="where the site goes")
    parser.add_argument("--server", help="the address of a server that the site leads to, for playing with others")
    parser.add_argument("--page", action="store_true", help="no site: put it beside the server's page")
    asked = parser.parse_args()
    if asked.page:
        add_to_page()
    else:
        build(asked.folder.resolve(), server=asked.server)


if __name__ == "__main__":
    main()
