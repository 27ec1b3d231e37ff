// Moves the stones in the scene: from one view to the next, along a live or recorded turn, in the player's own hand,
// and once more slowly. It knows poses and times only.
import { Film, type Frame } from "./frames";
import { between, NOWHERE, offset, type Pose, shifted } from "./pose";
import type { TableScene } from "./scene";

const MOVE_MS = 420;
/** A collapse is shown again at this part of its speed. */
export const SLOW = 0.22;
/** A film that was not seen live takes no longer than this for the hand's way, and for what the pieces do then. */
const HAND_S = 2.5;
const FALL_S = 2.5;
/** The held piece follows what the physics last said with this lag, so that thirty frames a second look smooth. */
const BEND_MS = 45;
/** Pieces glide to where a film begins: a hand takes its piece from the stack. */
const LEAD_MS = 350;

interface Move {
  from: Pose;
  to: Pose;
  start: number;
  length: number;
  arc: number;
}
/** A part of a film that is to be shown. */
interface Show {
  film: Film;
  from: number;
  to: number;
  speed: number;
  /** Whose hand is seen in it. */
  seat: number | null;
  /** Told when it begins, and when it is over or cut short. */
  shown?: (on: boolean) => void;
}
/** The part that is being shown: since when, and where the pieces were then. Its time runs from the first moment
 *  that is drawn: a slow machine misses nothing. */
interface Showing extends Show {
  start: number | null;
  lead: number;
  starts: ReadonlyMap<number, Pose>;
  t: number;
  gone: Set<number>;
}

export class Playback {
  scene: TableScene | null = null;
  motion = true;
  /** The live turn that is being watched, or the last one. */
  film: Film | null = null;
  /** Whether that turn is still going on. */
  live = false;
  /** What this player holds, and where the hand is. The piece is drawn at once where the physics has it relative to the
   *  hand; only what pulls it away from there is as old as the last frame. */
  mine: { id: number; pose: () => Pose } | null = null;
  /** The own turn as the page simulates it, ahead of the table, and how much of the picture is the table's. */
  ahead: { readonly frame: Frame | null; tableShare(now: number): number } | null = null;
  readonly drawn = new Map<number, Pose>();
  readonly #moves = new Map<number, Move>();
  #bend: Pose = NOWHERE;
  #bentAt = 0;
  #places: ReadonlyMap<number, Pose | null> = new Map();
  #show: Showing | null = null;
  #waiting: Show[] = [];

