"""How the mats may lie (Y2)."""

import pytest

from ludotheque.core import Dice, IllegalAction, Match
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, SIDE_MM, check
from ludotheque.games.yikerz.magnets.problems import LayoutRefused
from ludotheque.games.yikerz.text import write_action

HEIGHT = SIDE_MM * 3**0.5 / 2


@pytest.mark.clause("Y2")
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_ready_made_layouts_are_legal_and_centred(name: str) -> None:
    assert check(LAYOUTS[name]) == LAYOUTS[name]


@pytest.mark.clause("Y2")
def test_two_separate_pairs_are_legal() -> None:
    pair = [(0.0, 0.0, 0.0), (SIDE_MM, 0.0, 0.0)]
    check([*pair, *((x, y + 400, angle) for x, y, angle in pair)])


@pytest.mark.clause("Y2")
def test_a_corner_in_the_middle_of_a_side_touches() -> None:
    tip_to_side = [(0, 0, 0), (0, -HEIGHT, 0)]
    check([*tip_to_side, *((x + 300, y, angle) for x, y, angle in tip_to_side)])


@pytest.mark.clause("Y2")
@pytest.mark.parametrize(
    ("mats", "reason"),
    [
        ([(0, 0, 0)] * 3, "has 4 mats"),
        ([(0, 0, 0), (10, 0, 0), (200, 0, 0), (340, 0, 0)], "Mats 1 and 2 overlap by"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (500, 0, 0)], "Mat 4 touches no other: the nearest is 80.0 mm"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (420, float("nan"), 0)], "not a number"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (420, True, 0)], "not a number"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (10**400, 0, 0)], "not a number"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (420, 0)], "three numbers"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), "mat"], "three numbers"),
        ([(0, 0, 0), (140, 0, 0), (280, 0, 0), (1e300, 0, 0)], "not on the table"),
    ],
)
def test_a_refused_layout_is_told_why(mats: list[object], reason: str) -> None:
    with pytest.raises(LayoutRefused, match=reason) as told:
        check(mats)
    assert told.value.sentence("fr") != told.value.sentence("en")


@pytest.mark.clause("Y2")
def test_a_french_player_is_told_in_french_how_far_to_move_a_mat() -> None:
    match = Match(GAME, 2, dice=Dice("mats"))
    with pytest.raises(IllegalAction) as told:
        match.play(write_action({"layout": [[0, 0, 0], [140, 0, 0], [280, 0, 0], [500, 0, 0]]}))
    assert told.value.sentence("fr") == (
        "Le tapis 4 n’en touche aucun autre : le plus proche est à 80,0 mm."
        " Déplace-le jusqu’à ce qu’un côté ou un coin touche."
    )
