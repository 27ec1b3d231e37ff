"""Every fast copy of a rule is declared, and a test proves it equal to the rules."""

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ludotheque import games
from ludotheque.kernels.accelerators import ACCELERATORS, accelerates

TESTS = Path(__file__).parent.parent


def proved() -> set[str]:
    """The accelerators that tests name by `@pytest.mark.accelerator(...)`."""
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.accelerator"):
                found |= {ast.literal_eval(name) for name in node.args}
    return found


def test_every_accelerator_has_a_test_that_compares_it_with_the_rules() -> None:
    for game in iter_modules(games.__path__, "ludotheque.games."):
        if game.name.endswith(".yikerz"):
            continue  # has no rules to copy: its pieces obey a simulation
        for module in iter_modules(import_module(game.name).__path__, f"{game.name}."):
            import_module(module.name)
    assert ACCELERATORS
    assert not set(ACCELERATORS) - proved(), "declared, but no test is marked as its proof"
    assert not proved() - set(ACCELERATORS), "a test names an accelerator that is not declared"


def test_a_declared_function_stays_what_it_was() -> None:
    def double(number: int) -> int:
        return 2 * number

    assert accelerates("nothing")(double) is double
    del ACCELERATORS[f"{double.__module__}.{double.__qualname__}"]
