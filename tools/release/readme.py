"""What a package index shows: the README, without pictures and without links into the repository, and the project's addresses.

hatchling calls the hook when it writes a wheel's or an sdist's metadata.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hatchling.metadata.plugin.interface import MetadataHookInterface
else:
    try:
        from hatchling.metadata.plugin.interface import MetadataHookInterface
    except ImportError:  # the tests need only the function
        MetadataHookInterface = object


def for_an_index(readme: str) -> str:
    """Drop pictures; of a link into the repository only its text stays."""
    without = re.sub(r"^(?:!\[[^\]]*\]\([^)]*\)|<img [^>]*>)(?:\s*<img [^>]*>)*\s*\n", "", readme, flags=re.MULTILINE)
    plain = re.sub(r"\[([^\]]+)\]\((?!https?://)[^)]*\)", r"\1", without)
    return re.sub(r"\n{3,}", "\n\n", plain)


def addresses(citation: str) -> dict[str, str]:
    """The project's addresses: CITATION.cff is the one place that names where the sources are, once they are somewhere."""
    found = re.search(r"^repository-code: [\"']?(https://[^\s\"']+?)/?[\"']?$", citation, re.MULTILINE)
    if found is None:
        return {}
    source = found[1]
    return {"Source": source, "Changelog": f"{source}/blob/main/CHANGELOG.md", "Issues": f"{source}/issues"}


class IndexHook(MetadataHookInterface):
    """Sets the fields `readme` and `urls`, which pyproject.toml declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called with the metadata of the project."""
        text = for_an_index((Path(self.root) / "README.md").read_text("utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses((Path(self.root) / "CITATION.cff").read_text("utf-8"))
