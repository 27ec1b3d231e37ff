"""The parts that games' bots share: the cache of planned turns, noise, and networks made by hand."""

import numpy as np
import pytest

from ludotheque.bots.cache import BoundedCache
from ludotheque.kernels import seeded
from ludotheque.kernels.network import add_feature, as_network, win_probability
from ludotheque.kernels.noise import noise_of, uniform
from ludotheque.kernels.random import WORD, mixed
from ludotheque.kernels.self_play import ALL_TURNS, exploration
from ludotheque.kernels.weights import linear_weights


def test_a_full_cache_forgets_its_oldest_entry() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    cache["one"] = 1
    cache["two"] = 2
    cache["one"] = 3
    assert cache == {"one": 3, "two": 2}
    cache["three"] = 3
    assert cache == {"two": 2, "three": 3}


def test_noise_lies_between_minus_one_and_one_and_is_zero_on_average() -> None:
    assert noise_of(0, 2) == -1
    assert noise_of(2 * WORD, 2) == 1
    found = [noise_of(mixed(key) + mixed(key + 1_000_000), 2) for key in range(2000)]
    assert abs(np.mean(found)) < 0.03
    assert np.std(found) == pytest.approx(6**-0.5, abs=0.03)  # the sum of two even distributions is a triangle


def test_a_third_of_the_games_explores() -> None:
    random = seeded(1)
    games = [exploration(random, 0.15, 1.0, 12) for _ in range(3000)]
    little = [ends for noise, ends in games if noise == 0.15]
    much = [ends for noise, ends in games if noise == 1.0]
    assert set(little) == {ALL_TURNS}
    assert set(much) == set(range(12))
    assert len(little) == pytest.approx(500, abs=80)
    assert len(much) == pytest.approx(500, abs=80)
    assert all(0 <= uniform(random) < 1 for _ in range(100))


def test_a_network_made_by_hand_weighs_its_features() -> None:
    network = as_network(linear_weights([1.0, -3.0, 0.5], 0.2, 0.1))
    for features in ([], [0], [1], [0, 2], [0, 1, 2]):
        accumulator = network.first_bias.copy()
        for feature in features:
            add_feature(accumulator, network, feature)
        logit = 0.2 * sum((1.0, -3.0, 0.5)[feature] for feature in features) + 0.1
        assert win_probability(network, accumulator, np.empty(2, np.float32)) == pytest.approx(1 / (1 + np.exp(-logit)))
