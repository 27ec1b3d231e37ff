// The router: which page is shown for an address. A server serves the page for every address that is not its own; on a
// static site the address stands after a #, since there is only one file.
import { keptHere, mode } from "../host/mode";

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign: it names nothing
  }
}

/** Where the window is, in the page's own addresses. */
function here(): URL {
  return mode.site ? new URL(location.hash.slice(1) || "/", location.origin) : new URL(location.href);
}
const written = (address: string): string => (mode.site ? `#${address}` : address);

/** The whole address of something on this page, for somebody else. */
export const absolute = (address: string): string => new URL(written(address), location.href).href;

class Router {
  path: string = $state(here().pathname);
  query: string = $state(here().search);
  hash: string = $state(here().hash);
  parts: string[] = $derived(this.path.split("/").filter(Boolean).map(decoded));

  constructor() {
    addEventListener("popstate", () => this.#read());
    addEventListener("click", (event) => {
      const link = (event.target as Element | null)?.closest?.("a");
      if (
        !link ||
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      const address = this.#own(link);
      const record = /^\/api\/records\/([\w-]+)/.exec(link.pathname)?.[1];
      if (address === null && record && keptHere()) {
        // It may be a record that this browser has, and the server has not.
        event.preventDefault();
        void import("../host/answers").then(async ({ download, hasRecord }) => {
          if (await hasRecord(record)) await download(link.pathname);
          else location.assign(link.href);
        });
      }
      if (address === null) return;
      event.preventDefault();
      if (address.startsWith("/api/")) void import("../host/answers").then(({ download }) => download(address));
      else this.go(address);
    });
    if (mode.site) this.#mend();
  }
  /** The address of ours that a link leads to; null: the browser follows it by itself. */
  #own(link: HTMLAnchorElement): string | null {
    if (mode.site) {
      const href = link.getAttribute("href") ?? "";
      return href.startsWith("#/") ? href.slice(1) : href.startsWith("/") ? href : null;
    }
    if (
      link.origin !== location.origin ||
      link.target ||
      link.hasAttribute("download") ||
      link.pathname.startsWith("/api/") ||
      (link.hash && link.pathname === location.pathname)
    )
      return null;
    return link.pathname + link.search + link.hash;
  }
  /** On a static site links can be opened in another window and copied, too. */
  #mend(): void {
    const mend = (link: Element): void => {
      const href = link.getAttribute("href");
      if (href?.startsWith("/") && !href.startsWith("/api/")) link.setAttribute("href", written(href));
    };
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        if (target instanceof HTMLAnchorElement) mend(target);
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const link of [node, ...node.querySelectorAll("a")]) if (link.tagName === "A") mend(link);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
  }
  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", written(address));
    this.#read();
    scrollTo(0, 0);
    // Whoever listens to the page hears where it is now.
    queueMicrotask(() => document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true }));
  }
  #read(): void {
    const { pathname, search, hash } = here();
    this.path = pathname;
    this.query = search;
    this.hash = hash;
  }
}
export const router = new Router();
