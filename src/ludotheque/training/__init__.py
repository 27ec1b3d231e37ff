"""Self-play and learning: `ludotheque train GAME`. Games say what they play and see in their selfplay.py."""
