"""What everyone is told of a step, in words: as the game says it, whoever sits there."""

import pytest

from ludotheque.core import Dice, Event, Match, find_game, languages
from ludotheque.table.presentation import tell

ODD = ["{0}", "{1} % \\ {", "Zoë", "}", "", "Bruno"]


@pytest.mark.parametrize("name", ["yam-master", "wykersham", "twisty"])
def test_words_are_the_games_own_whatever_people_are_called(name: str) -> None:
    game = find_game(name)
    for people in (ODD, ODD[::-1]):
        match = Match(game, dice=Dice("words"))
        names = people[: match.players]

        def here(_language: str, names: list[str] = names) -> list[str]:
            return names

        while not match.over and len(match.log) < 150:
            if match.to_move == "chance":
                step = match.draw()
            else:
                actions = match.position.legal().actions
                step = match.play(actions[len(match.log) * 7 % len(actions)])
            told = tell(game, step.events, here)
            assert [one["words"] for one in told] == [
                {language: game.tell(event, language, names) for language in languages()} for event in step.events
            ]


def test_one_and_true_are_told_apart() -> None:
    game = find_game("yam-master")
    facts = [{"player": 0, "dice": dice} for dice in (1, True, 1.0)]
    told = tell(game, [Event("roll", one) for one in facts], lambda _language: ["Anna", "Bruno"])
    assert [one["words"] for one in told] == [
        {language: game.tell(Event("roll", one), language, ["Anna", "Bruno"]) for language in languages()}
        for one in facts
    ]
