"""Tables on the network: people open tables, take seats, play and watch; docs/network.md is its contract.

The rules are the games' business, thinking the players'; the page is built elsewhere and only served from here.
"""
