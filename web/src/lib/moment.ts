// Moments that no server has sent: of pictures and of the gallery.
import type { Moment, View } from "../contract";

/** The first seat is to move and nothing has just happened, but for what `more` says. */
export const moment = (view: View, more: Partial<Moment> = {}): Moment => ({
  number: 1,
  view,
  toMove: 0,
  acting: 0,
  legal: [],
  open: [],
  action: null,
  events: [],
  over: false,
  returns: [],
  ...more,
});
