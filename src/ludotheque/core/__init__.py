"""What a game, a player, a match, a record and fair dice are: small, typed, no input or output.

How rules are compiled, players think and tables are served is the business of the layers above.
"""

from ludotheque.core.dice import Dice, Draw, SetupDice, commitment, fresh_seed
from ludotheque.core.game import (
    CHANCE,
    Event,
    Game,
    Legal,
    Live,
    LiveTurn,
    Paint,
    Position,
    Step,
    ToMove,
    in_brief,
    plain,
)
from ludotheque.core.jsons import Json, JsonObject, Reader, parse
from ludotheque.core.jsons import write as write_json
from ludotheque.core.match import Entry, Match
from ludotheque.core.options import Choice, Counts, Number, Option, Options, Switch, whole_option
from ludotheque.core.player import Decision, Player, Thought
from ludotheque.core.problems import (
    BadJson,
    BadOption,
    BadRecord,
    BadRequest,
    BadView,
    IllegalAction,
    Problem,
    UnknownGame,
    nearest,
)
from ludotheque.core.record import Record, Seated, Verdict, read_record, verify, write_record
from ludotheque.core.registry import find_game, game_names
from ludotheque.core.words import COLON, LANGUAGES, Words, bare

__all__ = [
    "CHANCE",
    "COLON",
    "LANGUAGES",
    "BadJson",
    "BadOption",
    "BadRecord",
    "BadRequest",
    "BadView",
    "Choice",
    "Counts",
    "Decision",
    "Dice",
    "Draw",
    "Entry",
    "Event",
    "Game",
    "IllegalAction",
    "Json",
    "JsonObject",
    "Legal",
    "Live",
    "LiveTurn",
    "Match",
    "Number",
    "Option",
    "Options",
    "Paint",
    "Player",
    "Position",
    "Problem",
    "Reader",
    "Record",
    "Seated",
    "SetupDice",
    "Step",
    "Switch",
    "Thought",
    "ToMove",
    "UnknownGame",
    "Verdict",
    "Words",
    "bare",
    "commitment",
    "find_game",
    "fresh_seed",
    "game_names",
    "in_brief",
    "nearest",
    "parse",
    "plain",
    "read_record",
    "verify",
    "whole_option",
    "write_json",
    "write_record",
]
