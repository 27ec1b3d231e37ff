"""Weights and normally distributed numbers without numpy are those that numpy reads and draws."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from ludotheque.games.wykersham.features import FEATURES, handmade_network
from ludotheque.kernels.network import as_network, load_network, new_network, save_network, weights_of
from ludotheque.kernels.normal import NormalNumbers
from ludotheque.kernels.weights import PARTS, add_float32, read_network


@pytest.mark.parametrize("game", ["yam_master", "wykersham"])
def test_the_shipped_weights_are_read_as_numpy_reads_them(game: str) -> None:
    with (files(f"ludotheque.games.{game}") / "weights.npz").open("rb") as file:
        found = as_network(read_network(file))
        file.seek(0)
        with np.load(file) as parts:
            for name, part in zip(PARTS, found, strict=True):
                assert np.array_equal(part, parts[name].astype(np.float32))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_numbers_of_any_precision_and_order_are_read(tmp_path: Path, kind: type) -> None:
    network = new_network(7, 5, 3, 1, 2)
    parts = {name: np.asfortranarray(part.astype(kind)) for name, part in network._asdict().items()}
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **parts)
    for found, part in zip(load_network(tmp_path / "weights.npz"), parts.values(), strict=True):
        assert np.array_equal(found, part.astype(np.float32))


def test_a_network_is_the_same_as_plain_numbers_and_back(tmp_path: Path) -> None:
    network = new_network(7, 5, 3, 1, 2)
    for one, other in zip(as_network(weights_of(network)), network, strict=True):
        assert np.array_equal(one, other)
    save_network(tmp_path / "weights.npz", network, about="nothing")
    assert read_network(tmp_path / "weights.npz").shapes == tuple(part.shape for part in network)


@pytest.mark.parametrize("spoiled", ["first", "third_bias"])
def test_parts_that_do_not_fit_together_are_no_network(tmp_path: Path, spoiled: str) -> None:
    parts = new_network(7, 5, 3, 1, 2)._asdict() | {spoiled: np.zeros((2, 2), np.float32)}
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **parts)
    with pytest.raises(ValueError, match="shapes"):
        read_network(tmp_path / "weights.npz")


def test_words_are_no_weights(tmp_path: Path) -> None:
    parts = new_network(7, 5, 3, 1, 2)._asdict() | {"first": np.array("words")}
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **parts)
    with pytest.raises(ValueError, match=r"first\.npy"):
        read_network(tmp_path / "weights.npz")


def test_sums_are_rounded_as_in_float32_arrays() -> None:
    weights = handmade_network()
    assert weights.features == FEATURES
    numbers, sums = weights.numbers[:1], np.array([weights.numbers[0]], np.float32)
    for number in np.random.default_rng(1).normal(size=200).tolist():
        add_float32(numbers, 0, number)
        sums[0] += number
        assert numbers[0] == sums[0]


def test_normal_numbers_are_those_of_numpy() -> None:
    for seed in (0, 1, 1 << 40, (1 << 64) - 1, *range(1000, 1400)):
        numbers = NormalNumbers(seed)
        found = [numbers.draw() for _ in range(300)]
        assert found == pytest.approx(np.random.default_rng(seed).standard_normal(300), abs=1e-13)
