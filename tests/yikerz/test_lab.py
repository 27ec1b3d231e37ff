"""The laboratory: in the protocol, on the command line, and as pictures."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque.cli.app import app
from ludotheque.core import Json, JsonObject, parse, write_json, write_record
from ludotheque.engine import Engine
from yikerz.play import begin, own, put

MATS = [[0, 0, 0], [140, 0, 0]]


def ask(request: Json) -> dict[str, Json]:
    answer = Engine().answer(write_json(request).encode())
    assert answer is not None
    value = parse(answer)
    assert isinstance(value, dict)
    return value


@pytest.mark.clause("Y19")
def test_the_lab_tells_forces_and_what_happens() -> None:
    magnets: list[JsonObject] = [
        {"shape": "pebble", "pose": [-9, 0, 3, 1, 0, 0, 0]},
        {"shape": "pebble", "pose": [9, 0, 3, 1, 0, 0, 0]},
        {"shape": "coin", "pose": [140, 0, 2.8, 1, 0, 0, 0]},
        {"shape": "egg", "pose": [300, 0, 3, 1, 0, 0, 0]},
    ]
    found = ask({"do": "lab", "mats": MATS, "magnets": magnets, "seconds": 1.0})
    assert found["ok"] is True
    forces = found["forces"]
    assert isinstance(forces, list)
    assert forces[0][0] > 0.1  # newtons: end to end they attract, toward +x
    assert forces[1][0] < -0.1
    assert found["collapsed"] == [[0, 1]]
    assert found["off"] == [3]
    ends = found["magnets"]
    assert isinstance(ends, list)
    assert ends[2]["pose"][:2] == pytest.approx([140, 0], abs=0.1)


def test_the_lab_shows_the_way_if_it_is_asked_to() -> None:
    magnets: list[JsonObject] = [{"shape": "pebble", "pose": [x, 0, 3, 1, 0, 0, 0]} for x in (-11, 11)]
    found = ask({"do": "lab", "mats": MATS, "magnets": magnets, "seconds": 1.0, "frames": True})
    frames, ends = found["frames"], found["magnets"]
    assert isinstance(frames, list)
    assert isinstance(ends, list)
    assert frames[0] == {"t": 0, "poses": {"0": [-11, 0, 3, 1, 0, 0, 0], "1": [11, 0, 3, 1, 0, 0, 0]}, "held": None}
    assert frames[-1]["t"] == 1
    last = {name: pose for frame in frames for name, pose in frame["poses"].items()}
    for number, end in enumerate(ends):
        assert last[str(number)] == pytest.approx(end["pose"], abs=0.01)
    assert 3 < len(frames) < 40
    assert ask({"do": "lab", "mats": MATS, "magnets": magnets, "frames": 1})["ok"] is False


def test_no_seconds_means_forces_only_and_no_magnets_are_fine() -> None:
    still = ask({"do": "lab", "mats": [], "magnets": [{"shape": "egg", "pose": [0, 0, 90, 1, 0, 0, 0]}]})
    assert still["magnets"] == [{"pose": [0, 0, 90, 1, 0, 0, 0]}]
    assert still["forces"] == [[0, 0, 0, 0, 0, 0]]
    assert ask({"do": "lab", "mats": MATS, "magnets": [], "seconds": 1})["magnets"] == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mats": [[0, 0, 0], [3, 0, 0]]}, "overlap"),
        ({"mats": 3}, "mats"),
        ({"magnets": [{"shape": "pear", "pose": [0, 0, 5, 1, 0, 0, 0]}]}, "no such shape"),
        ({"magnets": [{"shape": "egg", "pose": [0, 0, 5, 0, 0, 0, 0]}]}, "length 0"),
        ({"magnets": [{"shape": "egg", "pose": [0, 0, 5, 1, 0, 0, 0]}] * 2}, "inside each other"),
        ({"magnets": [{"shape": "egg", "pose": [0, 0, 5, 1, 0, 0, 0]}] * 20}, "inside each other"),
        ({"magnets": [{"shape": "egg", "pose": [0, 0, 5, 1, 0, 0, 0]}] * 99}, "at most"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": 1e9}, "seconds"),
    ],
)
def test_what_the_lab_refuses_is_told_in_words(change: JsonObject, reason: str) -> None:
    request = {"do": "lab", "mats": MATS, "magnets": [], "seconds": 0.1, **change}
    answer = ask(request)
    assert answer["ok"] is False
    assert reason in str(answer["error"])


def test_shapes_are_told_with_their_physics() -> None:
    answer = ask({"do": "shapes"})
    shapes = answer["shapes"]
    assert isinstance(shapes, list)
    assert len(shapes) == 5
    for shape in shapes:
        assert len(shape["mesh"]) == 64
        # Ferrite: 4.9 g/cm³, and 0.38 T / µ0 a volume.
        assert shape["mass_g"] == pytest.approx(shape["volume_mm3"] * 4.9e-3)
        assert shape["moment_Am2"][0] == pytest.approx(0.38 / 1.25663706e-6 * shape["volume_mm3"] * 1e-9)
    assert answer["mat_side_mm"] == 140


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["lab", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_line_tells_forces_and_draws_pictures(tmp_path: Path) -> None:
    field, film = tmp_path / "field.svg", tmp_path / "film.png"
    told = run(
        "--magnet",
        "pebble:-9,-40",
        "--magnet",
        "pebble:9,-40",
        "--seconds",
        "0.3",
        "--field",
        str(field),
        "--film",
        str(film),
    )
    assert "Pebble 1: force" in told
    assert "collapsed: 0 + 1" in told
    assert field.read_text("utf-8").startswith("<?xml")
    assert film.read_bytes().startswith(b"\x89PNG")


def test_a_turn_of_a_record_becomes_a_moving_picture(tmp_path: Path) -> None:
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    record, film = tmp_path / "match.json", tmp_path / "turn.gif"
    record.write_text(write_json(write_record(match)), "utf-8")
    run("--record", str(record), "--film", str(film))
    assert film.read_bytes().startswith(b"GIF8")


def test_a_mistyped_magnet_is_explained() -> None:
    result = CliRunner().invoke(app, ["lab", "--magnet", "pear:1,2"])
    assert result.exit_code == 2
    assert "pebble" in result.output
