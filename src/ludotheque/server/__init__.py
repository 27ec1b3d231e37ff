"""Tables on the network: people open tables, take seats, play and watch; docs/network.md is its contract.

The logic of a table is in `ludotheque.table`, the page in web/.
"""
