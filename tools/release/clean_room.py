"""Builds and installs in clean rooms: from a commit's files alone, then into an environment without Node, offline, as nobody.

The commands that are run there are those of the Dockerfile, so that a container's recipe is proved without a container.
"""

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tools.release.checks import PROJECT, dated, version_of
from tools.release.first_move import GAMES, Waited, first_move
from tools.release.sbom import Component

NOBODY: Final = 10001  # as in the Dockerfile
LONGEST_COMPILATION: Final = 600.0  # seconds, on a busy machine
DESCRIBE: Final = """
import json
from importlib.metadata import distributions
def licence(about):
    named = about.get("License-Expression") or (about.get("License") or "").strip().partition("\\n")[0]
    kinds = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    return named if 0 < len(named) < 80 else "; ".join(kinds) or "unknown"
print(json.dumps([(d.metadata["Name"], d.version, licence(d.metadata)) for d in distributions()]))
"""
QUESTIONS: Final = (
    {"do": "new", "game": "yam-master", "seed": "first"},
    {"do": "chance"},
    {"do": "bot", "level": 3},
)


@dataclass(frozen=True)
class Built:
    """The two files of a release."""

    sdist: Path
    wheel: Path

    def hashes(self) -> dict[str, str]:
        """What tells whether two builds are the same."""
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (self.sdist, self.wheel)}


def build(room: Path, project: Path = PROJECT) -> Built:
    """Build the sdist from the files of a project's last commit, and the wheel from the sdist alone."""
    room.mkdir(parents=True)
    archive, out = room / "commit.tar", room / "dist"
    subprocess.run(["git", "-C", str(project), "archive", "-o", str(archive), "HEAD"], check=True)
    asked = ["git", "-C", str(project), "log", "-1", "--format=%ct"]
    moment = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": moment, "PYTHONPATH": ""}
    with tarfile.open(archive) as tar:
        tar.extractall(room / "commit", filter="data")
    hatch = [sys.executable, "-m", "hatchling", "build", "-d", str(out), "-t"]
    subprocess.run([*hatch, "sdist"], cwd=room / "commit", env=environment, check=True)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        tar.extractall(room / "sdist", filter="data")
    (folder,) = (room / "sdist").iterdir()
    subprocess.run([*hatch, "wheel"], cwd=folder, env=environment, check=True)
    (wheel,) = out.glob("*.whl")
    return Built(sdist, wheel)


def ready_clone(folder: Path, project: Path = PROJECT) -> Path:
    """A clone of the last commit, with a changelog that is ready for the day of the release; the project itself stays as it is."""
    subprocess.run(["git", "clone", "-q", str(project), str(folder)], check=True)
    file = folder / "CHANGELOG.md"
    today = datetime.now(UTC).date().isoformat()
    file.write_text(dated(file.read_text("utf-8"), version_of(folder), today), "utf-8")
    who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, "commit", "-qam", "Rehearse the release"], check=True)
    return folder


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it, and how long it took to come to it: on the clock, and of the processor's time."""

    room: Path
    seconds: float
    processor: float = 0.0

    @property
    def bin(self) -> Path:
        """The folder of its commands."""
        return self.room / "venv" / ("Scripts" if os.name == "nt" else "bin")

    @property
    def cache(self) -> Path:
        """Where it keeps compiled rules."""
        return self.room / "home" / "cache"

    def environment(self) -> dict[str, str]:
        """Nothing of the machine's own: no Node, no other Python packages, a home of its own."""
        home = str(self.room / "home")
        kept = {name: value for name, value in os.environ.items() if name in ("SYSTEMROOT", "TMPDIR", "TEMP")}
        data = f"{home}/data"
        own = {"PATH": str(self.bin), "HOME": home, "LUDOTHEQUE_DATA": data, "LUDOTHEQUE_CACHE": str(self.cache)}
        return {**kept, **own, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}

    def components(self) -> list[Component]:
        """Everything that was installed, without ourselves and what every environment has."""
        told = subprocess.run([self.bin / "python", "-c", DESCRIBE], capture_output=True, text=True, check=True).stdout
        rows = json.loads(told)
        return [Component("pypi", *row) for row in rows if row[0] not in ("ludotheque", "pip", "setuptools")]

    def sizes(self) -> dict[str, int]:
        """The bytes of every distribution, by name, the largest first."""
        script = (
            "import json\nfrom importlib.metadata import distributions\n"
            "print(json.dumps({d.metadata['Name']: sum(f.locate().stat().st_size for f in d.files or [] "
            "if f.locate().is_file()) for d in distributions()}))"
        )
        told = subprocess.run([self.bin / "python", "-c", script], capture_output=True, text=True, check=True).stdout
        found: dict[str, int] = json.loads(told)
        for brought in ("pip", "setuptools"):  # every environment has them, or had before Python 3.12
            found.pop(brought, None)
        return dict(sorted(found.items(), key=lambda one: -one[1]))


