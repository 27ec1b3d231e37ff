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


class PhysicsMissing(Problem):
    """MuJoCo is not installed: Yikerz! cannot be played here."""

    code = "physics-missing"


class PhysicsBroken(Problem):
    """The simulation broke down. It should never happen; the turn counts as not played."""

    code = "physics-broken"
