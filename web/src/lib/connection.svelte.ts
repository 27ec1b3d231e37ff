// A table's WebSocket: it notices a loss, reconnects, repeats the request that was not confirmed, and shows the match
// moment by moment.
import type { GameEvent, Json, LiveTurn, Moment, Preview, Step } from "../contract";
import { connect, hostOfTable } from "../host/choice";
import type { TableSocket } from "../host/local";
import { newId, mySecret } from "./api";
import { gameList } from "./games.svelte";
import { numberFor } from "./numbers";
import { type Line, linesOf } from "./log";
import type { AnyMessage, Clocks, Event, Person, Position, SaidMessage, StepMessage, Table, Told } from "./network";
import { announcement } from "./notice.svelte";
import { t, told } from "./language.svelte";
import { settings } from "./settings.svelte";

/** "silent": the socket is open, but a heartbeat was not answered. */
export type Link = "connecting" | "open" | "silent" | "lost" | "gone" | "shown-out" | "unknown";

const STEP_PAUSE = 520;
const LONGEST_WAIT = 8000;
// The heartbeat is counted in ticks and not by the clock: a window that was busy or asleep has not waited for anybody.
const TICK = 250;
const PING_AFTER = 8;
const SILENT_AFTER = 16;
const LOST_AFTER = 32;
/** Ticks from opening a socket to the server's first word. */
const OPEN_WITHIN = 40;

export function eventOf(event: Event): GameEvent {
  return { what: event.what, facts: event.facts, told: told(event.words) };
}

/** How many actions a board may look back to, for what it shows of them, such as a line that has just scored. */
const LATELY = 30;
export const latelyOf = (steps: readonly { action: string; events: Event[] }[]): Step[] =>
  steps.slice(-LATELY).map(({ action, events }) => ({ action, events: events.map(eventOf) }));

export function momentOf(
  position: Position,
  number: number,
  step: { action: string; events: Event[]; outcome?: Json } | null,
  lately: readonly Step[] = [],
): Moment {
  return {
    number,
    view: position.state,
    toMove: position.to_move,
    acting: position.acting,
    legal: position.legal.actions,
    open: position.legal.open,
    action: step?.action ?? null,
    events: step?.events.map(eventOf) ?? [],
    lately,
    outcome: step?.outcome ?? null,
    over: position.over,
    returns: position.returns,
  };
}

export function previewOf(position: Position, steps: Told[]): Preview {
  return {
    view: position.state,
    toMove: position.to_move,
    legal: position.legal.actions,
    events: steps.flatMap((step) => step.events.map(eventOf)),
    over: position.over,
  };
}

type Request = { do: string; [key: string]: Json };

export class Connection {
  link: Link = $state("connecting");
  person: Person | null = $state.raw(null);
  table: Table | null = $state.raw(null);
  moment: Moment | null = $state.raw(null);
  clocks: Clocks | null = $state.raw(null);
  here: Person[] = $state.raw([]);
  watching = $state(0);
  said: SaidMessage[] = $state.raw([]);
  lines: Line[] = $state.raw([]);
  /** Why the table lets nobody in here, where the server has said so. */
  refusal: string | null = $state(null);
  /** What the server refused last, for the person to read. */
  problem: string | null = $state(null);
  notice: { why: string; person: Person | null } | null = $state.raw(null);
  hint: string | null = $state(null);
  /** What speaks for the hint; outdated once there is none. */
  hintReasons: readonly string[] = $state([]);
  thinking = $state(false);
  waiting = $state(false);
  clockOffset = 0;
  retryAt = $state(0);

  #socket: TableSocket | null = null;
  #number: number | null = null;
  #queue: Moment[] = $state.raw([]);
  #lately: readonly Step[] = [];
  /** Steps since the story was asked for, while its answer is awaited: it may be older than they are. */
  #since: StepMessage[] | null = null;
  #timer = 0;
  #heartbeat = 0;
  /** Ticks since the server was last heard. */
  #quiet = 0;
  /** The server has answered on this socket. */
  #welcomed = false;
  #tries = 0;
  #openings = 0;
  #closed = false;
  #pending: Request | null = null;
  /** The socket that this window's number for the dice went out on, while the table awaits it. */
  #offered: TableSocket | null = null;
  #answers = new Map<string, { done: (message: AnyMessage) => void; fail: (problem: Error) => void }>();
  #listeners = new Set<(frame: Json) => void>();

  constructor(readonly id: string) {
    this.#open();
    this.#heartbeat = window.setInterval(this.#tick, TICK);
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
  }

  /** My seats; several when I play for others at this device. */
  get seats(): number[] {
    const mine = this.person?.id;
    if (!mine || !this.table) return [];
    return this.table.seats.flatMap((seat, place) => (seat.person?.id === mine ? [place] : []));
  }
  get names(): string[] {
    return this.table?.seats.map((seat) => seat.name) ?? [];
  }
  get host(): boolean {
    return this.person !== null && this.table?.host?.id === this.person.id;
  }
  /** False while older moments are still being shown. */
  get upToDate(): boolean {
    return this.#queue.length === 0;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#socket?.close();
  }

