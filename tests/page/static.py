"""A host for static files on this machine, as any web space has one: the browser edition under a path, compressed."""

import contextlib
import gzip
import hashlib
import mimetypes
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}
PIECE = 16_384  # bytes that a slow line carries at a time


class StaticSite:
    """Serves a folder under a path. `folder` may be changed at any time: that is a new version of the site."""

    def __init__(self, folder: Path, path: str = "/", bytes_per_second: float | None = None) -> None:
        self.folder = folder
        self._rate = bytes_per_second
        self._line = threading.Lock()  # all connections share one line
        self.path = path
        self.asked: list[str] = []
        self.sent = 0
        self._packed: dict[tuple[Path, float], bytes] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server: ThreadingHTTPServer | None = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path.rstrip('/')}"

    def page(self, address: str) -> str:
        """Where the site has one of the page's addresses."""
        return f"{self.url}/#{address}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = handler.path.partition("?")[0]
        self.asked.append(asked)
        file = self._file(asked)
        if file is None:
            handler.send_response(404)
            handler.send_header("content-length", "0")
            handler.end_headers()
            return
        key = file, file.stat().st_mtime
        if key not in self._packed:
            self._packed[key] = gzip.compress(file.read_bytes(), 6)
        content = self._packed[key]
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        if handler.headers.get("if-none-match") == tag:
            handler.send_response(304)
            handler.end_headers()
            return
        self.sent += len(content)
        handler.send_response(200)
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        handler.send_header("content-type", kind)
        handler.send_header("content-encoding", "gzip")
        handler.send_header("content-length", str(len(content)))
        handler.send_header("cache-control", "no-cache")
        handler.send_header("etag", tag)
        handler.end_headers()
        self._send(handler, content)

    def _send(self, handler: BaseHTTPRequestHandler, content: bytes) -> None:
        with contextlib.suppress(ConnectionError):  # a window that was closed reads no further
            self._write(handler, content)

    def _write(self, handler: BaseHTTPRequestHandler, content: bytes) -> None:
        if self._rate is None:
            handler.wfile.write(content)
            return
        for start in range(0, len(content), PIECE):
            piece = content[start : start + PIECE]
            with self._line:
                time.sleep(len(piece) / self._rate)
            handler.wfile.write(piece)

    def _file(self, asked: str) -> Path | None:
        if not asked.startswith(self.path):
            return None
        name = asked.removeprefix(self.path) or "index.html"
        file = (self.folder / name).resolve()
        return file if file.is_relative_to(self.folder.resolve()) and file.is_file() else None

    def stop(self) -> None:
        """Nobody answers here any more."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._server = None
