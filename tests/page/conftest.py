"""The server, the browser and the people of the page's tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from page.site import PATIENCE, People, Site, builder, chromium, launch
from test_third_party import install_sample

expect.set_options(timeout=PATIENCE)


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
    path = [install_sample(folder)["PYTHONPATH"], *filter(None, [os.environ.get("PYTHONPATH")])]
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


@pytest.fixture
def people(browser: Browser, site: Site, pytestconfig: pytest.Config) -> Iterator[People]:
    """People at the shared server; nothing they did may have thrown, or called another address."""
    some = People(browser, site)
    yield some
    some.leave()
    from leftovers import WATCH  # noqa: PLC0415 - a plugin: pytest must be the first to import it

    if site.process is not None:  # a test may have restarted it; it is still the session's
        pytestconfig.stash[WATCH].accept(set(), {site.process.pid})
    assert some.mishaps == []
