"""On one machine and version, another process computes the same collapse and the same turns, bit for bit (Y20)."""

import json
import os
import subprocess
import sys

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match
from ludotheque.games.yikerz import GAME
from yikerz.boards import crowd, run


def fingerprint() -> dict[str, object]:
    """A collapse of ten pieces, and some turns of bots with their outcomes, films left out."""
    board = crowd(3, count=10)
    run(board, 1.0)
    match = Match(GAME, 2, {"magnets": 8}, dice=Dice("bits"))
    turns: list[object] = []
    while len(turns) < 6:
        if match.to_move == CHANCE:
            match.draw()
            continue
        decision = bot(GAME, 3 + len(turns) % 2).choose(match.position, seed=len(turns))
        match.play(decision.action)
        turns.append([decision.action, match.position.view()])
    return {"poses": board.poses.tobytes().hex(), "turns": turns}


def test_another_process_computes_the_same_bits() -> None:
    code = "import json; from yikerz.test_same_bits import fingerprint; print(json.dumps(fingerprint()))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads(json.dumps(fingerprint()))
