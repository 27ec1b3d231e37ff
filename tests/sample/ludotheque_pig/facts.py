"""Facts of Pig: how actions are numbered, and the state's layout."""

from ludotheque.kernels import Field, Layout

MOST_PLAYERS = 2
MOST_ACTIONS = 6
HOLD, ROLL = 0, 1  # a player's actions; chance's are the faces 1 to 6
LAYOUT = Layout(
    Field("banked", "int16", (2,)),
    Field("turn", "int16"),
    Field("goal", "int16"),  # option
    Field("player", "int8"),
    Field("rolling", "bool"),
)
