"""Writes the reference of the environments (docs/envs/reference.md) from signatures and docstrings: `python -m tools.reference`.

The sources are read, not imported, so that adapters are described where their libraries are missing.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1]
PAGE: Final = PROJECT / "docs" / "envs" / "reference.md"
SOURCES: Final = PROJECT / "src"
MODULES: Final = {
    "ludotheque.envs": ("encoding",),
    "ludotheque.kernels.batch": ("Batch",),
    "ludotheque.envs.gpu.batch": ("GpuBatch",),
    "ludotheque.envs.gpu.arrays": ("DeviceArray",),
    "ludotheque.kernels.encoding": ("Encoding", "Feature", "encoding_of"),
    "ludotheque.envs.pettingzoo": ("GameModule", "GameEnv"),
    "ludotheque.envs.gymnasium": ("OpponentEnv", "OpponentVectorEnv"),
    "ludotheque.envs.openspiel": ("LudothequeGame", "LudothequeState", "LudothequeObserver"),
    "ludotheque.envs.text": ("TextEnv", "Turn"),
    "ludotheque.envs.yikerz": ("PlacingEnv",),
    "ludotheque.games.yikerz.placing": ("Placing", "Release", "random_release", "steady_release"),
}
"""What is described, in this order."""
HEAD: Final = """# Reference of the environments

Made from the sources by `python -m tools.reference`; a test checks that it is up to date. `ludotheque.envs` exports
`Batch`, `GpuBatch`, `Encoding` and `Feature` from where they are described here.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, described_modules(MODULES)])


def described_modules(modules: Mapping[str, Sequence[str]]) -> str:
    """Some names of some modules, each with its docstring."""
    parts: list[str] = []
    for module, names in modules.items():
        tree = ast.parse(_file(module).read_text("utf-8"))
        defined = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
        parts.append(f"## {module}\n\n{_prose(ast.get_docstring(tree))}\n")
        parts += ["\n".join(_described(defined[name])) for name in names]
    return "\n".join(parts)


def _file(module: str) -> Path:
    path = SOURCES / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _described(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """A class with its public members, or a function."""
    if isinstance(node, ast.FunctionDef):
        yield from (f"### {node.name}\n", f"`{_signature(node)}`\n", f"{_prose(ast.get_docstring(node))}\n")
        return
    yield from (f"### {node.name}\n", f"{_prose(ast.get_docstring(node))}\n")
    members = list(_members(node))
    if members:
        yield "| member | meaning |\n|---|---|"
        yield from (f"| `{member}` | {meaning} |" for member, meaning in members)
        yield ""


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The public methods, properties and fields of a class, each with its meaning on one line."""
    body = node.body
    for place, one in enumerate(body):
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            yield _cell(_signature(one, node.name)), _cell(_prose(ast.get_docstring(one)) or "make one")
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            decorators = [ast.unparse(decorator) for decorator in one.decorator_list]
            if "overload" in decorators:
                continue  # the function itself follows
            is_property = any("property" in decorator for decorator in decorators)
            shown = f"{one.name}: {_annotation(one.returns)}" if is_property and one.returns else _signature(one)
            yield _cell(shown), _cell(_prose(ast.get_docstring(one)))
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id != "metadata":
            after = body[place + 1] if place + 1 < len(body) else None
            told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            yield _cell(f"{one.target.id}: {ast.unparse(one.annotation)}"), _cell(str(told))


def _signature(node: ast.FunctionDef, name: str | None = None) -> str:
    """A call with its parameters, without `self`."""
    arguments = node.args
    arguments.args = [one for one in arguments.args if one.arg not in ("self", "cls")]
    returned = f" → {_annotation(node.returns)}" if node.returns and name is None else ""
    return f"{name or node.name}({ast.unparse(arguments)}){returned}"


def _annotation(node: ast.expr) -> str:
    """A type; one that is written as a string, because it comes later in its module, without the quotes."""
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def _prose(docstring: str | None) -> str:
    return docstring or ""


def _cell(told: str) -> str:
    """On one line of a table."""
    return " ".join(told.replace("|", "\\|").split())


if __name__ == "__main__":
    main()
