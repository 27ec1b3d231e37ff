// Looking for an opponent: asks the server every few seconds until there is one, whatever page is shown meanwhile. The
// server's list and how it pairs people are described in docs/network.md.
import { ask, me, mySecret, Refusal } from "./api";
import type { Search } from "./network";
import { router } from "./router.svelte";

const ADDRESS = "/api/people/me/opponent";
const EVERY = 3000;

class Seeking {
  /** The game at which somebody is looked for. */
  game: string | null = $state(null);
  /** The table where an opponent is, once there is one. */
  table: string | null = $state(null);
  problem: string | null = $state(null);
  #timer = 0;

  constructor() {
    // Whoever closes the window leaves the list. Where this fails, the server notices by itself.
    addEventListener("pagehide", () => {
      const secret = mySecret("server");
      if (this.game && !this.table && secret)
        void fetch(ADDRESS, { method: "DELETE", keepalive: true, headers: { Authorization: `Bearer ${secret}` } });
    });
  }

  async start(game: string): Promise<void> {
    await me("server");
    this.stop();
    this.game = game;
    await this.#look();
  }
  async #look(): Promise<void> {
    const game = this.game;
    if (!game) return;
    try {
      const { state, table } = await ask<Search>("POST", ADDRESS, { game }, "server");
      if (this.game !== game) return; // it was stopped meanwhile
      this.problem = null;
      if (state === "found" && table) {
        this.#found(table);
        return;
      }
    } catch (refusal) {
      const refused = refusal instanceof Refusal && refusal.status >= 400 && refusal.status < 500;
      if (refused && refusal.status !== 429) {
        this.#end();
        throw refusal;
      }
      this.problem = (refusal as Error).message; // a server that is away for a moment comes back
    }
    this.#timer = window.setTimeout(() => void this.#look().catch(() => undefined), EVERY);
  }
  #found(table: string): void {
    this.table = table;
    void ask("DELETE", ADDRESS, undefined, "server").catch(() => undefined); // the next search is a new one
    if (!router.path.startsWith("/t/")) this.go(); // whoever plays meanwhile says when
  }
  /** To the opponent, who waits there. */
  go(): void {
    const table = this.table;
    this.#end();
    if (table) router.go(`/t/${table}?sit`);
  }
  stop(): void {
    if (this.game && !this.table) void ask("DELETE", ADDRESS, undefined, "server").catch(() => undefined);
    this.#end();
  }
  #end(): void {
    clearTimeout(this.#timer);
    this.game = this.table = this.problem = null;
  }
}
export const seeking = new Seeking();
