// The seats' colours and marks, the same on the cloths, on the labels and beside the board. The colours differ in
// lightness too, so that they can be told apart with any kind of colour vision; the marks differ without colour.
import type { Mark } from "../../contract";

const DARK = "#1e1711";

export const SEATS: readonly Mark[] = [
  { colour: "#96301f", path: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0" },
  { colour: "#234f86", path: "M-5-5H5V5H-5Z" },
  { colour: "#4f8a52", path: "M0-6L6 5H-6Z" },
  { colour: "#d2a93a", path: "M-1.6-6H1.6V-1.6H6V1.6H1.6V6H-1.6V1.6H-6V-1.6H-1.6Z", ink: DARK },
  { colour: "#8f62b5", path: "M0-7L2-2.2L7-2.1L3.1 1.2L4.4 6.3L0 3.5L-4.4 6.3L-3.1 1.2L-7-2.1L-2-2.2Z" },
  { colour: "#6fb9b6", path: "M-6-5H6V-1.4H-6ZM-6 1.4H6V5H-6Z", ink: DARK },
];
