"""A third party's package adds a game by its entry point alone; nothing of ours is changed for it."""

import os
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

SAMPLE = Path(__file__).parent / "sample"
LIVE_SAMPLE = Path(__file__).parent / "server" / "live_sample"
PLAY = """
import random
from ludotheque.core import CHANCE, Dice, Event, Match, find_game, game_names, parse, read_record, verify, write_json, write_record
from ludotheque.analysis import judge_answer, read_puzzles
from ludotheque.kernels import Search, random_playouts
from ludotheque.bots import bot
assert "pig" in game_names() and "yam-master" in game_names()
game = find_game("pig")
match = Match(game, options={"goal": 30}, dice=Dice("sample"))
chooser = random.Random(1)
while not match.over:
    match.draw() if match.to_move == CHANCE else match.play(chooser.choice(match.position.legal().actions))
    again = game.from_view(match.position.view(), 2, match.options)
    assert again.view() == match.position.view() and again.legal() == match.position.legal()
assert sum(match.position.returns()) == 1
record = read_record(parse(write_json(write_record(match))))
assert verify(record).fair is True
assert game.tell(Event("holds", {"player": 1, "count": 1, "total": 8}), "fr") == "Noir garde 1 point et en a 8"
played, totals = random_playouts(game.rules, match.first.state, 100)
assert totals.sum() == 100
search = Search(game.rules, game.from_view({"player": 0, "banked": [25, 0], "turn": 5, "rolling": False}, 2, match.options).state)
search.think(400)
assert game.write(match.first.state, search.found()[0].action) == "hold"
(case,) = game.capabilities.benchmark()
assert case.call().game.name == "pig"
(puzzle,) = read_puzzles(game)
assert judge_answer(game, puzzle, "hold", bot(game, 5)).right
wrong = judge_answer(game, puzzle, "roll", bot(game, 3))
assert not wrong.right and wrong.why.better.told(game, "en") == "Pink holds 5 points and has 30"
print("played")
"""


def install_sample(folder: Path) -> str:
    """The sample as an installer leaves it: its package on the path, and its entry points beside it. Returns that path."""
    project = tomllib.loads((SAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    facts = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = ConfigParser()
    points.read_dict(project["entry-points"])
    with (facts / "entry_points.txt").open("w", encoding="utf-8") as file:
        points.write(file)
    return os.pathsep.join([str(folder), str(SAMPLE), *filter(None, [os.environ.get("PYTHONPATH")])])


def test_a_third_partys_game_is_found_and_played(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": install_sample(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY], env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "played\n"
    checked = subprocess.run(
        [sys.executable, "-m", "ludotheque", "check-game", "pig", "tower"],
        env={
            **environment,
            "PYTHONPATH": os.pathsep.join([environment["PYTHONPATH"], str(LIVE_SAMPLE)]),
            "LANG": "C.UTF-8",
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "Pig does all of it." in checked.stdout
    assert "Tower does all of it." in checked.stdout
