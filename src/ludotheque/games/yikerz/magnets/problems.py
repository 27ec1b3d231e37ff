"""What the physics refuses; the sentences say why and what to do."""

from ludotheque.core import Problem


class LayoutRefused(Problem):
    """A layout of the mats that Y2 does not allow."""

    code = "bad-layout"


class SceneRefused(Problem):
    """A scene that is not possible."""

    code = "bad-scene"


class PathRefused(SceneRefused):
    """A path that no hand can take."""

    code = "bad-path"


class PhysicsBroken(Problem):
    """The simulation broke down. It should never happen; the turn counts as not played."""

    code = "physics-broken"
