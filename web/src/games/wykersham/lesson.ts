// Wykersham's first lesson.
import type { Lesson, View } from "../../contract";
import { type Marbles, position } from "./views";

const turn = (marbles: readonly Marbles[], turns: number): View =>
  position(marbles, { phase: "place", dice: "35", left: ["3", "5"], turns: [turns, turns] });

/** A marble has just come to line 3 on rail 4; slid to the right it completes two lines. */
const COMBINATION = position(
  [
    [1, 5, 1, 0],
    [2, 5, 1, 0],
    [3, 5, 1, 0],
    [5, 5, 1, 0],
    [1, 2, 1, 0],
    [2, 3, 1, 0],
    [3, 4, 1, 1],
    [4, 4, 1, 0],
    [5, 6, 1, 0],
    [2, 7, 0, 2],
    [4, 7, 0, 2],
    [1, 7, 0, 1],
    [5, 3, 0, 1],
    [4, 2, 0, 1],
  ],
  { phase: "slide", dice: "34", left: ["4"], rail: 4, turns: [4, 4] },
);

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: "lesson.1.task",
      view: turn([], 0),
      goal: /^[35]@[1245]$/,
      praise: "lesson.1.praise",
      points: ".dice",
      wrong: [{ tried: /@3$/, text: "lesson.1.wrong" }],
    },
    {
      text: "lesson.2.task",
      goal: /^(left|right)$/,
      praise: "lesson.2.praise",
      points: ".actions",
      wrong: [{ tried: /^stay$/, text: "lesson.2.wrong" }],
    },
    {
      text: "lesson.3.task",
      view: turn(
        [
          [1, 5, 2, 0],
          [2, 5, 1, 0],
          [3, 5, 1, 0],
          [5, 5, 1, 0],
          [2, 2, 1, 0],
          [1, 9, 0, 2],
          [2, 8, 0, 1],
          [4, 8, 0, 2],
          [5, 3, 0, 1],
        ],
        3,
      ),
      goal: /^3@4$/,
      praise: "lesson.3.praise",
      points: '[data-spot="3@4"]',
      wrong: [
        { tried: /^3@/, text: "lesson.3.line" },
        { tried: /^5@/, text: "lesson.3.five" },
      ],
    },
    {
      text: "lesson.4.task",
      goal: /^right$/,
      praise: "lesson.4.praise",
      points: ".actions",
      wrong: [
        { tried: /^left$/, text: "lesson.4.left" },
        { tried: /^stay$/, text: "lesson.4.stay" },
      ],
    },
    {
      text: "lesson.5.task",
      goal: /^take$/,
      praise: "lesson.5.praise",
      points: ".actions",
      wrong: [{ tried: /^leave$/, text: "lesson.5.wrong" }],
    },
    {
      text: "lesson.6.task",
      goal: /^[12]$/,
      praise: "lesson.6.praise",
      points: ".actions",
    },
    {
      text: "lesson.7.task",
      view: COMBINATION,
      goal: /^right$/,
      praise: "lesson.7.praise",
      points: '[data-spot="3@4"]',
      wrong: [
        { tried: /^left$/, text: "lesson.7.left" },
        { tried: /^stay$/, text: "lesson.7.stay" },
      ],
    },
    {
      text: "lesson.8.task",
      goal: /^take$/,
      praise: "lesson.8.praise",
      points: ".actions",
      wrong: [{ tried: /^leave$/, text: "lesson.8.wrong" }],
    },
  ],
};
