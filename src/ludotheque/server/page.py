"""Serves the page: the files that web/ builds into server/page, or a short text if they have not been built."""

import gzip
import mimetypes
import sys
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from ludotheque.answers.language import choose_language
from ludotheque.answers.problems import not_found
from ludotheque.core import Game, text
from ludotheque.kernels.cold_start import MODULE

FOLDER: Final = Path(__file__).parent / "page"
FOREVER: Final = "public, max-age=31536000, immutable"  # names in assets/ change with their content
NOT_BUILT: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Ludothèque</title>
<body style="font: 1.1rem/1.6 system-ui; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Ludothèque</h1>
<p>{what}</p>
<p>{build}</p>
"""


def serve_page(request: Request, path: str, tags: str | None = None) -> Response:
    """A file of the page; any other address that a browser may have open is the page itself, with `tags` in its head."""
    if path.startswith(("api/", "healthz", "metrics", "openapi")):
        raise not_found("address")
    file = _inside(path)
    if file is not None:
        return FileResponse(file, headers={"cache-control": FOREVER if path.startswith("assets/") else "no-cache"})
    packed = _inside(f"{path}.gz") if path.startswith("assets/") else None
    if packed is not None:
        return _unpacked(packed, path, "gzip" in request.headers.get("accept-encoding", ""))
    index = FOLDER / "index.html"
    if "." in path.rsplit("/", 1)[-1] and not path.startswith(("t/", "d/")):
        raise not_found("file")
    if tags is not None and index.is_file():
        whole = index.read_text("utf-8").replace("  </head>", f"{tags}  </head>", 1)
        return HTMLResponse(whole, headers={"cache-control": "no-cache", "vary": "accept-language"})
    if index.is_file():
        return FileResponse(index, headers={"cache-control": "no-cache"})
    language = choose_language(request.headers.get("accept-language", ""))
    return HTMLResponse(_not_built(language), headers={"cache-control": "no-cache"})


def _unpacked(packed: Path, path: str, as_it_is: bool) -> Response:
    """A file that is kept compressed, as the client takes it."""
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
    if as_it_is:
        return FileResponse(packed, media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(gzip.decompress(packed.read_bytes()), media_type=kind, headers=headers)


def _not_built(language: str) -> str:
    """What is shown where there is no page."""
    what = text("server.page.not-built", document="<code>docs/network.md</code>")
    build = text("server.page.build", command="<code>make page</code>")
    return NOT_BUILT.format(language=language, what=what.sentence(language), build=build.sentence(language))


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
        raise not_found("file")
    return FileResponse(file, headers={"cache-control": "no-cache"})


def kernels_file(game: Game) -> Response:
    """The WebAssembly module in a game's folder, which a wheel and `make wasm` put there; no content where there is none."""
    module = sys.modules[game.package].__file__
    file = _inside(MODULE, Path(module).parent) if module is not None else None
    if file is None:
        return Response(status_code=204)
    return FileResponse(file, media_type="application/wasm", headers={"cache-control": "no-cache"})
