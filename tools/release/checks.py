"""What must be true of the sources before a release is built: version, changelog, citation, migrations. Each check yields faults."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
MIGRATIONS: Final = Path("src/ludotheque/server/migrations/versions")


def version_of(project: Path = PROJECT) -> str:
    """The version in the package."""
    found = re.search(r'^__version__ = "([^"]+)"$', (project / "src/ludotheque/__init__.py").read_text("utf-8"), re.M)
    assert found is not None, "src/ludotheque/__init__.py has no __version__"
    return found[1]


def faults(project: Path = PROJECT) -> list[str]:
    """Everything that must be mended before a release."""
    looks = (tree_faults, version_faults, changelog_faults, migration_faults)
    return [fault for look in looks for fault in look(project)]


def version_faults(project: Path = PROJECT) -> Iterator[str]:
    """The version is one, and the same in the changelog and the citation."""
    version = version_of(project)
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        yield f"{version} is not a version such as 1.2.3 or 1.2.3rc1."
    citation = (project / "CITATION.cff").read_text("utf-8")
    if f"\nversion: {version}\n" not in citation:
        yield f"CITATION.cff does not name version {version}."


def changelog_faults(project: Path = PROJECT) -> Iterator[str]:
    """The version has its section with a date, and nothing waits under “Unreleased”."""
    version = version_of(project)
    sections = re.split(r"^## ", (project / "CHANGELOG.md").read_text("utf-8"), flags=re.M)[1:]
    by_heading = {one.partition("\n")[0].strip(): one.partition("\n")[2].strip() for one in sections}
    own = [heading for heading in by_heading if heading.split()[0] == version]
    if not own or not by_heading[own[0]]:
        yield f"CHANGELOG.md has no section for {version}."
    elif not re.fullmatch(rf"{re.escape(version)} – \d{{4}}-\d\d-\d\d", own[0]) or "Not released" in by_heading[own[0]]:
        yield f"CHANGELOG.md: the heading of {version} must be “{version} – YYYY-MM-DD”, and the section must not say “Not released”."
    if by_heading.get("Unreleased"):
        yield "CHANGELOG.md: what is under “Unreleased” must move into the section of the version."


def dated(changelog: str, version: str, date: str) -> str:
    """A changelog as it must be on the day of a release: what waits under “Unreleased” is in the version's section, with the date."""
    head, *sections = re.split(r"^## ", changelog, flags=re.M)
    by_heading = {one.partition("\n")[0].strip(): one.partition("\n")[2].strip() for one in sections}
    waiting = by_heading.pop("Unreleased", "")
    own = next((heading for heading in by_heading if heading.split()[0] == version), version)
    told = re.sub(r"^Not released\.[ \t]*", "", by_heading.pop(own, ""), flags=re.M)
    kept = {"Unreleased": "", f"{version} – {date}": f"{waiting}\n\n{told}".strip(), **by_heading}
    return head + "\n\n".join(f"## {heading}\n\n{section}".strip() for heading, section in kept.items()) + "\n"


def migration_faults(project: Path = PROJECT) -> Iterator[str]:
    """The migrations are one chain, and none that was released has been changed."""
    links: dict[str, str | None] = {}
    for file in sorted((project / MIGRATIONS).glob("v*.py")):
        named: dict[str, str | None] = {}
        for node in ast.parse(file.read_text("utf-8")).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                named[target.id] = None if value.value is None else str(value.value)
        if "revision" not in named:
            yield f"{file.name} has no revision."
        else:
            links[str(named["revision"])] = named.get("down_revision")
    heads = set(links) - set(links.values())
    if len(heads) != 1 or list(links.values()).count(None) != 1:
        yield f"The migrations are not one chain: their ends are {', '.join(sorted(heads)) or 'missing'}."
    last = _git(project, "describe", "--tags", "--abbrev=0")
    changed = (
        _git(project, "diff", "--name-only", "--diff-filter=MDR", last, "HEAD", "--", str(MIGRATIONS)) if last else ""
    )
    for name in changed.splitlines():
        yield f"{name} was released in {last} and has been changed since; write a new migration."


def tree_faults(project: Path = PROJECT) -> Iterator[str]:
    """Everything is committed: a release is built from a commit."""
    if _git(project, "status", "--porcelain"):
        yield "There are changes that are not committed."


def _git(project: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(project), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