  /** A request that changes the table: it is kept until the server has confirmed it. */
  request(kind: string, more: { [key: string]: Json } = {}): void {
    this.problem = null;
    const request: Request = { do: kind, id: newId(), at: this.#number ?? 0, ...more };
    this.#pending = request;
    this.waiting = true;
    this.#send(request);
  }

  /** A question that changes nothing. */
  question<Answer extends AnyMessage>(kind: string, more: { [key: string]: Json } = {}): Promise<Answer> {
    const id = newId();
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject(new Error("offline"));
      this.#answers.set(id, { done: (message) => resolve(message as Answer), fail: reject });
      this.#send({ do: kind, id, ...more });
    });
  }

  async peek(actions: readonly string[]): Promise<Preview> {
    const preview = await this.question<Extract<AnyMessage, { what: "preview" }>>("peek", { actions: [...actions] });
    return previewOf(preview.position, preview.steps);
  }

  async askHint(): Promise<void> {
    this.thinking = true;
    this.problem = null;
    try {
      const advice = await this.question<Extract<AnyMessage, { what: "hint" }>>("hint", { level: 4 });
      this.hintReasons = advice.reasons.map((reason) => told(reason.words));
      this.hint = advice.action;
    } catch (problem) {
      this.problem = (problem as Error).message;
    } finally {
      this.thinking = false;
    }
  }

  /** A live turn, for the games that have them. */
  readonly live: LiveTurn = {
    begin: (hand) => this.request("begin", { hand }),
    move: (hand) => this.#send({ do: "hand", hand }),
    frames: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };

  retry = (): void => {
    clearTimeout(this.#timer);
    if (!this.#closed && this.link !== "open") this.#open();
  };
  #wake = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.link === "lost" || this.link === "silent") this.retry();
    else this.#quiet = Math.max(this.#quiet, PING_AFTER - 1);
  };

  /** A network that goes away without a word is noticed by a ping, while there is a game to miss. */
  #tick = (): void => {
    this.#quiet += 1;
    if (!this.#welcomed) {
      if (this.#socket && !this.#socket.patient && this.#quiet >= OPEN_WITHIN) this.#lose();
    } else if (this.link !== "silent" && (this.table?.status !== "playing" || document.visibilityState !== "visible"))
      this.#quiet = 0;
    else if (this.#quiet === PING_AFTER) this.#send({ do: "ping", id: newId() });
    else if (this.#quiet === SILENT_AFTER) this.link = "silent";
    else if (this.#quiet >= LOST_AFTER) this.#lose();
  };

  #send(message: Request): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** The socket is not waited for any longer, nor is what was asked on it. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    this.#quiet = 0;
    socket?.close();
    for (const { fail } of this.#answers.values()) fail(new Error("offline"));
    this.#answers.clear();
  }
  #lose(): void {
    this.#drop();
    this.link = "lost";
    const wait = Math.min(LONGEST_WAIT, 300 * 2 ** this.#tries) * (0.7 + Math.random() * 0.6);
    this.#tries += 1;
    this.retryAt = Date.now() + wait;
    this.#timer = window.setTimeout(this.retry, wait);
  }

  #open(): void {
    this.#drop();
    const coming = connect(this.id, () => t("host.elsewhere"));
    if (!(coming instanceof Promise)) this.#use(coming);
    else {
      // Whatever was opened meanwhile takes its place.
      const opening = ++this.#openings;
      coming.then(
        (socket) => {
          if (opening === this.#openings && !this.#closed) this.#use(socket);
          else socket.close();
        },
        () => this.#lose(),
      );
    }
  }
  #use(socket: TableSocket): void {
    this.#socket = socket;
    socket.onopen = () => {
      const secret = mySecret(hostOfTable(this.id));
      this.#send({
        do: "hello",
        version: 1,
        language: settings.language,
        last: this.#number,
        ...(secret ? { secret } : {}),
      });
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data as string) as AnyMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket || this.#closed) return;
      this.#lose();
      const final = ({ 4401: "unknown", 4403: "shown-out", 4404: "gone" } as const)[event.code];
      if (!final) return;
      clearTimeout(this.#timer);
      this.link = final;
    };
  }

  #hear(message: AnyMessage): void {
    this.#quiet = 0;
    if (this.link === "silent") this.link = "open";
    switch (message.what) {
      case "welcome":
        this.link = "open";
        this.#welcomed = true;
        this.#tries = 0;
        this.person = message.person;
        this.clockOffset = message.now - Date.now();
        void gameList.refresh();
        if (this.#number === message.number) this.#again([]);
        this.#contribute();
        break;
      case "state":
        this.#number = message.number;
        this.table = message.table;
        this.clocks = message.clocks;
        this.here = message.here;
        this.said = message.said;
        this.person = message.you.person;
        this.#queue = [];
        this.hint = null;
        this.moment = message.position ? momentOf(message.position, message.number, null) : null;
        this.#again(message.applied);
        this.#contribute();
        void this.#tellStory();
        break;
      case "step":
        this.#number = message.number;
        this.#settle(message.request);
        if (message.table) this.table = message.table;
        this.clocks = message.clocks;
        this.hint = null;
        this.#since?.push(message);
        this.#tell(message.events, message.by);
        this.#lately = [...this.#lately, ...latelyOf([message])].slice(-LATELY);
        this.#show(momentOf(message.position, message.number, message, this.#lately));
        break;
      case "table":
        this.#number = message.number;
        this.#settle(message.request);
        this.table = message.table;
        this.clocks = message.clocks;
        this.hint = null;
        this.notice = { why: message.why, person: message.person };
        this.#contribute();
        if (message.position) this.#show(momentOf(message.position, message.number, null));
        if (message.why === "takeback" || message.why === "began") void this.#tellStory();
        break;
      case "here":
        this.here = message.people;
        this.watching = message.watching;
        if (this.table)
          this.table = {
            ...this.table,
            seats: this.table.seats.map((seat, place) => ({ ...seat, present: message.seats[place] ?? seat.present })),
          };
        break;
      case "said":
        this.said = [...this.said.slice(-49), message];
        break;
      case "live":
        for (const listener of this.#listeners) listener(message as unknown as Json);
        break;
      case "notice":
        announcement.show(message, Date.now() + this.clockOffset);
        break;
      case "live-stopped":
        this.problem = told(message.words);
        break;
      case "refused":
        if (message.id !== null && this.#answers.has(message.id)) {
          this.#answers.get(message.id)?.fail(new Error(message.sentence));
          this.#answers.delete(message.id);
        } else {
          if (message.id === null && (this.link !== "open" || message.code === "banned"))
            this.refusal = message.sentence;
          this.problem = message.sentence;
          if (this.#pending && this.#pending["id"] === message.id) this.#settle(message.id);
        }
        break;
      case "preview":
      case "hint":
      case "story":
      case "done":
      case "pong":
        this.#answers.get(message.id)?.done(message);
        this.#answers.delete(message.id);
        if (this.#pending && this.#pending["id"] === message.id) this.#settle(message.id);
        break;
    }
  }

  /** The table has shown its commitment: now it gets a number for the dice, one for all seats at this device. */
  #contribute(): void {
    const table = this.table;
    const awaited = table?.dice.awaited ?? [];
    if (!table || !this.seats.some((seat) => awaited.includes(seat))) {
      this.#offered = null;
      return;
    }
    if (this.#offered === this.#socket) return;
    this.#offered = this.#socket;
    const id = newId();
    // Another window of the same person may have been quicker, which is no problem to tell.
    this.#answers.set(id, { done: () => undefined, fail: () => undefined });
    this.#send({ do: "contribute", id, at: this.#number ?? 0, number: numberFor(table.dice.commitment) });
  }

  #settle(request: string | null): void {
    if (request) this.#answers.delete(request);
    if (request && this.#pending && this.#pending["id"] === request) {
      this.#pending = null;
      this.waiting = false;
    }
  }
  /** After a loss: a request that was not applied, and that still fits, is sent again. */
  #again(applied: string[]): void {
    const pending = this.#pending;
    if (!pending) return;
    if (applied.includes(pending["id"] as string) || pending["at"] !== this.#number) {
      this.#pending = null;
      this.waiting = false;
    } else this.#send(pending);
  }

  #show(moment: Moment): void {
    if (!settings.motion || this.moment === null || moment.number < this.moment.number || document.hidden) {
      this.#queue = [];
      this.moment = moment;
      return;
    }
    if (this.#queue.length > 6) this.#queue = [];
    this.#queue = [...this.#queue, moment];
    if (this.#queue.length === 1) this.#next();
  }
  /** Moments are shown one after the other, so that a roll can be seen before what follows from it. */
  #next(): void {
    const [moment] = this.#queue;
    if (!moment || this.#closed) return;
    this.moment = moment;
    if (this.#queue.length === 1) {
      this.#queue = [];
      return;
    }
    window.setTimeout(() => {
      this.#queue = this.#queue.slice(1);
      this.#next();
    }, STEP_PAUSE);
  }

  #tell(events: Event[], by: StepMessage["by"]): void {
    this.lines = [...this.lines, ...linesOf(events, by)].slice(-400);
  }
  async #tellStory(): Promise<void> {
    const since: StepMessage[] = [];
    this.#since = since; // a story that is asked for later takes its place
    try {
      const story = await this.question<Extract<AnyMessage, { what: "story" }>>("story");
      if (this.#since !== since) return;
      this.#since = null;
      const steps = [...story.steps, ...since.filter((step) => step.number > story.number)];
      this.#lately = latelyOf(steps);
      if (this.moment) this.moment = { ...this.moment, lately: this.#lately };
      this.lines = steps.flatMap((step) => linesOf(step.events, step.by));
    } catch {
      if (this.#since === since) this.lines = []; // the log is a comfort: play goes on without it
    }
  }
}
