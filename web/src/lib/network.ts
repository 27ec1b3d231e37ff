// What goes over the network. Written by scripts/types.mjs from the server's schemas: change those and run
// `make page-types`.
import type { Json } from "../contract";

/** An action of the seat that is to move. */
export interface Act {
  id: string;
  at: number;
  do: "act";
  action: string;
}

/** An address of the server in the local network. */
export interface Address {
  url: string;
  qr: string;
}

/** All of them. */
export interface Addresses {
  addresses: (Address)[];
}

/** What a bot would do. */
export interface Advice {
  action: string;
  value: number | null;
  considered: (Thought)[];
  level: number;
  reasons: (Event)[];
}

/** The position, and the steps that led to it. */
export interface Answer {
  position: Position;
  steps: (Told)[];
}

/** Agree to a takeback or not. */
export interface AnswerTakeback {
  id: string;
  at: number;
  do: "answer";
  yes: boolean;
}

export type AnyMessage = Welcome | StateMessage | StepMessage | TableMessage | HereMessage | SaidMessage | PreviewMessage | HintMessage | StoryMessage | LiveMessage | LiveStoppedMessage | NoticeMessage | RefusedMessage | DoneMessage | PongMessage;

export type AnyRequest = Hello | Act | Roll | Sit | Contribute | SetNewcomers | Stand | Bot | AskTakeback | AnswerTakeback | Resign | Claim | Rematch | Begin | Hand | Peek | AskHint | AskStory | SayPhrase | SayText | Mute | Remove | Ping;

/** What would a bot do? */
export interface AskHint {
  id: string;
  do: "hint";
  level?: number;
}

/** The match so far in words. */
export interface AskStory {
  id: string;
  do: "story";
  from?: number;
}

/** Ask to take back my last move. */
export interface AskTakeback {
  id: string;
  at: number;
  do: "takeback";
  seat?: number | null;
}

/** Begin a live turn. */
export interface Begin {
  id: string;
  at: number;
  do: "begin";
  hand: { [key: string]: Json };
}

/** Give an open seat to a bot or to a program. */
export interface Bot {
  id: string;
  at: number;
  do: "bot";
  seat: number;
  level?: number;
  program?: string | null;
}

/** For a bot. */
export interface BotSeat {
  kind: "bot";
  level?: number;
}

/** A table from outside. */
export interface Card {
  id: string;
  game: string;
  options: { [key: string]: Json };
  private: boolean;
  /** whether others than those who are here may come */
  newcomers?: boolean;
  host: Person | null;
  seats: (Seat)[];
  settings: Settings;
  status: "waiting" | "playing" | "over";
  match: number;
  series: Series;
  /** milliseconds since 1970, on the server's clock */
  created: number;
  /** milliseconds since 1970, on the server's clock */
  touched: number;
  /** whether you are to act; false where another process holds the table */
  your_turn?: boolean;
}

/** Some tables. */
export interface Cards {
  tables: (Card)[];
}

/** Claim the game from somebody who has left, or have a bot take the seat. */
export interface Claim {
  id: string;
  at: number;
  do: "claim";
  as: "win" | "bot";
}

/** What each seat has left at the moment `now`, and whose clock runs. */
export interface Clocks {
  left: (number)[];
  running: number | null;
  /** milliseconds since 1970, on the server's clock */
  now: number;
}

/** My number for the dice of the first match: for one of my seats, or for all that have none. */
export interface Contribute {
  id: string;
  at: number;
  do: "contribute";
  /** a player's share in the dice */
  number: string;
  seat?: number | null;
}

/** A request without another answer was carried out. */
export interface DoneMessage {
  what: "done";
  id: string;
}

/** A position drawn in letters, in each language, as a terminal shows it. */
export interface Drawing {
  words: Words;
}

/** How a match ended. */
export interface Ended {
  how: "played" | "resigned" | "time" | "claimed" | "closed";
  seat: number | null;
  returns: (number)[];
  record: string;
}

/** An HTTP error. */
export interface ErrorBody {
  error: ErrorDetail;
}

/** What is wrong, for programs and for people. */
export interface ErrorDetail {
  code: string;
  sentence: string;
}

/** Something that happened, with a text for people. */
export interface Event {
  what: string;
  facts: { [key: string]: Json };
  words: Words;
}

