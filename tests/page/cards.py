"""The pictures that other sites show beside a link to one of our games, 1200 by 630, into web/public/cards: `make cards`.

They are drawn from the manifests' own pictures and kept in the repository, since a build has no browser.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import sync_playwright

from page.site import PROJECT, People, Site, chromium, launch, open_table

GAMES = ("yam-master", "wykersham", "twisty", "yikerz")
SIZE = {"width": 1200, "height": 630}
SHOW = """() => {
  const [art, title] = [document.querySelector('.art svg'), document.querySelector('h1').textContent];
  const name = document.createElement('div');
  name.textContent = title;
  name.style.cssText = 'position:fixed;left:0;right:0;bottom:0;padding:18px 48px 26px;font:600 92px var(--serif);' +
    'background:rgb(251 245 232 / 92%);color:#2a2018';
  art.style.cssText = 'position:fixed;inset:0;width:1200px;height:630px';
  document.body.replaceChildren(art, name);
}"""


def main() -> None:
    executable = chromium()
    assert executable is not None, "no Chromium here"
    out = PROJECT / "web" / "public" / "cards"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        try:
            browser = launch(playwright, executable)
            for game in GAMES:
                table, _ = open_table(site, game, seats=[{"kind": "open"}, {"kind": "open"}])
                people = People(browser, site)
                page = people.come(f"/t/{table}", viewport=SIZE, color_scheme="light")
                page.locator(".art svg").wait_for()
                page.evaluate(SHOW)
                page.evaluate("document.fonts.ready.then(() => true)")
                page.screenshot(path=out / f"{game}.jpg", type="jpeg", quality=82)
                people.leave()
            browser.close()
        finally:
            site.stop()


if __name__ == "__main__":
    main()
