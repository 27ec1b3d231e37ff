"""Routes for any position, without a table: lessons, puzzles and studies use them. `analysis` has the answers."""

from typing import Any, Final

from fastapi import APIRouter, Request

from ludotheque.core import BadJson, find_game
from ludotheque.server import analysis
from ludotheque.server.problems import slow_down
from ludotheque.server.remote_rules import runs_here
from ludotheque.server.routes.dependencies import GameName, TheRegistry, in_worker, limit, the_limits
from ludotheque.server.schemas.positions import Advice, Answer, Event, Odds, Question, Thought
from ludotheque.server.security import address_of

router = APIRouter()
SHORT_QUESTION: Final = 100  # actions that are replayed here; longer ones go to a worker


@router.post("/position", dependencies=[limit("any")])
async def any_position(question: Question, request: Request, registry: TheRegistry) -> Answer:
    """Any position, with the real rules."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        return Answer.model_validate(analysis.answer(question))
    if not the_limits(request).allows("expensive", address_of(request.scope)):
        raise slow_down()
    return Answer.model_validate(await in_worker(registry, analysis.answer, question))


@router.post("/odds", dependencies=[limit("expensive")])
async def any_odds(question: Question, registry: TheRegistry) -> Odds:
    """What a player may hope for there."""
    return Odds.model_validate(await in_worker(registry, analysis.odds_of, question))


@router.post("/games/{game}/ask", dependencies=[limit("expensive")])
async def ask_game(game: GameName, request: dict[str, Any], registry: TheRegistry) -> dict[str, Any]:
    """A game's own requests of the engine protocol that need no match: Yikerz's shapes and its magnet lab."""
    answer: dict[str, Any] = await in_worker(registry, analysis.ask, game, request)
    return answer


@router.post("/hint", dependencies=[limit("expensive")])
async def any_hint(question: Question, registry: TheRegistry) -> Advice:
    """What a bot would do there."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        position = analysis.position_of(question)
    else:
        position = await in_worker(registry, analysis.position_of, question)
    if not isinstance(position.to_move, int):
        raise BadJson("server.question.nothing-to-decide")
    decision = await registry.bots.advise(position, question.level, seconds=question.seconds or 1.0)
    return Advice(
        action=decision.action,
        value=decision.value,
        considered=[Thought(action=one.action, value=one.value) for one in decision.considered[:50]],
        level=question.level,
        reasons=[Event.model_validate(one) for one in analysis.reasons_told(question, decision)],
    )
