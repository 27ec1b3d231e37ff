// The page as an app: its service worker keeps one version of it for use without a network. A newer one waits until the
// person wants it, and then takes the place of the old one everywhere at once.
import { BASE } from "./mode";

/** The script that a page begins with: its name says which version it is. */
const scriptOf = (page: Document): string =>
  /assets\/[^/]+$/.exec(page.querySelector("script[type=module]")?.getAttribute("src") ?? "")?.[0] ?? "";

class AppVersion {
  /** A newer version has been loaded and waits. */
  waiting = $state(false);
  /** Everything is kept: the page starts and plays without a network. */
  kept = $state(navigator.serviceWorker?.controller != null);
  #registration: ServiceWorkerRegistration | null = null;
  #keeping: Promise<void> | null = null;

  keep(): Promise<void> {
    this.#keeping ??= this.#keep();
    return this.#keeping;
  }
  async #keep(): Promise<void> {
    if (!("serviceWorker" in navigator)) return; // plain HTTP, or a private window
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      // All windows change together: none goes on with files of two versions. The first one takes an open window over.
      if (this.kept) location.reload();
      else void this.#taken();
    });
    try {
      const registration = await navigator.serviceWorker.register(`${BASE}service-worker.js`);
      this.#registration = registration;
      const look = (): void => {
        this.waiting = registration.waiting !== null && navigator.serviceWorker.controller !== null;
      };
      look();
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", look);
      });
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "visible") void registration.update().catch(() => undefined);
      });
    } catch (problem) {
      console.warn("the page is not kept for use without a network", problem);
    }
  }
  /** A version was kept while this window was open: it may be newer than the window. */
  async #taken(): Promise<void> {
    this.kept = true;
    const page = await (await fetch(`${BASE}index.html`)).text();
    this.waiting ||= scriptOf(new DOMParser().parseFromString(page, "text/html")) !== scriptOf(document);
  }
  update(): void {
    if (this.#registration?.waiting) this.#registration.waiting.postMessage("take over");
    else location.reload();
  }
}
export const appVersion = new AppVersion();
