// The results of one's finished games: kept in this browser, and brought up to date by the host, which knows them from
// other devices too. What follows from them is in `figures`.
import { get, mySecret } from "./api";
import { merged } from "./figures";
import type { GameResult, GameResults } from "./network";

const KEY = "ludotheque.results";
const MOST = 500;
const PAGES = 10;

function read(): GameResult[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? merged([], kept as GameResult[], MOST) : [];
  } catch {
    return []; // a browser that keeps nothing, or something that is not ours
  }
}

class Results {
  /** The latest first. */
  all: GameResult[] = $state.raw(read());
  /** Whether the host has answered in this window. */
  known = $state(false);

  /** Ask for what is new; on a first visit, for everything. `whole`: also for what reviews say of earlier games. */
  async refresh(whole = false): Promise<void> {
    if (!mySecret("server") && !mySecret("local")) {
      this.known = true;
      return;
    }
    const kept = new Set(this.all.map((one) => one.record));
    let before: number | null = null;
    for (let page = 0; page < PAGES; page++) {
      const query: string = before === null ? "" : `?before=${before}`;
      const answer: GameResults = await get<GameResults>(`/api/people/me/results${query}`);
      this.#keep(merged(this.all, answer.results, MOST));
      before = answer.before;
      if (before === null || (!whole && answer.results.some((one) => kept.has(one.record)))) break;
    }
    this.known = true;
  }
  forget(): void {
    this.#keep([]);
  }
  #keep(results: GameResult[]): void {
    this.all = results;
    try {
      if (results.length) localStorage.setItem(KEY, JSON.stringify(results));
      else localStorage.removeItem(KEY);
    } catch {
      // they last as long as the window
    }
  }
}
export const results = new Results();
