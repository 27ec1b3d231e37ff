"""`make bench-gpu`: decisions a second on an NVIDIA card, beside pgx's backgammon in the same run if pgx is there.

Two loops: PyTorch (for pgx: JAX) chooses a random legal action from the mask and gets mask and observation after every step;
and our kernel draws the action itself.
"""

import argparse
import json
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median
from typing import Any

from ludotheque.core import find_game
from ludotheque.envs.gpu import GpuBatch
from ludotheque.kernels import DiscreteGame

GAMES = ("yam-master", "wykersham", "twisty")


def timed(run: Callable[[], None], wait: Callable[[], None], rounds: int = 7) -> list[float]:
    """The seconds that it takes, several times, the first one left out."""
    run()
    wait()
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        wait()
        taken.append(time.perf_counter() - began)
    return taken


def rates(decisions: int, taken: list[float]) -> dict[str, float]:
    """Millions of decisions a second: the median and the spread."""
    found = sorted(decisions / one / 1e6 for one in taken)
    return {"median": round(median(found), 1), "least": round(found[0], 1), "most": round(found[-1], 1)}


def ours(name: str, size: int, steps: int) -> dict[str, Any]:
    """Our loops."""
    import torch  # noqa: PLC0415 - only for this benchmark

    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    batch = GpuBatch(game, size, seed=1, auto_reset=True)
    masks, observations = torch.utils.dlpack.from_dlpack(batch.masks()), torch.utils.dlpack.from_dlpack(batch.observe())
    room = torch.empty(masks.shape[1], size, device="cuda")
    by_action = masks.t()  # the same memory: a row for each action
    chosen = torch.empty(size, dtype=torch.int64, device="cuda")

    def choose() -> None:
        room.uniform_()
        torch.argmax(room.mul_(by_action), dim=0, out=chosen)

    def loop() -> None:
        for _ in range(steps):
            choose()
            batch.step(chosen, check=False)
            batch.masks(out=masks)
            batch.observe(out=observations)

    def checked() -> None:
        for _ in range(steps):
            choose()
            batch.step(chosen)
            batch.masks(out=masks)
            batch.observe(out=observations)

    def kernels_alone() -> None:
        for _ in range(steps):
            batch.random_actions(out=chosen)
            batch.step(chosen, check=False)
            batch.masks(out=masks)
            batch.observe(out=observations)

    found = {"game": name, "matches": size}
    wait = batch.synchronize
    found["with masks and observations, PyTorch chooses"] = rates(size * steps, timed(loop, wait))
    found["the same, every action checked"] = rates(size * steps, timed(checked, wait))
    found["with masks and observations, our kernel chooses"] = rates(size * steps, timed(kernels_alone, wait))
    found["our kernel plays on"] = rates(size * 20 * steps, timed(lambda: batch.play_randomly(20 * steps), wait))
    return found


def pgx_backgammon(size: int, steps: int) -> dict[str, Any]:
    """pgx's loop, compiled as a whole by JAX, which is its fastest way."""
    jax, pgx = import_module("jax"), import_module("pgx")  # only for this benchmark

    environment = pgx.make("backgammon")
    begin, step = jax.vmap(environment.init), jax.vmap(environment.step)

    def renewed(state: Any, key: Any) -> Any:
        fresh = begin(jax.random.split(key, size))
        over = state.terminated | state.truncated
        return jax.tree_util.tree_map(
            lambda new, old: jax.numpy.where(over.reshape((size,) + (1,) * (old.ndim - 1)), new, old), fresh, state
        )

    def one(carried: Any, _: None) -> Any:
        state, key = carried
        key, first, second, third = jax.random.split(key, 4)
        chosen = jax.random.categorical(first, jax.numpy.where(state.legal_action_mask, 0.0, -1e9), axis=1)
        state = renewed(step(state, chosen, jax.random.split(second, size)), third)
        return (state, key), (state.observation.sum(), state.legal_action_mask.sum())

    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=steps)[0])
    held = [jax.jit(begin)(jax.random.split(jax.random.PRNGKey(0), size)), jax.random.PRNGKey(1)]

    def loop() -> None:
        held[0], held[1] = run(held[0], held[1])

    taken = timed(loop, lambda: jax.block_until_ready(held[1]), rounds=3)
    return {
        "game": "pgx backgammon",
        "matches": size,
        "with masks and observations, JAX chooses": rates(size * steps, taken),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1 << 18)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    chosen = parser.parse_args()
    for name in chosen.games:
        print(json.dumps(ours(name, chosen.matches, chosen.steps)), flush=True)
    try:
        print(json.dumps(pgx_backgammon(chosen.matches, 20)), flush=True)
    except ImportError as error:
        print(f"pgx is not here: {error}")


if __name__ == "__main__":
    main()
