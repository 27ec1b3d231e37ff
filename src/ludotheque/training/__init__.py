"""Self-play and learning: `ludotheque train GAME`. A game takes part by its capability `self_play`."""
