"""What makes a release: `python -m tools.release` checks, builds twice, installs offline and writes the bill of materials."""