/** A position that a rules page shows. */
export interface ExamplePosition {
  players: number;
  options: { [key: string]: Json };
  view: { [key: string]: Json };
}

/** All of a game's, by the name that the rules page gives them. */
export interface Examples {
  examples: { [key: string]: ExamplePosition };
}

/** The dice's commitment, the players' numbers, and at the end the seed and the next match's commitment. */
export interface FairDice {
  commitment: string;
  numbers: (string | null)[];
  /** the seats whose numbers are to come before the first match begins */
  awaited?: (number)[];
  seed: string | null;
  next: string | null;
}

/** A game that can be played here. */
export interface GameCard {
  name: string;
  title: string;
  rules_version: number;
  seats: (number)[];
  /** whether players roll dice, which a table may let them do by hand */
  has_dice: boolean;
  options: (OptionCard)[];
  /** the seats' own names, by language */
  seat_names: { [key: string]: (string)[] };
  /** all sentences of the game by key, by language */
  words: { [key: string]: { [key: string]: string } };
  live: LiveCard | null;
  /** whether players have to say something by themselves; a table may remind */
  calls: boolean;
  board: string | null;
  manifest: string | null;
  rules: boolean;
  puzzles: number;
  reviews: boolean;
  /** false where it is only shown, since playing it needs a server */
  playable?: boolean;
}

/** So long for the whole match, and an increment after each of one's actions. */
export interface GameClock {
  kind: "game";
  seconds: number;
  increment?: number;
}

/** How a finished game went for me. */
export interface GameResult {
  record: string;
  game: string;
  /** milliseconds since 1970, on the server's clock */
  ended: number;
  /** mine; several where people shared a screen */
  seats: (number)[];
  /** what played at each seat: human, bot:3, a program */
  players: (string)[];
  names: (string)[];
  returns: (number)[];
  /** of my seat; null before there is a review */
  review: JudgedPlay | null;
}

/** A page of results, the latest first; `before` asks for the next one. */
export interface GameResults {
  results: (GameResult)[];
  before: number | null;
}

/** All games. */
export interface Games {
  games: (GameCard)[];
}

/** A table's match as a small board shows it. */
export interface Glance {
  game: string;
  players: number;
  options: { [key: string]: Json };
  length: number;
  view: { [key: string]: Json };
  acting: number | null;
}

/** What the hand asks for now. */
export interface Hand {
  do: "hand";
  hand: { [key: string]: Json };
}

/** The server is well. */
export interface Health {
  ok: boolean;
  read_only?: boolean;
}

/** The first message: who I am, and what I have seen. */
export interface Hello {
  do: "hello";
  version: number;
  secret?: string | null;
  last?: number | null;
  language?: string;
}

/** Who is connected now. */
export interface HereMessage {
  what: "here";
  people: (Person)[];
  watching: number;
  seats: (boolean)[];
}

/** What a bot would do. */
export interface HintMessage {
  action: string;
  value: number | null;
  considered: (Thought)[];
  level: number;
  reasons: (Event)[];
  what: "hint";
  id: string;
  number: number;
}

/** A person and the secret that proves it; it is sent once. */
export interface Identity {
  person: Person;
  secret: string;
}

/** What a review says of one seat. */
export interface JudgedPlay {
  decisions: number;
  /** what the decisions cost together, in chances to win */
  lost: number;
  /** what the dice gave, in chances to win; null where it is not known */
  luck: number | null;
}

/** What can be done; chance's outcomes with their odds only where a position was asked for. */
export interface LegalActions {
  actions: (string)[];
  odds: (number)[];
  open: (string)[];
}

/** A one-time link that carries an identity to another device. */
export interface Link {
  code: string;
  url: string;
  qr: string;
  /** milliseconds since 1970, on the server's clock */
  expires: number;
}

/** How a game's live turns stream. */
export interface LiveCard {
  rate: number;
}

/** A frame of a live turn. */
export interface LiveMessage {
  what: "live";
  seat: number;
  sample: number;
  frame: { [key: string]: Json };
}

/** The live turn was broken off. */
export interface LiveStoppedMessage {
  what: "live-stopped";
  words: Words;
}

/** An action of the log. */
export interface LogAction {
  by: number | "chance" | null;
  action: string;
}

/** A person, as they see themselves. */
export interface Me {
  person: Person;
  devices: number;
}

/** How many decisions gave away so much. */
export interface MistakeCounts {
  blunder: number;
  mistake: number;
  inaccuracy: number;
}

