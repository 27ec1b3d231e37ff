"""Reviews of records."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """How far each review has come, and the finished ones."""
    op.create_table(
        "reviews",
        sql.Column("record", sql.String(32), sql.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("person", sql.String(32), nullable=False, index=True),
        sql.Column("owner", sql.String(32), nullable=False),
        sql.Column("state", sql.String(10), nullable=False),
        sql.Column("asked", sql.BigInteger, nullable=False),
        sql.Column("done", sql.Integer, nullable=False),
        sql.Column("total", sql.Integer, nullable=False),
        sql.Column("body", sql.Text, nullable=True),
    )
