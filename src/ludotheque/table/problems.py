"""What a table refuses, beside the problems of `core`."""

from ludotheque.core import Problem


class WhoAreYou(Problem):
    """The table has to know who asks."""

    code = "who-are-you"


class NotAllowed(Problem):
    """Somebody else may do that, not whoever asks."""

    code = "not-allowed"
