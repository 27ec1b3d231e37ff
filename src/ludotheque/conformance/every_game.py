"""Checks of every game: matches, views, records, refusals, sentences, pictures, bots."""

import copy
import pickle
import random
import re
import string
from collections.abc import Mapping
from importlib.resources import files
from math import isclose

from ludotheque.bots import bot
from ludotheque.conformance.cases import Broken, each_game, each_table, must
from ludotheque.conformance.matches import play_match, positions, random_match
from ludotheque.core import (
    CHANCE,
    BadOption,
    Dice,
    Game,
    IllegalAction,
    Json,
    Match,
    Position,
    Problem,
    find_game,
    game_names,
    languages,
    parse,
    read_record,
    verify,
    write_json,
    write_record,
)
from ludotheque.core.catalogue import own_languages, own_sentences
from ludotheque.kernels import JIT, DiscreteGame

WIDEST = 100
"""Letters of a picture's line: what a usual terminal shows."""
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")


@each_game()
def the_game_says_what_it_is(game: Game) -> None:
    """It has a name, a title, a version of its rules and numbers of players, and is found by its name."""
    must(
        re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.name),
        f"the name {game.name!r} is not lower-case words with hyphens",
    )
    must(game.name in game_names(), f"no entry point of the group ludotheque.games is called {game.name}")
    must(find_game(game.name) is game, f"the entry point {game.name} leads to another game")
    must(game.title.strip(), "the title is empty")
    must(game.rules_version >= 1, "rules_version begins at 1")
    must(game.seats and min(game.seats) >= 1, "seats lists the numbers of players, each at least 1")
    must(len(set(game.seats)) == len(game.seats), f"seats lists a number twice: {game.seats}")
    must(game.at_version(game.rules_version) is game, "at_version must answer the game itself for its own version")


@each_table()
def the_same_seed_gives_the_same_match(game: Game, players: int) -> None:
    """The same seed and actions give the same match, whatever else draws random numbers."""
    first = random_match(game, players, 1)
    random.seed(99)
    if isinstance(game, DiscreteGame):
        import numpy as np  # noqa: PLC0415 - only games with kernels need it

        np.random.seed(99)
    second = play_match(game, players, 1)
    must(actions_of(first) == actions_of(second), "the same seed gave other actions the second time")
    must(first.position.view() == second.position.view(), "the same actions led to another view the second time")


def actions_of(match: Match) -> list[str]:
    """The actions of a match."""
    return [entry.action for entry in match.log]


@each_game(lambda game: game.has_dice)
def another_seed_gives_another_match(game: Game) -> None:
    """Another seed gives another match."""
    found = {tuple(actions_of(random_match(game, game.seats[0], seed))) for seed in (1, 2, 3)}
    must(len(found) > 1, "three seeds gave the same match")


@each_table()
def undo_leads_back_to_the_start(game: Game, players: int) -> None:
    """Undo leads back through every position to the start."""
    match = random_match(game, players, 3, longest=60)
    views = [position.view() for position in positions(match)]
    while match.log:
        same(match.position, views.pop(), "undo does not lead back to the position before")
        match.undo()
    same(match.position, views.pop(), "undo does not lead back to the first position")


def same(position: Position, view: Mapping[str, Json], told: str) -> None:
    """Raise Broken unless a position has that view."""
    if position.view() != view:
        raise Broken(f"{told}:\n{write_json(position.view())}\ninstead of\n{write_json(dict(view))}")


@each_table()
def after_undo_the_same_dice_come_again(game: Game, players: int) -> None:
    """After undo, the same actions get the same dice."""
    match = random_match(game, players, 4, longest=40)
    log = list(match.log)
    if log:
        match.undo(len(log))
    for entry in log:
        if entry.by == CHANCE:
            match.draw()
        else:
            match.play(entry.action, entry.outcome)
    must(match.log == log, "after undo the same actions got other dice")


@each_game(lambda game: game.starter_option is not None)
def the_player_named_to_start_starts(game: Game) -> None:
    """Where a table may name who starts, they start; by lot it may be anybody."""
    option = game.starter_option
    assert option is not None
    for players in game.seats:
        drawn = {Match(game, players, dice=Dice(f"start {seed}")).first.acting for seed in range(60)}
        must(drawn == set(range(players)), f"by lot anybody may start, but in 60 matches only {drawn} did")
        by_lot = Match(game, players, dice=Dice("a seed"))
        for seat in range(players):
            named = Match(game, players, {option: seat}, dice=Dice("a seed"))
            must(named.first.acting == seat, f"{option}={seat}, but {named.first.acting} starts")
            must(
                len(named.setup_draws) == len(by_lot.setup_draws) - (players > 1),
                "who starts is drawn although it is named",
            )
            record = read_record(parse(write_json(write_record(named, reveal=True))))
            must(record.match.options[option] == seat, "the record forgets who was named to start")
            must(verify(record).fair is True, "the dice of a match with a named starter do not verify")
        for wrong in (players, -1, "first", None):
            try:
                Match(game, players, {option: wrong})
            except BadOption as told:
                must(option in str(told), f"the refusal does not name the option {option}: {told}")
            else:
                raise Broken(f"{option}={wrong!r} is not refused with {players} players")


