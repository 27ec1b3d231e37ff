"""The arrays that the compiled physics works on, with their shapes, units and frames.

The inner loop that uses them is in `steps`, the scene that owns them in `scene`.

Units are centimetres, grams and seconds, so forces are in dyn, torques in dyn·cm and magnetic moments in emu.
The board's frame has its origin in the middle of the layout, on the mats' upper face, and z upward. A piece's own frame has its origin
at the centre of mass, x along its length and its magnetisation, and z across its flat faces. A pose is the centre in the board's
frame and a unit quaternion w, x, y, z that turns the piece's frame into the board's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int32]

MASS, INERTIA, REACH, FRICTION, HALF_LENGTH, HALF_WIDTH, HALF_THICKNESS, BODY_COLUMNS = 0, 1, 4, 5, 6, 7, 8, 9
"""Columns of a table of bodies, shape (n, 9), which `model.body_table` fills: mass (g); three moments of inertia about the axes of the
piece's own frame (g·cm²); distance of the farthest corner from the centre of mass (cm); coefficient of friction on the mat; half axes
of a flat face along the piece's x and y (cm); half the thickness (cm)."""

AWAY, ON_BOARD, HELD = 0, 1, 2
"""Where a piece is (`SceneBuffers.status`): not in the scene, free on the board, in the hand."""
APART, TOUCHING, HOLDING_TOGETHER = 0, 1, 2
"""How a piece is in contact with other pieces (`SceneBuffers.contact`)."""


class HandSpring(NamedTuple):
    """The critically damped spring of limited strength by which the hand holds a piece."""

    sample_seconds: float
    """Length of one of the hand's samples, s."""
    frequency: float
    """Natural frequency of the piece's place in the fingers, rad/s: its stiffness is the piece's mass times the square of this."""
    turn_frequency: float
    """Natural frequency of its orientation, rad/s: likewise with its moments of inertia."""
    most_force: float
    """dyn"""
    most_torque: float
    """dyn·cm"""


class HandTarget(NamedTuple):
    """Where the hand takes the held piece during one sample of 1/60 s."""

    start: Array
    """Pose at the beginning of the sample, shape (7,), cm."""
    end: Array
    """Pose at the end of the sample, shape (7,), cm."""
    steps_done: int
    """Steps of the sample that have passed."""
    spring: HandSpring


class SceneBuffers(NamedTuple):
    """The memory of a scene of n pieces. Fields marked "MuJoCo" are views into its structures."""

    model: int
    """Address of MuJoCo's mjModel."""
    data: int
    """Address of MuJoCo's mjData."""
    magnets: Array
    """Poles and moment of each piece in its own frame, shape (n, 4, 25), see `field.magnet_table`."""
    bodies: Array
    """Each piece as a body, shape (n, 9), columns MASS to HALF_THICKNESS."""
    status: Ints
    """AWAY, ON_BOARD or HELD, shape (n,)."""
    poses: Array
    """Shape (n, 7), cm. MuJoCo: qpos."""
    velocities: Array
    """Shape (n, 6): cm/s in the board's frame, rad/s in the piece's own. MuJoCo: qvel."""
    passive_forces: Array
    """Shape (n, 6): dyn in the board's frame, dyn·cm in the piece's own. MuJoCo: qfrc_passive."""
    awake: Ints
    """1 if MuJoCo simulates the piece, shape (n,). MuJoCo: tree_awake."""
    sleep_policy: Ints
    """NEVER or ALLOWED, shape (n,). MuJoCo: tree_sleep_policy."""
    asleep: Ints
    """1 if the piece was asleep after the last step, shape (n,)."""
    still_steps: Ints
    """Steps since the piece was at its anchor, shape (n,)."""
    anchors: Array
    """The pose from which a piece's stillness is measured, shape (n, 7), cm."""
    points: Array
    """Poles and centre of each piece in the board's frame, shape (n, 4, 25), cm and emu/cm, see `field.place_poles`."""
    moments: Array
    """Moment in the board's frame (emu) and number of coarse poles, shape (n, 4)."""
    pair_wrenches: Array
    """`[i, j]` is the force (dyn) and torque (dyn·cm) of piece j on piece i in the board's frame, shape (n, n, 6)."""
    wrenches: Array
    """Magnetic force (dyn) and torque (dyn·cm) on each piece in the board's frame, shape (n, 6)."""
    rest_wrenches: Array
    """The same at the moment when a piece fell asleep, shape (n, 6)."""
    wake_load: Array
    """Load (see `sleep.load`) up to which a sleeping piece stays asleep, shape (n,); 0 if only `wake_change` counts."""
    wake_change: Array
    """Change of the force (dyn) since `rest_wrenches` that wakes a sleeping piece, shape (n,)."""
    contact: Ints
    """APART, TOUCHING or HOLDING_TOGETHER, shape (n,)."""
    steps_made: Ints
    """Result of `advance`: the steps made, shape (1,)."""
    pieces_close: Ints
    """Result of `advance`: set to 1 if pieces came close enough to touch, shape (1,)."""
    closing: Array
    """`[i, j]`, i < j: the largest speed toward each other of two pieces that come together, cm/s, shape (n, n)."""
    knocks: Array
    """Likewise, with what speed they last knocked against each other; 0 once that is read."""
    timestep: Array
    """Length of MuJoCo's next step, s, shape (1,). MuJoCo: opt.timestep."""
    friction_ratio: Array
    """How much harder friction is than contacts are in MuJoCo's solver, shape (1,). MuJoCo: opt.impratio."""
    contact_springs: Array
    """Time constant (s) and damping ratio of contacts between pieces, shape (n, 2). MuJoCo: geom_solref."""
    snapping: Ints
    """1 while pieces snap, shape (1,): then steps are divided and contacts are stiff."""
    finer: int
    """Every step is divided into that many more parts, to see whether results depend on it; 1 in play."""
    never_sleep: bool
    """Simulate every piece at every step, for comparison."""
