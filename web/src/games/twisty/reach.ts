// Where a chain of moves can lead, found by asking the server step by step; no rule is known here.
import type { Preview, Table } from "../../contract";

export interface Way {
  /** The actions to play, one after the other. */
  path: string[];
  /** The squares on the way, for drawing. */
  squares: string[];
  /** What the last step does: an event's name, with its colour. */
  outcome: { what: string; colour: string } | null;
}

const MOST_QUESTIONS = 48;
const DEEPEST = 4;
const isSquare = (action: string): boolean => /^[a-g][1-7]$/.test(action);

/** All squares within reach this turn, the shortest way first, told piece by piece. */
export async function explore(
  table: Table,
  seat: number,
  found: (ways: Map<string, Way>) => void,
  stale: () => boolean,
): Promise<void> {
  const ways = new Map<string, Way>();
  let border: { path: string[]; squares: string[]; legal: readonly string[] }[] = [
    { path: [], squares: [], legal: table.moment.legal },
  ];
  let asked = 0;
  for (let depth = 0; depth < DEEPEST && border.length; depth += 1) {
    const questions = border.flatMap(({ path, squares, legal }) =>
      legal
        .filter((action) => isSquare(action) && !squares.includes(action) && (depth === 0 || !ways.has(action)))
        .map((action) => ({ path: [...path, action], squares: [...squares, action] })),
    );
    border = [];
    for (let start = 0; start < questions.length && asked < MOST_QUESTIONS; start += 6) {
      const some = questions.slice(start, start + Math.min(6, MOST_QUESTIONS - asked));
      asked += some.length;
      const answers = await Promise.all(some.map(({ path }) => table.peek(path).catch((): Preview | null => null)));
      if (stale()) return;
      answers.forEach((glimpse, place) => {
        const question = some[place];
        const square = question?.squares.at(-1);
        if (!glimpse || !question || !square) return;
        const event = glimpse.events.findLast(
          ({ what }) => what === "collect" || what === "steal" || what === "centre",
        );
        const known = ways.get(square);
        const outcome = event ? { what: event.what, colour: String(event.facts["colour"] ?? "") } : null;
        if (!known || (!known.outcome && outcome)) ways.set(square, { ...question, outcome });
        if (glimpse.toMove === seat && glimpse.view["phase"] === "extra")
          border.push({ ...question, legal: glimpse.legal });
      });
      found(new Map(ways));
    }
  }
}

/** Where one can go, without what it would bring. */
export const withoutOutcomes = (ways: ReadonlyMap<string, Way>): Map<string, Way> =>
  new Map([...ways].map(([square, way]) => [square, { ...way, outcome: null }]));
