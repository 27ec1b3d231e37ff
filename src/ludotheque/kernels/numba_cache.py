"""numba's cache of compiled functions with keys of our own. It derives from private classes: where numba has changed them,
importing or making it fails, and `jit` compiles without a cache. The keys are in `cache_keys`.
"""

import inspect
import logging
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path

from numba.core import caching, config

from ludotheque.kernels.cache_keys import cache_folder, closure_key, source_hash

_log = logging.getLogger(__name__)


class _Locator(caching._CacheLocator):  # type: ignore[misc] # numba has no types
    """Tells numba's cache where a function's compiled code lies."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        self._py_file = inspect.getfile(function)  # numba reads it for its own warnings
        self._closure_key = closure_key(function)
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(cache_folder(self._folder))

    def get_source_stamp(self) -> str:
        return source_hash(self._folder)

    def get_disambiguator(self) -> str:
        return self._closure_key


class RuleCache(caching.FunctionCache):  # type: ignore[misc] # numba has no types
    """numba's cache of one function, keyed by our hash. Where nothing can be written, nothing is stored."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc] # numba has no types
            _locator_classes = (self,)

        self._folder = folder
        self._impl_class = Implementation
        super().__init__(function)

    def from_function(self, function: Callable[..., object], _file: str) -> _Locator:
        """Called by numba in place of a search through its own locators."""
        return _Locator(function, self._folder)

    def _index_key(self, signature: Hashable, codegen: object) -> tuple[Hashable, ...]:
        # numba would add a hash of the closure, which holds dispatchers and is never the same twice; closure_key replaces it.
        # The settings may come from a file of numba's, too, and not only from the variables that source_hash reads.
        settings = (config.BOUNDSCHECK, str(config.OPT))
        return (signature, codegen.magic_tuple(), source_hash(self._folder), settings)  # type: ignore[attr-defined]

    def load_overload(self, signature: Hashable, target_context: object) -> object:
        """Read what is stored; None if there is nothing, or nothing that can be read."""
        try:
            return super().load_overload(signature, target_context)
        except Exception as error:  # unpickling damaged files can raise anything
            _log.warning("compiled rules could not be read and are compiled again: %s", error)
            with suppress(OSError):  # where it cannot be removed it cannot be written either
                Path(self._cache_file._index_path).unlink()
            return None

    def save_overload(self, signature: Hashable, data: object) -> None:
        """Store what was compiled, where that is possible."""
        try:
            super().save_overload(signature, data)
        except OSError as error:
            _log.info("compiled rules cannot be stored: %s", error)
            self.disable()
        except (AttributeError, TypeError) as error:  # a numba whose cache calls ours in another way
            _log.warning("compiled rules cannot be stored with this version of numba: %s", error)
            self.disable()
