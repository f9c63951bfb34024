"""The database of the service: transactions, events of their changes, schema. Only this package knows the engine.

| | SQLite (`sqlite.py`) | PostgreSQL (`postgresql.py`) |
|---|---|---|
| statements run | on the event loop | in worker threads (`threads.py`) |
| connections | one, with one lock | a pool, one connection for each transaction |
| one writer at a time | `BEGIN IMMEDIATE` | an advisory lock, held to the end of the transaction |
| a consistent read | a read transaction | `REPEATABLE READ READ ONLY` |
| version of the schema | `PRAGMA user_version` | a row of `facts` |
| other SQL | `json_sql.py` has each expression in both forms | |

A transaction that writes is alone among all that write: what it has read stays true until it commits, and offsets rise
in the order of the commits. The domain relies on that, and on nothing else of an engine.
"""
