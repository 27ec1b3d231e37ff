"""Queries: what is read from and written to the database. Each function does part of a transaction; `writer` commits it."""

from ludotheque.server.store.base import FORGOTTEN, hashed, key, moment, new_id, require_person, text_of, write_health
from ludotheque.server.store.log import add_entries, read_entries
from ludotheque.server.store.people import (
    add_device,
    add_link,
    add_person,
    count_devices,
    forget_other_devices,
    forget_person,
    person_of,
    rename,
    use_link,
)
from ludotheque.server.store.records import add_record, add_upload, delete_record, list_records, read_record_text
from ludotheque.server.store.tables import (
    add_table,
    attend,
    list_tables,
    set_attended,
    sweep_tables,
    table_card,
    touch,
    update_table,
)

__all__ = [
    "FORGOTTEN",
    "add_device",
    "add_entries",
    "add_link",
    "add_person",
    "add_record",
    "add_table",
    "add_upload",
    "attend",
    "count_devices",
    "delete_record",
    "forget_other_devices",
    "forget_person",
    "hashed",
    "key",
    "list_records",
    "list_tables",
    "moment",
    "new_id",
    "person_of",
    "read_entries",
    "read_record_text",
    "rename",
    "require_person",
    "set_attended",
    "sweep_tables",
    "table_card",
    "text_of",
    "touch",
    "update_table",
    "use_link",
    "write_health",
]
