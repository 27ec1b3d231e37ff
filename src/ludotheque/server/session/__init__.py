"""The server's host of a table: one lock, its connections, commits and publishing, work for bots and rules.

What happens at a table is in `ludotheque.table`.
"""
