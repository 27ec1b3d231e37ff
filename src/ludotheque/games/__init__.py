"""The games, one folder each; nothing about a game stands elsewhere."""
