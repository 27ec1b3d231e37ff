"""The version of the physics, which records keep with every outcome (Y20)."""

import hashlib
from functools import lru_cache
from pathlib import Path

from .mujoco_library import mujoco


@lru_cache(1)
def physics_version() -> str:
    """A checksum of everything that decides how pieces move: the sources in this folder and MuJoCo's version."""
    digest = hashlib.sha256(mujoco.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
