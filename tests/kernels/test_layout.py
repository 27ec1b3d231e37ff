"""The plain layout of a state and numpy's are one: same bytes, same numbers, for every game and for odd ones."""

import struct
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.core import Dice, Match, find_game, game_names
from ludotheque.kernels import DiscreteGame, Field, Layout, record_type
from ludotheque.kernels.layout import Kind
from table import discrete

GAMES = [game for game in map(find_game, game_names()) if isinstance(game, DiscreteGame)]
SHAPES = [(), (1,), (3,), (2, 3), (2, 2, 3)]


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    kinds = draw(st.lists(st.sampled_from(get_args(Kind)), min_size=1, max_size=8))
    return Layout(
        *(
            Field(f"field_{number}", kind, draw(st.sampled_from(SHAPES)), derived=number > 0 and draw(st.booleans()))
            for number, kind in enumerate(kinds)
        )
    )


@settings(deadline=None)
@given(layout=layouts(), content=st.binary(min_size=1000, max_size=1000))
def test_a_layout_is_what_numpy_makes_of_it(layout: Layout, content: bytes) -> None:
    dtype = record_type(layout)
    assert layout.size == dtype.itemsize
    state = bytes(byte & 1 for byte in content[: layout.size])  # 0 and 1 are good booleans too
    record = np.frombuffer(state, dtype)[0]
    fields = layout.fields(state)
    built = layout.new_state()
    for field in layout.given:
        numbers = np.asarray(record[field.name])
        assert np.ravel(getattr(fields, field.name)).tolist() == numbers.ravel().tolist()
        setattr(built, field.name, numbers.tolist())
    assert layout.fields(built.tobytes()) == fields


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_games_fields_are_those_of_its_record(game: DiscreteGame) -> None:
    position = discrete(Match(game, dice=Dice("layout")).position)
    assert game.rules.dtype == record_type(game.layout)
    for field in game.layout.given:
        assert np.ravel(getattr(position.fields, field.name)).tolist() == np.ravel(position.state[field.name]).tolist()


def test_a_state_that_is_built_takes_only_its_fields_and_what_fits_them() -> None:
    state = Layout(Field("few", "int8", (2,)), Field("one", "int16")).new_state()
    state.few = [1, -2]
    state.one = 300
    assert state.tobytes() == struct.pack("=2bh", 1, -2, 300)
    with pytest.raises(AttributeError, match="no field many"):
        state.many = 1
    with pytest.raises(AttributeError, match="no field many"):
        _ = state.many
    state.one = 40_000
    with pytest.raises(struct.error):
        state.tobytes()