/** So long for every decision. */
export interface MoveClock {
  kind: "move";
  seconds: number;
}

/** Hear a person no more, or again. */
export interface Mute {
  id: string;
  do: "mute";
  person: string;
  on: boolean;
}

/** For me, or for somebody else at my device. */
export interface MySeat {
  kind: "me";
  name?: string | null;
}

/** So long for the whole match, and an increment after each of one's actions. */
export interface NewGameClock {
  kind: "game";
  seconds: number;
  increment?: number;
}

/** So long for every decision. */
export interface NewMoveClock {
  kind: "move";
  seconds: number;
}

/** Time does not matter. */
export interface NewNoClock {
  kind?: "none";
}

/** The name of a new person. */
export interface NewPerson {
  name: string;
}

/** I look for an opponent. */
export interface NewSearch {
  game: string;
}

/** How a table is to be played. */
export interface NewSettings {
  dice?: "asked" | "auto";
  clock?: NewNoClock | NewMoveClock | NewGameClock;
  hints?: boolean;
  takebacks?: boolean;
  chat?: boolean;
  pace?: number;
  claim_after?: number;
  /** whether players are reminded of what they have to say by themselves */
  remind?: boolean;
}

/** A table to open. */
export interface NewTable {
  game: string;
  options?: { [key: string]: Json };
  seats?: (MySeat | OpenSeat | BotSeat | ProgramSeat)[] | null;
  private?: boolean;
  settings?: NewSettings;
  series?: number;
  /** ignored: a number counts only after the commitment was shown */
  number?: string | null;
  setup?: { [key: string]: Json } | null;
}

/** Time does not matter. */
export interface NoClock {
  kind?: "none";
}

/** What the operator tells everybody. */
export interface Notice {
  words: Words;
  /** when it is no longer shown */
  until?: number | null;
}

/** What the operator tells everybody; nothing any more if `words` is null. */
export interface NoticeMessage {
  what: "notice";
  words: Words | null;
  until: number | null;
}

/** The chance of something that a player may hope for in this turn, such as a combination of dice. */
export interface Odd {
  name: string;
  chance: number;
}

/** All of them, the likeliest first; empty if the game has none. */
export interface Odds {
  odds: (Odd)[];
}

/** For whoever comes. */
export interface OpenSeat {
  kind: "open";
}

/** A table that was opened, and its invitation. */
export interface Opened {
  table: Table;
  url: string;
}

/** A choice before a game. */
export interface OptionCard {
  name: string;
  kind: "switch" | "number" | "choice" | "counts" | "first";
  default: Json;
  clause: string;
  words: Words;
  /** a sentence that explains it, if the game has one */
  about?: Words | null;
  low?: number | null;
  high?: number | null;
  /** whether a number may be null: none */
  optional?: boolean;
  choices?: (string)[] | null;
  total?: number | null;
}

/** What would be if. */
export interface Peek {
  id: string;
  do: "peek";
  actions?: (string)[];
}

/** Somebody, as others see them. */
export interface Person {
  id: string;
  name: string;
}

/** A phrase that people can say. */
export interface Phrase {
  phrase: string;
  words: Words;
}

/** Are you there? */
export interface Ping {
  id: string;
  do: "ping";
}

/** Here I am. */
export interface PongMessage {
  what: "pong";
  id: string;
  /** milliseconds since 1970, on the server's clock */
  now: number;
}

/** A moment of a match. */
export interface Position {
  length: number;
  to_move: number | "chance" | null;
  acting: number | null;
  state: { [key: string]: Json };
  over: boolean;
  returns: (number)[];
  legal: LegalActions;
}

/** What would be. */
export interface PreviewMessage {
  what: "preview";
  id: string;
  number: number;
  steps: (Told)[];
  position: Position;
}

/** For a program that the operator configured. */
export interface ProgramSeat {
  kind: "program";
  program: string;
}

/** A puzzle to solve: a position, and a question in the game's own words where it has one. */
export interface Puzzle {
  game: string;
  number: number;
  count: number;
  kind: string;
  grade: number;
  question: Words | null;
  players: number;
  options: { [key: string]: Json };
  position: { [key: string]: Json };
}

/** What somebody would play. */
export interface PuzzleAnswer {
  action: string;
}

