// One player's hand at the table: taking a magnet, moving it, letting go, and what the live turn tells meanwhile.
// It sends the hand's requests and passes live frames to the playback; it knows no rule.
import type { Json, Table } from "../../contract";
import type { Say } from "../../lib/catalogue";
import { tick } from "../../lib/haptics";
import { sound } from "../../lib/sound";
import { Feel, grams } from "./feel";
import { Engine } from "./physics/engine";
import type { PhysicsFacts } from "./physics/scene";
import { Playback } from "./playback";
import { type Frame, type LiveEvent, readFilm, readFrame } from "./frames";
import { ENTRY_MM, Hand, KEYS, Path, type Push } from "./hand";
import type { Kit } from "./kit";
import { inside, type Mat, matCorners } from "./mats";
import { type Difference, Prediction } from "./prediction";
import { neatPose, type Pose, quaternionOf, rotated, type Standing, standingOf } from "./pose";
import {
  type Arrangement,
  arrange,
  firstCrash,
  frameOf,
  type Magnet,
  nearestTo,
  onBoard,
  type Shown,
  stackOf,
} from "./view";

const TICK_MS = 1000 / 60;
/** How often words and sliders follow the hand. */
const SHOWN_MS = 120;
/** After the last key, this long until the place is told to those who listen. */
const TOLD_MS = 700;
/** Letting go is said again and again until it is heard: a turn that has just begun may miss it. */
const AGAIN_MS = 80;
/** The piece follows the hand with its own weight, and a pull bends it away: it is let go when it has come this near to
 *  where the hand is, or after this time. */
const NEAR_MM = 3;
const FOLLOW_SECONDS = 1.5;
/** A turn that the server has not begun after this time can be given up again. */
const UNHEARD_MS = 4000;

/** How long it is shown that the table has corrected what was simulated here. */
const CORRECTED_MS = 6000;
/** Magnets that meet at this speed are as loud as can be. */
const LOUD_MM_S = 700;

/** What the board shows of the hand. */
export interface HandShown {
  magnet: number;
  shape: string;
  x: number;
  y: number;
  gap: number;
  standing: Standing;
  begun: boolean;
  nearest: number | null;
  /** How the field pulls at it, in grams; null where the physics has not said so. */
  pull: number | null;
  /** The piece on the board that is nearest to moving, and how near: 1 is when it does. */
  strained: { magnet: number; load: number } | null;
}
/** From this strain on it is told in words. */
const TOLD_STRAIN = 0.5;

export class TurnController {
  readonly playback = new Playback();
  hand: Hand | null = null;
  shown: HandShown | null = $state.raw(null);
  /** Seconds of the live turn; null when none goes on. */
  seconds: number | null = $state(null);
  /** Whose live turn it is, and what that hand holds. */
  watched: { seat: number | null; held: number | null } | null = $state.raw(null);
  slow = $state(false);
  canShowAgain = $state(false);
  /** Where everything lies, as it is drawn. */
  arrangement: Arrangement | null = $state.raw(null);
  mats: readonly Mat[] = $state.raw([]);
  /** A new round's mats wait until the film of the old one has been seen or skipped. */
  waits = $state(false);
  /** While a turn is still being shown: how things stood before it. What is written follows what is seen. */
  showing = $state(false);
  seen: Shown | null = $state.raw(null);
  /** The table has decided otherwise than was simulated here, in words. */
  corrected: string | null = $state(null);
  #correctedFor = 0;
  /** The own turn as it is simulated here, where the page's physics is there. */
  prediction: Prediction | null = null;
  /** Whether the next turn will be simulated here. */
  predicts = $state(false);
  #engine: Engine | null = null;
  #facts: { key: string; told: PhysicsFacts | null } | null = null;
  #newRound: { arrangement: Arrangement; mats: readonly Mat[] } | null = null;
  #table: Table;
  #kit: Kit;
  #say: Say;
  /** Let go, and not yet heard what came of it. */
  released = $state(false);
  #goodbye = 0;
  #begunAt = 0;
  #lastTick = 0;
  #shownAt = 0;
  #touchedAt = 0;
  #path: Path | null = null;
  #timer = 0;
  #stop: (() => void) | undefined;
  #number = -1;
  #told = new Set<string>();
  readonly #wake: () => void;
  readonly #feel = new Feel();

