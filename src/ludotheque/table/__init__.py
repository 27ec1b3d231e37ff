"""One table's logic: seats, clocks, take-backs, dice, steps and messages. It needs only the standard library and `core`.

Its hosts are the server, the terminal and, in a Web Worker, the page.
"""

from ludotheque.table.entries import BadEntry, Entry, LogEntry, read_entry, write_entry
from ludotheque.table.requests import Request, read_request

__all__ = ["BadEntry", "Entry", "LogEntry", "Request", "read_entry", "read_request", "write_entry"]