/** A puzzle from outside; grades go from 1 to 5. */
export interface PuzzleCard {
  number: number;
  kind: string;
  grade: number;
}

/** All puzzles of a game. */
export interface PuzzleCards {
  puzzles: (PuzzleCard)[];
}

/** An answer, judged; values are chances to win. */
export interface PuzzleVerdict {
  right: boolean;
  action: string;
  value: number | null;
  best: string;
  best_value: number;
  why: Why | null;
}

/** A position to look at: a set-up and what was played since; `"?"` lets the dice decide. */
export interface Question {
  game: string;
  players?: number | null;
  options?: { [key: string]: Json };
  setup?: { [key: string]: Json } | null;
  actions?: (string)[];
  outcomes?: (Json)[] | null;
  names?: (string)[];
  seed?: string;
  from?: number;
  level?: number;
  seconds?: number | null;
}

/** A record from outside. */
export interface RecordCard {
  id: string;
  game: string;
  players: (RecordPlayer)[];
  returns: (number)[];
  /** milliseconds since 1970, on the server's clock */
  ended: number;
  how: string;
  actions: number;
  uploaded: boolean;
}

/** A page of records; `before` asks for the next one. */
export interface RecordCards {
  records: (RecordCard)[];
  before: number | null;
}

/** Who played. */
export interface RecordPlayer {
  name: string;
  kind: string;
}

/** Nothing was changed, and why. */
export interface RefusedMessage {
  what: "refused";
  id: string | null;
  code: string;
  sentence: string;
}

/** Ready for the next match, or no longer. */
export interface Rematch {
  id: string;
  at: number;
  do: "rematch";
  number?: string | null;
  on?: boolean;
}

/** Show a person out. */
export interface Remove {
  id: string;
  do: "remove";
  person: string;
}

/** A name that is out of place; by default the person's present one. */
export interface Report {
  name?: string | null;
}

/** Give up. */
export interface Resign {
  id: string;
  at: number;
  do: "resign";
  seat?: number | null;
}

/** A whole match, judged. */
export interface Review {
  judge: string;
  players: (ReviewedSeat)[];
  moments: (ReviewedMoment)[];
}

/** How far a review has come; `ahead` counts those that are done first. */
export interface ReviewState {
  state: "none" | "waiting" | "working" | "done" | "stopped" | "failed";
  done: number;
  total: number;
  ahead: number;
  mine: boolean;
  review: Review | null;
}

/** One action of the log, judged: every seat's chance after it, or only that of whoever decided (`value`). */
export interface ReviewedMoment {
  place: number;
  by: number | "chance" | null;
  action: string;
  chances?: (number)[] | null;
  luck?: (number)[] | null;
  value?: number | null;
  lost?: number;
  best?: string | null;
  size?: "blunder" | "mistake" | "inaccuracy" | null;
  why?: Why | null;
}

/** What a seat's match comes to, in whole wins: what the dice gave (null: cannot be told), what decisions cost. */
export interface ReviewedSeat {
  luck: number | null;
  lost: number;
  decisions: number;
  mistakes: MistakeCounts;
}

/** Let the dice roll. */
export interface Roll {
  id: string;
  at: number;
  do: "roll";
}

/** Somebody said something. */
export interface SaidMessage {
  what: "said";
  person: Person;
  phrase: string | null;
  text: string | null;
  /** milliseconds since 1970, on the server's clock */
  at: number;
}

/** Say something friendly. */
export interface SayPhrase {
  id: string;
  do: "phrase";
  phrase: string;
}

/** Chat. */
export interface SayText {
  id: string;
  do: "chat";
  text: string;
}

/** How the search for an opponent stands. */
export interface Search {
  state: "waiting" | "found";
  /** where the opponent is met; sit down there */
  table: string | null;
  /** how many others wait for this game */
  others: number;
}

/** Who sits there. */
export interface Seat {
  kind: "open" | "person" | "bot" | "program";
  person: Person | null;
  name: string;
  level: number | null;
  program: string | null;
  present: boolean;
}

/** How the games of this table stand. */
export interface Series {
  games: number;
  played: number;
  score: (number)[];
}

/** Close the table to newcomers, or open it again. */
export interface SetNewcomers {
  id: string;
  at: number;
  do: "newcomers";
  on: boolean;
}

