"""Tables without a server: the host that runs in a page's Web Worker, in Pyodide. It needs only the standard library.

What happens at a table is in `ludotheque.table`; the worker itself, IndexedDB and the page's side are in `web/src/host`.
"""
