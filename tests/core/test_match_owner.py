"""Match alone changes a match: nothing else writes its position, its log or its first position, or builds one by hand."""

import ast
from pathlib import Path

import ludotheque

SOURCES = Path(ludotheque.__file__).parent
OWNED = {"position", "log", "first", "_position", "_log", "_first"}
CHANGING = {"append", "extend", "insert", "pop", "clear", "remove", "sort", "reverse"}


def _is_match(node: ast.expr) -> bool:
    """Whether an expression is called a match: `match`, `self.match`, `table.match` …"""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.lstrip("_") in ("match", "other_match", "branch")


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        found = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        found = [node.target]
    elif isinstance(node, ast.Delete):
        found = node.targets
    else:
        return []
    return [one for target in found for one in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])]


def _writes(tree: ast.Module) -> list[int]:
    lines = []
    for node in ast.walk(tree):
        for target in _targets(node):
            inner = target.value if isinstance(target, ast.Subscript) else target
            if isinstance(inner, ast.Attribute) and inner.attr in OWNED and _is_match(inner.value):
                lines.append(target.lineno)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = node.func
            if called.attr == "__new__" and _is_match(called.value):
                lines.append(node.lineno)
            inside = called.value
            if (
                called.attr in CHANGING
                and isinstance(inside, ast.Attribute)
                and inside.attr in OWNED
                and _is_match(inside.value)
            ):
                lines.append(node.lineno)
        if isinstance(node, ast.Attribute) and node.attr == "__new__" and _is_named_match(node.value):
            lines.append(node.lineno)
    return lines


def _is_named_match(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "Match"


def test_only_match_changes_a_match() -> None:
    found = {
        f"{file.relative_to(SOURCES)}:{line}"
        for file in SOURCES.rglob("*.py")
        if file != SOURCES / "core" / "match.py"
        for line in _writes(ast.parse(file.read_text("utf-8")))
    }
    assert not found


def test_the_search_finds_such_writes() -> None:
    source = "match.log = []\nself.match.position = x\ndel match.log[3:]\nmatch.log.append(y)\nMatch.__new__(Match)\n"
    source += "a, match.first = b, c\n"
    assert sorted(set(_writes(ast.parse(source)))) == [1, 2, 3, 4, 5, 6]
