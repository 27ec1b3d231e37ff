"""Rules compile and run where numba's cache is not the one that ours derives from; only nothing is stored."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest
from numba.core import caching

from ludotheque.kernels import jit

pytestmark = pytest.mark.skipif(not jit.JIT, reason="with the JIT off nothing is compiled")


def loaded_again() -> ModuleType:
    """A second copy of `jit`, made under the conditions of the moment."""
    spec = importlib.util.spec_from_file_location("jit_again", str(jit.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def double(number: int) -> int:
    return 2 * number


def test_with_this_numba_rules_are_stored() -> None:
    assert loaded_again().CACHE_PROBLEM is None


@pytest.mark.parametrize("name", ["_CacheLocator", "FunctionCache", "CompileResultCacheImpl"])
def test_a_class_that_is_gone_costs_only_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    monkeypatch.delitem(sys.modules, "ludotheque.kernels.numba_cache", raising=False)
    monkeypatch.delattr(caching, name)
    again = loaded_again()
    rule: Any = again.rule(double)
    assert rule(21) == 42
    assert rule.signatures  # compiled, not interpreted
    assert name in again.CACHE_PROBLEM
    assert not list(tmp_path.rglob("*.nb?"))


def test_a_dispatcher_that_takes_no_cache_is_used_without(monkeypatch: pytest.MonkeyPatch) -> None:
    again = loaded_again()
    monkeypatch.setattr(again, "RuleCache", lambda function, folder, more: None)
    rule: Any = again.rule(double)
    assert rule(21) == 42
    assert "more" in again.CACHE_PROBLEM


def test_a_cache_that_is_called_in_another_way_stores_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))

    def changed(self: object, signature: object, data: object, more: object) -> None:
        raise AssertionError

    monkeypatch.setattr(caching.FunctionCache, "save_overload", changed)
    rule: Any = jit.rule(double)
    assert rule(21) == 42
    assert "cannot be stored with this version of numba" in caplog.text
    assert numba.__version__
