"""The exact last turns work from the cache of compiled rules too, not only in the process that compiled them."""

import subprocess
import sys

import pytest

from ludotheque.kernels import JIT

LAST_TURN = """
import random
from ludotheque.core import Dice, Match, find_game
from ludotheque.games.wykersham.endgame import Endgame
match = Match(find_game("wykersham"), dice=Dice("the last turn"))
chooser = random.Random(1)
while sum(match.position.view()["turns"]) < 29 or match.to_move == "chance":
    match.draw() if match.to_move == "chance" else match.play(chooser.choice(match.position.legal().actions))
print(Endgame().value(match.position.state))
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled here")
def test_a_second_process_values_the_last_turn_alike() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", LAST_TURN], capture_output=True, text=True, check=True, timeout=300
        ).stdout
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert 0 <= float(told[0]) <= 1
