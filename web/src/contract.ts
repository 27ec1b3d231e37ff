// What a board is, ours and a third party's alike: a module that exports `mount(element, table)`.
// A board draws and asks; rules, sockets, clocks and storage are the server's and the shell's business.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type View = { [key: string]: Json };
export type Language = "en" | "fr";

/** Something that happened, with its sentence already told in the table's language. */
export interface Happening {
  what: string;
  facts: { [key: string]: Json };
  told: string;
}

/** One action of a match and what came of it. */
export interface Step {
  action: string;
  events: readonly Happening[];
}

/** One moment of a match. `number` grows by one with every action; a smaller one means that something was taken back. */
export interface Moment {
  number: number;
  view: View;
  toMove: number | "chance" | null;
  /** The seat whose turn it is: the player to move or, on chance's turn, who rolls. */
  acting: number | null;
  /** Every action that can be listed, as text; empty on chance's turn. */
  legal: readonly string[];
  /** Kinds of action with free parameters, which cannot be listed. */
  open: readonly string[];
  /** The action that led here, if it was played just now. */
  action: string | null;
  events: readonly Happening[];
  /** The last actions that led here, the newest last; known also when the page was loaded just now. */
  lately?: readonly Step[];
  /** What the game's log keeps beside that action, if it keeps anything; the game's protocol says what (Yikerz!: a film of the turn). */
  outcome?: Json;
  over: boolean;
  returns: readonly number[];
}

/** What a position would be after some actions; nothing is played. */
export interface Glimpse {
  view: View;
  toMove: number | "chance" | null;
  legal: readonly string[];
  events: readonly Happening[];
  over: boolean;
}

export interface Settings {
  /** False: nothing moves by itself. */
  motion: boolean;
  sound: boolean;
}

/** The table as a board sees it. The shell hands a new one to `update` whenever anything in it changes. */
export interface Table {
  readonly game: string;
  readonly players: number;
  readonly options: { [key: string]: Json };
  readonly language: Language;
  readonly settings: Settings;
  readonly names: readonly string[];
  /** The seats that this window may play for; empty for spectators and in a replay. */
  readonly seats: readonly number[];
  readonly moment: Moment;
  /** Whether the player rolls by hand; otherwise the dice roll by themselves. */
  readonly rollsByHand: boolean;
  /** An action that a hint recommends, to be shown on the board. */
  readonly hint: string | null;
  /** Wish an action. It counts when the server says so, with the next `update`. */
  play(action: string): void;
  /** Let the dice roll, on chance's turn when this window may. */
  roll(): void;
  /** What would be, after these actions; rejects with a sentence that says why not. */
  peek(actions: readonly string[]): Promise<Glimpse>;
  /** Say something to whoever listens to the page instead of seeing it. */
  announce(text: string): void;
  /** Live turns only (games whose turns stream): what the hand wishes. A wish that names a `magnet` begins the turn. */
  wish?(wish: { [key: string]: Json }): void;
  /** Live turns only: hear every `live` message; returns how to stop. */
  frames?(hear: (frame: Json) => void): () => void;
}

/** How a seat is marked on the board: a path around the origin, within 10 units, and the colour behind it. */
export interface Mark {
  colour: string;
  path: string;
}

export interface Board {
  update(table: Table): void;
  destroy(): void;
  /** A seat's standing in a few words, for its place at the table: "3 points · 9 pawns". */
  standing?(seat: number): string;
  /** A seat's mark, the same beside the board as on it. */
  mark?(seat: number): Mark;
}

export interface BoardModule {
  mount(element: HTMLElement, table: Table): Board;
}

/** Whether this window may act now. */
export function mayAct(table: Table): boolean {
  return typeof table.moment.toMove === "number" && table.seats.includes(table.moment.toMove);
}

/** Whether it is for this window to roll the dice now. */
export function mayRoll(table: Table): boolean {
  const { toMove, acting } = table.moment;
  return table.rollsByHand && toMove === "chance" && acting !== null && table.seats.includes(acting);
}
