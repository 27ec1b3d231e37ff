"""The weights that come with the games by name: they load, play, and are described where people look."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ludotheque.bots import baselines, player_named
from ludotheque.core import BadOption, Dice, Match, find_game
from ludotheque.kernels.policy_network import load_policy_network

PAGE = Path(__file__).parents[2] / "docs" / "envs" / "baselines.md"
GAMES = ("twisty", "wykersham", "yam-master")
STRONGER = ("twisty", "yam-master")  # than the random player, beyond doubt
LARGEST = 600_000  # bytes


@pytest.mark.parametrize("name", GAMES)
def test_a_game_brings_weights_with_the_curve_that_led_to_them(name: str) -> None:
    game = find_game(name)
    found = baselines(game)
    assert found
    for file in found.values():
        assert file.stat().st_size < LARGEST
        _, about = load_policy_network(file)
        curve = json.loads(file.with_suffix(".json").read_text("utf-8"))
        assert about["progress"]["curve"] == curve
        assert about["rules"] == game.rules_version


@pytest.mark.parametrize("name", GAMES)
def test_the_page_tells_of_all_of_them_and_of_how_they_were_made(name: str) -> None:
    text = PAGE.read_text("utf-8")
    for weights, file in baselines(find_game(name)).items():
        _, about = load_policy_network(file)
        row = re.search(rf"^\| `{name}` \| `{weights}` \| ([\d,]+) \| ([\d,]+) kB \|", text, re.MULTILINE)
        assert row is not None, f"no row of {name}, {weights}"
        assert row[1] == f"{about['progress']['games']:,}"
        assert row[2] == f"{round(file.stat().st_size / 1000):,}"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_weights_are_named_like_players_and_play_whole_games(name: str) -> None:
    """In four games against legal actions drawn by lot; Twisty's and Yam Master's win; Wykersham's are too weak to be sure."""
    game = find_game(name)
    for weights in baselines(game):
        ours, theirs = player_named(f"bot:2@{weights}", game), player_named("random", game)
        won = 0.0
        for number in range(4):
            match = Match(game, dice=Dice(f"baseline {number}"))
            while not match.over:
                if match.to_move == "chance":
                    match.draw()
                else:
                    player = ours if match.to_move == number % 2 else theirs
                    match.play(player.choose(match.position, seed=len(match.log)).action)
            won += match.position.returns()[number % 2]
        assert won >= 3.5 or name not in STRONGER, f"{weights} won {won} of 4"


def test_a_file_comes_before_a_name_and_an_unknown_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game("yam-master")
    name = next(iter(baselines(game)))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match="nobody cannot be read"):
        player_named("bot:3@nobody", game)
    np.savez(tmp_path / "other.npz", policy=np.zeros(3))
    (tmp_path / "other.npz").rename(tmp_path / name)
    with pytest.raises(BadOption, match="is damaged"):
        player_named(f"bot:3@{name}", game)
