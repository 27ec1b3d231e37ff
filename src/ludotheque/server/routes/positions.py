"""Routes for any position, without a table: lessons, puzzles and studies use them. `ludotheque.answers` has the answers."""

from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ludotheque.answers import positions
from ludotheque.core import BadJson, find_game
from ludotheque.server.problems import slow_down
from ludotheque.server.remote_rules import runs_here
from ludotheque.server.routes.dependencies import (
    Asker,
    GameName,
    QuickRoute,
    TheRegistry,
    answer_in_worker,
    in_worker,
    json_response,
    limit,
    the_limits,
    write_model,
)
from ludotheque.server.schemas.positions import Advice, Answer, Drawing, Odds, Question
from ludotheque.server.security import address_of

router = APIRouter(route_class=QuickRoute)
SHORT_QUESTION: Final = 16  # actions that are replayed here; more would hold up the event loop


@router.post("/position", response_model=Answer, dependencies=[limit("any")])
async def any_position(question: Question, request: Request, registry: TheRegistry, asker: Asker) -> Response:
    """Any position, with the real rules."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        return json_response(write_model(Answer.model_validate(positions.answer(question))))
    if not the_limits(request).allows("expensive", address_of(request.scope)):
        raise slow_down()
    return await answer_in_worker(registry, asker, Answer, positions.answer, question)


@router.post("/drawing", dependencies=[limit("any")])
async def any_drawing(question: Question, request: Request, registry: TheRegistry, asker: Asker) -> Drawing:
    """Any position drawn in letters: what the page shows of a game without a board."""
    if runs_here(find_game(question.game)) and len(question.actions) <= SHORT_QUESTION:
        return Drawing.model_validate(positions.drawing_of(question))
    if not the_limits(request).allows("expensive", address_of(request.scope)):
        raise slow_down()
    return Drawing.model_validate(await in_worker(registry, asker, positions.drawing_of, question))


@router.post("/odds", dependencies=[limit("expensive")])
async def any_odds(question: Question, registry: TheRegistry, asker: Asker) -> Odds:
    """What a player may hope for there."""
    return Odds.model_validate(await in_worker(registry, asker, positions.odds_of, question))


@router.post("/games/{game}/ask", dependencies=[limit("expensive")])
async def ask_game(game: GameName, request: dict[str, Any], registry: TheRegistry, asker: Asker) -> dict[str, Any]:
    """A game's own requests of the engine protocol that need no match: Yikerz's shapes and its magnet lab."""
    answer: dict[str, Any] = await in_worker(registry, asker, positions.ask, game, request)
    return answer


@router.post("/hint", dependencies=[limit("expensive")])
async def any_hint(question: Question, registry: TheRegistry, asker: Asker) -> Advice:
    """What a bot would do there."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        position = positions.position_of(question)
    else:
        position = await in_worker(registry, asker, positions.position_of, question)
    if not isinstance(position.to_move, int):
        raise BadJson("server.question.nothing-to-decide")
    decision = await registry.bots.advise(position, question.level, asker.network, seconds=question.seconds or 1.0)
    return Advice.model_validate(positions.advice(question, decision))
