// The own turn ahead of the table: while this player's hand plays, the page simulates hand, piece and neighbours at
// once, and numbers the hand's poses so that the table plays the same way. The table stays the judge: what it says is
// compared with what was simulated, and once the two differ the table's frames take over.
import type { Json, LiveTurn } from "../../contract";
import type { Frame } from "./frames";
import type { Engine } from "./physics/engine";
import type { PhysicsFacts } from "./physics/scene";
import { SAMPLES_PER_SECOND, type TurnFrame, type TurnStart } from "./physics/turn";
import { betweenPoses } from "./physics/way";
import { distance, neatPose, type Pose } from "./pose";

const SAMPLE_MS = 1000 / SAMPLES_PER_SECOND;
/** Messages with the hand's way go out this often. */
const SEND_MS = 30;
/** What has not been heard after this time is said again. */
const AGAIN_MS = 1000;
/** Samples that are made up for a page that stood still; a longer pause is lost time. */
const MOST_MADE_UP = 30;
/** The piece follows the hand with its own weight: it is let go when it has come this near, or after this time. */
const NEAR_MM = 3;
const FOLLOW_SAMPLES = 1.5 * SAMPLES_PER_SECOND;
/** The simulation and the table may differ by this much while the piece is held, and afterwards. */
const HELD_MM = 1;
const LOOSE_MM = 4;
/** Samples by which the two may open the hand at different times. */
const SLACK = 4;
/** How long drawn pieces take from the simulation to the table's frames. */
const BLEND_MS = 250;

/** From a look at the hand to what its neighbours do: measured for the first samples of a turn, for profiles of the
 *  page. */
const MEASURE = "yikerz: hand to neighbours";
const MEASURED = 10 * SAMPLES_PER_SECOND;

/** How the two differ: something lies elsewhere, or something else has happened. */
export type Difference = "place" | "outcome";

export interface Heard {
  /** Something new to draw. */
  changed(frame: Frame, before: Frame | null): void;
  /** The simulation and the table differ; from now on the table's frames are shown. */
  differs(how: Difference, table: Frame): void;
}

export class Prediction {
  /** The newest simulated frame; null before the first one, and once the table's frames have taken over. */
  frame: Frame | null = null;
  /** What would be taken off the board by the simulation, once that is over. */
  taken: readonly number[] | null = null;
  difference: Difference | null = null;
  readonly #engine: Engine;
  readonly #live: LiveTurn;
  readonly #heard: Heard;
  readonly #turn: number;
  readonly #timer: number;
  readonly #way: number[][] = [];
  readonly #frames = new Map<number, Frame>();
  readonly #gone: number[] = [];
  /** When each sample was handed to the simulation, until that has answered. */
  readonly #asked = new Map<number, number>();
  #hand: () => Pose;
  #began = performance.now();
  #samples = 0;
  #last: Pose;
  #said: string;
  #sent = 0;
  #sentAt = 0;
  #told = 0;
  #toldAt = 0;
  /** Since which sample the hand wants to let go, and when it did. */
  #lettingGo: number | null = null;
  #released: number | null = null;
  #differsAt: number | null = null;
  #table: Frame | null = null;
  #over = false;

