"""Set-up of Python's logging: one JSON object a line, without secrets, names, table ids or addresses of people.

docs/reverse-proxy.md lists everything that is logged.
"""

import json
import logging
import sys
import time
import traceback
from typing import Any, Final

USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """A log record as JSON; what `extra` gave becomes keys."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        line.update({key: value for key, value in vars(record).items() if key not in USUAL})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Where an exception came from and what it is. Its message is left out: it may quote what somebody sent."""
        told: list[str] = []
        error: traceback.TracebackException | None = traceback.TracebackException(*ei)
        while error is not None:
            told.append("".join(error.stack.format()) + error.exc_type.__qualname__)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nthen\n".join(reversed(told))


def logging_config() -> dict[str, Any]:
    """For logging.config: everything to standard error, one object a line; requests are counted, not listed.

    Whoever plays at home sees the address and what goes wrong, and no lines for programs: at a terminal only warnings are shown.
    """
    level = "WARNING" if sys.stderr.isatty() else "INFO"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {"err": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "json"}},
        "root": {"level": "WARNING", "handlers": ["err"]},
        "loggers": {
            "ludotheque": {"level": level},
            "ludotheque.server.link": {"level": "WARNING"},
            "ludotheque.server.frames": {"level": "CRITICAL"},  # malformed frames of clients
            "uvicorn": {"level": "WARNING", "propagate": True},
            "alembic": {"level": "WARNING"},
        },
    }
