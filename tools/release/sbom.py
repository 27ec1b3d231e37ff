"""A bill of materials in CycloneDX 1.6: what is inside the wheel, and what an installation of it brings along.

It has no date and no random number: the same packages give the same file.
"""

import json
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import quote

HEADING: Final = re.compile(r"^## (\S+) (\S+) \((.+)\)$", re.MULTILINE)
"""A package in the page's notices.txt, as web/notices.ts writes it."""
NAMESPACE: Final = uuid.UUID("5f1f2a52-7d0b-5b5e-9a51-6c7f4f1d2f10")  # any fixed one


@dataclass(frozen=True, order=True)
class Component:
    """A package: where it comes from, its name, version, and licence as it states it."""

    kind: Literal["npm", "pypi"]
    name: str
    version: str
    licence: str

    @property
    def purl(self) -> str:
        """The package's universal name."""
        name = quote(self.name, safe="/") if self.kind == "npm" else re.sub(r"[-_.]+", "-", self.name).lower()
        return f"pkg:{self.kind}/{name}@{self.version}"


def page_components(notices: str) -> list[Component]:
    """The packages and fonts that the page contains, by its notices."""
    return [Component("npm", *found) for found in HEADING.findall(notices)]


def bill_of_materials(version: str, inside: Iterable[Component], needed: Iterable[Component]) -> str:
    """The bill: our package, what is inside its wheel, and the packages that it was installed with."""
    own = f"pkg:pypi/ludotheque@{version}"
    parts, others = sorted(set(inside)), sorted(set(needed))
    content: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "ludotheque",
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
                "components": _described(parts),
            }
        },
        "components": _described(others),
        "dependencies": [{"ref": own, "dependsOn": sorted(one.purl for one in others)}],
    }
    serial = uuid.uuid5(NAMESPACE, json.dumps(content, sort_keys=True))
    return json.dumps({**content, "serialNumber": f"urn:uuid:{serial}"}, indent=2, ensure_ascii=False) + "\n"


def _described(components: Sequence[Component]) -> list[dict[str, Any]]:
    return [
        {
            "type": "library",
            "bom-ref": one.purl,
            "name": one.name,
            "version": one.version,
            "purl": one.purl,
            "licenses": [{"license": {"name": one.licence}}],
        }
        for one in components
    ]
