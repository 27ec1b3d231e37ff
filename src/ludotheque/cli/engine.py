"""`ludotheque engine`: the text protocol on standard input and output. The engine is in `ludotheque.engine`."""


def run_engine() -> None:
    """Answer programs: one JSON object a line in, one out (docs/protocol.md)."""
    from ludotheque.engine import serve  # noqa: PLC0415 - only this command needs it

    serve()
