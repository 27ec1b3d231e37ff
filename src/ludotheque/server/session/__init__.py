"""A table that people are at, one module a subject: session.py holds it together, the others carry out wishes.

What the log's lines mean is table.py's business; sockets are sockets.py's; which process holds the table is the hall's.
"""
