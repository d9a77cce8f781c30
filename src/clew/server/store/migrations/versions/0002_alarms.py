"""When clocks run out; a row to try whether anything can be written; indices for what is asked at the start."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("remaining", sa.BigInteger, nullable=False),
    )
    op.create_index("alarms_by_due", "alarms", ["due", "remaining"])
    # Nothing is known yet of games under way: each is looked at once, and has its time then.
    op.execute("INSERT INTO alarms SELECT id, 0, 0 FROM tables WHERE status = 'playing' AND clock IS NOT NULL")
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_by_rules", "tables", ["status", "game", "rules"])
    kept = sa.text("record IS NULL")
    op.create_index("tables_unarchived", "tables", ["status", "changed"], sqlite_where=kept, postgresql_where=kept)
    op.drop_index("tables_by_status", "tables")
