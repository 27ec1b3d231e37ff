"""Many matches: series, their results and intervals."""
