"""Builds the browser edition: Python, the games' kernels and texts beside the page, and a static site of all of it."""
