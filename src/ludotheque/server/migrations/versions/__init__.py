"""Migrations, one file a version. Before adding one, keep a database of the present version: tests/server/databases/make.py."""