@each_table()
def positions_never_change(game: Game, players: int) -> None:
    """Playing from a position leaves it as it is, and a copy equals it."""
    match = random_match(game, players, 5, longest=80)
    for position in positions(match):
        before = write_json(position.view())
        for action in position.legal().actions[:8]:
            position.play(action)
        copied = copy.deepcopy(position)
        must(write_json(position.view()) == before, f"playing changed the position that it was played from: {before}")
        must(write_json(copied.view()) == before, f"a copy differs from its position: {before}")


@each_table()
def views_and_pickles_round_trip(game: Game, players: int) -> None:
    """A position can be read back from its view as JSON, and from its pickle."""
    match = random_match(game, players, 6)
    for position in positions(match):
        view = parse(write_json(position.view()))
        if not isinstance(view, dict):
            raise Broken("view() is not a JSON object")
        again = position.game.from_view(view, players, position.options)
        for way, other in (("its view", again), ("its pickle", pickle.loads(pickle.dumps(position)))):  # noqa: S301 - our own
            same(other, position.view(), f"a position read from {way} has another view")
            for name, read, own in (
                ("to_move", other.to_move, position.to_move),
                ("returns()", other.returns(), position.returns()),
                ("legal()", sorted(other.legal().actions), sorted(position.legal().actions)),
            ):
                if read != own:
                    raise Broken(f"{name} of a position read from {way} is {read}, not {own}:\n{position.picture()}")


