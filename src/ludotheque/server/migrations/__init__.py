"""The history of the database's tables; it is run at every start."""