/** How a table is played. */
export interface Settings {
  dice?: "asked" | "auto";
  clock?: NoClock | MoveClock | GameClock;
  hints?: boolean;
  takebacks?: boolean;
  chat?: boolean;
  pace?: number;
  claim_after?: number;
  /** whether players are reminded of what they have to say by themselves */
  remind?: boolean;
}

/** Take an open seat. */
export interface Sit {
  id: string;
  at: number;
  do: "sit";
  seat: number;
  name?: string | null;
  number?: string | null;
}

/** What this server offers. */
export interface Site {
  name: string;
  version: string;
  protocol: number;
  languages: (string)[];
  levels: (number)[];
  programs: (string)[];
  phrases: (Phrase)[];
  table_days: number;
  notice?: Notice | null;
  /** nothing can be changed now */
  read_only?: boolean;
}

/** Leave a seat before the match. */
export interface Stand {
  id: string;
  at: number;
  do: "stand";
  seat: number;
}

/** Everything. */
export interface StateMessage {
  what: "state";
  number: number;
  you: You;
  table: Table;
  position: Position | null;
  log: (LogAction)[];
  clocks: Clocks | null;
  here: (Person)[];
  said: (SaidMessage)[];
  applied: (string)[];
  live: boolean;
  why: "hello" | "stale" | "again";
  id: string | null;
}

/** One action was played. */
export interface StepMessage {
  what: "step";
  number: number;
  request: string | null;
  by: number | "chance" | null;
  action: string;
  events: (Event)[];
  outcome: Json;
  position: Position;
  clocks: Clocks | null;
  table: Table | null;
}

/** A whole game in words and positions. */
export interface Story {
  first: Position;
  steps: (Told)[];
}

/** The match so far. */
export interface StoryMessage {
  what: "story";
  id: string;
  number: number;
  from: number;
  steps: (Told)[];
}

/** A table from inside. */
export interface Table {
  id: string;
  game: string;
  options: { [key: string]: Json };
  private: boolean;
  /** whether others than those who are here may come */
  newcomers?: boolean;
  host: Person | null;
  settings: Settings;
  status: "waiting" | "playing" | "over";
  seats: (Seat)[];
  match: number;
  series: Series;
  ended: Ended | null;
  takeback: Takeback | null;
  rematch: (number)[];
  /** when over: the seat, as all sit now, of who starts the next match, if that is known */
  starts_next?: number | null;
  dice: FairDice;
  closed?: Words | null;
}

/** Anything else changed. */
export interface TableMessage {
  what: "table";
  number: number;
  request: string | null;
  why: "opened" | "sit" | "stand" | "bot" | "contributed" | "newcomers" | "began" | "takeback-asked" | "takeback-refused" | "takeback" | "resigned" | "time" | "claimed" | "taken-over" | "rematch" | "rematch-withdrawn" | "removed" | "forgotten" | "closed";
  person: Person | null;
  table: Table;
  position: Position | null;
  clocks: Clocks | null;
}

/** Somebody asks to take back a move, to where the match had `length` actions. */
export interface Takeback {
  seat: number;
  length: number;
  agreed: (number)[];
}

/** What a person is told who has reported something. */
export interface Thanks {
  words: Words;
}

/** An action that was considered. */
export interface Thought {
  action: string;
  value: number;
}

/** An action with what it did; in a `story`, without the position. */
export interface Told {
  by: number | "chance" | null;
  action: string;
  events: (Event)[];
  outcome?: Json;
  position?: Position | null;
}

/** A page of the manual, with its title. */
export interface TopicCard {
  name: string;
  hosts: boolean;
  words: Words;
}

/** The whole manual. */
export interface Topics {
  topics: (TopicCard)[];
}

/** Whether dice were fair: yes, no, or cannot be told. */
export interface Verdict {
  fair: boolean | null;
  words: Words;
  order?: Words | null;
}

/** Hello is accepted. */
export interface Welcome {
  what: "welcome";
  version: number;
  person: Person | null;
  number: number;
  /** milliseconds since 1970, on the server's clock */
  now: number;
}

/** What the better action brings and what the chosen one does, until the turn is over; and what speaks for the better one. */
export interface Why {
  better: Words;
  chosen: Words;
  reasons: (Words)[];
}

/** A text by language, in every language of the site. */
export type Words = { [key: string]: string };

/** Who the reader is at this table. */
export interface You {
  person: Person | null;
  seats: (number)[];
  host: boolean;
}
