"""The server, the browser and the people of the page's tests."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from page.site import PATIENCE, People, Site, builder, chromium, launch
from page.static import StaticSite
from page.visitors import Visitors
from test_third_party import install_sample

expect.set_options(timeout=PATIENCE)
collect_ignore = [] if os.environ.get("LUDOTHEQUE_BROWSER") else ["test_browser_edition.py", "test_server_away.py"]


@pytest.fixture(scope="session")
def built() -> Path:
    """The page, built from its sources as they are."""
    module = builder()
    module.build()
    return Path(module.PAGE)


@pytest.fixture(scope="session")
def site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all; a third party's game is installed there, as it may be anywhere."""
    folder = tmp_path_factory.mktemp("site")
    path = [install_sample(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    one = Site(folder, environment={"PYTHONPATH": os.pathsep.join(path)})
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for one file of tests: Playwright keeps an event loop running in this thread while it is open,
    and the tests of the server that come after want to run their own."""
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium here, and none could be fetched: name one in LUDOTHEQUE_CHROMIUM")
    with sync_playwright() as playwright:
        one = launch(playwright, executable)
        yield one
        one.close()


@pytest.fixture(scope="session")
def site_files(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The browser edition as `make site` builds it."""
    del built  # one build after the other
    from tools.edition.__main__ import build  # noqa: PLC0415 - it imports all games

    folder = tmp_path_factory.mktemp("edition") / "site"
    build(folder, kernels())
    return folder


def kernels() -> Path:
    """The folder with the games' WebAssembly modules, built from their sources as they are."""
    from tools.wasm import link  # noqa: PLC0415 - it imports all games

    for game in link.games():
        if game.name in edition_games():
            link.build(game)
    return Path(link.FOLDER)


def edition_games() -> list[str]:
    """The games of the browser edition: ours, not those that the tests install."""
    from tools.edition.host_files import playable  # noqa: PLC0415 - it imports all games

    return playable()


@pytest.fixture(scope="session")
def keeping_site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose page can host tables itself, as a wheel's can: the package as it is, with another page."""
    from ludotheque.server import page  # noqa: PLC0415
    from tools.edition.__main__ import add_to_page  # noqa: PLC0415 - it imports all games

    folder = tmp_path_factory.mktemp("keeping")
    package, server = page.FOLDER.parents[1], folder / "path" / "ludotheque" / "server"
    server.mkdir(parents=True)
    for real in (*package.iterdir(), *(package / "server").iterdir()):
        if real not in (package / "server", page.FOLDER) and real.name != "__pycache__":
            (folder / "path" / "ludotheque" / real.relative_to(package)).symlink_to(real)
    shutil.copytree(built, server / "page")
    add_to_page(kernels(), server / "page")
    one = Site(
        folder, environment={"PYTHONPATH": os.pathsep.join([str(folder / "path"), os.environ.get("PYTHONPATH", "")])}
    )
    one.start()
    yield one
    one.stop()


@pytest.fixture
def host(request: pytest.FixtureRequest) -> str:
    """Who hosts the tables: the server or, for tests marked `both_hosts`, the browser as well."""
    return str(getattr(request, "param", "server"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = metafunc.definition.get_closest_marker("both_hosts")
    if marked is not None:
        whole = bool(os.environ.get("LUDOTHEQUE_BROWSER"))
        metafunc.parametrize("host", ["server", "browser"] if whole else ["server"], indirect=True)


@pytest.fixture
def people(
    browser: Browser, host: str, request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> Iterator[People]:
    """People at the shared server, or at a static site; nothing they did may have thrown, or called another address."""
    if host == "browser":
        static = StaticSite(request.getfixturevalue("site_files"), "/games/")
        visitors = People(browser, static)
        yield visitors
        visitors.leave()
        static.stop()
        assert visitors.mishaps == []
        return
    site: Site = request.getfixturevalue("site")
    some = People(browser, site)
    yield some
    some.leave()
    from leftovers import WATCH  # noqa: PLC0415 - a plugin: pytest must be the first to import it

    if site.process is not None:  # a test may have restarted it; it is still the session's
        pytestconfig.stash[WATCH].accept(set(), {site.process.pid})
    assert some.mishaps == []


@pytest.fixture
def visitors(browser: Browser, site_files: Path) -> Iterator[Visitors]:
    some = Visitors(browser, StaticSite(site_files, "/games/ludotheque/"))
    yield some
    for context in some.contexts:
        context.close()
    some.site.stop()
    assert some.mishaps == []
