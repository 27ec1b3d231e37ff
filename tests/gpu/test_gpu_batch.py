"""On a card, matches are bit for bit those of the processor: states, results, masks, observations, whatever is drawn.

`make test-gpu` runs these where there is an NVIDIA card; elsewhere they are skipped. What can be said without one is in
tests/kernels/test_ptx.py.
"""

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption, IllegalAction, find_game
from ludotheque.envs.gpu import GpuBatch
from ludotheque.envs.gpu.driver import LIBRARY
from ludotheque.kernels import Batch, DiscreteGame

SIZE = 3000  # no multiple of a block
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("yam-master", 2, {"max_turns": 12}),
    ("yam-master", 2, {"first": 1}),
    ("wykersham", 2, {}),
    ("wykersham", 2, {"same_direction": True, "shared_middle": False, "combined_goals": False}),
    ("twisty", 2, {}),
    ("twisty", 4, {"max_rounds": 6}),
]
each_table = pytest.mark.parametrize(("name", "players", "options"), TABLES)


def has_a_card() -> bool:
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return False
    return True


pytestmark = pytest.mark.skipif(not has_a_card(), reason="there is no NVIDIA driver here")


def game_of(name: str) -> DiscreteGame:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game


def both(name: str, players: int, options: dict[str, Any], *, auto_reset: bool) -> tuple[GpuBatch, Batch]:
    game = game_of(name)
    return (
        GpuBatch(game, SIZE, players, options, seed=7, auto_reset=auto_reset),
        Batch(game, SIZE, players, options, seed=7, auto_reset=auto_reset),
    )


def differences(card: GpuBatch, plain: Batch) -> Iterator[str]:
    """What is not the same."""
    if card.states.tobytes() != plain.states.tobytes():
        yield "states"
    if (card.to_move.numpy() != plain.to_move).any():
        yield "to_move"
    if (card.finished.numpy() != plain.finished).any():
        yield "finished"
    if (card.returns.numpy()[:, : plain.players] != plain.returns).any():
        yield "returns"
    masks, observations = card.masks(), card.observe()
    if (masks.numpy() != plain.masks()).any():
        yield "masks"
    if (observations.numpy() != plain.observe()).any():
        yield "observations"


@each_table
@pytest.mark.parametrize("auto_reset", [False, True])
def test_the_same_actions_give_the_same_matches(
    name: str, players: int, options: dict[str, Any], auto_reset: bool
) -> None:
    card, plain = both(name, players, options, auto_reset=auto_reset)
    assert not list(differences(card, plain))
    for _ in range(60):
        chosen = card.random_actions()
        numbers = plain.random_actions()
        assert (chosen.numpy() == numbers).all()
        card.step(chosen)
        plain.step(numbers)
        assert not list(differences(card, plain))


@each_table
def test_the_card_plays_on_by_itself_as_the_processor_would(name: str, players: int, options: dict[str, Any]) -> None:
    card, plain = both(name, players, options, auto_reset=True)
    card.play_randomly(200)
    for _ in range(200):
        plain.step(plain.random_actions())
    assert not list(differences(card, plain))


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    card, plain = both("yam-master", 2, {}, auto_reset=False)
    chosen = card.random_actions()
    numbers = chosen.numpy()
    legal = plain.masks()[17]
    numbers[17] = int(np.flatnonzero(legal == 0)[0])
    chosen.write(numbers)
    with pytest.raises(IllegalAction, match="17"):
        card.step(chosen)
    assert not list(differences(card, plain))


def test_what_does_not_fit_is_refused() -> None:
    card, _ = both("wykersham", 2, {}, auto_reset=False)
    with pytest.raises(BadOption, match="on the card"):
        card.step(np.zeros(SIZE, np.int64))
    with pytest.raises(BadOption):
        card.step(card.masks())
    with pytest.raises(BadOption):
        card.masks(card.random_actions())


def test_seats_see_their_own_side() -> None:
    card, plain = both("wykersham", 2, {}, auto_reset=False)
    card.play_randomly(30)
    for _ in range(30):
        plain.step(plain.random_actions())
    seats = card.random_actions()
    for seat in (0, 1):
        seats.write(np.full(SIZE, seat, np.int64))
        assert (card.observe(seats=seats).numpy() == plain.observe(seats=seat)).all()


def test_pytorch_shares_the_memory() -> None:
    torch = pytest.importorskip("torch")
    card, plain = both("yam-master", 2, {}, auto_reset=True)
    masks = torch.from_dlpack(card.masks())
    again = torch.zeros((SIZE, card.encoding.num_actions), dtype=torch.float32, device="cuda")
    assert masks.is_cuda
    assert (masks.cpu().numpy() == plain.masks()).all()
    for _ in range(20):
        chosen = torch.argmax(masks.float() * torch.rand(masks.shape, device="cuda"), dim=1)
        card.step(chosen)
        plain.step(chosen.cpu().numpy())
        card.masks(out=masks)
        card.masks(out=again)
        assert (masks.cpu().numpy() == plain.masks()).all()
        assert (again.cpu().numpy() == plain.masks()).all()
    observations = torch.from_dlpack(card.observe())
    assert (observations.cpu().numpy() == plain.observe()).all()


def test_jax_shares_the_memory() -> None:
    dlpack = pytest.importorskip("jax.dlpack")
    card, plain = both("wykersham", 2, {}, auto_reset=True)
    assert (np.asarray(dlpack.from_dlpack(card.observe())) == plain.observe()).all()
