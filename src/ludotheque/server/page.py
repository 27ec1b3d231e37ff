"""The page: the files that the web project built into server/page, or a friendly text where it has not been built.

What is on the page is web/'s business.
"""

from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from ludotheque.server.problems import not_found

FOLDER: Final = Path(__file__).parent / "page"
FOREVER: Final = "public, max-age=31536000, immutable"  # names in assets/ change with their content
MISSING: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Ludothèque</title>
<body style="font: 1.1rem/1.6 system-ui; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Ludothèque</h1>
<p>The server is running, but the page has not been built. Programs can play: see <code>docs/network.md</code>.
To build the page: <code>make page</code>.</p>
<p lang="fr">Le serveur fonctionne, mais la page n'est pas construite. Les programmes peuvent jouer : voir
<code>docs/network.md</code>. Pour construire la page : <code>make page</code>.</p>"""


def serve_page(request: Request, path: str) -> Response:
    """A file of the page; any other address that a person may have open is the page itself."""
    if path.startswith(("api/", "healthz", "metrics", "openapi")):
        raise not_found("address", "adresse")
    file = _inside(path)
    if file is not None:
        return FileResponse(file, headers={"cache-control": FOREVER if path.startswith("assets/") else "no-cache"})
    index = FOLDER / "index.html"
    if "." in path.rsplit("/", 1)[-1] and not path.startswith(("t/", "d/")):
        raise not_found("file", "fichier")
    del request
    if index.is_file():
        return FileResponse(index, headers={"cache-control": "no-cache"})
    return HTMLResponse(MISSING, headers={"cache-control": "no-cache"})


def _inside(path: str, folder: Path = FOLDER) -> Path | None:
    """The file of that name in a folder, and never one outside of it."""
    if not path or "\\" in path or "\0" in path:
        return None
    root = folder.resolve()
    file = (root / path).resolve()
    return file if file.is_relative_to(root) and file.is_file() else None


def board_file(folder: Path, path: str) -> Response:
    """A file of a game's own board."""
    file = _inside(path, folder)
    if file is None:
        raise not_found("file", "fichier")
    return FileResponse(file, headers={"cache-control": "no-cache"})
