"""Operators and a running site: orders come and are answered through the database (docs/decisions/operating.md)."""