  constructor(table: Table, kit: Kit, say: Say, wake: () => void) {
    this.#table = table;
    this.#kit = kit;
    this.#say = say;
    this.#wake = wake;
    this.#stop = table.live?.frames((message) => this.#hear(message));
    if (table.live && table.seats.length > 0) whenIdle(() => void this.#loadEngine());
  }
  destroy(): void {
    clearInterval(this.#timer);
    clearInterval(this.#goodbye);
    clearTimeout(this.#correctedFor);
    this.#predictNoMore();
    this.#feel.follow(null, false, 0);
    this.#stop?.();
  }
  get view(): Shown {
    return this.#table.moment.view as unknown as Shown;
  }
  get #mine(): boolean {
    const { toMove, open } = this.#table.moment;
    return typeof toMove === "number" && this.#table.seats.includes(toMove) && open.includes("magnet");
  }

  get #streams(): boolean {
    return this.#table.live !== undefined;
  }

  // --- the page's own physics ---

  async #loadEngine(): Promise<void> {
    this.#engine = await Engine.load();
    this.#askFacts();
  }
  /** What the simulation must know of this round's board, asked for before it is needed. */
  #askFacts(): void {
    const { mats } = this.view;
    const magnets = this.view.magnets.length;
    const magnetisation = this.#table.options["magnetisation"] ?? "plane";
    const key = this.#boardKey;
    if (!this.#engine || mats.length === 0 || this.#facts?.key === key) return;
    const asked: { key: string; told: PhysicsFacts | null } = { key, told: null };
    this.#facts = asked;
    this.predicts = false;
    this.#table.ask({ do: "physics", mats: mats as unknown as Json, magnets, magnetisation }).then(
      (answer) => {
        const told = answer as unknown as PhysicsFacts;
        // Kernels of another version would simulate another game.
        if (told.sources !== this.#engine?.sources) return;
        asked.told = told;
        this.predicts = this.#facts === asked;
      },
      () => {
        if (this.#facts === asked) this.#facts = null; // asked again with the next change
      },
    );
  }
  get #boardKey(): string {
    return JSON.stringify([this.view.mats, this.view.magnets.length, this.#table.options["magnetisation"]]);
  }
  #predict(hand: Hand): boolean {
    const { live, options } = this.#table;
    const facts = this.#facts?.key === this.#boardKey ? this.#facts.told : null;
    if (!live || !this.#engine || !facts) return false;
    const start = {
      board: onBoard(this.view).flatMap(({ id, pose }) => (pose ? [[id, [...pose] as unknown as Pose] as const] : [])),
      magnet: hand.magnet,
      first: neatPose(hand.pose) as unknown as Pose,
      quietSeconds: Number(options["quiet_seconds"] ?? 10),
      wholeTime: this.view.sudden === 0 && stackOf(this.view, this.view.player).length === 1,
    };
    this.prediction = new Prediction(
      this.#engine,
      live,
      $state.snapshot(facts) as PhysicsFacts,
      start,
      options["strain"] !== false,
      {
        changed: (frame, before) => this.#simulated(frame, before),
        differs: (how, table) => this.#differs(how, table),
      },
    );
    this.prediction.follow(() => hand.pose);
    this.playback.ahead = this.prediction;
    return true;
  }
  #predictNoMore(): void {
    this.prediction?.close();
    this.prediction = null;
    this.playback.ahead = null;
  }
  /** The simulation has made a sample: what it shows is heard and felt at once. */
  #simulated(frame: Frame, before: Frame | null): void {
    const { hand } = this;
    this.#clack(frame, before);
    const feels = frame.held !== null && frame.held === hand?.magnet;
    this.#feel.follow(feels ? frame.pull : null, this.#table.settings.sound, performance.now());
    if (hand?.begun && frame.held === null) {
      this.prediction?.follow(fixed(hand.pose));
      this.#drop();
      this.released = true;
      this.#table.announce(this.#say("touched"));
    }
    this.#wake();
  }
  /** The table says something else than the simulation: its word counts, and it is told if that matters. */
  #differs(how: Difference, table: Frame): void {
    if (how !== "outcome") return;
    this.#correct();
    const { hand } = this;
    if (table.held !== null && !hand) {
      this.released = false;
      this.#adopt(table.held, table.hand ?? table.poses.get(table.held));
    }
  }
  #correct(): void {
    this.corrected = this.#say("corrected");
    this.#table.announce(this.corrected);
    clearTimeout(this.#correctedFor);
    this.#correctedFor = window.setTimeout(() => {
      this.corrected = null;
    }, CORRECTED_MS);
  }

  /** The table has changed. */
  update(table: Table, say: Say, viewer: number, colours: readonly string[]): void {
    const now = performance.now();
    const { player } = this.view;
    this.#table = table;
    this.#say = say;
    const { playback } = this;
    playback.motion = table.settings.motion;
    const next = { arrangement: arrange(this.view, this.#kit, table.players, viewer, colours), mats: this.view.mats };
    if (table.moment.number !== this.#number) {
      // At a table every step is shown, one after the other; elsewhere, as in a replay, one goes where one likes.
      const follows =
        this.#number >= 0 &&
        (table.live ? table.moment.number > this.#number : table.moment.number === this.#number + 1);
      const handSeen = this.released;
      this.#number = table.moment.number;
      if (this.prediction?.outcomeDiffers(takenIn(table.moment.outcome))) this.#correct();
      this.#predictNoMore();
      if (this.hand?.begun || !this.#mine) this.#drop();
      this.released = false;
      clearInterval(this.#goodbye);
      const film = follows && !playback.live ? readFilm(table.moment.outcome) : null;
      if (!follows || !table.live) playback.skip(now);
      if (!follows && !playback.live) playback.film = null; // another turn's collapse is not this one's
      if (playback.live) playback.end(now, firstCrash(table.moment), this.#showSlowly);
      else if (film)
        playback.act(film, { seat: player, handSeen, crash: firstCrash(table.moment) }, now, this.#showSlowly);
      this.seconds = null;
      this.watched = null;
      this.#told.clear();
      this.canShowAgain = playback.canShowAgain;
    }
    this.waits =
      this.arrangement !== null &&
      playback.showing &&
      playback.scene !== null &&
      JSON.stringify(next.mats) !== JSON.stringify(this.mats);
    if (this.waits) this.#newRound = next;
    else this.#lay(next, now);
    this.#follow();
    this.#askFacts();
    this.#wake();
  }
  #follow(): void {
    this.showing = this.playback.showing;
    if (!this.showing) this.seen = this.view;
  }
  #lay({ arrangement, mats }: { arrangement: Arrangement; mats: readonly Mat[] }, now: number): void {
    this.#newRound = null;
    this.waits = false;
    this.arrangement = arrangement;
    this.mats = mats;
    this.playback.settle(arrangement.places, now);
  }
  /** Bring the scene to this moment; true while something moves by itself. */
  tick(now: number): boolean {
    const busy = this.playback.tick(now);
    if (this.#newRound && !this.playback.showing) this.#lay(this.#newRound, now);
    if (this.showing !== this.playback.showing) this.#follow();
    return busy || this.#newRound !== null;
  }

  // --- the hand ---

  take(magnet: number, at?: (height: number) => readonly [number, number] | null): void {
    if (!this.#mine || this.hand?.begun || this.released) return;
    const shape = this.#kit.shapes.get(this.#shapeOf(magnet));
    if (!shape) return;
    this.playback.skip();
    this.#drop();
    const near = Math.min(0, ...this.view.mats.flatMap((mat) => matCorners(mat, this.#kit.side).map(([, y]) => y)));
    this.#hold(new Hand(magnet, shape, at?.(ENTRY_MM) ?? [0, near]));
    this.#table.announce(this.#say("taken-up", { shape: this.#name(magnet) }));
  }
  #hold(hand: Hand): void {
    this.hand = hand;
    this.playback.mine = { id: hand.magnet, pose: () => hand.pose };
    this.#lastTick = performance.now();
    this.#timer = window.setInterval(() => this.#tick(), TICK_MS);
    this.#show();
    this.#wake();
  }
  /** Esc: back to the stack, as long as nothing has happened. */
  putBack(): void {
    if (!this.hand) return;
    if (this.hand.begun && (this.playback.live || performance.now() - this.#begunAt < UNHEARD_MS)) {
      this.#table.announce(this.#say("no-back"));
      return;
    }
    this.#drop();
    this.#predictNoMore();
    this.playback.settle(this.arrangement!.places, performance.now());
    this.#wake();
  }
  #drop(): void {
    clearInterval(this.#timer);
    this.#feel.follow(null, false, 0);
    this.hand = null;
    this.playback.mine = null;
    this.shown = null;
    this.#path = null;
  }
  letGo(): void {
    const { hand } = this;
    if (!hand) return;
    this.#begin();
    const pose = neatPose(hand.pose);
    if (this.prediction) {
      this.prediction.follow(fixed(hand.pose));
      this.prediction.letGo();
    } else if (this.#streams) {
      // in the turn's own time: one that has not begun there yet, or is late, does not follow yet
      let since: number | undefined;
      const sayGoodbye = (): void => {
        const last = this.playback.live ? this.playback.film?.last : undefined;
        since ??= last?.t;
        const there = last?.poses.get(hand.magnet);
        const arrived =
          there !== undefined && Math.hypot(there[0] - hand.x, there[1] - hand.y, there[2] - hand.z) < NEAR_MM;
        const waited = last && since !== undefined && last.t - since > FOLLOW_SECONDS;
        this.#table.live?.move(arrived || waited ? { pose, release: true } : { pose });
      };
      sayGoodbye();
      clearInterval(this.#goodbye);
      this.#goodbye = window.setInterval(sayGoodbye, AGAIN_MS);
    } else {
      this.#path?.add(performance.now(), hand.pose);
      const action = this.#path?.action(hand.magnet, performance.now());
      if (action) this.#table.play(action);
    }
    this.released = true;
    if (!this.prediction) this.playback.drawn.set(hand.magnet, hand.pose);
    this.#drop();
    this.#table.announce(this.#say("let-go"));
    this.#wake();
  }
  /** The first movement begins the turn: from then on everybody sees the hand. */
  #begin(): void {
    const { hand } = this;
    if (!hand || hand.begun) return;
    hand.begun = true;
    this.#begunAt = performance.now();
    if (this.#predict(hand)) return;
    if (this.#table.live) this.#table.live.begin({ magnet: hand.magnet, pose: neatPose(hand.pose) });
    else {
      this.#path = new Path();
      this.#path.add(this.#begunAt, hand.pose);
    }
  }
  /** Anything that the player does to the held magnet goes through here. */
  #changed(change: (hand: Hand) => void): void {
    const { hand } = this;
    if (!hand) return;
    this.#begin();
    change(hand);
    this.#touchedAt = performance.now();
    this.#wake();
  }
  drag = (dx: number, dy: number): void => this.#changed((hand) => hand.move(dx, dy));
  lift = (dz: number): void => this.#changed((hand) => hand.move(0, 0, dz));
  liftTo = (gap: number): void => this.#changed((hand) => hand.lift(gap));
  turn = (degrees: number): void => this.#changed((hand) => hand.turn(degrees));
  stand = (): void => this.#changed((hand) => hand.stand());
  push = (way: Push, on: boolean, fine = false): void => {
    if (on) this.#changed((hand) => hand.push(way, fine, this.playback.scene?.heading ?? 0));
    else this.hand?.release(way);
  };
  /** True if the key was for the hand. */
  key(event: KeyboardEvent, down: boolean): boolean {
    if (!this.hand || event.ctrlKey || event.metaKey || event.altKey) return false;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const way = KEYS[name];
    if (way) {
      this.push(way, down, event.shiftKey);
      if (down) this.#byKey.add(way);
      else this.#byKey.delete(way);
    } else if (!down) return false;
    else if (name === "f") event.repeat || this.stand();
    else if (name === "Enter") event.repeat || this.letGo();
    else if (name === "Escape") this.putBack();
    else return false;
    return true;
  }
  readonly #byKey = new Set<Push>();
  /** The keyboard goes elsewhere: its keys are let go. A button that is pressed takes the focus, and stays pressed. */
  rest = (): void => {
    for (const way of this.#byKey) this.hand?.release(way);
    this.#byKey.clear();
  };

  #tick(): void {
    const { hand } = this;
    const now = performance.now();
    const passed = Math.min(0.1, (now - this.#lastTick) / 1000);
    this.#lastTick = now;
    if (!hand) return;
    if (hand.busy) {
      hand.tick(passed, this.playback.scene?.heading ?? 0);
      this.#touchedAt = now;
      this.#wake();
    }
    if (hand.begun) {
      const pose = this.prediction ? null : hand.news(now);
      if (pose && this.#streams) this.#table.live?.move({ pose });
      else if (pose) this.#path?.add(now, hand.pose);
    }
    if (now - this.#shownAt > SHOWN_MS) this.#show();
    if (this.#touchedAt && now - this.#touchedAt > TOLD_MS) {
      this.#touchedAt = 0;
      this.#table.announce(this.where());
    }
  }
  #show(): void {
    const { hand } = this;
    this.#shownAt = performance.now();
    if (!hand) return;
    const near = nearestTo(hand.pose, this.#lying(), hand.magnet);
    const { felt } = this;
    this.shown = {
      magnet: hand.magnet,
      shape: hand.shape.name,
      x: hand.x,
      y: hand.y,
      gap: hand.gap,
      standing: hand.standing,
      begun: hand.begun,
      nearest: near ? near.gap : null,
      pull: felt?.pull ? grams(felt.pull) : null,
      strained: strained(felt),
    };
  }
  /** What the newest frame of a live turn says of forces; null where nothing goes on. */
  get felt(): Frame | null {
    return this.playback.newest;
  }
  #strainTold(): string {
    const most = strained(this.felt);
    if (!most || most.load < TOLD_STRAIN) return "";
    return ` ${this.strainTold(most)}`;
  }
  /** The piece that is nearest to moving, in words. */
  strainTold({ magnet, load }: { magnet: number; load: number }): string {
    const facts = { shape: this.#name(magnet), percent: Math.min(100, Math.round(load * 100)) };
    return this.#say(load < 1 ? "strained" : "strained.moves", facts);
  }
  /** The pieces as they lie now, in a live turn too. */
  #lying(): Magnet[] {
    const last = this.playback.newest;
    if (!last) return onBoard(this.view);
    return this.view.magnets.flatMap((magnet) => {
      const pose = last.poses.get(magnet.id);
      return pose ? [{ ...magnet, where: "board" as const, pose }] : [];
    });
  }
  overMat(x: number, y: number): boolean {
    return this.mats.some((mat) => inside(matCorners(mat, this.#kit.side), x, y));
  }
  place(x: number, y: number): { x: string; y: string } {
    return {
      x: this.#say(x < 0 ? "to.left" : "to.right", { mm: Math.round(Math.abs(x)) }),
      y: this.#say(y < 0 ? "to.near" : "to.away", { mm: Math.round(Math.abs(y)) }),
    };
  }
  /** Where the held magnet is, in words. */
  where(): string {
    const { hand } = this;
    if (!hand) return "";
    const near = nearestTo(hand.pose, this.#lying(), hand.magnet);
    const told = this.#say("hand.told", {
      ...this.place(hand.x, hand.y),
      gap: Math.round(hand.gap),
      standing: this.#say(hand.standing),
      nearest: near ? this.#say("near", { distance: Math.round(near.gap) }) : this.#say("near.none"),
    });
    return this.overMat(hand.x, hand.y) ? told + this.#strainTold() : `${told} ${this.#say("hand.off")}`;
  }

  // --- live turns ---

  #hear(message: Json): void {
    const { seat, frame: told } = frameOf(message);
    const frame = readFrame(told);
    if (!frame) return;
    const fresh = !this.playback.live;
    const own = seat !== null ? this.#table.seats.includes(seat) : this.hand !== null || this.released;
    const before = fresh ? null : (this.playback.film?.last ?? null);
    this.playback.hear(frame, performance.now(), this.#home(seat ?? this.view.player));
    this.prediction?.hear(frame, performance.now());
    const feels = own && frame.held !== null && frame.held === this.hand?.magnet;
    if (this.playback.newest === frame) {
      // otherwise it was heard and felt when it was simulated here
      this.#clack(frame, before);
      this.#feel.follow(feels ? frame.pull : null, this.#table.settings.sound, performance.now());
    }
    if (frame.held === null) clearInterval(this.#goodbye);
    if (fresh) {
      this.slow = false;
      this.hand?.sayAgain(); // what was said before the turn began was not heard
      if (!own && frame.held !== null)
        this.#table.announce(this.#say("live.takes", { player: this.#player(seat), shape: this.#name(frame.held) }));
    }
    const was = this.watched?.held ?? null;
    if (fresh || was !== frame.held || this.watched?.seat !== seat) this.watched = { seat, held: frame.held };
    if (this.seconds === null || Math.floor(frame.t) !== Math.floor(this.seconds)) this.seconds = frame.t;
    this.#tellEvents(frame.events);
    if (!own && was !== null && frame.held === null)
      this.#table.announce(this.#say("live.released", { player: this.#player(seat) }));
    const { hand } = this;
    if (hand?.begun && own && frame.held === null && was === hand.magnet) {
      // Y7, or the time is up: the server has opened the hand.
      const limit = Number(this.#table.options["hand_seconds"] ?? Infinity);
      this.#drop();
      this.released = true;
      this.#table.announce(this.#say(frame.t >= limit - 0.1 ? "time-up" : "touched"));
    } else if (!hand && own && fresh && frame.held !== null && !this.released)
      this.#adopt(frame.held, frame.poses.get(frame.held));
    this.#wake();
  }
  /** The page was loaded anew in the middle of a turn: the hand goes on where it was. */
  #adopt(magnet: number, pose: Pose | undefined): void {
    const shape = this.#kit.shapes.get(this.#shapeOf(magnet));
    if (!pose || !shape) return;
    const hand = new Hand(magnet, shape, [pose[0], pose[1]]);
    const standing = standingOf(pose);
    hand.standing = standing === "tilted" ? "flat" : standing;
    const [x, y] = rotated(quaternionOf(pose), [1, 0, 0]);
    if (hand.standing === "flat" || hand.standing === "edge") hand.turn((Math.atan2(y, x) * 180) / Math.PI);
    hand.move(0, 0, pose[2] - hand.z);
    hand.begun = true;
    this.#begunAt = performance.now();
    this.prediction?.holdOn(() => hand.pose);
    this.#hold(hand);
  }
  /** Magnets that have come together are heard, the louder the faster they came. */
  #clack({ t, events, poses, knocks }: Frame, before: Frame | null): void {
    for (const [one, two, speed] of knocks ?? []) {
      this.#told.add(`heard ${[one, two].toSorted().join()}`);
      sound(this.#table.settings.sound, "clack", 0.2 + speed / LOUD_MM_S);
    }
    for (const { what, magnets } of events) {
      if (what !== "touch" && what !== "collapse") continue;
      const key = `heard ${magnets.toSorted().join()}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      const speeds = magnets.map((magnet) => {
        const [from, to] = [before?.poses.get(magnet), poses.get(magnet)];
        return from && to && before
          ? Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) / Math.max(0.004, t - before.t)
          : 0;
      });
      const impact = 0.2 + Math.max(0, ...speeds) / LOUD_MM_S;
      sound(this.#table.settings.sound, "clack", impact);
      if (this.hand) tick(impact); // by whoever holds one of them
    }
  }
  #tellEvents(events: readonly LiveEvent[]): void {
    for (const { what, magnets } of events) {
      const key = `${what} ${magnets.join()}`;
      if (this.#told.has(key) || !["collapse", "fall", "taken"].includes(what)) continue;
      this.#told.add(key);
      this.#table.announce(this.#say(`live.${what}`, { pieces: this.pieces(magnets) }));
    }
  }
  #home(seat: number): Pose {
    const cloth = this.arrangement?.cloths.find((one) => one.seat === seat);
    return [cloth?.x ?? 0, cloth?.y ?? 0, 2, 1, 0, 0, 0];
  }
  #player(seat: number | null): string {
    return this.#table.names[seat ?? this.view.player] ?? "";
  }
  #shapeOf(magnet: number): string {
    return this.view.magnets.find(({ id }) => id === magnet)?.shape ?? "";
  }
  #name(magnet: number): string {
    return shapeName(this.#say, this.#shapeOf(magnet));
  }
  pieces(magnets: readonly number[]): string {
    return magnets.map((magnet) => this.#name(magnet)).join(", ");
  }

  // --- once more, slowly ---

  showAgain(): void {
    this.playback.again(performance.now(), this.#showSlowly);
    this.#wake();
  }
  /** Whoever acts does not wait for a film's end. */
  act(action: string): void {
    this.playback.skip();
    this.#table.play(action);
    this.#wake();
  }
  #showSlowly = (slow: boolean): void => {
    this.slow = slow;
    this.#wake();
  };
  /** Enough of what is shown: on to the next part or, where a new round waits, to that. */
  skip(): void {
    if (this.waits) this.playback.skip();
    else this.playback.pass();
    this.#wake();
  }
}

function strained(frame: Frame | null): HandShown["strained"] {
  let most: HandShown["strained"] = null;
  for (const [magnet, load] of frame?.strain ?? []) if (!most || load > most.load) most = { magnet, load };
  return most;
}

/** A hand that keeps still. */
const fixed = (pose: Pose) => (): Pose => pose;

/** Once the page has nothing better to do: the physics is several megabytes. Whoever saves data does without. */
function whenIdle(load: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  if (typeof requestIdleCallback === "function") requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 1000);
}

function takenIn(outcome: Json | undefined): number[] {
  const told = (outcome as { taken?: unknown } | null | undefined)?.taken;
  return Array.isArray(told) ? (told as number[]) : [];
}

const NAMED = ["pebble", "egg", "coin", "shield", "pillow"];
/** A shape's name in the player's language; a shape that we have no word for keeps its own. */
export const shapeName = (say: Say, shape: string): string => (NAMED.includes(shape) ? say(shape) : shape);
