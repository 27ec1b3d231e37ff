// What this device remembers of puzzles: which were tried, how many in a row were right at the first try, and on how
// many days in a row one of the day's was.
const KEY = "ludotheque.puzzles";
const DAYS = "ludotheque.puzzle-days";
const A_DAY = 86_400_000;

interface Kept {
  row: number;
  best: number;
  /** Numbers of the puzzles that were tried, true where the first answer was right. */
  tried: { [number: string]: boolean };
}
const none: Kept = { row: 0, best: 0, tried: {} };

interface Days {
  /** The last day on which one of the day's puzzles was solved at the first try, and how many in a row it ended. */
  last: string;
  row: number;
  /** What became of the puzzles of a day: by game, true where the first answer was right. */
  day: string;
  tried: { [game: string]: boolean };
}
/** The day by universal time, as puzzles change. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function readDays(): Days {
  const nothing = { last: "", row: 0, day: "", tried: {} };
  try {
    return { ...nothing, ...(JSON.parse(localStorage.getItem(DAYS) ?? "{}") as Partial<Days>) };
  } catch {
    return nothing;
  }
}

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

  #days: Days = $state.raw(readDays());

  /** Whether today's puzzle was solved at the first try; undefined: it was not tried yet. */
  today(game: string, now = Date.now()): boolean | undefined {
    return this.#days.day === dayOf(now) ? this.#days.tried[game] : undefined;
  }
  /** On how many days in a row one of the day's puzzles was solved; it lasts until a day has passed without. */
  streak(now = Date.now()): number {
    return [dayOf(now), dayOf(now - A_DAY)].includes(this.#days.last) ? this.#days.row : 0;
  }
  /** Only the first answer to today's puzzle counts. */
  answeredToday(game: string, right: boolean, now = Date.now()): void {
    const [day, before] = [dayOf(now), this.#days];
    const tried = before.day === day ? before.tried : {};
    if (game in tried) return;
    const row = before.last === day ? before.row : before.last === dayOf(now - A_DAY) ? before.row + 1 : 1;
    this.#days = {
      ...(right ? { last: day, row } : { last: before.last, row: before.row }),
      day,
      tried: { ...tried, [game]: right },
    };
    try {
      localStorage.setItem(DAYS, JSON.stringify(this.#days));
    } catch {
      // it lasts as long as the window
    }
  }

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
