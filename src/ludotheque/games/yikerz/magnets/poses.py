"""Where a piece is: seven numbers, as they come from outside, checked. What happens there is the scene's business."""

from collections.abc import Sequence

from ludotheque.core.problems import Problem, shortened

from .numbers import as_number

Pose = tuple[float, float, float, float, float, float, float]
"""x, y, z in millimetres and a unit quaternion w, x, y, z."""

FARTHEST_MM = 2000.0
"""Nothing in a scene is farther from the centre than this."""


class SceneRefused(Problem):
    """A scene that cannot be; the text says why and what to do."""

    code = "bad-scene"


def as_pose(value: object, number_on_path: int | None = None) -> Pose:
    """Seven numbers from outside as a pose with a unit quaternion, or a refusal."""
    what, quoi = ("pose", "pose")
    if number_on_path is not None:
        what, quoi = f"pose {number_on_path} of the path", f"pose {number_on_path} du chemin"
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 7:
        raise SceneRefused(
            f"The {what} should be seven numbers: x, y, z in mm and a quaternion w, x, y, z.",
            f"La {quoi} devrait être sept nombres : x, y, z en mm et un quaternion w, x, y, z.",
        )
    numbers: list[float] = []
    for number in value:
        if (known := as_number(number)) is None:
            raise SceneRefused(
                f"The {what} holds something that is not a number: {shortened(repr(number))}.",
                f"La {quoi} contient autre chose qu'un nombre : {shortened(repr(number))}.",
            )
        numbers.append(known)
    if max(abs(number) for number in numbers[:3]) > FARTHEST_MM:
        raise SceneRefused(
            f"The {what} is too far away: keep x, y and z within ±{FARTHEST_MM:.0f} mm.",
            f"La {quoi} est trop loin : gardez x, y et z entre ±{FARTHEST_MM:.0f} mm.",
        )
    length = sum(number * number for number in numbers[3:]) ** 0.5
    if not 1e-3 < length < 1e3:
        raise SceneRefused(
            f"The quaternion of the {what} has length {length:.3g}; it should have length 1.",
            f"Le quaternion de la {quoi} est de longueur {length:.3g} ; il devrait être de longueur 1.",
        )
    # What is a unit quaternion but for its few decimals stays as it is written, so that texts and poses agree.
    if abs(length - 1) > 1e-3:
        numbers[3:] = [number / length for number in numbers[3:]]
    x, y, z, w, a, b, c = numbers
    return x, y, z, w, a, b, c
