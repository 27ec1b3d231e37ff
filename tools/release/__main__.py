"""`python -m tools.release`: everything that `make release` does; `--install` only builds and installs, `--sizes` tells the sizes.

`--rehearsal` does everything in a clone whose changelog is ready, so that the day of the release holds no surprise.
"""

import argparse
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from ludotheque.kernels.cold_start import MODULE
from tools.release import checks, clean_room, first_move, sbom

LARGEST: Final = 450_000_000  # bytes of an installation with what it depends on
LONGEST_WAIT: Final = 3.0  # seconds of processor until a bot's first move; on a quiet machine also of the clock


def main() -> None:
    """Check, build, install, write; the first fault ends it."""
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    parser.add_argument("--out", type=Path, default=checks.PROJECT / "dist", help="where the files of the release go")
    parser.add_argument("--install", action="store_true", help="no release: one build, installed and tried")
    parser.add_argument("--sizes", action="store_true", help="no release: a table of what an installation weighs")
    parser.add_argument(
        "--rehearsal", action="store_true", help="the whole release, of a clone with a changelog of today"
    )
    parser.add_argument("--python", default=sys.executable, help="the Python to install with")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="release-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # whoever is nobody must get in
        project = clean_room.ready_clone(folder / "clone") if asked.rehearsal else checks.PROJECT
        if not (asked.install or asked.sizes) and (faults := checks.faults(project)):
            sys.exit("\n".join(faults))
        _release(folder, project, asked)


def _release(folder: Path, project: Path, asked: argparse.Namespace) -> None:
    built = clean_room.build(folder / "one", project)
    if not (asked.install or asked.sizes):
        again = clean_room.build(folder / "another room", project)
        if built.hashes() != again.hashes():
            sys.exit(f"Two builds of the same commit differ: {built.hashes()} and {again.hashes()}")
        print("Two builds of the same commit are the same.")
    with zipfile.ZipFile(built.wheel) as wheel:
        notices = wheel.read("ludotheque/server/page/notices.txt").decode()
        needed = {f"ludotheque/games/{game.replace('-', '_')}/{MODULE}" for game in first_move.GAMES}
        needed.add("ludotheque/server/page/host.json")
        if missing := needed - set(wheel.namelist()):
            sys.exit(f"The wheel has no {', '.join(sorted(missing))}.")
    installed = clean_room.install(built.wheel, folder / "installed", asked.python)
    sizes = installed.sizes()
    if asked.sizes:
        print(size_table(sizes))
        return
    total = sum(sizes.values())
    took = f"{installed.seconds:.0f} s, {installed.processor:.0f} s of processor"
    print(f"Installed offline and without Node ({took}): {total / 1e6:.0f} MB.")
    if total > LARGEST:
        sys.exit(f"That is more than {LARGEST / 1e6:.0f} MB. {size_table(sizes)}")
    waited = clean_room.first_moves(installed)
    print(first_move.table(waited))
    if late := [game for game, one in waited.items() if one.processor > LONGEST_WAIT]:
        sys.exit(f"A first move of {', '.join(late)} takes more than {LONGEST_WAIT:.0f} s.")
    action, seconds, native = clean_room.answers(installed)
    print(f"The engine's bot answered {action} after {seconds:.1f} s, and native code the same after {native:.0f} s.")
    with clean_room.served(installed) as (address, until):
        assert b"<title>" in clean_room.fetched(address)
        assert clean_room.fetched(f"{address}notices.txt").decode() == notices
        assert clean_room.edition(address) == set(first_move.GAMES)
        who = "nobody" if clean_room.nobody(installed) else "ourselves"
        print(f"The container's command was healthy after {until:.1f} s, as {who}.")
    if asked.install:
        return
    version = checks.version_of(project)
    asked.out.mkdir(parents=True, exist_ok=True)
    for file in (built.sdist, built.wheel):
        (asked.out / file.name).write_bytes(file.read_bytes())
    bill = sbom.bill_of_materials(version, sbom.page_components(notices), installed.components())
    (asked.out / f"ludotheque-{version}.cdx.json").write_text(bill, "utf-8")
    (asked.out / "NOTICES.txt").write_text(notices, "utf-8")
    lines = [f"{one}  {name}" for name, one in built.hashes().items()]
    (asked.out / "SHA256SUMS").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{asked.out} has the release {version}.")


def size_table(sizes: dict[str, int]) -> str:
    """The sizes as Markdown: each distribution of at least 1 MB, the others together, and all."""
    large = {name: size for name, size in sizes.items() if size >= 1_000_000}
    rows = [f"| {name} | {size / 1e6:.0f} |" for name, size in large.items()]
    rest = sum(sizes.values()) - sum(large.values())
    rows += [f"| {len(sizes) - len(large)} others | {rest / 1e6:.0f} |", f"| all | {sum(sizes.values()) / 1e6:.0f} |"]
    return "\n".join(["| package | MB |", "|---|---|", *rows])


if __name__ == "__main__":
    main()
