"""How fast everything is, beside OpenSpiel in the same run: `python -m bench.speed`, or `ludotheque bench`."""
