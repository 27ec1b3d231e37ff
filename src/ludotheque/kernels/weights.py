"""The weights of a small network as plain numbers: read from a file, made by hand, given to kernels. Needs no numpy.

`network` has the same weights as arrays, and the functions that evaluate positions with them.
"""

import math
import struct
import zipfile
import zlib
from array import array
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

PARTS: Final = ("first", "first_bias", "second", "second_bias", "third", "third_bias")
"""The parts of a network, in the order in which they lie one after the other."""
_FORMATS: Final = {"<f2": "e", "<f4": "f", "<f8": "d"}  # numpy's names of kinds of numbers, and `struct`'s
_MAGIC: Final = b"\x93NUMPY"
_CHUNK: Final = 1 << 14  # numbers read at once


@dataclass(frozen=True, eq=False)
class NetworkWeights:
    """A network of three layers: `features` rows of `width` weights, `width` rows of `inner`, one row of `inner`; and their biases."""

    features: int
    width: int
    inner: int
    numbers: "array[float]"
    """All of them as float32, part after part (`PARTS`), row after row."""

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shape of each part."""
        return (self.features, self.width), (self.width,), (self.width, self.inner), (self.inner,), (self.inner,), (1,)


def linear_weights(weights: Sequence[float], scale: float, bias: float) -> NetworkWeights:
    """A network that weighs each feature by hand, without learning: the logit is `scale` times the sum of the weights, plus `bias`."""
    numbers = array("f")
    for weight in weights:
        numbers.extend((weight, -weight))  # both signs, since the layer after it drops what is negative
    numbers.extend((0, 0, 1, 0, 0, 1, 0, 0, scale, -scale, bias))
    return NetworkWeights(len(weights), 2, 2, numbers)


def add_float32(numbers: "array[float]", place: int, more: float) -> None:
    """Add to a number of a float32 array as processors do: what is added is rounded first, then the sum."""
    numbers[place] += array("f", [more])[0]


def read_network(file: Path | IO[bytes]) -> NetworkWeights:
    """The network of a file that `save_network` wrote; ValueError or BadZipFile if it is none, KeyError if a part is missing."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: _read_array(archive, f"{name}.npy") for name in PARTS}
    shapes = tuple(parts[name][0] for name in PARTS)
    if len(shapes[0]) != 2 or len(shapes[3]) != 1:
        raise ValueError(f"a network has no parts of the shapes {shapes}")
    numbers = array("f")
    for name in PARTS:
        numbers.extend(parts[name][1])
    network = NetworkWeights(*shapes[0], *shapes[3], numbers)
    if network.shapes != shapes:
        raise ValueError(f"a network has no parts of the shapes {shapes}")
    return network


def _read_array(archive: zipfile.ZipFile, name: str) -> tuple[tuple[int, ...], "array[float]"]:
    """The shape and the numbers of a .npy file, as numpy.lib.format describes it; row after row, whatever their order in the file."""
    try:
        content = archive.read(name)
    except (zlib.error, EOFError) as error:
        raise ValueError(f"{name} is damaged") from error
    if content[:6] != _MAGIC or len(content) < 12:
        raise ValueError(f"{name} is no numpy file")
    begin, length = (10, content[8:10]) if content[6] == 1 else (12, content[8:12])
    end = begin + int.from_bytes(length, "little")
    try:
        header: dict[str, Any] = literal_eval(content[begin:end].decode("latin-1").strip())
        kind, columns_first, shape = _FORMATS[header["descr"]], header["fortran_order"], tuple(header["shape"])
        count = math.prod(shape)
        numbers = array("f")
        size = struct.calcsize(f"<{kind}")
        for first in range(0, count, _CHUNK):
            few = min(_CHUNK, count - first)
            numbers.extend(struct.unpack_from(f"<{few}{kind}", content, end + first * size))
    except (SyntaxError, TypeError, LookupError, struct.error) as error:
        raise ValueError(f"{name} holds no weights") from error
    if columns_first and len(shape) == 2:
        rows = array("f")
        for row in range(shape[0]):
            rows.extend(numbers[row :: shape[0]])
        numbers = rows
    return shape, numbers