  /** Where everything belongs when nothing else goes on. Told again whenever the table changes. */
  settle(places: ReadonlyMap<number, Pose | null>, now: number): void {
    this.#places = places;
    if (!this.#show && !this.live) this.#goHome(now);
  }
  #goHome(now: number): void {
    for (const [id, pose] of this.#places) {
      const at = this.drawn.get(id);
      if (!pose) this.#hide(id);
      else if (!at || !this.motion || this.mine?.id === id) this.#put(id, pose);
      else if (far(at, pose) > 0.05)
        this.#moves.set(id, { from: at, to: pose, start: now, length: MOVE_MS, arc: far(at, pose) > 40 ? 35 : 0 });
      else this.#put(id, pose);
    }
  }
  #put(id: number, pose: Pose): void {
    this.#moves.delete(id);
    this.drawn.set(id, pose);
    this.scene?.place(id, pose);
  }
  #hide(id: number): void {
    this.#moves.delete(id);
    this.drawn.delete(id);
    this.scene?.place(id, null);
  }
  /** All stones anew, on a scene that has just been set up. */
  redraw(): void {
    for (const id of this.#places.keys()) this.scene?.place(id, this.drawn.get(id) ?? null);
  }

  /** A frame of a live turn has come. `home` is where pieces go that are taken off the board. */
  hear(frame: Frame, now: number, home: Pose): void {
    if (!this.live) {
      this.skip();
      this.film = new Film();
      this.live = true;
    }
    const before = this.film!.last;
    this.film!.add(frame, now / 1000);
    for (const [id, pose] of before?.poses ?? [])
      if (!frame.poses.has(id)) {
        if (this.motion) this.#moves.set(id, { from: pose, to: home, start: now, length: MOVE_MS * 1.5, arc: 60 });
        else this.#put(id, home);
      }
  }
  /** The live turn is over: its end has been told. Collapses are shown once more, if there is motion. */
  end(now: number, crash: number | null, again: (show: boolean) => void): void {
    if (!this.live) return;
    this.live = false;
    if (crash !== null) this.film?.mark(crash);
    const part = this.film?.highlight;
    if (part && this.motion) {
      this.#waiting.push(this.#slowly(this.film!, part, again));
      this.#next(now);
    } else this.#goHome(now);
  }
  /** Show the last collapse slowly, on request. */
  again(now: number, shown: (on: boolean) => void): void {
    const part = this.film?.highlight;
    if (!part || this.live) return;
    this.#waiting = [this.#slowly(this.film!, part, shown)];
    this.#next(now);
  }
  #slowly(film: Film, part: { from: number; to: number }, shown: (on: boolean) => void): Show {
    return { film, ...part, speed: SLOW, seat: null, shown };
  }
  get canShowAgain(): boolean {
    return !this.live && this.film !== null && this.film.highlight !== null;
  }
  /** A turn that was not seen live, or of which this player has seen the hand's way: shown after what is being
   *  shown, its collapse once more slowly. */
  act(
    film: Film,
    turn: { seat: number | null; handSeen: boolean; crash: number | null },
    now: number,
    again: (show: boolean) => void,
  ): void {
    if (turn.crash !== null) film.mark(turn.crash);
    this.film = film;
    if (!this.motion) return;
    const { seat } = turn;
    const [first, open] = [film.frames[0]!.t, film.released];
    const end = Math.max(open, film.still);
    if (!turn.handSeen && open > first)
      this.#waiting.push({ film, from: first, to: open, speed: Math.max(1, (open - first) / HAND_S), seat });
    this.#waiting.push({ film, from: open, to: end, speed: Math.max(1, (end - open) / FALL_S), seat });
    if (film.highlight) this.#waiting.push(this.#slowly(film, film.highlight, again));
    if (!this.#show) this.#next(now);
  }
  /** The next part that waits to be shown or, after the last one, everything to its place. */
  #next(now: number): void {
    const before = this.#show;
    const show = this.#waiting.shift();
    this.#show = null;
    before?.shown?.(false);
    if (!show) {
      this.#goHome(now);
      return;
    }
    const first = show.film.at(show.from);
    for (const id of first.keys()) this.#moves.delete(id);
    const apart = [...first].some(([id, pose]) => far(this.drawn.get(id) ?? pose, pose) > 1);
    // Whoever is far behind the table catches up.
    const speed = show.speed * Math.max(1, this.#waiting.length / 3);
    this.#show = {
      ...show,
      speed,
      start: null,
      lead: apart ? LEAD_MS : 0,
      starts: new Map(this.drawn),
      t: show.from,
      gone: new Set(),
    };
    show.shown?.(true);
  }
  /** Enough of this part: on to the next. */
  pass(now = performance.now()): void {
    if (this.#show) this.#next(now);
  }
  /** Enough of all that is shown or waits for it. */
  skip(now = performance.now()): void {
    this.#waiting = [];
    this.pass(now);
  }
  get showing(): boolean {
    return this.#show !== null;
  }
  /** The hand that is seen in a film, and what it holds. */
  get shownHand(): { seat: number; held: number } | null {
    const show = this.#show;
    const held = show ? show.film.heldAt(show.t) : null;
    return show && show.seat !== null && held !== null && show.t < show.film.released
      ? { seat: show.seat, held }
      : null;
  }

  /** Bring the scene to this moment; true while something moves by itself. */
  tick(now: number): boolean {
    if (this.#show) this.#tickShow(this.#show, now);
    else if (this.ahead?.frame) this.#drawFilm(this.#blended(this.ahead.frame, this.ahead.tableShare(now), now));
    else if (this.live && this.film) this.#drawFilm(this.film.at(this.film.present(now / 1000)));
    for (const [id, move] of this.#moves) {
      const share = Math.min(1, Math.max(0, (now - move.start) / move.length));
      this.drawn.set(id, along(move, share));
      this.scene?.place(id, this.drawn.get(id)!);
      if (share >= 1) this.#moves.delete(id);
    }
    if (this.mine) this.#put(this.mine.id, shifted(this.mine.pose(), this.#bent(this.mine.id, now)));
    else this.#bend = NOWHERE;
    return this.live || this.ahead !== null || this.#show !== null || this.#moves.size > 0;
  }
  /** What is simulated here and what the table has shown, in one picture: a correction takes some frames. */
  #blended({ poses }: Frame, share: number, now: number): ReadonlyMap<number, Pose> {
    const table = share > 0 && this.live ? this.film?.at(this.film.present(now / 1000)) : undefined;
    if (!table || share >= 1) return table ?? poses;
    const both = new Map(poses);
    for (const [id, pose] of table) both.set(id, between(poses.get(id) ?? this.drawn.get(id) ?? pose, pose, share));
    return both;
  }
  /** The newest frame that says how the hand's piece is bent away: the own simulation's, else the table's. */
  get newest(): Frame | null {
    const own = this.ahead?.tableShare(performance.now()) === 0 ? this.ahead.frame : null;
    return own ?? (this.live ? (this.film?.last ?? null) : null);
  }
  /** How far the field has pulled the held piece away from the hand. */
  #bent(id: number, now: number): Pose {
    const last = this.newest;
    const pose = last?.held === id ? last.poses.get(id) : undefined;
    const aim = last?.hand && pose ? offset(last.hand, pose) : NOWHERE;
    // The own simulation has as many frames as the screen.
    const smooth = this.motion && last !== this.ahead?.frame;
    const share = smooth ? 1 - Math.exp(-Math.max(0, now - this.#bentAt) / BEND_MS) : 1;
    this.#bentAt = now;
    this.#bend = between(this.#bend, aim, share);
    return this.#bend;
  }
  /** Where the hand is that holds something in a live turn: this player's own now, another's as it is drawn. */
  handAt(now: number): Pose | null {
    if (this.mine) return this.mine.pose();
    return this.live && this.film ? this.film.handAt(this.film.present(now / 1000)) : null;
  }
  #tickShow(show: Showing, now: number): void {
    show.start ??= now;
    const passed = Math.max(0, now - show.start);
    const first = show.film.at(show.from);
    if (passed < show.lead) {
      for (const [id, to] of first) {
        const from = show.starts.get(id) ?? to;
        this.#put(id, along({ from, to, arc: far(from, to) > 40 ? 35 : 0 }, passed / show.lead));
      }
      return;
    }
    show.t = Math.min(show.to, show.from + ((passed - show.lead) / 1000) * show.speed);
    const poses = show.film.at(show.t);
    this.#drawFilm(poses);
    for (const id of first.keys()) {
      if (poses.has(id) || show.gone.has(id)) continue;
      show.gone.add(id);
      this.#goAway(id, now);
    }
    if (show.t >= show.to) this.#next(now);
  }
  /** A piece that is taken off the board goes to its new owner's stack. */
  #goAway(id: number, now: number): void {
    const [from, to] = [this.drawn.get(id), this.#places.get(id)];
    if (from && to) this.#moves.set(id, { from, to, start: now, length: MOVE_MS * 1.5, arc: 60 });
    else this.#hide(id);
  }
  #drawFilm(poses: ReadonlyMap<number, Pose>): void {
    for (const [id, pose] of poses) {
      if (this.#moves.has(id)) continue;
      if (this.drawn.get(id) !== pose) this.#put(id, pose);
    }
  }
}

/** Somewhere on the way of a move, which slows down towards its end and may go over what lies between. */
function along({ from, to, arc }: Pick<Move, "from" | "to" | "arc">, share: number): Pose {
  if (share >= 1) return to;
  const [x, y, z, ...turn] = between(from, to, 1 - (1 - share) ** 3);
  return [x, y, z + arc * Math.sin(Math.PI * share), ...turn];
}
function far(a: Pose, b: Pose): number {
  const turn = 1 - Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) + 20 * turn;
}
