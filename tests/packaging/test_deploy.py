"""The container, the composition and the service, as far as they can be checked without a daemon: what they promise, and that
every command in them is one of ours with options that it has. `make test-install` runs the container's commands in a clean room.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from ludotheque.cli.app import app

PROJECT = Path(__file__).parents[2]
UNIT = PROJECT / "deploy" / "ludotheque.service"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, continued lines joined."""
    source = re.sub(r"^\s*#.*\n", "", (PROJECT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", source).splitlines()
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


def final_stage() -> dict[str, list[str]]:
    """The instructions of the image itself, by their kind."""
    found: dict[str, list[str]] = {}
    for kind, rest in instructions():
        if kind == "FROM":
            found = {}
        found.setdefault(kind, []).append(rest)
    return found


def check_command(words: Sequence[str]) -> None:
    """Whether `ludotheque` has such a command with such options."""
    command: Any = typer.main.get_command(app)
    words = list(words)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    assert command.name != "ludotheque", words
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_the_image_is_small_and_needs_neither_root_nor_a_writable_root() -> None:
    stage = final_stage()
    assert stage["USER"] == ["10001:10001"]
    assert stage["VOLUME"] == ["/data"]
    assert "LUDOTHEQUE_DATA=/data" in stage["ENV"][0]
    assert "LUDOTHEQUE_CACHE=/data/" in stage["ENV"][0]
    assert "--no-cache-dir" in stage["RUN"][0]
    assert "nodejs" not in " ".join(stage["RUN"])  # Node stays in the first stage
    assert not [rest for kind, rest in instructions() if kind == "ADD"]


def test_images_have_versions_and_name_no_registry() -> None:
    images = [rest.split()[0] for kind, rest in instructions() if kind == "FROM"]
    images += [one["image"] for one in composition()["services"].values() if "image" in one]
    for image in images:
        assert re.fullmatch(r"[a-z]+:[\w.-]+", image), image
        assert not image.endswith(":latest")


def test_the_image_starts_our_command_and_asks_after_its_health() -> None:
    stage = final_stage()
    assert json.loads(stage["ENTRYPOINT"][0]) == ["ludotheque"]
    check_command(json.loads(stage["CMD"][0]))
    asked = stage["HEALTHCHECK"][0]
    port = json.loads(stage["CMD"][0])[-1]
    assert f"127.0.0.1:{port}/healthz" in asked
    assert stage["EXPOSE"] == [port]
    compile(json.loads(asked[asked.index("[") :])[-1], "HEALTHCHECK", "exec")


def test_nothing_built_or_secret_is_sent_to_the_builder() -> None:
    ignored = (PROJECT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", "web/node_modules", "src/ludotheque/server/page"} <= set(ignored)


def composition() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text("utf-8"))
    return read


def test_the_composition_is_whole() -> None:
    found = composition()
    services, volumes = found["services"], set(found["volumes"])
    table = services["table"]
    check_command(table["command"])
    assert table["read_only"] is True
    assert table["cap_drop"] == ["ALL"]
    assert table["depends_on"]["database"]["condition"] == "service_healthy"
    for service in services.values():
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in volumes or (PROJECT / source).is_file(), volume
    assert "ports" not in table  # only the proxy is reached from outside
    assert "ports" not in services["database"]
    subnet = found["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert f"--behind={subnet}" in table["command"]


def test_the_composition_has_no_password_and_the_proxy_hides_the_metrics() -> None:
    source = (PROJECT / "compose.yaml").read_text("utf-8")
    assert all(":?" in value for value in re.findall(r"PASSWORD: (.*)", source))
    caddy = (PROJECT / "deploy" / "Caddyfile").read_text("utf-8")
    assert "respond /metrics 404" in caddy
    assert "reverse_proxy table:8000" in caddy


def test_the_service_starts_our_command_and_allows_its_compiler() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign] # names of options are written as they are
    unit.read(UNIT, "utf-8")
    service = unit["Service"]
    program, *words = service["ExecStart"].split()
    assert Path(program).name == "ludotheque"
    check_command(words)
    assert service["DynamicUser"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert "MemoryDenyWriteExecute" not in service
    assert f"LUDOTHEQUE_DATA=/var/lib/{service['StateDirectory']}" in service["Environment"]
    assert f"LUDOTHEQUE_CACHE=/var/cache/{service['CacheDirectory']}" in service["Environment"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
def test_systemd_finds_no_mistake_in_the_service(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/ludotheque/bin/ludotheque", sys.executable), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
