// One's own games, and where one is awaited: for the home page, the header, titles and the icon. Play itself is in
// `connection`.
import { get, mySecret } from "./api";
import type { Card, Cards } from "./network";

const OFTEN = 5000;
const SELDOM = 30_000;

class Turns {
  /** Games that are not over, those that wait for us first. */
  mine: Card[] = $state.raw([]);
  /** Whether the server has been asked yet: until then the home page would jump when the answer comes. */
  known = $state(false);
  /** The table that this window shows, whose connection knows at once whose turn it is. */
  here: { id: string; mine: boolean } | null = $state.raw(null);
  /** The other tables at which we are to play. */
  elsewhere: Card[] = $derived(this.mine.filter((card) => card.your_turn && card.id !== this.here?.id));
  awaited: boolean = $derived(this.elsewhere.length > 0 || this.here?.mine === true);
  #asked = 0;
  #answered = 0;

  async refresh(): Promise<void> {
    this.#asked = Date.now();
    const asked = this.#asked;
    try {
      const { tables } =
        mySecret("server") || mySecret("local") ? await get<Cards>("/api/tables?mine=true") : { tables: [] };
      if (asked < this.#answered) return; // a later question was answered before
      this.#answered = asked;
      const going = tables.filter((card) => card.status !== "over");
      this.mine = [...going.filter((card) => card.your_turn), ...going.filter((card) => !card.your_turn)];
    } catch {
      // the list of games says already that the server is away
    } finally {
      this.known = true;
    }
  }

  /** The window no longer shows a table: what its connection knew last is newer than the list. */
  leave(): void {
    const left = this.here;
    this.mine = this.mine.map((card) => (card.id === left?.id ? { ...card, your_turn: left.mine } : card));
    this.here = null;
  }

  /** Ask again and again: often where one looks at the list, seldom elsewhere and in a window that is hidden. */
  watch(atHome: () => boolean): () => void {
    const timer = setInterval(() => {
      const wait = atHome() && document.visibilityState === "visible" ? OFTEN : SELDOM;
      if (Date.now() - this.#asked >= wait - OFTEN / 2) void this.refresh();
    }, OFTEN);
    return () => clearInterval(timer);
  }
}
export const turns = new Turns();
