"""The games as environments for learning programs: numbers of actions, observations, batches; adapters are modules beside it.

An adapter imports its library when it is itself imported (`ludotheque.envs.pettingzoo`). Rules and encodings are the games'.
"""

from typing import TYPE_CHECKING, Any

from ludotheque.core import find_game

if TYPE_CHECKING:
    from ludotheque.envs.gpu import GpuBatch
    from ludotheque.kernels.batch import Batch
    from ludotheque.kernels.encoding import Encoding, Feature


def encoding(game: str) -> "Encoding":
    """How a game is written for learning programs, by the game's name: `encoding("yam-master").num_actions`."""
    from ludotheque.kernels.encoding import encoding_of  # noqa: PLC0415 - numpy and numba when they are needed

    return encoding_of(find_game(game))


def __getattr__(name: str) -> Any:
    """Import what needs numpy and numba when it is first used."""
    if name == "Batch":
        from ludotheque.kernels.batch import Batch  # noqa: PLC0415

        return Batch
    if name == "GpuBatch":
        from ludotheque.envs.gpu import GpuBatch  # noqa: PLC0415

        return GpuBatch
    if name in ("Encoding", "Feature"):
        from ludotheque.kernels import encoding as module  # noqa: PLC0415

        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Batch", "Encoding", "Feature", "GpuBatch", "encoding"]