@each_table()
def every_legal_action_can_be_played(game: Game, players: int) -> None:
    """Every legal action is listed once and can be played, changes the view and is told; chance's have weights."""
    match = random_match(game, players, 7, longest=120)
    for position in positions(match):
        legal = position.legal()
        where = f" at\n{position.picture()}"
        must(len(set(legal.actions)) == len(legal.actions), f"an action is listed twice{where}")
        must(
            bool(legal.actions or legal.open) != position.over,
            f"over, but with actions, or not over and without{where}",
        )
        must(
            bool(legal.weights) == (position.to_move == CHANCE),
            f"weights belong to chance's turn, and only there{where}",
        )
        must(
            len(position.returns()) == (players if position.over else 0),
            f"returns() has one number a seat once it is over{where}",
        )
        if legal.weights:
            must(len(legal.weights) == len(legal.actions), f"a weight for each outcome{where}")
            must(min(legal.weights) > 0, f"an outcome has no weight{where}")
            must(isclose(sum(legal.odds), 1, abs_tol=1e-12), f"the odds do not add up{where}")
        for action in legal.actions[:: max(1, len(legal.actions) // 12)]:
            step = position.play(action)
            must(step.position.view() != position.view(), f"{action} changes nothing{where}")
            must(step.events, f"{action} has no event: nobody is told that it happened{where}")


@each_game()
def every_other_text_is_refused(game: Game) -> None:
    """A text that is no legal action raises IllegalAction, with a sentence in every language, and changes nothing."""
    chooser = random.Random(8)  # noqa: S311 - for a test, not for dice
    seen = list(positions(random_match(game, game.seats[0], 8, longest=60)))
    for position in chooser.sample(seen, min(len(seen), 40 if JIT else 6)):
        legal = position.legal().actions
        near = chooser.choice(legal) if legal else "pass"
        strange = "".join(chooser.choices(string.printable + "é→😀\0", k=chooser.randint(1, 20)))
        for wrong in (strange, *spoilt(near)):
            refuses(position, wrong)


def spoilt(action: str) -> tuple[str, ...]:
    """Texts that are nearly an action."""
    return (
        action + " ",
        " " + action,
        action.upper(),
        action[:-1],
        action + action[-1:],
        "",
        "\0",
        "0",
        "-1",
        "{}",
        "null",
    )


def refuses(position: Position, wrong: str) -> None:
    """Raise Broken unless a text that is no legal action is refused, and changes nothing."""
    legal = position.legal()
    if wrong in legal.actions:
        return
    before = position.view()
    try:
        position.play(wrong)
    except IllegalAction as told:
        must(all(told.sentence(language) for language in languages()), f"the refusal of {wrong!r} has no sentence")
    else:
        if not legal.open:  # where kinds of action have free parameters, it may be one of them
            raise Broken(f"{wrong!r} is not among the legal actions, but was played at\n{position.picture()}")
    same(position, before, f"the refused text {wrong!r} changed the position")


@each_table()
def records_replay_and_prove_their_dice(game: Game, players: int) -> None:
    """A record replays to the same views, is written the same again, and its dice verify."""
    match = random_match(game, players, 9, longest=2000)
    written = write_record(match, reveal=True)
    read = read_record(parse(write_json(written)))
    for first, second in zip(positions(match), positions(read.match), strict=True):
        same(second, first.view(), "the record replays to another view")
    again = parse(write_json(write_record(read.match, read.seated, reveal=True)))
    must(again == parse(write_json(written)), "the record that was read is written otherwise")
    must(verify(read).fair is True, f"the record's dice do not verify: {verify(read)}")


@each_table()
def a_branch_goes_its_own_way(game: Game, players: int) -> None:
    """A branch of a match leaves the match as it is."""
    match = random_match(game, players, 10, longest=30)
    length, view = len(match.log), match.position.view()
    other = match.branch(length // 2)
    while not other.over and len(other.log) < length + 5:
        if other.to_move == CHANCE:
            other.draw()
        elif actions := other.position.legal().actions:
            other.play(actions[0])
        else:
            break
    must(len(match.log) == length, "a branch changed the log of its match")
    same(match.at(length), view, "a branch changed its match")


@each_table()
def every_event_is_told_in_every_language(game: Game, players: int) -> None:
    """Every event has a sentence in every language, with all its facts filled in."""
    for seed in (11, 12):
        for event in random_match(game, players, seed, longest=2000).events():
            for language in languages():
                try:
                    sentence = game.tell(event, language)
                except KeyError as missing:
                    raise Broken(
                        f"event.{event.what} in {language}: there is no {missing}; its facts are {dict(event.facts)}"
                    ) from missing
                must(sentence and "{" not in sentence, f"event.{event.what} in {language} reads {sentence!r}")


@each_game()
def seats_and_options_have_names(game: Game) -> None:
    """Every seat and every option has a name in the catalogue."""
    for seat in range(max(game.seats)):
        must(game.catalogue.has(f"seat.{seat}"), f"the catalogue has no seat.{seat}")
    for option in game.declared_options:
        must(game.catalogue.has(f"option.{option.name}"), f"the catalogue has no option.{option.name}")


@each_game()
def catalogues_agree(game: Game) -> None:
    """One language is enough; another has no keys and no placeholders that the first does not have."""
    spoken = own_languages(game.package)
    must(spoken, f"{game.package} has no locales folder with a catalogue in it, such as locales/en.json")
    first = {PLURAL.sub("", key): facts_in(text) for key, text in own_sentences(game.package, spoken[0]).items()}
    for language in spoken:
        for key, text in own_sentences(game.package, language).items():
            must(text.strip(), f"{language}: {key} is empty")
            known = first.get(PLURAL.sub("", key))
            must(known is not None, f"{language}: {key} is not in {spoken[0]}.json")
            extra = facts_in(text) - (known or set())
            must(not extra or PLURAL.search(key), f"{language}: {key} names {extra}, which {spoken[0]}.json does not")


def facts_in(template: str) -> set[str]:
    """The placeholders of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@each_game()
def every_sentence_that_the_code_names_is_there(game: Game) -> None:
    """Every key that the game's code asks its catalogue for is in it."""
    for file in files(game.package).iterdir():
        if file.name.endswith(".py"):
            for key in re.findall(r'(?:_text|catalogue\.text|catalogue\.say)\("([^"{]+)"', file.read_text("utf-8")):
                must(game.catalogue.has(key), f"{file.name} asks for {key}, which the catalogue does not have")


@each_table()
def the_board_is_drawn_in_every_language(game: Game, players: int) -> None:
    """The picture for terminals and for the page's general board is there and fits."""
    match = random_match(game, players, 13, longest=50)
    for language in languages():
        for position in positions(match):
            picture = position.picture(language=language)
            must(picture.strip(), "the picture is empty")
            wide = [line for line in picture.splitlines() if len(line) > WIDEST]
            must(not wide, f"a line of the picture has more than {WIDEST} letters:\n{picture}")


@each_game()
def the_rules_can_be_read(game: Game) -> None:
    """The rules page is there in at least one language and opens with a title."""
    for language in languages():
        page = game.rules_page(language)
        must(page.startswith("# "), f"the rules page in {language} does not begin with '# ' and a title")
        must(
            len([line for line in page.splitlines() if line.strip()]) > 2, f"the rules page in {language} says nothing"
        )


@each_game(lambda game: game.capabilities.bots is not None or isinstance(game, DiscreteGame))
def bots_choose_legal_actions(game: Game) -> None:
    """The bot of level 1 chooses legal actions, and with the same seed the same."""
    player = bot(game, 1)
    match = Match(game, dice=Dice("conformance bots"))
    decisions = 0
    while not match.over and decisions < 6 and len(match.log) < 400:
        if match.to_move == CHANCE:
            match.draw()
            continue
        chosen = player.choose(match.position, seed=decisions).action
        must(
            player.choose(match.position, seed=decisions).action == chosen, "with the same seed the bot chose otherwise"
        )
        try:
            match.play(chosen)
        except Problem as told:
            raise Broken(f"the bot chose {chosen!r}, which is refused: {told}\n{match.position.picture()}") from told
        decisions += 1
