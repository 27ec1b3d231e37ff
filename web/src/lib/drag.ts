// Dragging, the same on every board, by mouse, finger and pen. A board says what can be taken up and what a drop would
// mean; both follow from the legal actions that the host sent. It draws what is carried, and requests what was dropped.
import { on } from "svelte/events";
import { tick } from "./haptics";

/** In the units of the board's drawing. */
export interface Point {
  x: number;
  y: number;
}
export interface Target extends Point {
  id: string;
}

/** Something in the hand. */
export interface Carried {
  /** What letting go here would mean; null: it goes back to where it was. */
  aim(at: Point): string | null;
  /** It is here, and letting go would mean this. Called once a frame at most. */
  move(at: Point, drop: string | null): void;
  /** It was let go; null also when the gesture was given up. */
  end(drop: string | null): void;
}
export interface Press {
  /** A finger hides what is under it. */
  finger: boolean;
  target: Element;
}
export interface Draggable {
  /** How large the drawing is, in its own units; the element shows all of it. */
  size(): readonly [number, number];
  /** What a press takes up, if it becomes a drag; null: nothing. */
  take(at: Point, press: Press): Carried | null;
}

/** In pixels: less is a tap. */
const TAP = { mouse: 4, touch: 8 };

/** The nearest of some places, if it is not farther away than `reach`. */
export function nearest(targets: readonly Target[], reach: number): (at: Point) => string | null {
  return ({ x, y }) => {
    let [best, least]: [string | null, number] = [null, reach];
    for (const target of targets) {
      const far = Math.hypot(target.x - x, target.y - y);
      if (far <= least) [best, least] = [target.id, far];
    }
    return best;
  };
}

/** How something with notches follows the hand that pulls it by so many of them: it clings to each, and hardly gives
 *  beyond the last. */
export function notched(pulled: number, least: number, most: number): number {
  const within = Math.min(most, Math.max(least, pulled));
  const beyond = pulled - within;
  return within - (0.8 * Math.sin(2 * Math.PI * within)) / (2 * Math.PI) + 0.12 * Math.tanh(beyond);
}

interface Hold {
  id: number;
  finger: boolean;
  /** Where the pointer went down, in pixels. */
  from: Point;
  last: Point;
  carried: Carried;
  moved: boolean;
  drop: string | null;
}

export class Dragging {
  #what: Draggable;
  #element: HTMLElement | null = null;
  #hold: Hold | null = null;
  /** Where the element is, measured when it is pressed: asking in every frame would lay the page out anew each time. */
  #box = { left: 0, top: 0, width: 1, height: 1 };
  #frame = 0;
  /** A drag has just ended: the click that the browser adds to it is no tap. */
  #dragged = false;
  #unheard: (() => void)[] = [];

  constructor(what: Draggable) {
    this.#what = what;
  }

  readonly attach = (element: HTMLElement): (() => void) => {
    this.#element = element;
    const heard: [string, (event: never) => void, AddEventListenerOptions?][] = [
      ["pointerdown", this.#down],
      ["pointermove", this.#move],
      ["pointerup", this.#up],
      ["pointercancel", this.cancel],
      // A finger's press belongs to what it is on, until the drag takes it over.
      ["lostpointercapture", (event: Event) => event.target === element && this.cancel()],
      ["click", this.#click, { capture: true }],
      // Whatever a finger takes up, it does not scroll the page.
      ["touchmove", (event: Event) => this.#hold && event.cancelable && event.preventDefault(), { passive: false }],
      ["selectstart", (event: Event) => this.#hold && event.preventDefault()],
      ["dragstart", (event: Event) => event.preventDefault()],
      ["contextmenu", (event: Event) => this.#hold?.finger && event.preventDefault()],
    ];
    const ends = heard.map(([kind, listener, how]) => on(element, kind, listener as (event: Event) => void, how));
    return () => {
      this.cancel();
      for (const end of ends) end();
      this.#element = null;
    };
  };

  /** Gives the gesture up: what was carried goes back. */
  readonly cancel = (): void => this.#end(null);

  #point({ x, y }: Point): Point {
    const box = this.#box;
    const [width, height] = this.#what.size();
    return { x: ((x - box.left) / box.width) * width, y: ((y - box.top) / box.height) * height };
  }

  #down = (event: PointerEvent): void => {
    this.#dragged = false;
    if (this.#hold) {
      this.cancel(); // a second finger
      return;
    }
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
    const from = { x: event.clientX, y: event.clientY };
    this.#box = this.#element!.getBoundingClientRect();
    const finger = event.pointerType === "touch";
    const carried = this.#what.take(this.#point(from), { finger, target: event.target });
    if (!carried) return;
    this.#hold = { id: event.pointerId, finger, from, last: from, carried, moved: false, drop: null };
    this.#unheard = [
      on(window, "keydown", (key) => {
        if (key.key !== "Escape" || !this.#hold?.moved) return;
        key.preventDefault();
        this.cancel();
      }),
      on(window, "blur", this.cancel),
      // Before anything is captured, a pointer may be let go elsewhere.
      on(
        window,
        "pointerup",
        (up) => this.#hold && !this.#hold.moved && up.pointerId === this.#hold.id && this.cancel(),
      ),
    ];
  };

  #move = (event: PointerEvent): void => {
    const hold = this.#hold;
    if (hold?.id !== event.pointerId) return;
    hold.last = { x: event.clientX, y: event.clientY };
    if (!hold.moved) {
      const far = Math.hypot(hold.last.x - hold.from.x, hold.last.y - hold.from.y);
      if (far < (hold.finger ? TAP.touch : TAP.mouse)) return;
      hold.moved = true;
      try {
        this.#element?.setPointerCapture(event.pointerId);
      } catch {
        this.cancel(); // the pointer is gone already
        return;
      }
      tick(0.1);
    }
    this.#frame ||= requestAnimationFrame(this.#follow);
  };

  #follow = (): void => {
    this.#frame = 0;
    const hold = this.#hold;
    if (!hold || !this.#element) return;
    const at = this.#point(hold.last);
    const drop = hold.carried.aim(at);
    if (drop !== hold.drop && drop !== null) tick();
    hold.drop = drop;
    hold.carried.move(at, drop);
  };

  #up = (event: PointerEvent): void => {
    const hold = this.#hold;
    if (hold?.id !== event.pointerId) return;
    if (hold.moved) {
      hold.last = { x: event.clientX, y: event.clientY };
      this.#follow();
    }
    this.#end(hold.drop);
  };

  #end(drop: string | null): void {
    const hold = this.#hold;
    if (!hold) return;
    this.#hold = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const end of this.#unheard) end();
    this.#unheard = [];
    if (!hold.moved) return;
    this.#dragged = true;
    if (this.#element?.hasPointerCapture(hold.id)) this.#element.releasePointerCapture(hold.id);
    hold.carried.end(drop);
  }

  #click = (event: MouseEvent): void => {
    if (!this.#dragged || event.detail === 0) return; // by keyboard
    this.#dragged = false;
    event.preventDefault();
    event.stopPropagation();
  };
}
