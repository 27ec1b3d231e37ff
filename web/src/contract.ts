// What a game brings to the page, ours and a third party's alike: a manifest, and a board that exports
// `mount(element, table)`. A board draws and sends requests; rules, connections and clocks are not its task.
import type { Facts } from "./lib/catalogue";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type View = { [key: string]: Json };
/** A language's tag: "en", "fr", "pt-BR". */
export type Language = string;

// --- the table ---

/** Something that happened, with its sentence in the table's language. */
export interface GameEvent {
  what: string;
  facts: { [key: string]: Json };
  told: string;
}

/** One action of a match and its events. */
export interface Step {
  action: string;
  events: readonly GameEvent[];
}

/** One moment of a match. `number` grows by one with every action; a smaller one means that something was taken
 *  back. */
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
  events: readonly GameEvent[];
  /** The last actions that led here, the newest last; known also when the page was loaded just now. */
  lately?: readonly Step[];
  /** What the game's log keeps beside that action, if anything; the game's protocol says what. */
  outcome?: Json;
  over: boolean;
  returns: readonly number[];
}

/** The position after some actions, without playing them. */
export interface Preview {
  view: View;
  toMove: number | "chance" | null;
  legal: readonly string[];
  events: readonly GameEvent[];
  over: boolean;
}

export interface Settings {
  /** False: nothing moves by itself. */
  motion: boolean;
  sound: boolean;
}

/** Live turns: a hand that is followed while it moves. */
export interface LiveTurn {
  /** Begins the turn. The request is repeated after a lost connection, until the server has confirmed it. */
  begin(hand: { [key: string]: Json }): void;
  /** Where the hand is now; one that gets lost is not repeated. */
  move(hand: { [key: string]: Json }): void;
  /** Subscribes to every `live` message; returns how to unsubscribe. */
  frames(listener: (frame: Json) => void): () => void;
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
  /** In a puzzle: the board shows what is possible, but not what it would bring. */
  readonly unaided?: boolean;
  /** Only at tables of games whose turns are live. */
  readonly live?: LiveTurn;
  /** A sentence of the game's catalogue, in the table's language: `say("standing", { count: 3 })` is the key
   *  `page.standing`. */
  say(key: string, facts?: Facts): string;
  /** Requests an action. It counts when the server says so, with the next `update`. */
  play(action: string): void;
  /** Rolls the dice, on chance's turn when this window may. */
  roll(): void;
  /** Previews some actions; rejects with a sentence that says why not. */
  peek(actions: readonly string[]): Promise<Preview>;
  /** Sends one of the game's own requests that need no match. */
  ask(request: { [key: string]: Json }): Promise<Json>;
  /** Says something to whoever uses a screen reader. */
  announce(text: string): void;
  /** Whether the board still shows how the moment came about: until then the page tells nothing of it. */
  showing?(on: boolean): void;
}

/** How a seat is marked on the board: a path around the origin, within 10 units, and the colour behind it. */
export interface Mark {
  colour: string;
  path: string;
  /** The path's own colour on a light one; otherwise cream. */
  ink?: string;
}

