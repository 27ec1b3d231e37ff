// Yikerz!'s first lesson: a few turns with the real magnets, and the word that must not be forgotten.
import type { Json, Lesson, View } from "../../contract";

const PYRAMID = [
  [0, -40.415, 180],
  [-70, -80.829, 0],
  [70, -80.829, 0],
  [0, 40.415, 0],
];
const LYING: { [id: number]: number[] } = {
  0: [-92, -96, 3, 0.97, 0, 0, 0.24],
  3: [52, -62, 2.8, 0.9, 0, 0, -0.43],
  6: [-45, -60, 3, 0.5, 0, 0, 0.866],
  9: [92, -100, 3.2, 1, 0, 0, 0],
};

/** Some pieces on the pyramid; the first `mine` of the others are the learner's, the next ones the opponent's. */
function table(phase: string, lie: readonly number[], mine: number, theirs: number, more: View = {}): View {
  let free = 0;
  const magnets = Array.from({ length: 20 }, (_, id): Json => {
    const pose = lie.includes(id) ? LYING[id] : undefined;
    if (pose) return { id, where: "board", owner: null, pose };
    const place = free++;
    return {
      id,
      where: place < mine + theirs ? "stack" : "pouch",
      owner: place < mine ? 0 : place < mine + theirs ? 1 : null,
      pose: null,
    };
  });
  return { phase, player: 0, mats: PYRAMID, magnets, ...more };
}

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: "lesson.1.task",
      view: table("turn", [0, 3], 5, 5),
      goal: /"magnet"/,
      praise: "lesson.1.praise",
      points: ".shapes",
    },
    {
      text: "lesson.2.task",
      view: table("turn", [0, 3, 6, 9], 4, 5),
      goal: /"magnet"/,
      praise: "lesson.2.praise",
      points: ".tools > :last-child",
    },
    {
      text: "lesson.3.task",
      view: table("turn", [0, 3], 3, 5),
      // The last pose is turned about more than the upright axis.
      goal: /,(?!0,0,)-?[\d.]+,-?[\d.]+,-?[\d.]+\]\],"release"/,
      praise: "lesson.3.praise",
      points: ".shapes",
      wrong: [{ tried: /"magnet"/, text: "lesson.3.wrong" }],
    },
    {
      text: "lesson.4.task",
      view: table("call", [0, 3, 6], 1, 5, { charged: 0, quiet: 10 }),
      goal: /"call"/,
      praise: "lesson.4.praise",
      points: ".shout, [data-call]",
      wrong: [{ tried: /./, text: "lesson.4.wrong" }],
    },
    {
      text: "lesson.5.task",
      view: table("pick", [0, 3, 6, 9], 1, 5, { picks: 2 }),
      goal: /"pick"/,
      praise: "lesson.5.praise",
      points: ".shapes",
    },
    {
      text: "lesson.6.task",
      goal: /"pick"/,
      praise: "lesson.6.praise",
      points: ".shapes",
    },
  ],
};
