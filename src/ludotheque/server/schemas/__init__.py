"""Every object that goes over the network, with its limits, one module a subject; the page's types are generated from them.

What the messages mean is told in docs/network.md; who may send them is decided by the session.
"""
