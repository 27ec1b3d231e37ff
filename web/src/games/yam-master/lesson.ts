// Yam Master's first lesson.
import type { Lesson } from "../../contract";

const turn = { phase: "decide", player: 0, rolls: 1, dice: "", kept: "", defi: false, turns: [2, 2], winner: null };
const EMPTY = [".....", ".....", ".....", ".....", "....."];

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: "lesson.1.task",
      view: { ...turn, dice: "11146", board: EMPTY },
      goal: /^keep 111$/,
      praise: "lesson.1.praise",
      points: ".tray > .die:nth-child(-n + 3)",
      wrong: [
        { tried: /^place/, text: "lesson.1.place" },
        { tried: /^defi/, text: "lesson.1.challenge" },
        { tried: /^keep/, text: "lesson.1.wrong" },
      ],
    },
    {
      text: "lesson.2.task",
      view: { ...turn, rolls: 3, dice: "11135", board: EMPTY },
      goal: /^place r(1c1|4c5)$/,
      praise: "lesson.2.praise",
      points: '[data-spot="r1c1"], [data-spot="r4c5"]',
      wrong: [{ tried: /^pass$/, text: "lesson.2.pass" }],
    },
    {
      text: "lesson.3.task",
      view: { ...turn, rolls: 2, dice: "11112", board: [".....", ".0...", "..0..", ".....", "....."] },
      goal: /^place r(1c1|4c4)$/,
      praise: "lesson.3.praise",
      points: '[data-spot="r2c2"], [data-spot="r3c3"]',
      wrong: [
        { tried: /^place/, text: "lesson.3.alone" },
        { tried: /^(keep|pass)/, text: "lesson.3.roll" },
      ],
    },
    {
      text: "lesson.4.task",
      view: { ...turn, dice: "22455", board: EMPTY },
      goal: /^defi 2255$/,
      praise: "lesson.4.praise",
      points: ".tray > .die:not(:nth-child(3))",
      wrong: [
        { tried: /^keep/, text: "lesson.4.keep" },
        { tried: /^defi/, text: "lesson.4.dice" },
      ],
    },
    {
      text: "lesson.5.task",
      view: { ...turn, rolls: 2, dice: "44444", board: [".....", ".11..", ".....", "0....", "....."] },
      goal: /^take /,
      praise: "lesson.5.praise",
      points: '[data-spot="r2c2"], [data-spot="r2c3"]',
      wrong: [
        { tried: /^place/, text: "lesson.5.place" },
        { tried: /^(keep|pass)/, text: "lesson.5.roll" },
      ],
    },
  ],
};
