// Ticks that are felt: of a notch, a place that something would fall into, a knock. Which devices have them is not
// asked: where there is no motor, nothing happens.

/** From 0 to 1: how hard it is felt. */
export function tick(strength = 0.3): void {
  if (typeof navigator.vibrate !== "function" || navigator.userActivation?.hasBeenActive === false) return;
  navigator.vibrate(Math.round(4 + 26 * Math.min(1, Math.max(0, strength))));
}
