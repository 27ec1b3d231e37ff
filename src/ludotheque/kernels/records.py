"""States as numpy records, and the arrays that rules take beside them."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.kernels.layout import Layout

State: TypeAlias = np.record
Actions: TypeAlias = NDArray[Any]
"""int32"""
Returns: TypeAlias = NDArray[Any]
"""float64"""
Weights: TypeAlias = NDArray[Any]
"""int64"""


def record_type(layout: Layout) -> "np.dtype[np.void]":
    """The numpy type of a state with this layout."""
    return np.dtype([(field.name, field.kind, field.shape) for field in layout.declared], align=True)


class FastRecord(np.record):  # type: ignore[misc] # final for type checkers only
    """A record whose methods are found at once, which every compiled call uses: numpy's own looks among the fields first."""

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment] # its overloads are a record's, less one

    def __getattr__(self, name: str) -> Any:
        """A field."""
        try:
            return np.void.__getitem__(self, name)
        except ValueError:
            raise AttributeError(f"the state has no field {name}") from None
