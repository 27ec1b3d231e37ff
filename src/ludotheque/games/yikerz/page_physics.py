"""What the page's own simulation of a turn must know of the physics (web/src/games/yikerz/physics).

The compiled part comes as a WebAssembly module (`wasm_entries`); the page refuses one that was made from other sources.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ludotheque.core import BadRequest, Json, JsonObject, Reader
from ludotheque.games.yikerz.magnets.field import magnet_table
from ludotheque.games.yikerz.magnets.mats import check_apart
from ludotheque.games.yikerz.magnets.model import body_table, description
from ludotheque.games.yikerz.magnets.problems import LayoutRefused
from ludotheque.games.yikerz.magnets.scene import CONTACT_STEPS
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, shape_of
from ludotheque.games.yikerz.magnets.steps import HAND_SPRING
from ludotheque.games.yikerz.magnets.timing import STEPS_PER_SAMPLE
from ludotheque.kernels.cache_keys import content_hash

MOST_MAGNETS: Final = 20
MOST_MATS: Final = 4


def answer_physics(request: JsonObject) -> JsonObject:
    """{"mats":[…],"magnets":20}: the model of a board with so many magnets, tables of them, and the hand's spring.

    `magnetisation` is the option of that name; in the plane if it is missing.
    """
    reader = Reader(request, BadRequest)
    magnets = reader.key("magnets").integer(1, MOST_MAGNETS)
    told = reader.key("magnetisation").one_of(MAGNETISATIONS) if reader.has("magnetisation") else MAGNETISATIONS[0]
    magnetisation = next(one for one in MAGNETISATIONS if one == told)
    try:
        layout = check_apart([one.value for one in reader.key("mats").items(most=MOST_MATS)])
    except LayoutRefused as refused:
        reader.key("mats").fail(refused.text)
    shapes = tuple(shape_of(magnet, magnetisation) for magnet in range(magnets))
    corners: dict[str, Json] = {shape.name: (shape.mesh_mm / 10).tolist() for shape in dict.fromkeys(shapes)}
    return {
        "sources": content_hash(Path(__file__).parent),
        "model": description(layout, shapes),
        "magnets": magnet_table(shapes).tolist(),
        "bodies": body_table(shapes).tolist(),
        "shapes": corners,
        "shape_of": [shape.name for shape in shapes],
        "spring": dict(HAND_SPRING._asdict()),
        "steps_per_sample": STEPS_PER_SAMPLE,
        "contact_steps": CONTACT_STEPS,
    }
