"""One table's logic: seats, clocks, take-backs, dice, steps and messages. It needs only the standard library and `core`.

Its hosts are the server, the terminal and, in a Web Worker, the page. `Table` is in `table`, the log in `entries` and
`state`, requests in `requests`, what a host has to do in `effects`.
"""

from ludotheque.table.effects import (
    Actor,
    Advise,
    Cancel,
    Choose,
    Effects,
    Forfeited,
    Host,
    Live,
    Message,
    Now,
    Play,
    PlayAll,
    ReplayTo,
    Start,
    Steer,
    Work,
    person_id,
)
from ludotheque.table.entries import BadEntry, Entry, LogEntry, Opened, read_entry, write_entry
from ludotheque.table.problems import NotAllowed, WhoAreYou
from ludotheque.table.requests import Request, read_request
from ludotheque.table.seats import Seat
from ludotheque.table.settings import Settings
from ludotheque.table.state import TableState
from ludotheque.table.table import Table
from ludotheque.table.work import do_here

__all__ = [
    "Actor",
    "Advise",
    "BadEntry",
    "Cancel",
    "Choose",
    "Effects",
    "Entry",
    "Forfeited",
    "Host",
    "Live",
    "LogEntry",
    "Message",
    "NotAllowed",
    "Now",
    "Opened",
    "Play",
    "PlayAll",
    "ReplayTo",
    "Request",
    "Seat",
    "Settings",
    "Start",
    "Steer",
    "Table",
    "TableState",
    "WhoAreYou",
    "Work",
    "do_here",
    "person_id",
    "read_entry",
    "read_request",
    "write_entry",
]
