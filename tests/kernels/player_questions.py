"""What the bots of a discrete game are asked where there may be no numpy: decisions, hints, odds, chances, a review, puzzles."""

import json
from pathlib import Path

from ludotheque.analysis import advise, judge_answer, read_puzzles, review
from ludotheque.bots import LEVELS, bot
from ludotheque.core import CHANCE, Dice, Json, Match
from ludotheque.kernels import DiscreteGame

SIGNATURE = Path(__file__).parent.parent / "signature"
SHORT = {"yam-master": {"max_turns": 3}, "wykersham": {}, "twisty": {"max_rounds": 3}}
"""Matches in whose few actions the last turns are reached, where a game has an option for it."""
REVIEWED = 12  # entries of the match
JUDGES = {"yam-master": 5, "wykersham": 4, "twisty": 4}
"""The level that advises, reviews and judges; level 5 of the others takes long."""


def ask_players(game: DiscreteGame) -> Json:
    """Everything, as JSON. The same each time, whatever the kernels run on."""
    entries = json.loads((SIGNATURE / f"{game.name}.json").read_text("utf-8"))
    told: list[Json] = []
    for level in LEVELS:
        for entry in entries[: 3 if level < 5 else 1]:
            position = game.from_view(entry["state"], entry["players"], game.read_options(entry["options"]))
            decision = bot(game, level).choose(position)
            told.append([decision.action, decision.value, [[one.action, one.value] for one in decision.considered]])
    judge = bot(game, JUDGES[game.name])
    for entry in entries[:6]:
        position = game.from_view(entry["state"], entry["players"], game.read_options(entry["options"]))
        told.append([event.json() for event in advise(position, judge).reasons])
        odds = game.capabilities.hints.odds
        told.append(None if odds is None else dict(odds(position)))
    match = Match(game, options=SHORT[game.name], dice=Dice("reviewed"))
    while not match.over and len(match.log) < REVIEWED:
        if match.to_move == CHANCE:
            match.draw()
        else:
            actions = match.position.legal().actions
            match.play(actions[len(match.log) % len(actions)])
    told.append(review(match, judge).json())
    for puzzle in read_puzzles(game)[:2]:
        others = [one for one in puzzle.position(game).legal().actions if one not in (puzzle.answer, puzzle.next)]
        for action in (puzzle.answer, puzzle.next, *others[:1]):
            found = judge_answer(game, puzzle, action, judge)
            why = None if found.why is None else found.why.json()
            told.append([found.right, found.value, found.best, found.best_value, why])
    return told