def install(wheel: Path, room: Path, python: str = sys.executable, *, offline: bool = True) -> Installed:
    """Install a wheel into a new environment: its dependencies are fetched first, then nothing is asked of anybody."""
    room.mkdir(parents=True)
    room.chmod(0o755)
    (room / "home").mkdir()
    made = Installed(room, 0.0)
    subprocess.run([python, "-m", "venv", str(room / "venv")], check=True)
    pip = [str(made.bin / "python"), "-m", "pip", "-q", "--disable-pip-version-check"]
    where: list[str] = []
    if offline:
        subprocess.run([*pip, "download", "-d", str(room / "house"), str(wheel)], check=True)
        where = ["--no-index", "--find-links", str(room / "house")]
    began, used = time.monotonic(), os.times()
    plain = {name: value for name, value in os.environ.items() if not (offline and name.startswith("PIP_"))}
    offline_settings = {"PATH": str(made.bin), "PIP_CONFIG_FILE": os.devnull} if offline else {}
    subprocess.run([*pip, "install", *where, str(wheel)], env={**plain, **offline_settings}, check=True)
    seconds, now = time.monotonic() - began, os.times()
    processor = now.children_user + now.children_system - used.children_user - used.children_system
    if os.name == "posix" and os.getuid() == 0:
        os.chown(room / "home", NOBODY, NOBODY)
    return Installed(room, seconds, processor)


def nobody(installed: Installed) -> Mapping[str, Any]:
    """Arguments of `subprocess` that give up root, where we have it and others may use this Python."""
    if os.name != "posix" or os.getuid() != 0:
        return {}
    python = (installed.bin / "python").resolve()
    reachable = all(folder.stat().st_mode & 0o001 for folder in (python, *python.parents))
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if reachable else {}


def first_moves(installed: Installed) -> dict[str, Waited]:
    """How long somebody waits in a fresh installation until a bot has moved, by game; nothing is compiled before."""
    waited = {}
    for game in GAMES:
        remove(installed.cache)
        settings = {"cwd": installed.room / "home", **nobody(installed)}
        waited[game] = first_move(installed.bin, game, installed.environment(), **settings)
    remove(installed.cache)
    return waited


def answers(installed: Installed) -> tuple[str, float, float]:
    """What a bot answers through the engine: its action, the seconds until then, and those until its native code answered the same."""
    began = time.monotonic()
    engine = subprocess.Popen(
        [installed.bin / "ludotheque", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=installed.room / "home",
        env=installed.environment(),
        **nobody(installed),
    )
    with engine:
        assert engine.stdin is not None
        assert engine.stdout is not None

        def ask(question: Mapping[str, object]) -> dict[str, Any]:
            assert engine.stdin is not None
            assert engine.stdout is not None
            engine.stdin.write(json.dumps(question) + "\n")
            engine.stdin.flush()
            answer: dict[str, Any] = json.loads(engine.stdout.readline())
            assert answer["ok"], answer
            return answer

        first = [ask(question) for question in QUESTIONS][-1]
        seconds = time.monotonic() - began
        while not any(installed.cache.glob("yam_master-*/entries.ready")):
            assert time.monotonic() - began < LONGEST_COMPILATION, "nothing was compiled"
            time.sleep(0.2)
        again = ask(QUESTIONS[-1])
        assert again["action"] == first["action"], (first, again)
        native = time.monotonic() - began
        engine.stdin.close()
        engine.wait(30)
    return first["action"], seconds, native


def recipe() -> tuple[list[str], str]:
    """The command and the health check of the Dockerfile."""
    source = re.sub(r"\\\n\s*", " ", (PROJECT / "Dockerfile").read_text("utf-8"))
    words = [json.loads(found) for found in re.findall(r"^(?:ENTRYPOINT|CMD) (\[.*\])$", source, re.MULTILINE)]
    (check,) = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", source, re.MULTILINE)
    return [word for some in words for word in some], json.loads(check)[-1]


@contextmanager
def served(installed: Installed) -> Iterator[tuple[str, float]]:
    """The container's command as nobody, on a free port; yields the address and the seconds until its health check succeeds."""
    command, check = recipe()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [port if word == "8000" else "127.0.0.1" if word == "0.0.0.0" else word for word in command]
    began = time.monotonic()
    settings: dict[str, Any] = {"cwd": installed.room / "home", "env": installed.environment(), **nobody(installed)}
    server = subprocess.Popen([installed.bin / command[0], *command[1:]], **settings)
    try:
        asked = [str(installed.bin / "python"), "-c", check.replace(":8000/", f":{port}/")]
        while subprocess.run(asked, capture_output=True, check=False, **settings).returncode:
            assert server.poll() is None, "the server has ended"
            assert time.monotonic() - began < 300, "the server is not healthy after five minutes"
        yield f"http://127.0.0.1:{port}/", time.monotonic() - began
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(30)
        server.kill()
        server.wait()


def fetched(address: str) -> bytes:
    """What a server of ours answers."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        content: bytes = answer.read()
        return content


def edition(address: str) -> set[str]:
    """The games that a server's page can host in a browser; AssertionError if what a browser loads for that is not there."""
    told: dict[str, Any] = json.loads(fetched(f"{address}host.json"))
    for name in ("pyodide.asm.wasm", *(f"{game}.wasm" for game in told["games"])):
        assert fetched(f"{address}{told['folder']}{name}").startswith(b"\0asm"), name
    assert fetched(f"{address}{told['folder']}ludotheque.zip").startswith(b"PK")
    return set(told["games"])


def remove(room: Path) -> None:
    """Empty a room."""
    shutil.rmtree(room, ignore_errors=True)
