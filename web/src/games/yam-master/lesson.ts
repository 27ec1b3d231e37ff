// Yam Master's first lesson.
import type { Lesson } from "../../lib/lesson";

const turn = { phase: "decide", player: 0, rolls: 1, dice: "", kept: "", defi: false, turns: [2, 2], winner: null };
const EMPTY = [".....", ".....", ".....", ".....", "....."];

export const lesson: Lesson = {
  players: 2,
  steps: [
    {
      text: {
        en: "Each turn you roll five dice, up to three times. Here you rolled three 1s. Tap the three 1s to keep them, then roll the other two.",
        fr: "À chaque tour, tu lances cinq dés, jusqu’à trois fois. Voici trois 1. Touche les trois 1 pour les garder, puis relance les deux autres.",
      },
      view: { ...turn, dice: "11146", board: EMPTY },
      goal: /^keep 111$/,
      praise: { en: "Right: kept dice stay, the others are rolled again.", fr: "Bien : les dés gardés restent, les autres sont relancés." },
    },
    {
      text: {
        en: "The last roll. Three 1s or more open the cells with a single pip: they are raised. Tap one to place your pawn.",
        fr: "Dernier lancer. Trois 1 ou plus ouvrent les cases à un point : elles sont en relief. Touches-en une pour poser ton pion.",
      },
      view: { ...turn, rolls: 3, dice: "11135", board: EMPTY },
      goal: /^place r(1c1|4c5)$/,
      praise: { en: "Your first pawn. Placing one ends the turn.", fr: "Ton premier pion. En poser un termine le tour." },
    },
    {
      text: {
        en: "Three in line are worth a point, four two, and five win at once. You hold Carré and Yam on the diagonal. Four 1s and a 2 make 6: also “≤8”. Place so that three are in line.",
        fr: "Trois alignés valent un point, quatre en valent deux, et cinq gagnent aussitôt. Tu as Carré et Yam sur la diagonale. Quatre 1 et un 2 font 6 : donc aussi « ≤8 ». Pose pour en aligner trois.",
      },
      view: { ...turn, rolls: 2, dice: "11112", board: [".....", ".0...", "..0..", ".....", "....."] },
      goal: /^place r4c4$/,
      praise: { en: "Three in line: one point.", fr: "Trois alignés : un point." },
    },
    {
      text: {
        en: "After the first roll you may announce a challenge: a Full, Carré, Yam, Suite or ≤8 within two rolls, and a Défi cell is yours. Two pairs look good. Keep 2-2-5-5 and announce it.",
        fr: "Après le premier lancer, tu peux annoncer un défi : un Full, Carré, Yam, Suite ou ≤8 en deux lancers, et une case Défi est à toi. Deux paires, c’est prometteur. Garde 2-2-5-5 et annonce-le.",
      },
      view: { ...turn, dice: "22455", board: EMPTY },
      goal: /^defi 2255$/,
      praise: { en: "Bold. Without one of the five, nothing at all could be placed this turn.", fr: "Audacieux. Sans l’une des cinq, rien ne pourrait être posé ce tour-ci." },
    },
    {
      text: {
        en: "Five equal dice are a Yam. Instead of placing you may take an enemy pawn off the board. Two in line look dangerous: take one.",
        fr: "Cinq dés pareils font un Yam. Au lieu de poser, tu peux retirer un pion adverse. Deux alignés, c’est dangereux : retires-en un.",
      },
      view: { ...turn, rolls: 2, dice: "44444", board: [".....", ".11..", ".....", "0....", "....."] },
      goal: /^take /,
      praise: { en: "The Yam Predator strikes. The game ends when somebody has no pawns left: more points win.", fr: "Le Yam Predator a frappé. La partie finit quand quelqu’un n’a plus de pions : le plus de points gagne." },
    },
  ],
};
