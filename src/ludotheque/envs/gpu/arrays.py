"""Arrays on the card, shared with PyTorch, JAX and CuPy without copying: DLPack and the CUDA array interface."""

import ctypes
import math
import weakref
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ludotheque.core import BadOption, shortened
from ludotheque.envs.gpu.driver import Driver

CUDA: Final = 2  # DLPack's number of the kind of device
CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLPack's numbers of the kinds of numpy's types
DEFAULT_STREAM: Final = 1  # what DLPack calls the stream that we use
NO_ORDER: Final = -1  # the consumer takes care of the order by itself


class DeviceArray:
    """An array on the card. `torch.from_dlpack(array)` and `jax.dlpack.from_dlpack(array)` share its memory; numpy() copies it."""

    def __init__(self, card: Driver, shape: Sequence[int], dtype: DTypeLike, *, across: bool = False) -> None:
        """Allocate it. `across`: the first number of every row lies together, then the second, and so on."""
        self.shape: Final = tuple(shape)
        self.dtype: Final = np.dtype(dtype)
        self._card = card
        self.nbytes: Final = math.prod(self.shape) * self.dtype.itemsize
        self.address: Final = card.allocate(self.nbytes)
        order = tuple(reversed(self.shape)) if across else self.shape
        steps = tuple(math.prod(order[place + 1 :]) for place in range(len(order)))
        self.strides: Final = tuple(one * self.dtype.itemsize for one in (reversed(steps) if across else steps))
        weakref.finalize(self, card.free, self.address)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype} {self.shape} on card {self._card.card}>"

    def write(self, content: NDArray[Any]) -> None:
        """Copy an array of the same shape and type to the card."""
        assert content.shape == self.shape
        assert content.dtype == self.dtype
        self._card.write(self.address, np.ascontiguousarray(content).tobytes())

    def numpy(self) -> NDArray[Any]:
        """A copy in the processor's memory."""
        content = np.frombuffer(self._card.read(self.address, self.nbytes), self.dtype)
        return np.lib.stride_tricks.as_strided(content, self.shape, self.strides).copy()

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": self.strides,
            "version": 3,
            "stream": DEFAULT_STREAM,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self._card.card

    def __dlpack__(self, *, stream: int | None = None, **_: object) -> object:
        if stream not in (None, DEFAULT_STREAM, NO_ORDER):
            self._card.synchronize()
        return _export(self)


class CallersArray(NamedTuple):
    """An array of the caller's on the card."""

    address: int
    shape: tuple[int, ...]
    dtype: "np.dtype[Any]"
    strides: tuple[int, ...]


def read_array(given: object, what: str) -> CallersArray:
    """An array on a card by its CUDA array interface; BadOption for anything else."""
    interface = getattr(given, "__cuda_array_interface__", None)
    if not isinstance(interface, dict):
        raise BadOption("gpu.no-array", what=what, given=shortened(type(given).__name__))
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    strides = interface.get("strides") or tuple(
        math.prod(shape[place + 1 :]) * dtype.itemsize for place in range(len(shape))
    )
    return CallersArray(int(interface["data"][0]), shape, dtype, tuple(strides))


# DLPack: a capsule with a C structure, which whoever takes it frees


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_DELETER: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_DESTRUCTOR: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_NAME: Final = b"dltensor"
_lent: Final[dict[int, tuple[object, ...]]] = {}  # by the structure's address: what must live as long as it does


def _give_back(managed: int) -> None:
    _lent.pop(managed, None)


def _destroy(capsule: int) -> None:
    """A capsule goes; one that nobody has taken still has its first name, and its structure goes with it."""
    api = ctypes.pythonapi
    api.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    if api.PyCapsule_IsValid(capsule, _NAME):
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
        _lent.pop(api.PyCapsule_GetPointer(capsule, _NAME), None)


_give_back_function: Final = _DELETER(_give_back)
_destroy_function: Final = _DESTRUCTOR(_destroy)


def _export(array: DeviceArray) -> object:
    dimensions = len(array.shape)
    shape = (ctypes.c_int64 * dimensions)(*array.shape)
    strides = (ctypes.c_int64 * dimensions)(*(one // array.dtype.itemsize for one in array.strides))
    kind, card = array.__dlpack_device__()
    tensor = _Tensor(
        array.address, kind, card, dimensions, CODES[array.dtype.kind], 8 * array.dtype.itemsize, 1, shape, strides, 0
    )
    managed = _Managed(tensor, None, ctypes.cast(_give_back_function, ctypes.c_void_p))
    _lent[ctypes.addressof(managed)] = (managed, shape, strides, array)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR)
    capsule: object = new(ctypes.addressof(managed), _NAME, _destroy_function)
    return capsule
