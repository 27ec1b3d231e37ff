"""Routes for learning: puzzles, and reviews of finished games. They are judged in `ludotheque.answers` and queued in `reviews`."""

import asyncio
from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import Response

from ludotheque.analysis import puzzle_numbered, puzzle_of_the_day, read_puzzles, reviewable
from ludotheque.answers import positions
from ludotheque.core import BadRequest, Game, find_game
from ludotheque.server import store
from ludotheque.server.costs import Payer
from ludotheque.server.registry import TableRegistry
from ludotheque.server.remote_rules import runs_here
from ludotheque.server.routes.dependencies import (
    Asker,
    GameName,
    Id,
    KnownPerson,
    OptionalPerson,
    QuickRoute,
    TheRegistry,
    answer_in_worker,
    in_worker,
    json_response,
    limit,
    write_model,
)
from ludotheque.server.schemas.learning import (
    Puzzle,
    PuzzleAnswer,
    PuzzleCard,
    PuzzleCards,
    PuzzleVerdict,
    Review,
    ReviewState,
)

router = APIRouter(route_class=QuickRoute)
Number = Annotated[int, InPath(ge=1, le=1_000_000)]


@router.get("/games/{game}/puzzle")
async def puzzle_today(game: GameName, registry: TheRegistry, asker: Asker, day: date | None = None) -> Puzzle:
    """The puzzle of a day, the same for everybody; today's is by universal time."""
    found = find_game(game)
    return await _task(registry, asker, found, puzzle_of_the_day(found, day or datetime.now(UTC).date()).number)


@router.get("/games/{game}/puzzles")
async def list_puzzles(game: GameName) -> PuzzleCards:
    """All puzzles of a game; none where it has none."""
    some = read_puzzles(find_game(game))
    return PuzzleCards(puzzles=[PuzzleCard(number=one.number, kind=one.kind, grade=one.grade) for one in some])


@router.get("/games/{game}/puzzles/{number}")
async def one_puzzle(game: GameName, number: Number, registry: TheRegistry, asker: Asker) -> Puzzle:
    """A puzzle by its number."""
    found = find_game(game)
    return await _task(registry, asker, found, puzzle_numbered(found, number).number)


async def _task(registry: TableRegistry, asker: Payer, game: Game, number: int) -> Puzzle:
    if runs_here(game):
        return Puzzle.model_validate(positions.puzzle_task(game.name, number))
    return Puzzle.model_validate(await in_worker(registry, asker, positions.puzzle_task, game.name, number))


@router.post("/games/{game}/puzzles/{number}/answer", dependencies=[limit("expensive")])
async def answer_puzzle(
    game: GameName, number: Number, answer: PuzzleAnswer, registry: TheRegistry, asker: Asker
) -> PuzzleVerdict:
    """Is that the best? What it is worth, what the best is, and why."""
    puzzle_numbered(find_game(game), number)
    return PuzzleVerdict.model_validate(
        await in_worker(registry, asker, positions.puzzle_verdict, game, number, answer.action)
    )


@router.get("/records/{record}/review", response_model=ReviewState)
async def look_at_review(record: Id, person: OptionalPerson, registry: TheRegistry, asker: Asker) -> Response:
    """How far the review of a record has come, and the review once it is done."""
    text = await registry.read(lambda connection: store.read_record_text(connection, record))
    progress = await registry.reviews.look(record)
    state = ReviewState(
        state=progress.state,  # type: ignore[arg-type] # the words of reviews.py
        done=progress.done,
        total=progress.total,
        ahead=progress.ahead,
        mine=person is not None and progress.person == person["id"],
        review=None,
    )
    if progress.body is None:
        return json_response(write_model(state))
    return await answer_in_worker(registry, asker, ReviewState, _with_review, state, progress.body, text)


def _with_review(state: ReviewState, body: str, record: str) -> ReviewState:
    """In a worker: a review that is done, in words."""
    return state.model_copy(update={"review": Review.model_validate(positions.review_in_words(body, record))})


@router.post("/records/{record}/review", response_model=ReviewState, status_code=202, dependencies=[limit("expensive")])
async def ask_for_review(record: Id, person: KnownPerson, registry: TheRegistry, asker: Asker) -> Response:
    """Have a record reviewed: it is queued, and done once for everybody."""
    text = await registry.read(lambda connection: store.read_record_text(connection, record))
    game = find_game(await asyncio.to_thread(positions.game_of, text))  # a record may have megabytes
    if not reviewable(game):
        raise BadRequest("server.review.by-hand", title=game.title)
    await registry.reviews.ask(record, str(person["id"]), registry.costs.payer("review", asker.network))
    answer = await look_at_review(record, person, registry, asker)
    answer.status_code = 202
    return answer


@router.delete("/records/{record}/review", status_code=204)
async def stop_review(record: Id, person: KnownPerson, registry: TheRegistry) -> Response:
    """Stop a review that I asked for."""
    await registry.reviews.stop(record, str(person["id"]))
    return Response(status_code=204)
