"""Bots, hints, odds, reviews and puzzles of the discrete games need neither numpy, numba nor pydantic.

Kernel entries are recorded on this machine and answered by the recording where these cannot be imported.
"""

import json
from pathlib import Path

import pytest

from kernels.player_questions import ask_players
from kernels.test_without_numpy import BLOCKED, NAMES, run
from ludotheque.core import find_game
from ludotheque.kernels import JIT, DiscreteGame
from recorded import RecordingKernels, RecordingTarget

ASK = (
    BLOCKED
    + """
import json
from pathlib import Path
from kernels.player_questions import ask_players
from ludotheque.core import find_game
from recorded import RecordedKernels, RecordedTarget
told = json.loads(Path(sys.argv[1]).read_text())
game = type(find_game(told["name"]))()
game.use_target(RecordedTarget(told["rules"]))
game.use_kernels(RecordedKernels(told["calls"]))
print(json.dumps(ask_players(game)))
"""
)


@pytest.mark.skipif(not JIT, reason="bots think with compiled rules")
@pytest.mark.parametrize("name", NAMES)
def test_every_level_decides_advises_reviews_and_judges_without_numpy(name: str, tmp_path: Path) -> None:
    native = find_game(name)
    assert isinstance(native, DiscreteGame)
    rules, kernels = RecordingTarget(native.rules.compiled.target), RecordingKernels(native.kernels)
    game = type(native)()  # it remembers nothing that it would not ask again
    game.use_target(rules)
    game.use_kernels(kernels)
    expected = json.loads(json.dumps(ask_players(game)))
    file = tmp_path / "recording.json"
    file.write_text(json.dumps({"name": name, "rules": rules.recording, "calls": kernels.calls}))
    assert json.loads(run(ASK, str(file))) == expected
