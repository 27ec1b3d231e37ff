"""Schemas of every object that goes over the network, with its limits, one module a subject.

docs/network.md says what they mean. The page's types are generated from them.
"""
