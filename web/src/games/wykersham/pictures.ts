// Wykersham's pictures for the rules page.
import type { Pictures } from "../../contract";
import { type Marbles, position } from "./views";

const ALMOST: readonly Marbles[] = [
  [1, 4, 1, 0],
  [2, 3, 1, 0],
  [3, 4, 1, 1],
  [4, 4, 1, 0],
  [5, 4, 1, 0],
];
const DIAGONAL: readonly Marbles[] = [
  [1, 3, 1, 0],
  [2, 4, 1, 0],
  [3, 5, 2, 0],
  [4, 6, 1, 0],
  [5, 7, 1, 0],
];

export const pictures: Pictures = {
  ratio: 1.93,
  sections: {
    0: [{ view: position([], { offsets: [0, 1, 0, -1, 0] }), caption: "picture.rails" }],
    1: [
      { view: position([[2, 3, 1, 0]], { left: ["2"] }), caption: "picture.marble" },
      {
        view: position([
          [3, 5, 2, 3],
          [2, 4, 2, 0],
          [4, 6, 0, 4],
        ]),
        caption: "picture.stacks",
      },
    ],
    3: [
      { view: position(ALMOST), caption: "picture.notch" },
      {
        view: position(ALMOST, { offsets: [0, 1, 0, 0, 0], goals: [{ line: "vertical", column: -1, taken: null }] }),
        caption: "picture.goal",
      },
      {
        view: position(DIAGONAL, { goals: [{ line: "falling", column: 0, taken: null }] }),
        caption: "picture.diagonal",
      },
    ],
  },
};
