"""The command line `ludotheque`: one module a command. It reads arguments and shows results; the other packages do the work."""


def main() -> None:
    """Run the command that was typed."""
    from ludotheque.cli.app import run  # noqa: PLC0415 - importing the package for its words costs nothing

    run()