export interface Board {
  update(table: Table): void;
  destroy(): void;
  /** A seat's standing in a few words, for its place at the table: "3 points · 9 left". */
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

// --- the manifest ---

/** Colours by day or by night. The text on each must have a contrast of 4.5 to 1. */
export interface Colours {
  /** Buttons, links, the frame of the picture. */
  accent: string;
  /** Text on the accent. */
  accentInk: string;
  /** A soft background that goes with it. */
  accentSoft: string;
  /** The seats' colours beside the log, where they are not the usual ones. */
  seats?: readonly string[];
}

/** One step of a lesson. Its texts are keys of the game's catalogue, without `page.`. */
export interface LessonStep {
  text: string;
  /** The position to show; without one, the lesson goes on from where the step before ended. */
  view?: View;
  /** What counts as done: an action's text. Without it there is only something to read. */
  goal?: RegExp;
  praise?: string;
  /** What the step talks about: it is ringed on the board until it is done. Style selectors, within the board. */
  points?: string;
  /** What is wrong with what somebody may try instead, the first that fits: an action's text, and a key. */
  wrong?: readonly { tried: RegExp; text: string }[];
}

/** A first lesson: real positions with something to do in each. The rules are the server's. */
export interface Lesson {
  players: number;
  steps: readonly LessonStep[];
}

/** A sign on the board, and what it means. */
export interface Sign {
  /** Inside an SVG of 80 by 80, with the origin in its middle. */
  drawing: string;
  /** A key of the game's catalogue, without `page.`. */
  text: string;
}

/** A picture for the rules page: the game's board with a view, or something that the game draws itself. */
export interface Picture {
  view?: View;
  hint?: string;
  /** Draws into an element instead; returns how to remove it. */
  draw?(element: HTMLElement): () => void;
  /** A key of the game's catalogue, without `page.`. */
  caption: string;
}

export interface Pictures {
  /** The signs on the board, for whoever asks at a table what they mean. */
  legend?: readonly Sign[];
  /** Width by height of each picture. */
  ratio: number;
  /** By the name of the drawing in letters whose place they take ("```text NAME" in the rules), or by the section that
   *  they belong to: 0 is the first one under the title, in every language. */
  sections: { readonly [place: string]: readonly Picture[] };
  /** How high what the board marks with `data-pictured` is, in rem: it lies below the board of a position. */
  below?: number;
  /** Draws a position of the rules page, where the board is too heavy for that; returns how to remove it. */
  drawPosition?(view: View, element: HTMLElement): () => void;
}

/** What a page of a game's own is given. */
export interface PageHost {
  readonly language: Language;
  readonly settings: Settings;
  say(key: string, facts?: Facts): string;
  ask(request: { [key: string]: Json }): Promise<Json>;
  announce(text: string): void;
}

export interface PageModule {
  mount(element: HTMLElement, host: PageHost): { update(host: PageHost): void; destroy(): void };
}

/** A page of a game's own, such as a laboratory; the home page links to it. */
export interface ExtraPage {
  /** Its address: "lab" is shown at /lab. */
  address: string;
  load(): Promise<PageModule>;
}

/** The bots of a game as people meet them. Their names and styles are in the game's catalogue: `bot.1` to `bot.5`, and
 *  `page.bot.1.style`. */
export interface Opponents {
  /** Their portraits by level, from 1 on: what stands inside an SVG of 100 by 100. */
  portraits: readonly string[];
}

/** Sample tables for looking at a board without a server, during development only. */
export interface GalleryModule {
  /** The table to show; `change` shows another one. What it leaves out is as usual. */
  sample(query: URLSearchParams, change: (table: Partial<Table>) => void): Partial<Table>;
}

/** What a game shows on the page. A manifest is loaded with the home page and stays light: what weighs is loaded on
 *  demand. */
export interface Manifest {
  /** Its place on the home page: smaller numbers first. Games without one follow, by title. */
  rank?: number;
  day: Colours;
  night: Colours;
  /** Its picture: what stands inside an SVG of 320 by 200. Gradients `art-light`, `art-round`, `art-turned` are
   *  there to shade things. */
  art(): string;
  /** Without one, `board.js` beside the manifest or the generic board. */
  board?(): Promise<BoardModule>;
  /** The dice that an event tells of, for the log to draw. */
  dice?(event: Pick<GameEvent, "what" | "facts">): readonly number[];
  /** Events that go without saying when a turn is told in one sentence: they stand among its steps only. */
  asides?: readonly string[];
  /** Without them, bots are called by their level and have plain faces. */
  opponents?(): Promise<Opponents>;
  lesson?(): Promise<{ lesson: Lesson }>;
  pictures?(): Promise<{ pictures: Pictures }>;
  pages?: readonly ExtraPage[];
  gallery?(): Promise<GalleryModule>;
}
