"""The table and the discrete games' text modules need neither numpy, numba nor pydantic: where these cannot be imported, a
recorded match is played through a host made of plain lists."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hosting.matches import play_match
from ludotheque.core import Match, find_game, game_names
from ludotheque.core.jsons import write
from ludotheque.kernels import DiscreteGame
from recorded import record

NAMES = [name for name in game_names() if isinstance(find_game(name), DiscreteGame)]
SHORT = {"yam-master": {"max_turns": 4}, "twisty": {"max_rounds": 6}}
BLOCKED = """
import sys
for name in ("numpy", "numba", "llvmlite", "pydantic", "pydantic_core", "orjson", "fastapi", "sqlalchemy"):
    sys.modules[name] = None
"""
IMPORTS = "import sys\nimport ludotheque.table\nprint(*sorted(name for name in sys.modules if '.' not in name))"
PLAY = (
    BLOCKED
    + """
import json
from pathlib import Path
from hosting.matches import play_match
from ludotheque.core import find_game
from ludotheque.core.jsons import write
from recorded import replay_rules
told = json.loads(Path(sys.argv[1]).read_text("utf-8"))
game = find_game(told["name"])
with replay_rules(game, told["recording"]):
    print(write(play_match(game, told["players"], told["options"])[1]))
"""
)


def run(script: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["tests", *sys.path]), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_match_is_played_through_a_host_of_plain_lists(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    players, options = game.seats[-1], SHORT.get(name)
    published = []

    def play(fresh: DiscreteGame) -> Match:
        match, heard = play_match(fresh, players, options)
        published.append(heard)
        return match

    recording, *_ = record(game, play)
    file = tmp_path / "recording.json"
    file.write_text(json.dumps({"name": name, "players": players, "options": options, "recording": recording}), "utf-8")
    heard = json.loads(run(PLAY, str(file)))
    assert heard == json.loads(write(published[0]))
    assert {one["what"] for one in heard} == {"step", "table"}


def test_the_table_imports_nothing_but_core_and_the_standard_library() -> None:
    found = set(run(IMPORTS).split())
    assert found <= {*sys.stdlib_module_names, "__main__", "ludotheque", "sitecustomize", "usercustomize"} | {
        name for name in found if name.startswith("_")
    }
    assert "asyncio" not in found
