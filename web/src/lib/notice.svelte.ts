// What the operator tells everybody, while it is to be shown, and whether anything can be changed on this site.
import type { Notice, Site, Words } from "./network";

class Announcement {
  readOnly = $state(false);
  #words: Words | null = $state.raw(null);
  #timer = 0;

  get words(): Words | null {
    return this.#words;
  }

  /** Show a notice until its moment, or none. */
  show(notice: { words: Words | null; until?: Notice["until"] } | null, now = Date.now()): void {
    clearTimeout(this.#timer);
    const left = notice?.until == null ? null : notice.until - now;
    this.#words = left !== null && left <= 0 ? null : (notice?.words ?? null);
    // A timer cannot wait longer than this; a page that stays open for weeks is loaded anew meanwhile.
    if (this.#words && left !== null && left < 2 ** 31) this.#timer = window.setTimeout(() => this.show(null), left);
  }

  /** What the site says of itself when the page is loaded, or when a connection is made anew. */
  read(site: Site): void {
    this.show(site.notice ?? null);
    this.readOnly = site.read_only ?? false;
  }
}

export const announcement = new Announcement();
