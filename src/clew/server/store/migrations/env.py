"""Alembic runs this: the connection comes from `clew.server.store.migrate`."""

from alembic import context

from clew.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
