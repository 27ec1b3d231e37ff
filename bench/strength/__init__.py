"""How strong the bots are: matches between levels, networks and search, and losses against exact play."""
