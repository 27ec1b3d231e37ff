"""What every schema uses: the version, the limits, and the smallest parts. `document` puts all schemas together."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel

from ludotheque.core import readable_name

VERSION: Final = 1
LARGEST_MESSAGE: Final = 65_536  # bytes in one socket message
LARGEST_BODY: Final = 65_536  # bytes in one HTTP body
LARGEST_RECORD: Final = 4 * 1024 * 1024

Moment: TypeAlias = Annotated[int, Field(description="milliseconds since 1970, on the server's clock")]
Mover: TypeAlias = int | Literal["chance"] | None
FreeObject: TypeAlias = dict[str, Any]
Share: TypeAlias = Annotated[str, Field(max_length=64, description="a player's share in the dice")]


def _visible(name: str) -> str:
    if not (cleaned := readable_name(name)):
        raise ValueError("a name needs at least one visible letter")
    return cleaned


Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_visible)]


class Model(BaseModel):
    """A message or a part of one: unknown keys are ignored, as the contract says."""

    model_config = ConfigDict(extra="ignore")


class NewModel(Model):
    """Something to be created: an unknown key is a mistake and is refused by its name."""

    model_config = ConfigDict(extra="forbid")


class Words(RootModel[dict[str, str]]):
    """A text by language, in every language of the site."""


class ErrorDetail(Model):
    """What is wrong, for programs and for people."""

    code: str
    sentence: str


class ErrorBody(Model):
    """An HTTP error."""

    error: ErrorDetail


class Person(Model):
    """Somebody, as others see them."""

    id: str
    name: str
