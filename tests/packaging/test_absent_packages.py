"""What works where the server's packages and MuJoCo are not installed: the core, the environments and the engine."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

pytestmark = pytest.mark.slow  # each starts a process

HTTP = ("fastapi", "h11", "picows", "starlette", "uvicorn", "websockets")
SERVERS = (*HTTP, "alembic", "orjson", "prometheus_client", "segno", "sqlalchemy")
ABSENT = (*SERVERS, "mujoco", "openskill", "psycopg", "matplotlib", "ray", "torch")
BLOCK = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""


def run_without(absent: Sequence[str], script: str, *, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a script in a process where these packages cannot be imported."""
    whole = BLOCK.format(absent=set(absent)) + script
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-c", whole], input=typed, capture_output=True, text=True, check=False, env=environment
    )


def test_the_core_plays_a_match() -> None:
    done = run_without(
        ABSENT,
        """
from ludotheque.core import Dice, Match, find_game, read_record, write_record
match = Match(find_game("yam-master"), dice=Dice("any seed"))
match.draw()
match.play(match.position.legal().actions[0])
print(len(read_record(write_record(match)).match.log))
""",
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 2


def test_every_environment_of_a_discrete_game_works() -> None:
    done = run_without(
        (*ABSENT, "typer", "rich", "pydantic"),
        """
from ludotheque import envs
from ludotheque.core import find_game
import ludotheque.envs.seated, ludotheque.envs.text
for name in ("twisty", "wykersham", "yam-master"):
    batch = envs.Batch(find_game(name), 2)
    print(batch.masks().shape[0], batch.observe() is not None)
""",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "2 True\n" * 3


def test_the_engine_answers() -> None:
    questions = [
        {"id": 1, "do": "hello"},
        {"id": 2, "do": "new", "game": "twisty", "seed": "a"},
        {"id": 3, "do": "legal"},
    ]
    done = run_without(
        ABSENT,
        'import sys; sys.argv = ["ludotheque", "engine"]\nfrom ludotheque.cli import main\nmain()',
        typed="".join(json.dumps(question) + "\n" for question in questions),
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, True, True], answers
