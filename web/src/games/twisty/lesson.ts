// Twisty's first lesson, in positions out of one real game.
import type { Lesson, View } from "../../contract";

const base: View = {
  phase: "move",
  player: 0,
  series: ["FDABGCE", "GBDCFEA"],
  protected: ["", ""],
  used: [],
  first: 0,
  winner: null,
};

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: "lesson.1.task",
      view: {
        ...base,
        board: [".Gso.x.", "F.CEACs", "CDDLoDD", "oAo.xBF", "ALGAsEG", "FL+CxFE", ".BE++B."],
        pawns: ["d3", "b6"],
        collected: [0, 2],
        round: 4,
      },
      goal: /^f2$/,
      praise: "lesson.1.praise",
      points: '[data-spot="f2"], [data-cube="0F"]',
      wrong: [{ tried: /./, text: "lesson.1.wrong" }],
    },
    {
      text: "lesson.2.task",
      view: {
        ...base,
        board: [".Gso.x.", "F.CEACs", "CDDLoDD", "oAo.xBF", "ALGAsEG", "FL+Cx.E", ".BE++B."],
        pawns: ["f2", "e7"],
        collected: [1, 2],
        round: 5,
      },
      goal: /^e4$/,
      praise: "lesson.2.praise",
      points: '[data-spot="e4"], [data-cube="0D"]',
      wrong: [{ tried: /./, text: "lesson.2.wrong" }],
    },
    {
      text: "lesson.3.task",
      goal: /^f5$/,
      praise: "lesson.3.praise",
      points: '[data-spot="f5"]',
      wrong: [
        { tried: /^stay$/, text: "lesson.3.stay" },
        { tried: /./, text: "lesson.3.wrong" },
      ],
    },
    {
      text: "lesson.4.task",
      view: {
        ...base,
        board: [".Gso.x.", "F.CE.Cs", "CD.Lo.D", "oAo.xBF", "ALGAsEG", "FL+Cx.E", ".BE++B."],
        pawns: ["e6", "b7"],
        collected: [3, 3],
        round: 8,
      },
      goal: /^c7$/,
      praise: "lesson.4.praise",
      points: '[data-spot="c7"]',
      wrong: [{ tried: /./, text: "lesson.4.wrong" }],
    },
    {
      text: "lesson.5.task",
      goal: /^shield$/,
      praise: "lesson.5.praise",
      points: ".actions",
      wrong: [{ tried: /./, text: "lesson.5.wrong" }],
    },
    {
      text: "lesson.6.task",
      view: {
        ...base,
        series: ["AFEDGBC", "DCGEBAF"],
        board: [".ACFEs.", "xDF.o+.", "C.GLxEL", "CDA.+GG", "BFxoBLB", "Aos.+s.", ".BoD..."],
        pawns: ["c5", "d3"],
        collected: [3, 4],
        round: 19,
        first: 1,
      },
      goal: /^d3$/,
      praise: "lesson.6.praise",
      points: '[data-spot="d3"], [data-cube="1D"]',
      wrong: [{ tried: /./, text: "lesson.6.wrong" }],
    },
    {
      text: "lesson.7.task",
      view: {
        ...base,
        board: [".Gso.x.", "F..E.Cs", ".D.Lo.D", "oAo.x.F", "ALG.s..", ".L+Cx.E", ".B.++B."],
        pawns: ["f3", "c4"],
        collected: [7, 7],
        round: 16,
      },
      goal: /^d4$/,
      praise: "lesson.7.praise",
      points: '[data-spot="d4"]',
      wrong: [{ tried: /./, text: "lesson.7.wrong" }],
    },
  ],
};
