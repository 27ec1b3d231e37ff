"""Accuracy of the physics: how its numbers were found, and how far they are from exact ones."""
