"""The command line `ludotheque`: one module a command. It only reads arguments and shows results; the layers below do the work."""


def main() -> None:
    """Run the command that was typed."""
    from ludotheque.cli.app import run  # noqa: PLC0415 - importing the package for its words costs nothing

    run()
