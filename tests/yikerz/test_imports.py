"""Text and views of Yikerz! load without MuJoCo and without the compiler, which take a second."""

import subprocess
import sys

LOADED = "import sys, ludotheque.games.yikerz; print(*(name for name in ('mujoco', 'numba') if name in sys.modules))"


def test_the_game_is_imported_without_the_physics() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
