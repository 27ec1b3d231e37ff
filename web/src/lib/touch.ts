// What a finger does: whether it is the main pointer, and buttons that show what they would do while they are pressed.
import { on } from "svelte/events";

/** For sentences that explain how something is done. */
export const touch = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

/** A button whose effect can be seen before it counts. A mouse points at it, the keyboard comes to it, a finger
 *  presses it; releasing the finger elsewhere does nothing. */
export function tried(show: (on: boolean) => void, act: () => void): (button: HTMLElement) => () => void {
  return (button) => {
    let acted = false; // by a finger: the click that follows is the same deed
    const within = ({ clientX: x, clientY: y }: PointerEvent): boolean => {
      const box = button.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    };
    const heard: { [kind: string]: (event: Event) => void } = {
      pointerenter: (event) => (event as PointerEvent).pointerType === "mouse" && show(true),
      pointerleave: (event) => (event as PointerEvent).pointerType === "mouse" && show(false),
      pointerdown: (event) => {
        acted = false;
        if ((event as PointerEvent).pointerType === "touch") show(true);
      },
      pointermove: (event) => (event as PointerEvent).pointerType === "touch" && show(within(event as PointerEvent)),
      pointerup: (event) => {
        if ((event as PointerEvent).pointerType !== "touch") return;
        if (within(event as PointerEvent)) {
          acted = true;
          act();
        } else show(false);
      },
      pointercancel: () => show(false),
      // a long look at what would happen is no wish for a menu
      contextmenu: (event) => (event as PointerEvent).pointerType === "touch" && event.preventDefault(),
      focus: () => button.matches(":focus-visible") && show(true),
      blur: () => show(false),
      click: (event) => {
        if (!acted || (event as MouseEvent).detail === 0) act();
        acted = false;
      },
    };
    const ends = Object.entries(heard).map(([kind, listener]) => on(button, kind, listener));
    return () => {
      for (const end of ends) end();
    };
  };
}