  constructor(engine: Engine, live: LiveTurn, facts: PhysicsFacts, start: TurnStart, strain: boolean, heard: Heard) {
    this.#engine = engine;
    this.#live = live;
    this.#heard = heard;
    this.#hand = () => start.first;
    this.#last = start.first;
    this.#said = start.first.join();
    this.#turn = engine.begin(facts, start, strain, {
      onFrame: (frame) => this.#simulated(frame),
      onLost: () => this.#giveWay("place"),
    });
    live.begin({ magnet: start.magnet, pose: [...start.first], numbered: true });
    this.#timer = window.setInterval(() => this.#tick(performance.now()), SAMPLE_MS);
  }
  close(): void {
    clearInterval(this.#timer);
    performance.clearMeasures(MEASURE);
    this.#engine.end(this.#turn);
  }
  /** Where the hand is, from now on. */
  follow(hand: () => Pose): void {
    this.#hand = hand;
  }
  /** Let go as soon as the piece has followed the hand, which keeps still from now on. */
  letGo(): void {
    const pose = this.#hand();
    this.#hand = () => pose;
    this.#lettingGo ??= this.#samples;
    this.#tick(performance.now());
  }
  /** Take the hand's word back: the table still has the piece in it. */
  holdOn(hand: () => Pose): void {
    this.#lettingGo = null;
    this.follow(hand);
  }

  // --- the hand's way ---

  #tick(now: number): void {
    let due = Math.floor((now - this.#began) / SAMPLE_MS);
    if (due - this.#samples > MOST_MADE_UP) {
      this.#began += (due - this.#samples - MOST_MADE_UP) * SAMPLE_MS;
      due = this.#samples + MOST_MADE_UP;
    }
    if (due > this.#samples) {
      const poses = this.#made(due);
      if (this.#released === null && this.#letsGo()) this.#released = this.#samples;
      if (!this.#over && this.#differsAt === null) {
        this.#asked.set(this.#samples, now);
        this.#engine.follow(this.#turn, poses, this.#released === this.#samples);
      }
    }
    if (this.#table?.held === null || (this.#released !== null && this.#told >= this.#released)) return;
    if (now - this.#sentAt >= SEND_MS || this.#released === this.#samples) this.#send(now);
  }
  /** The poses of the samples up to this one. Between two looks at the hand it moves straight. */
  #made(due: number): Pose[] {
    const [from, to, first] = [this.#last, this.#hand(), this.#samples];
    const poses: Pose[] = [];
    while (this.#samples < due) {
      this.#samples++;
      // The table rounds as a message does: both follow the very same numbers.
      const pose = neatPose(betweenPoses(from, to, (this.#samples - first) / (due - first))) as unknown as Pose;
      const said = pose.join();
      if (said !== this.#said && this.#released === null) this.#way.push([this.#samples, ...pose]);
      this.#said = said;
      poses.push(pose);
    }
    this.#last = to;
    return poses;
  }
  #letsGo(): boolean {
    if (this.#lettingGo === null) return false;
    const frame = this.#differsAt === null ? this.frame : this.#table;
    const [piece, hand] = [frame?.held != null ? frame.poses.get(frame.held) : undefined, this.#hand()];
    const near = piece !== undefined && distance(piece, hand) < NEAR_MM;
    return near || this.#samples - this.#lettingGo > FOLLOW_SAMPLES;
  }
  #send(now: number): void {
    if (this.#told < this.#sent && now - this.#toldAt > AGAIN_MS) {
      this.#sent = this.#told;
      this.#toldAt = now;
    }
    // Until the table has begun the turn nobody may have heard it: then everything is said each time.
    const from = this.#table ? this.#sent : 0;
    const until = this.#released ?? this.#samples;
    const way: Json = this.#way.filter(([sample]) => sample! > from);
    this.#live.move({ way, until, ...(this.#released !== null && { release: true }) });
    this.#sent = until;
    this.#sentAt = now;
  }

  // --- what is simulated, and what the table says ---

  #simulated(told: TurnFrame): void {
    if (this.#differsAt !== null) return;
    const before = this.frame;
    const poses = new Map(told.poses);
    // Of a piece that stands only the table knows how it is strained.
    const standing = [...(this.#table?.strain ?? [])].filter(([id]) => poses.has(id) && !told.lying.includes(id));
    const { t, held, hand, pull, grip, events, knocks } = told;
    const strain = new Map([...standing, ...told.strain]);
    this.frame = { t, poses, held, events, quiet: null, hand, pull, grip, strain, heard: null, knocks };
    this.#frames.set(told.sample, this.frame);
    const start = this.#asked.get(told.sample);
    if (start !== undefined && told.sample <= MEASURED) performance.measure(MEASURE, { start });
    this.#asked.delete(told.sample);
    for (const { what, magnets } of events) if (what === "taken") this.#gone.push(...magnets);
    if (told.over) {
      this.#over = true;
      this.taken = this.#gone;
    }
    this.#heard.changed(this.frame, before);
    if (this.#table) this.#compare(this.#table);
  }
  /** A frame of the table. */
  hear(frame: Frame, now: number): void {
    const fresh = this.#table === null;
    this.#table = frame;
    if (frame.heard !== null && (fresh || frame.heard > this.#told)) {
      this.#told = frame.heard;
      this.#toldAt = now;
      if (fresh) this.#sent = frame.heard;
    }
    this.#compare(frame);
  }
  #compare(table: Frame): void {
    const sample = Math.round(table.t * SAMPLES_PER_SECOND);
    const own = this.#frames.get(sample);
    for (const known of this.#frames.keys()) if (known < sample - SLACK) this.#frames.delete(known);
    if (this.#differsAt !== null || !own) return;
    const after = [...this.#frames].filter(([known]) => known >= sample + SLACK).map(([, frame]) => frame);
    const before = this.#frames.get(sample - SLACK);
    if (table.held === null && own.held !== null && after[0] && after[0].held !== null) this.#giveWay("outcome");
    else if (table.held !== null && own.held === null && before?.held === null) this.#giveWay("outcome");
    else {
      const most = table.held === null || own.held === null ? LOOSE_MM : HELD_MM;
      for (const [id, pose] of table.poses) {
        const mine = own.poses.get(id);
        if (mine && distance(mine, pose) > most) {
          this.#giveWay("place");
          return;
        }
      }
    }
  }
  #giveWay(how: Difference): void {
    if (this.#differsAt !== null) return;
    this.#differsAt = performance.now();
    this.difference = how;
    if (this.#table) this.#heard.differs(how, this.#table);
  }
  /** How much of what is drawn comes from the table's frames: 0 while they agree, 1 some frames after they do not. */
  tableShare(now: number): number {
    return this.#differsAt === null ? 0 : Math.min(1, (now - this.#differsAt) / BLEND_MS);
  }
  /** Whether the simulation's end was another than the table's: other pieces were taken. */
  outcomeDiffers(taken: readonly number[]): boolean {
    if (this.taken === null || this.#differsAt !== null) return false;
    return [...this.taken].sort().join() !== [...taken].sort().join();
  }
}
