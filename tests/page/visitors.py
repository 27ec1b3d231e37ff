"""People at a static site: browser profiles at a host that serves nothing but files."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from page.site import PATIENCE
from page.static import StaticSite

LONG = 10 * PATIENCE  # the worker starts a whole Python, on a machine that may be busy


class Visitors:
    """Browser profiles at a static site; whatever goes wrong in them is collected."""

    def __init__(self, browser: Browser, site: StaticSite) -> None:
        self.browser, self.site = browser, site
        self.contexts: list[BrowserContext] = []
        self.mishaps: list[str] = []

    def come(self, address: str = "/", **more: Any) -> Page:
        usual: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}, "reduced_motion": "reduce"}
        context = self.browser.new_context(**({"locale": "en-GB"} | usual | more))
        context.set_default_timeout(LONG)
        self.contexts.append(context)
        return self.opens(context, address)

    def opens(self, context: BrowserContext, address: str = "/") -> Page:
        """Another window of the same person."""
        page = context.new_page()
        page.on("pageerror", lambda error: self.mishaps.append(f"{page.url}: {error}"))
        page.on("request", lambda request: self._watch(request.url))
        page.on("console", lambda said: self._hear(said.text))
        page.goto(self.site.page(address))
        return page

    def _watch(self, url: str) -> None:
        if not url.startswith((self.site.url, "data:", "blob:")):
            self.mishaps.append(f"a request to {url}")

    def _hear(self, said: str) -> None:
        """What the page's policy forbids is told in the console alone."""
        if "Content Security Policy" in said:
            self.mishaps.append(said)
