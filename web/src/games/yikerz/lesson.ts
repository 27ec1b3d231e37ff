// Yikerz!'s first lesson: a few turns with the real magnets, and the word that must not be forgotten.
import type { Json, View } from "../../contract";
import type { Lesson } from "../../lib/lesson";

const PYRAMID = [[0, -40.415, 180], [-70, -80.829, 0], [70, -80.829, 0], [0, 40.415, 0]];
const LYING: { [id: number]: number[] } = { 0: [-92, -96, 3, 0.97, 0, 0, 0.24], 3: [52, -62, 2.8, 0.9, 0, 0, -0.43], 6: [-45, -60, 3, 0.5, 0, 0, 0.866], 9: [92, -100, 3.2, 1, 0, 0, 0] };

/** Some pieces on the pyramid; the first `mine` of the others are the learner's, the next ones the opponent's. */
function table(phase: string, lie: readonly number[], mine: number, theirs: number, more: View = {}): View {
  let free = 0;
  const magnets = Array.from({ length: 20 }, (_, id): Json => {
    const pose = lie.includes(id) ? LYING[id] : undefined;
    if (pose) return { id, where: "board", owner: null, pose };
    const place = free++;
    return { id, where: place < mine + theirs ? "stack" : "pouch", owner: place < mine ? 0 : place < mine + theirs ? 1 : null, pose: null };
  });
  return { phase, player: 0, mats: PYRAMID, magnets, ...more };
}

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: {
        en: "You want to be rid of your magnets. Take one from your stack, move it over a mat far from the others, lower it and let go.",
        fr: "Il s’agit de se débarrasser de ses aimants. Prends-en un dans ta pile, amène-le au-dessus d’un tapis loin des autres, descends-le et lâche.",
      },
      view: table("turn", [0, 3], 5, 5),
      goal: /"magnet"/,
      praise: {
        en: "If it lies still, it is off your hands. If it jumped at another, both are yours again.",
        fr: "S’il ne bouge plus, tu en es débarrassé. S’il a sauté sur un autre, tu reprends les deux.",
      },
    },
    {
      text: {
        en: "It gets crowded. The last button of the view shows the field as iron filings: the longer they are, the stronger it is. Put a magnet where it is weak.",
        fr: "La place manque. Le dernier bouton de la vue montre le champ en limaille : plus elle est longue, plus il est fort. Pose un aimant là où il est faible.",
      },
      view: table("turn", [0, 3, 6, 9], 4, 5),
      goal: /"magnet"/,
      praise: { en: "You may push and pull the others with the field, too. Only touching them is a collapse.", fr: "Pousser et tirer les autres par le champ est permis. Seul le contact est une collision." },
    },
    {
      text: {
        en: "Magnets can stand. Take one, press the middle button (or F) until it is on its edge or upright, and put it down.",
        fr: "Un aimant peut se tenir debout. Prends-en un, appuie sur le bouton du milieu (ou F) jusqu’à ce qu’il soit sur la tranche ou debout, et pose-le.",
      },
      view: table("turn", [0, 3], 3, 5),
      // The last pose is turned about more than the upright axis.
      goal: /,(?!0,0,)-?[\d.]+,-?[\d.]+,-?[\d.]+\]\],"release"/,
      praise: { en: "A standing piece needs less room. It also falls more easily.", fr: "Debout, il prend moins de place. Il tombe aussi plus facilement." },
    },
    {
      text: { en: "A single magnet is left to you. Say so before the next turn begins!", fr: "Il ne te reste qu’un aimant. Dis-le avant le tour suivant !" },
      view: table("call", [0, 3, 6], 1, 5, { charged: 0, quiet: 10 }),
      goal: /"call"/,
      praise: { en: "Now everybody knows. Put it down well, and the round is yours.", fr: "Maintenant tout le monde le sait. Pose-le bien, et la manche est à toi." },
    },
    {
      text: { en: "Whoever forgets takes two pieces off the board. Take the first one.", fr: "Qui l’oublie reprend deux pièces sur le plateau. Prends la première." },
      view: table("pick", [0, 3, 6, 9], 1, 5, { picks: 2 }),
      goal: /"pick"/,
      praise: { en: "Back to three magnets. Next time you will say it.", fr: "Te revoilà avec trois aimants. La prochaine fois, tu le diras." },
    },
  ],
};
