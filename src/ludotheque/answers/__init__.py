"""Answers to what a page asks, for every host: games and their rules, any position, records, puzzles, reviews.

Nothing here stores or sends anything: the server and the browser do that. It needs neither pydantic nor numpy.
"""
