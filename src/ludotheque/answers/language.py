"""Which installed language a reader gets: by Accept-Language over HTTP, by the `language` of `hello` over the socket."""

from ludotheque.core import languages

DEFAULT = "en"


def match_language(tag: str) -> str | None:
    """The installed language of a tag such as `fr-CH`: the same, or the same without its last parts."""
    known = {language.lower(): language for language in languages()}
    parts = tag.strip().lower().split("-")
    for length in range(len(parts), 0, -1):
        found = known.get("-".join(parts[:length]))
        if found is not None:
            return found
    return None


def choose_language(accepted: str) -> str:
    """The installed language that an Accept-Language header prefers; English if it has none of them."""
    wanted: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, weight = part.partition(";")
        found = match_language(tag)
        quality = _quality(weight)
        if found is not None and quality > 0:
            wanted.append((-quality, found))
    return min(wanted, key=lambda one: one[0])[1] if wanted else DEFAULT


def _quality(parameter: str) -> float:
    """The weight of a language; a malformed one counts as none."""
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
