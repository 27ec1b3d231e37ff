"""What is read from and written to the database, in the server's own words; each function is one transaction's work.

When it is committed is the writer's business; what it means, the callers'.
"""

from ludotheque.server.store.base import FORGOTTEN, hashed, key, moment, must_be, new_id, text_of
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
    add_lines,
    add_table,
    attend,
    line_rows,
    list_tables,
    read_lines,
    sweep_tables,
    table_card,
    touch,
    unattend,
    update_table,
)

__all__ = [
    "FORGOTTEN",
    "add_device",
    "add_lines",
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
    "line_rows",
    "list_records",
    "list_tables",
    "moment",
    "must_be",
    "new_id",
    "person_of",
    "read_lines",
    "read_record_text",
    "rename",
    "sweep_tables",
    "table_card",
    "text_of",
    "touch",
    "unattend",
    "update_table",
    "use_link",
]
