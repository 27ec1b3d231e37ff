// The router: which page is shown for an address. The server serves the page for every address that is not its own.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign: it names nothing
  }
}

class Router {
  path: string = $state(location.pathname);
  query: string = $state(location.search);
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
      if (
        link.origin !== location.origin ||
        link.target ||
        link.hasAttribute("download") ||
        link.pathname.startsWith("/api/")
      )
        return;
      if (link.hash && link.pathname === location.pathname) return;
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }
  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    this.#read();
    scrollTo(0, 0);
    // Whoever listens to the page hears where it is now.
    queueMicrotask(() => document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true }));
  }
  #read(): void {
    this.path = location.pathname;
    this.query = location.search;
  }
}
export const router = new Router();
