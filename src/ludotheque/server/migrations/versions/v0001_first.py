"""The first tables."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """People, tables with their lines and leases, records."""
    op.create_table(
        "people",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("name", sql.String(40), nullable=False),
        sql.Column("created", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "devices",
        sql.Column("hash", sql.String(64), primary_key=True),
        sql.Column(
            "person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sql.Column("created", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "links",
        sql.Column("hash", sql.String(64), primary_key=True),
        sql.Column("person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sql.Column("expires", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "tables",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("game", sql.String(100), nullable=False),
        sql.Column("private", sql.Boolean, nullable=False),
        sql.Column("status", sql.String(10), nullable=False),
        sql.Column("attended", sql.Boolean, nullable=False),
        sql.Column("card", sql.Text, nullable=False),
        sql.Column("created", sql.BigInteger, nullable=False),
        sql.Column("touched", sql.BigInteger, nullable=False),
        sql.Index("tables_listed", "private", "status", "touched"),
    )
    op.create_table(
        "leases",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("owner", sql.String(32), nullable=True, index=True),
        sql.Column("epoch", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "processes",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("address", sql.String(200), nullable=False),
        sql.Column("expires", sql.Float, nullable=False),
    )
    op.create_table(
        "lines",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("number", sql.BigInteger, primary_key=True),
        sql.Column("kind", sql.String(20), nullable=False),
        sql.Column("body", sql.Text, nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.Column("epoch", sql.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "attendance",
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("person", sql.String(32), primary_key=True, index=True),
    )
    op.create_table(
        "records",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("game", sql.String(100), nullable=False),
        sql.Column("private", sql.Boolean, nullable=False),
        sql.Column("uploader", sql.String(32), nullable=True),
        sql.Column("ended", sql.BigInteger, nullable=False),
        sql.Column("card", sql.Text, nullable=False),
        sql.Column("body", sql.Text, nullable=False),
        sql.Index("records_listed", "private", "ended"),
    )
    op.create_table(
        "played",
        sql.Column("record", sql.String(32), sql.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("person", sql.String(32), primary_key=True, index=True),
        sql.Column("seat", sql.Integer, primary_key=True),
    )
    op.create_table(
        "keys",
        sql.Column("name", sql.String(40), primary_key=True),
        sql.Column("value", sql.String(200), nullable=False),
    )
