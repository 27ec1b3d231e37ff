"""Text modules of the discrete games need neither numpy, numba nor pydantic: a match is played where these cannot be imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludotheque.core import Dice, Match, find_game, game_names
from ludotheque.kernels import DiscreteGame
from recorded import play_through, record

NAMES = [name for name in game_names() if isinstance(find_game(name), DiscreteGame)]
SHORT = {"yam-master": {"max_turns": 4}, "twisty": {"max_rounds": 6}}
BLOCKED = """
import sys
for name in ("numpy", "numba", "llvmlite", "pydantic"):
    sys.modules[name] = None
"""
PLAY = (
    BLOCKED
    + """
import json
from pathlib import Path
from ludotheque.core import Dice, Match, find_game
from recorded import look_at, play_through, replay_rules
told = json.loads(Path(sys.argv[1]).read_text())
game = find_game(told["name"])
with replay_rules(game, told["recording"]):
    match = play_through(Match(game, told["players"], told["options"], dice=Dice("recorded")))
    seen = [look_at(match.first), *(look_at(step.position) for _, step in match.steps())]
    events = [[event.json() for event in step.events] for _, step in match.steps()]
print(json.dumps([[entry.action for entry in match.log], seen, events]))
"""
)


def run(script: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["tests", *sys.path])}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent.parent,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def games_and_players() -> list[tuple[str, int]]:
    return [(name, players) for name in NAMES for players in find_game(name).seats]


@pytest.mark.parametrize(("name", "players"), games_and_players())
def test_a_recorded_match_is_played_without_numpy(name: str, players: int, tmp_path: Path) -> None:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)

    def play(fresh: DiscreteGame) -> Match:
        return play_through(Match(fresh, players, SHORT.get(name), dice=Dice("recorded")))

    recording, match, seen = record(game, play)
    assert any(one[2] is None for one in seen) or len(match.log) == 200
    events = [[event.json() for event in step.events] for _, step in match.steps()]
    expected = [[entry.action for entry in match.log], seen, events]
    file = tmp_path / "recording.json"
    told = {"name": name, "players": players, "options": SHORT.get(name), "recording": recording}
    file.write_text(json.dumps(told))
    assert json.loads(run(PLAY, str(file))) == json.loads(json.dumps(expected))


def test_what_is_blocked_cannot_be_imported() -> None:
    """The test above would prove nothing if numpy came in all the same."""
    script = BLOCKED + "import ludotheque.kernels\ntry: import numpy\nexcept ImportError: print('blocked')"
    assert run(script) == "blocked\n"


def test_kernels_say_what_they_lack() -> None:
    script = BLOCKED + "from ludotheque.kernels import DiscreteGame, Layout\nfrom ludotheque.kernels import Batch"
    with pytest.raises(AssertionError, match="numpy"):
        run(script)
