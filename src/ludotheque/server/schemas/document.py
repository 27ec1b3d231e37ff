"""One JSON Schema document with every model, for programs and for the page's types. A new module is named in MODULES."""

from types import ModuleType
from typing import Final

from pydantic.json_schema import models_json_schema

from ludotheque.server.schemas import base, learning, messages, people, positions, records, requests, site, tables
from ludotheque.server.schemas.base import VERSION, FreeObject, Model, NewModel

MODULES: Final[tuple[ModuleType, ...]] = (base, site, people, tables, positions, records, learning, requests, messages)
ONLY_BASES: Final = (Model, NewModel, requests.Change, requests.Ask)


def schema() -> FreeObject:
    """The document; `AnyRequest` and `AnyMessage` are the unions over the socket."""
    asked = requests.REQUESTS.json_schema(ref_template="#/$defs/{model}")
    told = messages.MESSAGES.json_schema(ref_template="#/$defs/{model}", mode="serialization")
    _, rest = models_json_schema([(model, "validation") for model in _models()], ref_template="#/$defs/{model}")
    definitions = {**rest.get("$defs", {})}
    definitions.update({"AnyRequest": _without_definitions(asked), "AnyMessage": _without_definitions(told)})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ludothèque network protocol",
        "version": VERSION,
        "$defs": dict(sorted(definitions.items())),
    }


def _models() -> list[type[Model]]:
    found = {
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Model) and value not in ONLY_BASES
    }
    return sorted(found, key=lambda model: model.__name__)


def _without_definitions(document: FreeObject) -> FreeObject:
    return {key: value for key, value in document.items() if key != "$defs"}
