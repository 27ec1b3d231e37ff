// Moves the stones on the stage: from one view to the next, along a live turn, in a player's own hand, and once more slowly.
// It knows poses and times only; what they mean is told to it.
import { Film, type Frame } from "./frames";
import { between, type Pose } from "./pose";
import type { Stage } from "./stage";

const MOVE_MS = 420;
/** A collapse is shown again at this part of its speed. */
export const SLOW = 0.22;

interface Move {
  from: Pose;
  to: Pose;
  start: number;
  length: number;
  arc: number;
}
interface Show {
  film: Film;
  from: number;
  to: number;
  speed: number;
  start: number;
  then: () => void;
}

export class Director {
  stage: Stage | null = null;
  motion = true;
  /** The live turn that is being watched, or the last one. */
  film: Film | null = null;
  /** Whether that turn is still going on. */
  live = false;
  /** What this player holds, where this player wants it: drawn there at once rather than when the server has echoed it. */
  mine: { id: number; pose: () => Pose } | null = null;
  readonly drawn = new Map<number, Pose>();
  readonly #moves = new Map<number, Move>();
  #places: ReadonlyMap<number, Pose | null> = new Map();
  #show: Show | null = null;

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
      else if (far(at, pose) > 0.05) this.#moves.set(id, { from: at, to: pose, start: now, length: MOVE_MS, arc: far(at, pose) > 40 ? 35 : 0 });
      else this.#put(id, pose);
    }
  }
  #put(id: number, pose: Pose): void {
    this.#moves.delete(id);
    this.drawn.set(id, pose);
    this.stage?.place(id, pose);
  }
  #hide(id: number): void {
    this.#moves.delete(id);
    this.drawn.delete(id);
    this.stage?.place(id, null);
  }
  /** All stones anew, on a stage that has just been set up. */
  redraw(): void {
    for (const id of this.#places.keys()) this.stage?.place(id, this.drawn.get(id) ?? null);
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
      again(true);
      this.#play({ film: this.film!, ...part, speed: SLOW, start: now + 250, then: () => again(false) });
    } else this.#goHome(now);
  }
  /** Show the last collapse slowly, on request. */
  again(now: number, then: () => void): void {
    const part = this.film?.highlight;
    if (part && !this.live) this.#play({ film: this.film!, ...part, speed: SLOW, start: now, then });
  }
  get canShowAgain(): boolean {
    return !this.live && this.film !== null && this.film.highlight !== null;
  }
  /** A turn that was not seen live, from its text: the hand's way, in at most three seconds, then what became of it. */
  act(magnet: number, path: readonly (readonly number[])[], release: number, now: number): void {
    if (!this.motion || path.length === 0) return;
    const film = new Film();
    const others = [...this.drawn].filter(([id]) => id !== magnet);
    const start = this.drawn.get(magnet);
    const lead = 0.35;
    if (start) film.add({ t: 0, poses: new Map([...others, [magnet, start]]), held: magnet, events: [], quiet: null }, 0);
    for (const [t, ...pose] of path) film.add({ t: lead + (t ?? 0), poses: new Map([...others, [magnet, pose as unknown as Pose]]), held: magnet, events: [], quiet: null }, 0);
    const to = lead + release;
    this.#play({ film, from: 0, to, speed: Math.max(1, to / 3), start: now, then: () => {} });
  }
  #play(show: Show): void {
    this.skip();
    this.#moves.clear();
    this.#show = show;
  }
  skip(now = performance.now()): void {
    const show = this.#show;
    this.#show = null;
    if (!show) return;
    this.#goHome(now);
    show.then();
  }
  get showing(): boolean {
    return this.#show !== null;
  }

  /** Bring the stage to this moment; true while something moves by itself. */
  tick(now: number): boolean {
    const show = this.#show;
    if (show) {
      const t = show.from + (Math.max(0, now - show.start) / 1000) * show.speed;
      this.#drawFilm(show.film.at(Math.min(t, show.to)), show.film.at(show.from));
      if (t >= show.to) this.skip(now);
      return true;
    }
    if (this.live && this.film) this.#drawFilm(this.film.at(this.film.present(now / 1000)));
    for (const [id, move] of this.#moves) {
      const share = Math.min(1, Math.max(0, (now - move.start) / move.length));
      const eased = 1 - (1 - share) ** 3;
      const pose = between(move.from, move.to, eased);
      const raised: Pose = [pose[0], pose[1], pose[2] + move.arc * Math.sin(Math.PI * share), pose[3], pose[4], pose[5], pose[6]];
      this.drawn.set(id, raised);
      this.stage?.place(id, raised);
      if (share >= 1) this.#moves.delete(id);
    }
    if (this.mine) this.#put(this.mine.id, this.mine.pose());
    return this.live || this.#moves.size > 0;
  }
  #drawFilm(poses: ReadonlyMap<number, Pose>, first?: ReadonlyMap<number, Pose>): void {
    for (const [id, pose] of poses) {
      if (this.#moves.has(id)) continue;
      if (this.drawn.get(id) !== pose) this.#put(id, pose);
    }
    // Shown again: what is taken away in the course of it is gone.
    if (first) for (const id of first.keys()) if (!poses.has(id) && this.drawn.has(id)) this.#hide(id);
  }
}

function far(a: Pose, b: Pose): number {
  const turn = 1 - Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) + 20 * turn;
}
