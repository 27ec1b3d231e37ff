// What this device remembers of puzzles: which were tried, and how many in a row were right at the first try.
const KEY = "ludotheque.puzzles";

interface Kept {
  row: number;
  best: number;
  /** Numbers of the puzzles that were tried, true where the first answer was right. */
  tried: { [number: string]: boolean };
}
const none: Kept = { row: 0, best: 0, tried: {} };

function read(): { [game: string]: Kept } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? (kept as { [game: string]: Kept }) : {};
  } catch {
    return {}; // a browser that keeps nothing, or something that is not ours
  }
}

class Puzzles {
  #kept: { [game: string]: Kept } = $state.raw(read());

  of(game: string): Kept {
    return { ...none, ...this.#kept[game] };
  }
  /** Only the first answer to a puzzle counts. */
  answered(game: string, number: number, right: boolean): void {
    const before = this.of(game);
    if (number in before.tried) return;
    const row = right ? before.row + 1 : 0;
    this.#kept = {
      ...this.#kept,
      [game]: { row, best: Math.max(row, before.best), tried: { ...before.tried, [number]: right } },
    };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // it lasts as long as the window
    }
  }
  /** Another one: any that was not tried yet; when all were, any. */
  next(game: string, count: number, not: number): number {
    const { tried } = this.of(game);
    const all = Array.from({ length: count }, (_, place) => place + 1).filter((number) => number !== not);
    const fresh = all.filter((number) => !(number in tried));
    const some = fresh.length ? fresh : all;
    return some[Math.floor(Math.random() * some.length)] ?? not;
  }
}
export const puzzles = new Puzzles();
