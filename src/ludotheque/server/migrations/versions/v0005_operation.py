"""What operators do: orders, bans, notices, the audit log; what players report; and who looks for an opponent."""

import sqlalchemy as sql
from alembic import op

revision = "0005"
down_revision = "0004"

KEPT_DAYS = 365
"""How long an entry of the audit log cannot be deleted."""


def upgrade() -> None:
    """The tables, and triggers that keep the audit log as it was written."""
    op.create_table(
        "orders",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.Column("operator", sql.String(100), nullable=False),
        sql.Column("what", sql.String(20), nullable=False),
        sql.Column("body", sql.Text, nullable=False),
        sql.Column("owner", sql.String(32), nullable=True),
    )
    op.create_table(
        "answers",
        sql.Column("order_id", sql.String(32), sql.ForeignKey("orders.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("process", sql.String(32), primary_key=True),
        sql.Column("body", sql.Text, nullable=False),
    )
    op.create_table(
        "audit",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("at", sql.BigInteger, nullable=False, index=True),
        sql.Column("operator", sql.String(100), nullable=False),
        sql.Column("what", sql.String(20), nullable=False),
        sql.Column("subject", sql.String(100), nullable=False),
        sql.Column("reason", sql.String(500), nullable=True),
        sql.Column("stored", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "bans",
        sql.Column("kind", sql.String(10), primary_key=True),
        sql.Column("who", sql.String(64), primary_key=True),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.Column("until", sql.BigInteger, nullable=True),
        sql.Column("reason", sql.String(500), nullable=True),
        sql.Column("stored", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "reports",
        sql.Column("reporter", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sql.Column(
            "person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
        sql.Column("name", sql.String(40), primary_key=True),
        sql.Column("at", sql.BigInteger, nullable=False),
        sql.Column("dismissed", sql.Boolean, nullable=False),
        sql.Column("stored", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "seekers",
        sql.Column("person", sql.String(32), sql.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("game", sql.String(100), nullable=False),
        sql.Column("since", sql.BigInteger, nullable=False),
        sql.Column("seen", sql.BigInteger, nullable=False),
        sql.Column("taker", sql.String(32), nullable=True),
        sql.Column("taken", sql.BigInteger, nullable=True),
        sql.Column("table_id", sql.String(32), sql.ForeignKey("tables.id", ondelete="CASCADE"), nullable=True),
        sql.Index("seekers_waiting", "game", "since"),
    )
    op.create_table(
        "site",
        sql.Column("name", sql.String(40), primary_key=True),
        sql.Column("value", sql.Text, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        _keep_in_postgresql()
    else:
        _keep_in_sqlite()


def _keep_in_sqlite() -> None:
    op.execute(
        "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit "
        "BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END"
    )
    op.execute(
        "CREATE TRIGGER audit_kept BEFORE DELETE ON audit "
        f"WHEN old.at > (strftime('%s', 'now') - {KEPT_DAYS} * 86400) * 1000 "
        "BEGIN SELECT RAISE(ABORT, 'the audit log is kept for a year'); END"
    )


def _keep_in_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_audit_change() RETURNS trigger AS "
        "$$BEGIN RAISE EXCEPTION 'the audit log cannot be changed'; END$$ LANGUAGE plpgsql"
    )
    op.execute(
        "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()"
    )
    op.execute(
        "CREATE TRIGGER audit_kept BEFORE DELETE ON audit FOR EACH ROW "
        f"WHEN (old.at > (extract(epoch FROM clock_timestamp()) - {KEPT_DAYS} * 86400) * 1000) "
        "EXECUTE FUNCTION refuse_audit_change()"
    )
