"""What a release is made of: its checks, its bill of materials, its README, and the workflow that makes it."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.release import checks, clean_room, sbom
from tools.release.__main__ import size_table
from tools.release.build_hook import compilers
from tools.release.readme import addresses, for_an_index

PROJECT = Path(__file__).parents[2]
FACTS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
NOTICES = "The page.\n\n## @fontsource/alegreya 5.3.0 (OFL-1.1)\n\nText\n\n## svelte 5.57.3 (MIT)\n\nText (MIT)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is ready for its release 1.2.0."""
    for name, content in {
        "src/ludotheque/__init__.py": '__version__ = "1.2.0"\n',
        "CITATION.cff": "title: a\nversion: 1.2.0\n",
        "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.0 – 2026-11-16\n\n- New.\n\n## 1.1.0 – 2026-01-01\n\n- Old.\n",
        f"{checks.MIGRATIONS}/v0001_first.py": 'revision = "0001"\ndown_revision = None\n',
        f"{checks.MIGRATIONS}/v0002_more.py": 'revision = "0002"\ndown_revision = "0001"\n',
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    git(tmp_path, "tag", "v1.1.0")
    return tmp_path


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the project."""
    return tmp_path_factory.mktemp("empty")


def git(project: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(project), *who, *words], check=True, capture_output=True)


def commit(project: Path) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "All")


def change(project: Path, name: str, before: str, after: str) -> None:
    file = project / name
    assert before in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
    commit(project)


def test_a_project_that_is_ready_has_no_faults(project: Path) -> None:
    assert checks.faults(project) == []


@pytest.mark.parametrize(
    ("name", "before", "after", "fault"),
    [
        ("src/ludotheque/__init__.py", "1.2.0", "1.2", "not a version"),
        ("CITATION.cff", "1.2.0", "1.1.0", "CITATION.cff"),
        ("CHANGELOG.md", "## 1.2.0 – 2026-11-16", "## 1.2.0", "heading"),
        ("CHANGELOG.md", "- New.", "Not released.", "Not released"),
        ("CHANGELOG.md", "## 1.2.0 – 2026-11-16", "## 1.3.0 – 2026-11-16", "no section"),
        ("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- Waiting.\n", "Unreleased"),
        (f"{checks.MIGRATIONS}/v0002_more.py", '"0001"', '"0000"', "was released in v1.1.0"),
        (f"{checks.MIGRATIONS}/v0002_more.py", 'down_revision = "0001"', "down_revision = None", "not one chain"),
        (f"{checks.MIGRATIONS}/v0002_more.py", "revision = ", "other = ", "has no revision"),
    ],
)
def test_every_fault_is_told(project: Path, name: str, before: str, after: str, fault: str) -> None:
    change(project, name, before, after)
    assert any(fault in one for one in checks.faults(project)), checks.faults(project)


def test_what_is_not_committed_is_not_released(project: Path) -> None:
    (project / "new").touch()
    assert checks.faults(project) == ["There are changes that are not committed."]


def test_a_rehearsal_releases_what_waits_and_leaves_the_project_alone(project: Path, empty: Path) -> None:
    change(project, "CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- Waiting.\n")
    before = (project / "CHANGELOG.md").read_text("utf-8")
    clone = clean_room.ready_clone(empty / "clone", project)
    assert checks.faults(clone) == []
    told = (clone / "CHANGELOG.md").read_text("utf-8")
    today = re.search(
        r"^## 1\.2\.0 – (\S+)\n\n- Waiting\.\n\n- New\.\n\n## 1\.1\.0 – 2026-01-01\n\n- Old\.\n", told, re.M
    )
    assert today is not None, told
    assert (project / "CHANGELOG.md").read_text("utf-8") == before
    assert checks.faults(project) == [
        "CHANGELOG.md: what is under “Unreleased” must move into the section of the version."
    ]


def test_a_rehearsal_hides_no_other_fault(project: Path, empty: Path) -> None:
    change(project, "CITATION.cff", "1.2.0", "1.1.0")
    clone = clean_room.ready_clone(empty / "clone", project)
    assert checks.faults(clone) == ["CITATION.cff does not name version 1.2.0."]


def test_our_own_changelog_can_be_dated() -> None:
    told = checks.dated((PROJECT / "CHANGELOG.md").read_text("utf-8"), checks.version_of(), "2026-12-24")
    assert f"\n## {checks.version_of()} – 2026-12-24\n" in told
    assert "Not released" not in told
    assert told.startswith((PROJECT / "CHANGELOG.md").read_text("utf-8").partition("\n## ")[0])


def test_our_own_migrations_are_one_chain_and_our_versions_agree() -> None:
    assert not [fault for fault in checks.migration_faults() if "chain" in fault or "revision" in fault]
    assert list(checks.version_faults()) == []


def test_the_bill_of_materials_lists_what_is_inside_and_what_is_needed() -> None:
    needed = [sbom.Component("pypi", "Prometheus_Client", "0.26.0", "Apache-2.0")]
    bill = sbom.bill_of_materials("1.2.0", sbom.page_components(NOTICES), needed)
    told: dict[str, Any] = json.loads(bill)
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    inside = [one["purl"] for one in told["metadata"]["component"]["components"]]
    assert inside == ["pkg:npm/%40fontsource/alegreya@5.3.0", "pkg:npm/svelte@5.57.3"]
    assert [one["purl"] for one in told["components"]] == ["pkg:pypi/prometheus-client@0.26.0"]
    assert told["components"][0]["licenses"] == [{"license": {"name": "Apache-2.0"}}]
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", told["serialNumber"])
    assert bill == sbom.bill_of_materials("1.2.0", reversed(sbom.page_components(NOTICES)), needed)
    assert told["serialNumber"] != json.loads(sbom.bill_of_materials("1.2.1", [], needed))["serialNumber"]


def test_the_readme_of_an_index_points_nowhere_that_is_not_there() -> None:
    source = (PROJECT / "README.md").read_text("utf-8")
    shown = for_an_index(source)
    assert re.findall(r"\]\((?!https?://)", shown) == []
    assert "<img" not in shown
    assert "![" not in shown
    assert [line for line in shown.splitlines() if line.startswith("#")] == [
        line for line in source.splitlines() if line.startswith("#")
    ]
    assert for_an_index("See [the *rules*](docs/rules.md), [it](https://example.org).\n") == (
        "See the *rules*, [it](https://example.org).\n"
    )


def test_the_addresses_of_the_project_come_from_the_citation() -> None:
    citation = (PROJECT / "CITATION.cff").read_text("utf-8")
    told = addresses(f'{citation}\nrepository-code: "https://example.org/a/ludotheque/"\n')
    assert told["Source"] == "https://example.org/a/ludotheque"
    assert all(one.startswith("https://example.org/a/ludotheque") for one in told.values())
    assert addresses("title: a\n") == {}


def test_a_wheel_is_built_with_the_compilers_that_we_test() -> None:
    """What makes the modules of the games; each is named once, in pyproject.toml."""
    named = {re.split(r"[<>=]", one)[0]: one for one in compilers()}
    assert set(named) == {"mujoco-core", "numba", "platformdirs", "ziglang"}
    assert named["ziglang"] in FACTS["dependency-groups"]["dev"]
    assert named["numba"] in FACTS["project"]["dependencies"]


def test_every_python_that_we_name_is_checked_by_the_workflow() -> None:
    workflow: dict[str, Any] = yaml.safe_load((PROJECT / ".github/workflows/check.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    named = [one.rpartition(" ")[2] for one in FACTS["project"]["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert jobs["check"]["strategy"]["matrix"]["python"] == named == ["3.11", "3.12", "3.13", "3.14"]
    assert {"run": "make check"} in jobs["check"]["steps"]
    whole = [step.get("run") for step in jobs["everything"]["steps"]]
    assert "make test-all" in whole
    assert "make release" in whole
    assert jobs["everything"]["if"] == "startsWith(github.ref, 'refs/tags/')"


def test_sizes_are_told_by_dependency() -> None:
    told = size_table({"llvmlite": 172_000_000, "numpy": 59_000_000, "h11": 100_000, "idna": 300_000})
    assert told.splitlines()[2:] == ["| llvmlite | 172 |", "| numpy | 59 |", "| 2 others | 0 |", "| all | 231 |"]
