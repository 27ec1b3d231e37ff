"""The hand (Y6, Y7): how the held piece follows the poses that are asked for. Paths are in `path`, the pull itself is in `steps`."""

from __future__ import annotations

from .path import ENTRY_MM, toward
from .poses import Pose
from .scene import Scene
from .timing import SAMPLES_PER_SECOND, STEPS_PER_SAMPLE


class Hand:
    """A hand that holds one magnet over a scene. Poses may come all at once, or as they are made in a live turn."""

    def __init__(self, scene: Scene, magnet: int, first: Pose) -> None:
        self.scene = scene
        self.now: Pose = toward(first, first, 1)
        self.now = (*self.now[:2], max(self.now[2], ENTRY_MM), *self.now[3:])
        scene.hold(magnet, self.now)

    def follow(self, asked: Pose) -> bool:
        """Follow for one sample (1/60 s) toward a pose (mm). Returns False once the held piece touched something or a piece fell."""
        self.now = toward(self.now, asked, 1 / SAMPLES_PER_SECOND)
        self.scene.aim(self.now)
        return self.go_on(0)

    def go_on(self, done: int) -> bool:
        """Finish a sample of which `done` steps have passed."""
        heard = len(self.scene.events)
        while done < STEPS_PER_SAMPLE:
            done += self.scene.advance(STEPS_PER_SAMPLE - done)
            for event in self.scene.events[heard:]:
                if event.what == "fall" or self.scene.held in event.magnets:
                    return False
            heard = len(self.scene.events)
        return True
