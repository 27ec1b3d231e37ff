"""The libraries that adapters are for: imported by the adapter that needs them, with a sentence where they are missing."""

from importlib import import_module
from types import ModuleType

from ludotheque.core import text
from ludotheque.extras import line_that_adds


def library(module: str, package: str) -> ModuleType:
    """A peer's module; ImportError says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise  # it is there, but lacks something of its own
        raise ImportError(
            text("envs.library", package=package, line=line_that_adds("envs")).sentence("en"), name=module
        ) from error
