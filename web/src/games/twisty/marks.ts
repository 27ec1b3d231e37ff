// The players' marks: star, square, triangle and circle, on the pawns as beside the board.
import type { Mark } from "../../contract";

export const PAWN_MARKS: readonly Mark[] = [
  { colour: "#a92d22", path: "M0-9L2.6-2.9L9-2.6L4 1.7L5.6 8L0 4.6L-5.6 8L-4 1.7L-9-2.6L-2.6-2.9Z" },
  { colour: "#1d4f8f", path: "M-7-7H7V7H-7Z" },
  { colour: "#1f6a3c", path: "M0-8L8 7H-8Z" },
  { colour: "#5d3a86", path: "M0-7A7 7 0 1 1-.1-7Z" },
];
