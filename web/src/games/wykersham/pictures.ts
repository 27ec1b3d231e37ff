// Wykersham's pictures for the rules page.
import type { Pictures } from "../../contract";
import { position } from "./views";

export const pictures: Pictures = {
  ratio: 1.69,
  below: 3.4,
  sections: { rails: [{ view: position([], { offsets: [0, 1, 0, -1, 0] }), caption: "picture.rails" }] },
};
