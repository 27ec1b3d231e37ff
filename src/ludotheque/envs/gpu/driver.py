"""The few functions of NVIDIA's driver that a batch needs, by ctypes: memory, modules, launches. It knows nothing of games.

Everything is done on the default stream, which PyTorch uses too: what is launched first is done first.
"""

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from ludotheque.core import BadOption

LIBRARY: Final = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
BLOCK: Final = 128  # threads


class Driver:
    """The driver with the main context of one card, the one that PyTorch and JAX use."""

    def __init__(self, card: int) -> None:
        try:
            self._library: Any = ctypes.CDLL(LIBRARY)
        except OSError as error:
            raise BadOption("gpu.no-driver", library=LIBRARY) from error
        self.card = card
        self._call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        count = ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        if not 0 <= card < count.value:
            raise BadOption("gpu.no-card", count=count.value, card=card)
        self._call("cuDeviceGet", ctypes.byref(device), card)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context = context

    def _call(self, name: str, *arguments: object) -> None:
        result = getattr(self._library, name)(*arguments)
        if result:
            why = ctypes.c_char_p()
            self._library.cuGetErrorString(result, ctypes.byref(why))
            raise BadOption("gpu.failed", function=name, why=(why.value or b"?").decode())

    def use(self) -> None:
        """Make the card's context this thread's."""
        self._call("cuCtxSetCurrent", self._context)

    def allocate(self, size: int) -> int:
        """Some bytes on the card; the address."""
        self.use()
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, size)))
        return address.value

    def free(self, address: int) -> None:
        """Give bytes back."""
        self.use()
        self._call("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address: int, content: bytes) -> None:
        """Copy bytes to the card."""
        self.use()
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), content, ctypes.c_size_t(len(content)))

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes from the card, after everything launched before."""
        self.use()
        content = ctypes.create_string_buffer(max(1, size))
        self._call("cuMemcpyDtoH_v2", content, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return content.raw[:size]

    def synchronize(self) -> None:
        """Wait for everything launched before."""
        self.use()
        self._call("cuStreamSynchronize", ctypes.c_void_p(0))

    def load(self, ptx: str) -> "Module":
        """Load kernels; the driver compiles them for its card."""
        self.use()
        module = ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), ptx.encode("ascii") + b"\0")
        return Module(self, module)

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        found = ctypes.c_void_p()
        self._call("cuModuleGetFunction", ctypes.byref(found), module, name.encode())
        return found

    def launch(self, function: ctypes.c_void_p, threads: int, arguments: Sequence[int]) -> None:
        """Launch a kernel whose arguments are all 64 bits wide: addresses and whole numbers."""
        self.use()
        values = (ctypes.c_int64 * len(arguments))(*arguments)
        first = ctypes.addressof(values)
        places = (ctypes.c_void_p * len(arguments))(*range(first, first + 8 * len(arguments), 8))
        blocks = -(-threads // BLOCK)
        self._call("cuLaunchKernel", function, blocks, 1, 1, BLOCK, 1, 1, 0, None, places, None)


class Module:
    """Loaded kernels."""

    def __init__(self, driver: Driver, module: ctypes.c_void_p) -> None:
        self._driver, self._module = driver, module
        self._functions: dict[str, ctypes.c_void_p] = {}

    def launch(self, name: str, threads: int, arguments: Sequence[int]) -> None:
        """Launch a kernel by its name: the number of matches, then its arguments."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._driver.function(self._module, name)
        self._driver.launch(function, threads, (threads, *arguments))


@cache
def driver(card: int) -> Driver:
    """The driver with one card's context; made once for each card."""
    return Driver(card)
