"""The pose of a piece: seven numbers, read from outside and checked."""

from collections.abc import Sequence

from ludotheque.core.problems import shortened
from ludotheque.games.yikerz.catalogue import number_text, text

from .finite import as_number
from .problems import SceneRefused

Pose = tuple[float, float, float, float, float, float, float]
"""x, y, z in millimetres and a unit quaternion w, x, y, z."""

FARTHEST_MM = 2000.0
"""Nothing in a scene is farther from the centre than this."""


def as_pose(value: object, number_on_path: int | None = None) -> Pose:
    """Read seven numbers as a pose with a unit quaternion; raises SceneRefused."""
    what = text("pose.name") if number_on_path is None else text("pose.on-path", number=number_on_path)
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 7:
        raise SceneRefused(text("pose.not-a-pose", what=what))
    numbers: list[float] = []
    for number in value:
        if (known := as_number(number)) is None:
            raise SceneRefused(text("pose.not-a-number", what=what, value=shortened(repr(number))))
        numbers.append(known)
    if max(abs(number) for number in numbers[:3]) > FARTHEST_MM:
        raise SceneRefused(text("pose.too-far", what=what, most=f"{FARTHEST_MM:.0f}"))
    length = sum(number * number for number in numbers[3:]) ** 0.5
    if not 1e-3 < length < 1e3:
        raise SceneRefused(text("pose.not-a-unit", what=what, length=number_text(length, ".3g")))
    # A quaternion of length 1 up to rounding is kept as it is written, so that texts and poses agree.
    if abs(length - 1) > 1e-3:
        numbers[3:] = [number / length for number in numbers[3:]]
    x, y, z, w, a, b, c = numbers
    return x, y, z, w, a, b, c
